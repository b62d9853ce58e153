// Location of a finding in the picture: a vertex or triangle at its offset or line, or a named
// part.

// OBJ: the positions of a vertex or face line. Reads the positions before it.
async function objPlace({ line: number }, counts, read) {
  if (!number) return null;
  const lines = new TextDecoder().decode(await read(0, 64 << 20)).split("\n"), line = lines[number - 1]?.trim() ?? "", positions = [];
  if (!/^[fv]\s/.test(line)) return null;
  const vertex = (words) => words.slice(1, 4).map(Number);
  if (line.startsWith("v")) {
    const at = vertex(line.split(/\s+/));
    return at.every(Number.isFinite) ? at : null;
  }
  const corners = line.split(/\s+/).slice(1).map((word) => parseInt(word, 10));
  for (let i = 0, before = true; i < lines.length; i++) {
    if (i === number) before = false; // negative indices count backward from the face
    if (/^\s*v\s/.test(lines[i]) && (before || corners.some((corner) => corner > positions.length))) positions.push(vertex(lines[i].trim().split(/\s+/)));
  }
  const points = corners.map((corner) => positions[corner < 0 ? positions.length + corner : corner - 1]).filter((at) => at?.every(Number.isFinite));
  return points.length > 0 ? points.flat() : null;
}

// Binary STL: a header of 84 bytes, then 50 bytes per triangle, with the positions after the
// normal.
async function stlPlace({ offset }, counts, read) {
  if (!(offset >= 84)) return null;
  const bytes = await read(84 + Math.floor((offset - 84) / 50) * 50 + 12, 36);
  if (bytes?.length !== 36) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 36);
  return Array.from({ length: 9 }, (_, i) => view.getFloat32(4 * i, true));
}

// BSM: positions begin at byte 132, with 12 bytes each. A triangle is three indices at the
// finding's offset.
const BSM_POSITIONS = 132;
async function bsmPlace({ offset, rule }, counts, read) {
  if ((offset ?? null) === null) return null;
  const vertex = async (index) => {
    const bytes = index < counts.vertices ? await read(BSM_POSITIONS + 12 * index, 12) : null;
    if (bytes?.length !== 12) return null;
    const view = new DataView(bytes.buffer, bytes.byteOffset, 12), at = [0, 4, 8].map((i) => view.getFloat32(i, true));
    return at.every(Number.isFinite) ? at : null;
  };
  if (offset >= BSM_POSITIONS && offset < BSM_POSITIONS + 12 * counts.vertices) return vertex(Math.floor((offset - BSM_POSITIONS) / 12));
  if (!/-TRI-/.test(rule)) return null;
  const bytes = await read(offset, 12);
  if (bytes?.length !== 12) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 12), corners = await Promise.all([0, 4, 8].map((i) => vertex(view.getUint32(i, true))));
  return corners.every(Boolean) ? corners.flat() : null;
}

// The formats with locations, and their functions.
const PLACES = new Map([["obj", objPlace], ["stl", stlPlace], ["bsm", bsmPlace]]);

/**
 * Points of a finding in the axes of its file: 3 numbers for a vertex, more for a face. null: no
 * location.
 *
 * @param {object} finding
 * @param {object} info description of the file by the library
 * @param {(from: number, count: number) => Promise<Uint8Array | null>} read reads bytes of the file
 */
export async function pointsOf(finding, info, read) {
  const place = finding.file ? null : PLACES.get(info?.format); // not in other files
  return place ? place(finding, info.counts, read) : null;
}

/**
 * The part of a glTF that a finding names, by index or by quoted name: {material}, {mesh} or
 * {node}. null: none.
 */
export function partOf({ message }, json) {
  for (const [kind, list] of [["material", json.materials], ["mesh", json.meshes], ["node", json.nodes], ["joint", json.nodes]]) {
    const quoted = new RegExp(`\\b${kind} '([^']+)'`).exec(message)?.[1], number = new RegExp(`\\b${kind} (\\d+)`).exec(message)?.[1];
    const index = quoted !== undefined ? (list ?? []).findIndex(({ name }) => name === quoted) : number === undefined || kind === "joint" ? -1 : Number(number);
    if (index >= 0 && index < (list?.length ?? 0)) return { [kind === "joint" ? "node" : kind]: index };
  }
  return null;
}
