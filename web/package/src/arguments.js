// Check the arguments of calls, once per method, before anything is read.

import { FacetError } from "./error.js";

// True for bytes whose buffer was transferred to another thread.
function isDetached(value) {
  try {
    new Uint8Array(value.buffer ?? value);
    return false;
  } catch {
    return true;
  }
}

function nameOfType(value) {
  if (bytesOf(value) && isDetached(value)) return `a detached ${value.constructor.name}`;
  if (value === null || value === undefined) return String(value);
  if (typeof value === "object") return value.constructor?.name ?? "object";
  return typeof value;
}

/** Bytes as a Uint8Array of the same memory; null for other values. */
export function bytesOf(value) {
  if (value instanceof Uint8Array) return value;
  const isView = ArrayBuffer.isView(value);
  // instanceof is false for buffers of another frame.
  if (!isView && !/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value))) return null;
  if (isDetached(value)) return new Uint8Array();
  return isView ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
}

/** The bytes that a caller's `sibling` returned for a file; null or undefined if it has none. */
export function bytesOfSibling(found, name) {
  if (found === null || found === undefined) return found;
  const bytes = bytesOf(found);
  if (bytes) return bytes;
  const kind = typeof found.then === "function" ? "a Promise: FacetClient waits for one" : nameOfType(found);
  throw new FacetError(`sibling("${name}") gave ${kind}; expected a Uint8Array or null`, { status: 2, file: name });
}

// -- Kinds of values ----------------------------------------------------------------------

// `parts` lists the parameters inside of a value: [name, kind, value].
const kind = (what, is, parts = () => []) => ({ what, is, parts });
const given = ({ what, is, parts }) => kind(what, (value) => value === undefined || is(value), (value) => (value === undefined ? [] : parts(value)));
const optional = ({ what, is, parts }) => kind(what, (value) => (value ?? null) === null || is(value), (value) => ((value ?? null) === null ? [] : parts(value)));
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !bytesOf(value);
const isIterable = (value) => typeof value === "object" && typeof value?.[Symbol.iterator] === "function";

const text = kind("a string", (value) => typeof value === "string");
const bytes = kind("a Uint8Array or ArrayBuffer", (value) => bytesOf(value) !== null && !isDetached(value));
const call = kind("a function", (value) => typeof value === "function");
const record = kind("an object", isRecord);
const list = kind("a list", isIterable);
const texts = kind("an array of strings", Array.isArray, (value) => value.map((each, i) => [String(i), text, each]));
const pairs = (all) => [...all].flatMap((pair) => [["path", text, pair?.[0]], [String(pair?.[0]), bytes, pair?.[1]]]);
const signal = kind("an AbortSignal", (value) => typeof value?.throwIfAborted === "function");
const watching = ({ progress, signal: ending }) => [["progress", optional(call), progress], ["signal", optional(signal), ending]];
const objects = kind("an array of objects", (value) => Array.isArray(value) && value.every(isRecord));

// -- Methods ------------------------------------------------------------------------------

const member = ["member", optional(text)], options = ["options", optional(record)];
const watch = ["watch", optional(kind("an object", isRecord, watching))];
const gltf = ["gltf", kind("an object", isRecord, (value) => [["materials", given(objects), value.materials], ["images", given(objects), value.images]])];

// The parameters of each signature. The message does not name a parameter without a name.
const signatures = {
  load: [["", record]],
  open: [["", bytes], ["how", kind("an object", isRecord, (how) =>
    [["name", given(text), how.name], ["sibling", optional(call), how.sibling], ...watching(how)])]],
  compare: [0, 1].map(() => ["", kind("two open files", (value) => typeof value?.contents === "function")]).concat([options, watch]),
  pack: [["out", text], ["members", kind("a Map of paths and bytes", (value) => value instanceof Map, pairs)], options, watch],
  glsl: [gltf],
  motion: [gltf, ["file", kind("a string, Uint8Array or ArrayBuffer", (value) => text.is(value) || bytes.is(value))]],
  run: [["line", texts], ["files", kind("a MemoryFiles", (value) => typeof value?.names === "function")], ["input", optional(bytes)], watch],
  info: [member, options, watch],
  check: [options, member, watch],
  convert: [["to", text], options, member, watch],
  render: [options, member, watch],
  extract: [options, member, watch],
  scene: [options, member, watch],
  overlays: [member, watch],
  inputs: [["inputs", optional(texts)]],
  unzip: [["", bytes]],
  isZip: [["", bytes]],
  // Functions of FacetClient.
  compareInWorker: [0, 1].map(() => ["", kind("two files of the client", (value) => text.is(value?.path))]).concat([options, watch]),
  runInWorker: [["words", texts], ["how", kind("an object", isRecord, (how) => [["input", optional(bytes), how.input], ...watching(how)])]],
  put: [["entries", kind("pairs of path and bytes", Array.isArray, pairs)]],
  remove: [["paths", texts]],
  list: [["", list]],
  path: [["path", text]],
  // Functions of FacetLoader.
  setOptions: [["", record]],
  setAnimations: [["", texts]],
  parse: [["", kind("a string, Uint8Array or ArrayBuffer", (value) => text.is(value) || bytes.is(value))]],
};

function checkOne(method, name, { what, is, parts }, value) {
  if (!is(value)) throw new FacetError(`${method}() takes ${what}${name && ` as '${name}'`}, not ${nameOfType(value)}`, { status: 2 });
  for (const [inside, kindOfPart, part] of parts(value)) checkOne(method, inside, kindOfPart, part);
}

/**
 * Throw a FacetError if an argument has the wrong type.
 *
 * @param {keyof typeof signatures} signature
 * @param {unknown[]} values
 * @param {string} [method] its name in the message
 */
export function checkArguments(signature, values, method = signature) {
  signatures[signature].forEach(([name, kindOfValue], i) => checkOne(method, name, kindOfValue, values[i]));
}
