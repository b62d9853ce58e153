// A BDL of about 5 MB, as dense as models get: 62,500 vertices, 124,000 triangles, six textures of
// 512 x 512 pixels. The native program writes it.

import * as fs from "node:fs";
import * as path from "node:path";
import { execFileSync } from "node:child_process";

const SIDE = 250, MATERIALS = 6, PIXELS = 512;

function texture(number) {
  const bytes = Buffer.alloc(18 + 3 * PIXELS * PIXELS);
  bytes[2] = 2; // TGA type 2: true color, not compressed
  bytes.writeUInt16LE(PIXELS, 12);
  bytes.writeUInt16LE(PIXELS, 14);
  bytes[16] = 24;
  for (let y = 0, at = 18; y < PIXELS; y++) {
    for (let x = 0; x < PIXELS; x++, at += 3) {
      const noise = (Math.imul(x * 73856093 ^ y * 19349663, 2654435761 + number) >>> 24) / 8;
      bytes[at] = 90 + 60 * Math.sin(x / (9 + number)) + noise;
      bytes[at + 1] = 100 + 60 * Math.sin(y / 13) + noise;
      bytes[at + 2] = 60 + 20 * number + noise;
    }
  }
  return bytes;
}

/** @returns {string} the path of the BDL */
export function makeModel(facet, folder) {
  const lines = ["mtllib dense.mtl"], materials = [];
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const a = column / (SIDE - 1) * 2 * Math.PI, b = (row / (SIDE - 1) - 0.5) * Math.PI;
      const radius = 60 + 4 * Math.sin(9 * a) * Math.cos(7 * b);
      lines.push(`v ${[Math.cos(b) * Math.cos(a), Math.sin(b), Math.cos(b) * Math.sin(a)].map((x) => (radius * x).toFixed(4)).join(" ")}`,
        `vt ${(column / 16).toFixed(5)} ${(row / 16).toFixed(5)}`);
    }
  }
  for (let number = 0; number < MATERIALS; number++) {
    fs.writeFileSync(path.join(folder, `dense${number}.tga`), texture(number));
    materials.push(`newmtl dense${number}\nKd 1 1 1\nmap_Kd dense${number}.tga`);
    lines.push(`usemtl dense${number}`);
    for (let row = number; row < SIDE - 1; row += MATERIALS) {
      for (let column = 0; column < SIDE - 1; column++) {
        const at = row * SIDE + column + 1, corner = (i) => `${i}/${i}`;
        lines.push(`f ${[at, at + SIDE, at + SIDE + 1, at + 1].map(corner).join(" ")}`);
      }
    }
  }
  fs.writeFileSync(path.join(folder, "dense.mtl"), materials.join("\n"));
  fs.writeFileSync(path.join(folder, "dense.obj"), lines.join("\n"));
  const made = path.join(folder, "dense.bdl");
  execFileSync(facet, ["convert", "-q", "--texture-format", "RGB5A3", path.join(folder, "dense.obj"), made]);
  return made;
}

const GRID = 224; // squares in a row: 2 * 224 * 224 = 100,352 triangles

/** @returns {string[]} the paths of one model with normals and texture coordinates, as GLB, OBJ and PLY */
export function makeGrid(facet, folder) {
  const lines = [];
  for (let row = 0; row <= GRID; row++) {
    for (let column = 0; column <= GRID; column++) {
      const [x, z] = [column / GRID, row / GRID];
      lines.push(`v ${x.toFixed(6)} ${(Math.sin(9 * x) * Math.cos(7 * z) / 9).toFixed(6)} ${z.toFixed(6)}`, `vt ${x.toFixed(6)} ${z.toFixed(6)}`);
    }
  }
  for (let row = 0; row < GRID; row++) {
    for (let column = 0; column < GRID; column++) {
      const at = row * (GRID + 1) + column + 1, corner = (i) => `${i}/${i}`;
      for (const triangle of [[at, at + GRID + 1, at + 1], [at + 1, at + GRID + 1, at + GRID + 2]]) lines.push(`f ${triangle.map(corner).join(" ")}`);
    }
  }
  const plain = path.join(folder, "plain.obj"), made = ["glb", "obj", "ply"].map((extension) => path.join(folder, `grid.${extension}`));
  fs.writeFileSync(plain, lines.join("\n"));
  execFileSync(facet, ["convert", "-q", "--new-normals", plain, made[0]]);
  for (const file of made.slice(1)) execFileSync(facet, ["convert", "-q", made[0], file]);
  return made;
}
