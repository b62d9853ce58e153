// web.mjs FACET WEB FOLDER FILE...: benchmark of the WebAssembly module and of the web page.
//
// Reads each FILE and a generated BDL with the module, compared with the native program on one
// thread and with three.js' loader in Node. Module and program report the step "read" of --timings.
// Then measures the time from the drop of that BDL on the page to its first picture. Each result is
// the best of several runs. WEB is the output of `make web`. The last tables are of the browser:
// the first paint of the page, and FacetLoader compared with the loaders of three.js.

import * as fs from "node:fs";
import * as path from "node:path";
import { spawnSync } from "node:child_process";
import { pathToFileURL } from "node:url";

import { load, MemoryFiles } from "../web/package/src/node.js";
import { serve } from "../web/page/serve.mjs";
import { Stage } from "../web/tests/stage.mjs";
import { makeGrid, makeModel } from "./web_model.mjs";

const [facet, web, folder, ...files] = process.argv.slice(2).map((name) => path.resolve(name));
const npm = path.join(web, "npm"), model = makeModel(facet, folder);
const RUNS = 40; // the engine optimizes functions that are called often
const TABS = 3;

function read(text) {
  const found = /^read +([\d.]+) ms/m.exec(text);
  if (!found) throw new Error(`no time of reading in: ${text}`);
  return Number(found[1]);
}

function best(run, runs = RUNS) {
  let least = Infinity;
  for (let i = 0; i < runs; i++) least = Math.min(least, run());
  return least;
}

const loaders = { obj: ["OBJLoader", true], ply: ["PLYLoader", false], stl: ["STLLoader", false] };

async function peer(extension, bytes) {
  if (!loaders[extension]) return null;
  const [name, isText] = loaders[extension];
  const file = path.join(npm, `node_modules/three/examples/jsm/loaders/${name}.js`);
  const { [name]: Loader } = await import(pathToFileURL(file));
  const input = isText ? new TextDecoder().decode(bytes) : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return best(() => {
    const began = performance.now();
    new Loader().parse(input);
    return performance.now() - began;
  }, 7);
}

const library = await load();
console.log("file".padEnd(34), "MB".padStart(6), "native".padStart(10), "module".padStart(10), "share".padStart(6), "three.js".padStart(10));
for (const file of [model, ...files]) {
  const name = path.basename(file), bytes = new Uint8Array(fs.readFileSync(file));
  const native = best(() => read(spawnSync(facet, ["convert", "-q", "-j", "1", "--timings", file, path.join(folder, "native.stl")]).stderr.toString()));
  const module = best(() => {
    const held = new MemoryFiles();
    held.put(name, bytes);
    return read(library.run(["convert", "-q", "--timings", name, "out.stl"], held).errors);
  });
  const other = await peer(path.extname(file).slice(1).toLowerCase(), bytes);
  console.log(name.padEnd(34), (bytes.length / 1e6).toFixed(1).padStart(6), `${native.toFixed(1)} ms`.padStart(10), `${module.toFixed(1)} ms`.padStart(10),
    (native / module).toFixed(2).padStart(6), other === null ? "".padStart(10) : `${other.toFixed(1)} ms`.padStart(10));
}

// -- The first picture -------------------------------------------------------------------

// Runs in the page. Returns the times from the drop until the model is parsed, and until it is
// uploaded. Only one triangle per mesh is drawn, on one pixel, so that a software rasterizer takes
// no time.
async function firstPicture() {
  await window.facet.warm;
  const bytes = await (await fetch("model.bdl")).arrayBuffer(), transfer = new DataTransfer();
  const parsed = new Promise((resolve) => new MutationObserver(() => {
    if (document.body.dataset.state !== "model") return;
    window.facet.shown.gltf.scene.traverse(({ geometry }) => geometry?.setDrawRange(0, 3));
    resolve(performance.now());
  }).observe(document.body, { attributeFilter: ["data-state"] }));
  transfer.items.add(new File([bytes], "model.bdl"));
  const began = performance.now();
  window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  const ready = await parsed;
  window.facet.viewer.pixels({ width: 1, height: 1 });
  return [ready - began, performance.now() - began];
}

// Processor time in milliseconds of the page's worker, its main thread and the GPU process. They
// run one after the other, so on an idle machine the sum is about the elapsed time.
async function threads(browser) {
  const used = {}, { processInfo } = await browser.send("SystemInfo.getProcessInfo");
  for (const { id, type } of processInfo.filter((each) => each.type === "renderer" || each.type === "GPU")) {
    for (const thread of fs.existsSync(`/proc/${id}/task`) ? fs.readdirSync(`/proc/${id}/task`) : []) {
      const at = `/proc/${id}/task/${thread}/`, isWorker = fs.readFileSync(`${at}comm`, "utf8").startsWith("DedicatedWorker");
      const name = isWorker ? "worker" : type === "GPU" ? "driver" : "page";
      if (isWorker || Number(thread) === id)
        used[name] = (used[name] ?? 0) + Number(fs.readFileSync(`${at}schedstat`, "utf8").split(" ")[0]) / 1e6;
    }
  }
  return used;
}

