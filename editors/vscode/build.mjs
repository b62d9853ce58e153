// build.mjs NPM OUT: build the extension as a folder for vsce. esbuild from NPM/node_modules
// bundles it with the modules of web/package/dist.

import * as fs from "node:fs";
import * as path from "node:path";
import { pathToFileURL } from "node:url";

const [npm, out] = process.argv.slice(2).map((name) => path.resolve(name));
const here = import.meta.dirname, packaged = path.join(here, "../../web/package");
const { build } = await import(pathToFileURL(path.join(npm, "node_modules/esbuild/lib/main.js")));
const at = (name) => path.join(packaged, "src", name);
const common = {
  bundle: true,
  minify: true,
  logLevel: "warning",
  nodePaths: [path.join(npm, "node_modules")],
  define: { "import.meta.url": '"file:///"' }, // the extension passes the paths of all files
  outdir: path.join(out, "dist"),
};

fs.rmSync(out, { recursive: true, force: true });
const node = { "facet-mesh/client": at("client.js"), "facet-mesh/model-files": at("three/model-files.js"), "facet-mesh/worker": at("worker.js"), "facet-mesh": at("node.js") };
const web = { "facet-mesh/client": at("client.js"), "facet-mesh/viewer": at("viewer/element.js"), "facet-mesh": at("web.js") };
await build({ ...common, entryPoints: { extension: path.join(here, "src/extension.js") }, platform: "node", format: "cjs", target: "node18",
  external: ["vscode"], outExtension: { ".js": ".cjs" }, alias: node });
// thread.js defines the worker's global objects, so it runs first.
await build({ ...common, stdin: { contents: 'import "./thread.js"; import "facet-mesh/worker";', resolveDir: path.join(here, "src"), sourcefile: "thread-begin.js" },
  outdir: undefined, outfile: path.join(out, "dist/thread.cjs"), platform: "node", format: "cjs", target: "node18", alias: node });
await build({ ...common, entryPoints: { view: path.join(here, "src/view.js"), "view-style": path.join(here, "src/view.css") }, format: "esm", target: "es2022", alias: web });
fs.renameSync(path.join(out, "dist/view-style.css"), path.join(out, "dist/view.css"));
await build({ ...common, entryPoints: { worker: at("worker.js") }, format: "iife", target: "es2022", alias: web });
fs.copyFileSync(path.join(packaged, "dist/facet-simd.wasm"), path.join(out, "dist/facet-simd.wasm"));
fs.copyFileSync(path.join(packaged, "NOTICES.md"), path.join(out, "NOTICES.md"));
fs.writeFileSync(path.join(out, "dist/LICENSES.txt"), `${fs.readFileSync(path.join(packaged, "dist/LICENSES.txt"), "utf8")}==== three.js ====\n\n` +
  fs.readFileSync(path.join(npm, "node_modules/three/LICENSE"), "utf8"));
for (const name of ["package.json", "README.md"]) fs.copyFileSync(path.join(here, name), path.join(out, name));
fs.copyFileSync(path.join(here, "../../LICENSE"), path.join(out, "LICENSE"));
