// build.mjs NPM OUT: build the page as static files. esbuild from NPM/node_modules bundles it.

import * as fs from "node:fs";
import * as path from "node:path";
import { createHash } from "node:crypto";
import { pathToFileURL } from "node:url";

const [npm, out] = process.argv.slice(2).map((name) => path.resolve(name));
const here = import.meta.dirname, packaged = path.join(here, "../package");
const { build } = await import(pathToFileURL(path.join(npm, "node_modules/esbuild/lib/main.js")));

fs.mkdirSync(path.join(out, "dist"), { recursive: true });
await build({
  entryPoints: { main: path.join(here, "main.js"), worker: path.join(packaged, "src/worker.js") },
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  nodePaths: [path.join(npm, "node_modules")],
  alias: Object.fromEntries(Object.entries({ client: "client", zip: "zip", names: "names", model: "three/model", "model-files": "three/model-files", light: "viewer/light", stage: "viewer/viewer" })
    .map(([name, file]) => [`facet-mesh/${name}`, path.join(packaged, `src/${file}.js`)])),
  logLevel: "warning",
});
for (const name of ["index.html", "style.css", "icon.svg", "manifest.webmanifest"]) fs.copyFileSync(path.join(here, name), path.join(out, name));
for (const name of ["facet.wasm", "facet-simd.wasm"]) {
  const from = path.join(packaged, "dist", name);
  if (fs.existsSync(from)) fs.copyFileSync(from, path.join(out, "dist", name));
}
// The bundles are in the page's folder: the package's "../dist" becomes "dist".
for (const name of ["main.js", "worker.js"]) {
  const file = path.join(out, name);
  fs.writeFileSync(file, fs.readFileSync(file, "utf8").replaceAll('"../dist/', '"./dist/'));
}

// The name of the offline cache contains a hash of the files.
const kept = ["index.html", "style.css", "icon.svg", "manifest.webmanifest", "main.js", "worker.js", "dist/facet.wasm", "dist/facet-simd.wasm"];
const hash = createHash("sha256");
for (const name of kept) hash.update(fs.readFileSync(path.join(out, name)));
fs.writeFileSync(path.join(out, "offline.js"), fs.readFileSync(path.join(here, "offline.js"), "utf8")
  .replace("VERSION", hash.digest("hex").slice(0, 16)));
