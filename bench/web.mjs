// web.mjs FACET NPM FOLDER FILE...: how fast the WebAssembly module reads a file beside the
// native program on one thread, both by their own clocks (--timings, the step "read"), and
// beside three.js' loader where there is one for Node. The best of several runs each.

import * as fs from "node:fs";
import * as path from "node:path";
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";

import { load, MemoryFiles } from "../web/package/src/node.js";

const [facet, npm, folder, ...files] = process.argv.slice(2).map((name) => path.resolve(name));
const RUNS = 7;

function read(text) {
  const found = /^read +([\d.]+) ms/m.exec(text);
  if (!found) throw new Error(`no time of reading in: ${text}`);
  return Number(found[1]);
}

function best(run) {
  let least = Infinity;
  for (let i = 0; i < RUNS; i++) least = Math.min(least, run());
  return least;
}

const loaders = { obj: ["OBJLoader", true], ply: ["PLYLoader", false], stl: ["STLLoader", false] };

async function peer(extension, bytes) {
  if (!loaders[extension]) return null;
  const [name, isText] = loaders[extension];
  const file = path.join(npm, `node_modules/three/examples/jsm/loaders/${name}.js`);
  const { [name]: Loader } = await import(pathToFileURL(file));
  const input = isText ? new TextDecoder().decode(bytes) : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return best(() => {
    const began = performance.now();
    new Loader().parse(input);
    return performance.now() - began;
  });
}

const library = await load();
console.log("file".padEnd(34), "MB".padStart(6), "native".padStart(10), "module".padStart(10), "share".padStart(6), "three.js".padStart(10));
for (const file of files) {
  const name = path.basename(file), bytes = new Uint8Array(fs.readFileSync(file));
  const native = best(() => read(spawnSync(facet, ["convert", "-q", "-j", "1", "--timings", file, path.join(folder, "native.glb")]).stderr.toString()));
  const module = best(() => {
    const held = new MemoryFiles();
    held.put(name, bytes);
    return read(library.run(["convert", "-q", "--timings", name, "out.glb"], held).errors);
  });
  const other = await peer(path.extname(file).slice(1).toLowerCase(), bytes);
  console.log(name.padEnd(34), (bytes.length / 1e6).toFixed(1).padStart(6), `${native.toFixed(1)} ms`.padStart(10), `${module.toFixed(1)} ms`.padStart(10),
    (native / module).toFixed(2).padStart(6), other === null ? "".padStart(10) : `${other.toFixed(1)} ms`.padStart(10));
}
