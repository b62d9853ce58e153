// For Node.

import * as fs from "node:fs/promises";

import { hasSimd } from "./engine.js";
import { loader } from "./load.js";

export { Facet, FacetFile } from "./api.js";
export { FacetError } from "./error.js";
export { MemoryFiles } from "./memory-files.js";
export { isZip, unzip } from "./zip.js";

const isAddress = (source) => /^(https?|data|blob):/.test(String(source));

/**
 * The library, loaded once.
 *
 * @type {(how?: {wasm?: string | URL | Response | BufferSource | WebAssembly.Module, core?: boolean}) => Promise<import("./api.js").Facet>}
 * core: the small module, which reads models of Facet's own families and writes glTF
 */
export const load = loader((core) => new URL(`../dist/${core ? "facet-core" : hasSimd ? "facet-simd" : "facet"}.wasm`, import.meta.url),
  (source) => (isAddress(source) ? fetch(source) : fs.readFile(source)));
