// For browsers and bundlers.

import { Facet } from "./api.js";
import { hasSimd } from "./engine.js";

export { Facet, FacetError, FacetFile } from "./api.js";
export { MemoryFiles } from "./memory-files.js";

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  const response = await (source instanceof Response ? source : fetch(source));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  // Servers that do not know what a .wasm is send it as something else.
  if ((response.headers.get("content-type") ?? "").startsWith("application/wasm"))
    return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

const loaded = {};

/**
 * The library, loaded once.
 *
 * @param {{wasm?: string | URL | Response | BufferSource | WebAssembly.Module, core?: boolean}} [how] core: the small module,
 *     which reads models of our own families and writes glTF
 * @returns {Promise<Facet>}
 */
export function load({ wasm, core = false } = {}) {
  if (wasm) return compile(wasm).then((module) => new Facet(module));
  // Bundlers find the files by this form.
  const source = core ? new URL("../dist/facet-core.wasm", import.meta.url)
    : hasSimd ? new URL("../dist/facet-simd.wasm", import.meta.url) : new URL("../dist/facet.wasm", import.meta.url);
  loaded[source] ??= compile(source).then((module) => new Facet(module));
  return loaded[source];
}
