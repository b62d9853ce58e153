// Addresses of the package's files, in the form that bundlers find: new URL(..., import.meta.url).
//
// The name ends in .jsx, although there is no JSX in it: `vite dev` bundles packages into another folder, where these
// addresses are wrong, but leaves files of this extension where they are.

export const modules = {
  base: () => new URL("../dist/facet.wasm", import.meta.url),
  simd: () => new URL("../dist/facet-simd.wasm", import.meta.url),
  core: () => new URL("../dist/facet-core.wasm", import.meta.url),
};

export const makeWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
