// A worker that runs the library: `new Worker(new URL("facet-mesh/worker", ...), {type:
// "module"})`. client.js sends it the module, then calls. Each call has the files that changed
// since the last one.

import { Facet } from "./api.js";
import { finder } from "./beside.js";
import { FacetError } from "./error.js";
import { MemoryFiles } from "./memory-files.js";

let facet = null;
const sets = new Map(); // number of a set to its files by path
const decoder = new TextDecoder();

// -- Files ------------------------------------------------------------------------------

function update({ id, entries }) {
  if (!sets.has(id)) sets.set(id, new Map());
  const files = sets.get(id);
  if (entries.length > 0) unpacked = new Map();
  for (const [path, bytes] of entries) {
    if (bytes) files.set(path, bytes);
    else files.delete(path);
  }
  return files;
}

// Split a path into the name of a file and the rest of the path inside it.
function split(files, path) {
  if (files.has(path)) return [path, undefined];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    if (files.has(path.slice(0, at))) return [path.slice(0, at), path.slice(at + 1)];
  throw new FacetError(`no file '${path}' was put`, { status: 2, file: path });
}

function open(files, path, watch) {
  const [name, member] = split(files, path);
  return { file: facet.open(files.get(name), { name, sibling: finder(() => files), ...watch }), member };
}

// Bytes of a file or a member. Archives are extracted completely, also nested ones, and stored
// until files change.
let unpacked = new Map();
function bytesAt(files, path) {
  const [name, member] = split(files, path);
  if (member === undefined) return files.get(name);
  if (!unpacked.has(files)) unpacked.set(files, new Map());
  const kept = unpacked.get(files);
  if (!kept.has(name)) kept.set(name, facet.open(files.get(name), { name }).extract());
  const pieces = kept.get(name);
  return pieces.get(member) ?? bytesAt(pieces, member);
}

// -- Calls ------------------------------------------------------------------------------

// Post progress: at most 30 messages per second, and the beginning of each step.
function seldom() {
  let last = 0, before = null;
  return (step, fraction) => {
    const now = performance.now();
    if (step === before && now - last < 33) return;
    last = now;
    before = step;
    self.postMessage({ step, fraction });
  };
}

// Index of the argument `member` of each method. Put the path inside the archive before it.
const places = { info: 0, check: 1, convert: 2, render: 1, extract: 1, scene: 1, overlays: 0 };
function withMember(method, words, member) {
  const all = [...words], at = places[method];
  if (member !== undefined) all[at] = all[at] ? `${member}/${all[at]}` : member;
  return all;
}

const encoder = new TextEncoder();
// A model with one triangle and a texture of 8 x 8 pixels.
const triangle = {
  "a.obj": encoder.encode("mtllib a.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n"),
  "a.mtl": encoder.encode("newmtl a\nKd 1 1 1\nmap_Kd a.tga\n"),
  "a.tga": Uint8Array.from({ length: 18 + 3 * 64 }, (_, i) => ({ 2: 2, 12: 8, 14: 8, 16: 24 })[i] ?? (i < 18 ? 0 : 37 * i)),
};

// Each operation gets the client's arguments, the file sets and Watch, and returns {result,
// missing}.
const operations = {
  file({ path, method, words }, [files], watch) {
    const { file, member } = open(files, path, watch);
    try {
      return { result: file[method](...withMember(method, words, member)), missing: file.missing };
    } catch (fault) {
      throw Object.assign(fault, { missing: file.missing });
    }
  },
  compare({ paths, options }, [first, second], watch) {
    const sides = [[first, paths[0]], [second, paths[1]]].map(([files, path]) =>
      facet.open(bytesAt(files, path), { name: path, sibling: finder(() => files), ...watch }));
    return { result: facet.compare(...sides, options, watch), missing: sides.flatMap(({ missing }, i) => missing.map((name) => `${i}/${name}`)) };
  },
  pack({ out, members, options }, _, watch) {
    return { result: facet.pack(out, members, options, watch) };
  },
  formats() {
    return { result: facet.formats() };
  },
  glsl({ gltf }) {
    return { result: facet.glsl(gltf) };
  },
  motion({ gltf, file }) {
    return { result: facet.motion(gltf, file) };
  },
  // Engines compile functions at their first call: call them before the user waits.
  warm() {
    const model = facet.open(triangle["a.obj"], { name: "a.obj", sibling: (name) => triangle[name] }).convert("bdl").bytes;
    facet.glsl(facet.open(model, { name: "a.bdl" }).scene({ png: "none" }));
    return {};
  },
  bytes({ path, from, count }, [files]) {
    try {
      return { result: bytesAt(files, path).slice(from, from + count) };
    } catch {
      return { result: null };
    }
  },
  run({ words, input }, [set], watch) {
    const files = new MemoryFiles(finder(() => set), ".facet");
    for (const [path, bytes] of set) files.put(path, bytes);
    const { status, output, errors } = facet.run(words, files, input, watch), written = new Map();
    for (const name of files.names()) if (name.startsWith(".facet/")) written.set(name.slice(7), files.get(name).slice());
    return { result: { status, output: decoder.decode(output), errors, files: written }, missing: [...files.missing] };
  },
};

// Buffers of a result that are transferred instead of copied. Buffers of the worker's files stay.
function transferable(result) {
  const buffers = new Set(), kept = new Set();
  for (const files of [...sets.values(), ...[...unpacked.values()].flatMap((each) => [...each.values()])])
    for (const bytes of files.values()) kept.add(bytes.buffer);
  const visit = (value) => {
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer);
    else if (value instanceof Map) value.forEach(visit);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (value && typeof value === "object") Object.values(value).forEach(visit);
  };
  visit(result);
  return [...buffers].filter((buffer) => !kept.has(buffer));
}

function plain(fault) {
  if (fault instanceof FacetError) return { kind: "facet", ...fault.toObject() };
  return { kind: fault instanceof WebAssembly.RuntimeError ? "trap" : "other", message: String(fault?.message ?? fault) };
}

self.onmessage = ({ data }) => {
  if (data.module) {
    facet = new Facet(data.module);
    return;
  }
  if (data.forget !== undefined) {
    unpacked.delete(sets.get(data.forget));
    sets.delete(data.forget);
    return;
  }
  try {
    const files = data.sets.map(update);
    const { result, missing = [] } = operations[data.operation](data.words, files, data.watched ? { progress: seldom() } : {});
    self.postMessage({ result, missing }, transferable(result));
  } catch (fault) {
    self.postMessage({ fault: plain(fault), missing: fault?.missing ?? [] });
  }
};
