// For Node.

import * as fs from "node:fs/promises";

import { Facet } from "./api.js";
import { hasSimd } from "./engine.js";

export { Facet, FacetError, FacetFile } from "./api.js";
export { MemoryFiles } from "./memory-files.js";

let loaded;

/**
 * The library, loaded once.
 *
 * @param {{wasm?: string | URL | BufferSource | WebAssembly.Module}} [how]
 * @returns {Promise<Facet>}
 */
export async function load({ wasm } = {}) {
  if (wasm instanceof WebAssembly.Module) return new Facet(wasm);
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return new Facet(await WebAssembly.compile(wasm));
  if (wasm) return new Facet(await WebAssembly.compile(await fs.readFile(wasm)));
  const source = new URL(`../dist/facet${hasSimd ? "-simd" : ""}.wasm`, import.meta.url);
  loaded ??= fs.readFile(source).then((bytes) => WebAssembly.compile(bytes)).then((module) => new Facet(module));
  return loaded;
}