const stage = await Stage.open({ npm, page: path.join(web, "page"), facet, corpus: folder, out: folder });
const browser = await stage.browser.newBrowserCDPSession();
stage.files["/model.bdl"] = model;
const times = [];
for (let i = 0; i < TABS; i++) {
  const tab = await stage.tab(240, 240);
  await tab.evaluate(() => window.facet.warm);
  const before = await threads(browser), [parsed, uploaded] = await tab.evaluate(firstPicture), after = await threads(browser);
  const used = Object.keys(after).map((name) => [name, after[name] - (before[name] ?? 0)]);
  times.push({ parsed, uploaded, used, sum: used.reduce((sum, [, each]) => sum + each, 0) });
  await tab.context().close();
}
const whole = (number) => `${number.toFixed(0)} ms`, least = (key) => times.reduce((a, b) => (a[key] < b[key] ? a : b));
console.log(`from the drop of ${path.basename(model)} (${(fs.statSync(model).size / 1e6).toFixed(1)} MB) in a new page, best of ${TABS}: ` +
  `parsed after ${whole(least("parsed").parsed)}, uploaded after ${whole(least("uploaded").uploaded)}`);
console.log(`processor time of it: ${whole(least("sum").sum)} (${least("sum").used.map(([name, each]) => `${name} ${whole(each)}`).join(", ")})`);

// -- The first paint ---------------------------------------------------------------------

const paints = [];
for (let i = 0; i < TABS; i++) {
  const tab = await stage.tab(1280, 800);
  paints.push(await tab.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
  await tab.context().close();
}
console.log(`first paint of the page, best of ${TABS}: ${whole(Math.min(...paints))}`);

// -- Loaders -----------------------------------------------------------------------------

// Times of parsing from memory, best of several runs in turn.
async function parseAll({ files, runs }) {
  const { FacetLoader, GLTFLoader, OBJLoader, PLYLoader } = window.loaders;
  const peers = { glb: (bytes) => new GLTFLoader().parseAsync(bytes, ""), obj: (bytes) => new OBJLoader().parse(new TextDecoder().decode(bytes)),
                  ply: (bytes) => new PLYLoader().parse(bytes) };
  const rows = [];
  for (const name of files) {
    const bytes = await (await fetch(`../${name}`)).arrayBuffer(), best = [Infinity, Infinity];
    for (let i = 0; i < runs; i++) {
      const jobs = [() => new FacetLoader().parseAsync(bytes.slice(), "", name), () => peers[name.split(".").at(-1)](bytes.slice())];
      for (const [j, job] of jobs.entries()) {
        const began = performance.now();
        await job();
        best[j] = Math.min(best[j], performance.now() - began);
      }
    }
    rows.push([name, bytes.byteLength, ...best]);
  }
  return rows;
}

const grids = makeGrid(facet, folder), site = path.join(folder, "loaders"), packaged = path.join(import.meta.dirname, "../web/package");
fs.rmSync(site, { recursive: true, force: true });
fs.mkdirSync(path.join(site, "node_modules"), { recursive: true });
fs.symlinkSync(packaged, path.join(site, "node_modules/facet-mesh"));
const { build } = await import(pathToFileURL(path.join(npm, "node_modules/esbuild/lib/main.js")));
await build({
  stdin: { contents: ["GLTFLoader", "OBJLoader", "PLYLoader"].map((name) => `export { ${name} } from "three/addons/loaders/${name}.js";`).join("\n") +
    '\nexport { FacetLoader } from "facet-mesh/three";', resolveDir: site },
  outfile: path.join(site, "page/main.js"), bundle: true, format: "esm", target: "es2022", preserveSymlinks: true,
  nodePaths: [path.join(npm, "node_modules"), path.join(site, "node_modules")],
});
fs.symlinkSync(path.join(packaged, "dist"), path.join(site, "dist"));
fs.writeFileSync(path.join(site, "page/index.html"), "<!doctype html><title>loaders</title><script type=module>" +
  "window.facet = { ready: import('./main.js').then((all) => { window.loaders = all; }) };</script>");
for (const file of grids) fs.copyFileSync(file, path.join(site, path.basename(file)));
const served = await serve(site), page = await stage.browser.newPage();
await page.goto(`http://127.0.0.1:${served.address().port}/page/index.html`);
await page.evaluate(() => window.facet.ready);
console.log("file".padEnd(34), "MB".padStart(6), "FacetLoader".padStart(12), "three.js".padStart(10), "ratio".padStart(6));
for (const [name, size, own, peer] of await page.evaluate(parseAll, { files: grids.map((file) => path.basename(file)), runs: 9 }))
  console.log(name.padEnd(34), (size / 1e6).toFixed(1).padStart(6), `${own.toFixed(1)} ms`.padStart(12), `${peer.toFixed(1)} ms`.padStart(10), (own / peer).toFixed(2).padStart(6));
served.close();
await stage.browser.close();
stage.server.close();
