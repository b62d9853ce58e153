// A worker that holds files and does the work on them: `new Worker("facet-mesh/worker", {type: "module"})`.
// client.js speaks with it.

import { Facet } from "./api.js";
import { MemoryFiles } from "./memory-files.js";
import { load } from "./web.js";

let facet = null;
let files = new MemoryFiles();
const decoder = new TextDecoder();

function transferable(result) {
  const buffers = new Set();
  const look = (value) => {
    if (ArrayBuffer.isView(value)) buffers.add(value.buffer);
    else if (value instanceof Map) value.forEach(look);
    else if (Array.isArray(value)) value.forEach(look);
    else if (value && typeof value === "object") Object.values(value).forEach(look);
  };
  look(result);
  return [...buffers];
}

// Files that the program wrote below a folder, taken out of the set.
function takeFolder(folder) {
  const taken = new Map();
  for (const name of files.names()) {
    if (!name.startsWith(`${folder}/`)) continue;
    taken.set(name.slice(folder.length + 1), files.get(name).slice());
    files.remove(name);
  }
  return taken;
}

// A member of an archive, by its path; it is looked at once more and again, one at a time.
let kept = { path: null, bytes: null };
function member(path) {
  if (kept.path === path) return kept.bytes;
  for (const name of files.names()) {
    if (!path.startsWith(`${name}/`)) continue;
    const { status } = facet.run(["extract", "-q", path, ".facet/member"], files);
    const bytes = [...takeFolder(".facet").values()][0];
    if (status === 0 && bytes) kept = { path, bytes };
    return status === 0 ? bytes : undefined;
  }
  return undefined;
}

// Progress of a call, as messages: at most thirty a second, and the beginning of each step.
function seldom(id) {
  let last = 0, before = null;
  return (step, fraction) => {
    const now = performance.now();
    if (step === before && now - last < 33) return;
    last = now;
    before = step;
    self.postMessage({ id, step, fraction });
  };
}

// A model of one triangle, with a texture of 8 x 8 pixels.
const encoder = new TextEncoder();
const triangle = {
  "a.obj": encoder.encode("mtllib a.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n"),
  "a.mtl": encoder.encode("newmtl a\nKd 1 1 1\nmap_Kd a.tga\n"),
  "a.tga": Uint8Array.from({ length: 18 + 3 * 64 }, (_, i) => ({ 2: 2, 12: 8, 14: 8, 16: 24 })[i] ?? (i < 18 ? 0 : 37 * i)),
};

const operations = {
  async load({ wasm }) {
    facet = wasm instanceof WebAssembly.Module ? new Facet(wasm) : await load(wasm ? { wasm } : undefined);
    return { version: facet.version };
  },
  // Engines compile what is called for the first time: here, before anybody waits for it.
  warm() {
    const model = facet.open(triangle["a.obj"], { name: "a.obj", sibling: (name) => triangle[name] }).convert("bdl").bytes;
    facet.glsl(facet.open(model, { name: "a.bdl" }).scene({ png: "none" }));
  },
  put({ entries }) {
    for (const [path, bytes] of entries) files.put(path, bytes);
  },
  clear() {
    files = new MemoryFiles();
    kept = { path: null, bytes: null };
  },
  run({ words, input, watched }, id) {
    files.missing.clear();
    const result = facet.run(words, files, input, watched ? { progress: seldom(id) } : undefined);
    const written = takeFolder(".facet"), archives = files.names().map((name) => `${name}/`);
    return { status: result.status, output: decoder.decode(result.output), errors: result.errors,
             files: written, missing: [...files.missing].filter((name) => !name.startsWith(".facet") && !archives.some((archive) => name.startsWith(archive))) };
  },
  glsl({ gltf }) {
    return facet.glsl(gltf);
  },
  motion({ gltf, file }) {
    return facet.motion(gltf, file);
  },
  overlays({ path }) {
    return facet.overlays(path, files);
  },
  /** Bytes of a file that was put in, or of a member of an archive, from one place on. */
  bytes({ path, from, count }) {
    return (files.get(path) ?? member(path))?.slice(from, from + count) ?? null;
  },
};

let last = Promise.resolve();

async function answer({ id, operation, words }) {
  try {
    const result = await operations[operation](words ?? {}, id);
    self.postMessage({ id, result }, operation === "run" ? transferable(result.files) : []);
  } catch (fault) {
    self.postMessage({ id, fault: { message: String(fault?.message ?? fault), trap: fault instanceof WebAssembly.RuntimeError } });
  }
}

// One after the other: the module is loaded before the first run.
self.onmessage = ({ data }) => {
  last = last.then(() => answer(data));
};
