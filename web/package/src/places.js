// Addresses of the package's files, in the form that bundlers find: new URL(..., import.meta.url).
//
// `vite dev` before version 8 bundles packages into "node_modules/.vite/deps", and leaves the other files where they are.

const moved = /^(.*?)\/(?:node_modules\/)?\.vite\/deps[^/]*\//.exec(import.meta.url);

function place(address, path) {
  return moved ? new URL(`${moved[1]}/node_modules/facet-mesh/${path}`) : address;
}

export const modules = {
  base: () => place(new URL("../dist/facet.wasm", import.meta.url), "dist/facet.wasm"),
  simd: () => place(new URL("../dist/facet-simd.wasm", import.meta.url), "dist/facet-simd.wasm"),
  core: () => place(new URL("../dist/facet-core.wasm", import.meta.url), "dist/facet-core.wasm"),
};

export function makeWorker() {
  if (moved) return new Worker(place(null, "src/worker.js"), { type: "module" });
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
}
