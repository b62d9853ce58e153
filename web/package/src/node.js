// For Node.

import * as fs from "node:fs/promises";

import { Facet } from "./api.js";
import { hasSimd } from "./engine.js";

export { Facet, FacetError, FacetFile } from "./api.js";
export { MemoryFiles } from "./memory-files.js";

const loaded = {};

/**
 * The library, loaded once.
 *
 * @param {{wasm?: string | URL | BufferSource | WebAssembly.Module, core?: boolean}} [how] core: the small module, which
 *     reads models of our own families and writes glTF
 * @returns {Promise<Facet>}
 */
export async function load({ wasm, core = false } = {}) {
  if (wasm instanceof WebAssembly.Module) return new Facet(wasm);
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return new Facet(await WebAssembly.compile(wasm));
  if (wasm) return new Facet(await WebAssembly.compile(await fs.readFile(wasm)));
  const name = core ? "facet-core" : hasSimd ? "facet-simd" : "facet";
  const source = new URL(`../dist/${name}.wasm`, import.meta.url);
  loaded[name] ??= fs.readFile(source).then((bytes) => WebAssembly.compile(bytes)).then((module) => new Facet(module));
  return loaded[name];
}
