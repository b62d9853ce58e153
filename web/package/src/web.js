// Entry point for browsers and bundlers.

import { hasSimd } from "./engine.js";
import { loader } from "./load.js";
import { modules } from "./places.js";

export { Facet, FacetFile } from "./api.js";
export { FacetError } from "./error.js";
export { MemoryFiles } from "./memory-files.js";
export { isZip, unzip } from "./zip.js";

/**
 * Load the library once. `core` selects the small module: it reads models of Facet's own families
 * and glTF, and writes only glTF.
 *
 * @type {typeof import("./index.js").load}
 */
export const load = loader((core) => (core ? modules.core : hasSimd ? modules.simd : modules.base)(), (source) => fetch(source));
