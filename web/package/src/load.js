// Fetch and compile the module once. A failure is not stored.

import { Facet } from "./api.js";
import { bytesOf, checkArguments } from "./arguments.js";
import { FacetError } from "./error.js";

const MAGIC = [0, 0x61, 0x73, 0x6D];

async function compileBytes(buffer, name) {
  const bytes = bytesOf(buffer);
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) {
    const begin = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const hint = bytes[0] === 0x3C ? "; a server that lacks the file gave a page: with vite, add facet-mesh to optimizeDeps.exclude" : "";
    throw new FacetError(`${name} is not a WebAssembly module: it begins with ${begin || "nothing"}, expected 00 61 73 6d${hint}`,
      { status: 3, file: name });
  }
  return WebAssembly.compile(bytes);
}

async function compileResponse(response) {
  if (!response.ok) throw new FacetError(`${response.url}: ${response.status} ${response.statusText}`, { status: 3, file: response.url });
  // Some servers send .wasm with another content type, which compileStreaming rejects.
  if ((response.headers.get("content-type") ?? "").startsWith("application/wasm")) return WebAssembly.compileStreaming(response);
  return compileBytes(await response.arrayBuffer(), response.url);
}

/**
 * @param {string | URL | Response | BufferSource | WebAssembly.Module} source
 * @param {(source: string | URL) => Promise<Response | BufferSource>} open
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(source, open) {
  const given = typeof source === "string" || source instanceof URL ? await open(source) : await source;
  if (given instanceof WebAssembly.Module) return given;
  if (typeof Response !== "undefined" && given instanceof Response) return compileResponse(given);
  if (bytesOf(given)) return compileBytes(given, String(typeof source === "object" && !(source instanceof URL) ? "wasm" : source));
  throw new FacetError("wasm must be an address, a Response, bytes or a WebAssembly.Module", { status: 2 });
}

/**
 * Create `load` for a package whose module is at `place(core)`.
 *
 * @param {(core: boolean) => string | URL} place
 * @param {(source: string | URL) => Promise<Response | BufferSource>} open
 */
export function loader(place, open) {
  const loaded = new Map();
  return function load(how = {}) {
    try {
      checkArguments("load", [how]);
    } catch (fault) {
      return Promise.reject(fault);
    }
    const { wasm, core = false } = how;
    if (wasm) return compile(wasm, open).then((module) => new Facet(module));
    const source = place(core), key = String(source);
    if (!loaded.has(key)) {
      const made = compile(source, open).then((module) => new Facet(module));
      made.catch(() => loaded.delete(key));
      loaded.set(key, made);
    }
    return loaded.get(key);
  };
}
