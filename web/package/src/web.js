// For browsers and bundlers.

import { hasSimd } from "./engine.js";
import { loader } from "./load.js";
import { modules } from "./places.js";

export { Facet, FacetFile } from "./api.js";
export { FacetError } from "./error.js";
export { MemoryFiles } from "./memory-files.js";
export { isZip, unzip } from "./zip.js";

/**
 * The library, loaded once.
 *
 * @type {(how?: {wasm?: string | URL | Response | BufferSource | WebAssembly.Module, core?: boolean}) => Promise<import("./api.js").Facet>}
 * core: the small module, which reads models of Facet's own families and writes glTF
 */
export const load = loader((core) => (core ? modules.core : hasSimd ? modules.simd : modules.base)(), (source) => fetch(source));
