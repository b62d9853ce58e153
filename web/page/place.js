// Where a finding is in the picture: the triangle or the point that its bytes hold, or the part that it names.

// Corners of faces and positions of an OBJ, up to a line.
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
    if (i === number) before = false; // negative indices count back from the face
    if (/^\s*v\s/.test(lines[i]) && (before || corners.some((corner) => corner > positions.length))) positions.push(vertex(lines[i].trim().split(/\s+/)));
  }
  const points = corners.map((corner) => positions[corner < 0 ? positions.length + corner : corner - 1]).filter((at) => at?.every(Number.isFinite));
  return points.length > 0 ? points.flat() : null;
}

// A facet of a binary STL: 84 bytes of header, then 50 bytes each, the positions after the normal.
async function stlPlace({ offset }, counts, read) {
  if (!(offset >= 84)) return null;
  const bytes = await read(84 + Math.floor((offset - 84) / 50) * 50 + 12, 36);
  if (bytes?.length !== 36) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 36);
  return Array.from({ length: 9 }, (_, i) => view.getFloat32(4 * i, true));
}

// BSM: positions from byte 132 on, 12 bytes each; a triangle is three indices at the offset of the finding.
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

// The formats whose findings lead to a place, each with its function.
const PLACES = new Map([["obj", objPlace], ["stl", stlPlace], ["bsm", bsmPlace]]);

/**
 * Points of a finding in the axes of its file: three numbers of a vertex, more of a face; null: its bytes hold none.
 *
 * @param {object} finding
 * @param {object} info the library's description of the file
 * @param {(from: number, count: number) => Promise<Uint8Array | null>} read bytes of the file
 */
export async function pointsOf(finding, info, read) {
  const place = finding.file ? null : PLACES.get(info?.format); // not in another file
  return place ? place(finding, info.counts, read) : null;
}

/** The part of a glTF that a finding names, by a number or by its name in quotes: {material} or {mesh} or {node}; null: none. */
export function partOf({ message }, json) {
  for (const [kind, list] of [["material", json.materials], ["mesh", json.meshes], ["node", json.nodes], ["joint", json.nodes]]) {
    const quoted = new RegExp(`\\b${kind} '([^']+)'`).exec(message)?.[1], number = new RegExp(`\\b${kind} (\\d+)`).exec(message)?.[1];
    const index = quoted !== undefined ? (list ?? []).findIndex(({ name }) => name === quoted) : number === undefined || kind === "joint" ? -1 : Number(number);
    if (index >= 0 && index < (list?.length ?? 0)) return { [kind === "joint" ? "node" : kind]: index };
  }
  return null;
}
