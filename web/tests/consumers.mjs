// consumers.mjs NPM CONSUMERS CORPUS OUT: test projects that use the packed package.
//
// Vite 5 to 8 as a server and as a build, webpack, Node with import and require, and the types with
// TypeScript 5.1 and the newest. CONSUMERS/node_modules has the bundlers. NPM/node_modules has
// three.js, esbuild and Playwright.

import * as fs from "node:fs";
import * as path from "node:path";
import { execFileSync, spawn } from "node:child_process";
import { pathToFileURL } from "node:url";

import { serve } from "../page/serve.mjs";

const [npm, consumers, corpus, out] = process.argv.slice(2).map((name) => path.resolve(name));
const here = import.meta.dirname, project = path.join(out, "consumer"), bundlers = path.join(consumers, "node_modules");
let passed = 0, failed = 0;
function expect(what, good, found) {
  if (good) passed++;
  else {
    failed++;
    console.log(`FAILED: ${what}${found === undefined ? "" : `: ${String(found).slice(0, 600)}`}`);
  }
}

// -- The project ------------------------------------------------------------------------

fs.rmSync(project, { recursive: true, force: true });
fs.mkdirSync(path.join(project, "node_modules/facet-mesh"), { recursive: true });
fs.mkdirSync(path.join(project, "public"));
const [packed] = JSON.parse(execFileSync("npm", ["pack", "--json", "--silent", "--pack-destination", out], { cwd: path.join(here, "../package") }));
execFileSync("tar", ["-xzf", path.join(out, packed.filename), "-C", path.join(project, "node_modules/facet-mesh"), "--strip-components=1"]);
fs.cpSync(path.join(npm, "node_modules/three"), path.join(project, "node_modules/three"), { recursive: true });
for (const name of ["gltf/Fox.glb", "bsm/test.bsm"]) fs.copyFileSync(path.join(corpus, name), path.join(project, "public", path.basename(name)));
const write = (name, text) => fs.writeFileSync(path.join(project, name), text);
write("package.json", JSON.stringify({ name: "consumer", private: true, type: "module" }));
write("index.html", "<!doctype html><title>consumer</title><body><script type=\"module\" src=\"/main.js\"></script>");
write("own.worker.js", 'import "facet-mesh/worker";\n');
// All parts: library, client with the package's worker and with the project's, loader, element.
write("main.js", `
import { load } from "facet-mesh";
import { FacetClient } from "facet-mesh/client";
import { FacetLoader } from "facet-mesh/three";
import { FacetViewerElement } from "facet-mesh/viewer";

async function tryAll() {
  const bytes = new Uint8Array(await (await fetch("./test.bsm")).arrayBuffer()), said = {};
  const attempt = async (name, act) => {
    said[name] = await Promise.race([act(), new Promise((_, fail) => setTimeout(fail, 20000, new Error("no answer in 20 s")))]).catch((fault) => String(fault));
  };
  await attempt("load", async () => (await load()).open(bytes, { name: "a.bsm" }).info().counts.triangles);
  await attempt("core", async () => (await load({ core: true })).open(bytes, { name: "a.bsm" }).info().counts.triangles);
  await attempt("client", async () => (await new FacetClient().open(bytes, { name: "a.bsm" }).info()).counts.triangles);
  await attempt("own worker", async () => {
    const client = new FacetClient(() => new Worker(new URL("./own.worker.js", import.meta.url), { type: "module" }));
    return (await client.open(bytes, { name: "a.bsm" }).info()).counts.triangles;
  });
  await attempt("loader", async () => { const all = []; (await new FacetLoader().loadAsync("./test.bsm")).scene.traverse((each) => each.isMesh && all.push(each)); return all.length > 0; });
  await attempt("element", async () => customElements.get("facet-viewer") === FacetViewerElement);
  return said;
}
window.answer = tryAll();
`);
const wanted = { load: 968, core: 968, client: 968, "own worker": 968, loader: true, element: true };

// -- In a browser -----------------------------------------------------------------------

const { chromium } = (await import(pathToFileURL(path.join(npm, "node_modules/playwright-core/index.js")))).default;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });

async function visit(what, address) {
  const tab = await browser.newPage(), faults = [];
  tab.on("pageerror", (fault) => faults.push(String(fault)));
  try {
    await tab.goto(address);
    // vite dev may reload the page after it found the dependencies.
    for (let tries = 0; ; tries++) {
      try {
        await tab.waitForFunction(() => window.answer, null, { timeout: 60000 });
        const said = await tab.evaluate(() => window.answer);
        for (const [name, value] of Object.entries(wanted)) expect(`${what}: ${name}`, said[name] === value, said[name]);
        break;
      } catch (fault) {
        if (tries === 3) throw fault;
        await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    }
  } catch (fault) {
    expect(what, false, `${fault.message} ${faults.join("; ")}`);
  }
  await tab.close();
}

async function visitFolder(what, folder) {
  const server = await serve(folder, 0, {});
  await visit(what, `http://127.0.0.1:${server.address().port}/`);
  server.close();
}

const run = (words, options) => execFileSync(process.execPath, words, { cwd: project, stdio: ["ignore", "pipe", "pipe"], ...options });
let port = 5300 + process.pid % 400;
for (const version of ["vite5", "vite6", "vite7", "vite8"]) {
  const vite = path.join(bundlers, version, "bin/vite.js");
  if (!fs.existsSync(vite)) {
    console.log(`  ${version} is not there`);
    continue;
  }
  fs.rmSync(path.join(project, "node_modules/.vite"), { recursive: true, force: true });
  const server = spawn(process.execPath, [vite, "--port", String(++port), "--strictPort", "--host", "127.0.0.1"], { cwd: project, stdio: "ignore" });
  for (let i = 0; i < 100; i++) {
    if (await fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.ok, () => false)) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await visit(`${version} dev`, `http://127.0.0.1:${port}/`);
  server.kill();
  try {
    run([vite, "build", "--outDir", `dist-${version}`, "--emptyOutDir", "--logLevel", "error"]);
    await visitFolder(`${version} build`, path.join(project, `dist-${version}`));
  } catch (fault) {
    expect(`${version} build`, false, fault.stderr ?? fault);
  }
}

if (fs.existsSync(path.join(bundlers, "webpack"))) {
  const { default: webpack } = await import(pathToFileURL(path.join(bundlers, "webpack/lib/index.js")));
  const stats = await new Promise((resolve) => webpack({ mode: "production", context: project, entry: "./main.js", performance: false,
    output: { path: path.join(project, "dist-webpack"), filename: "main.js", publicPath: "auto" } }, (fault, made) => resolve(fault ?? made)));
  expect("webpack builds without a warning", stats.hasErrors?.() === false && !stats.hasWarnings(), stats.toString?.({ all: false, errors: true, warnings: true }) ?? stats);
  fs.cpSync(path.join(project, "public"), path.join(project, "dist-webpack"), { recursive: true });
  fs.writeFileSync(path.join(project, "dist-webpack/index.html"), "<!doctype html><body><script src=\"main.js\"></script>");
  await visitFolder("webpack", path.join(project, "dist-webpack"));
}
await browser.close();

// -- In Node ----------------------------------------------------------------------------

write("node.mjs", 'import * as fs from "node:fs"; import { load, unzip } from "facet-mesh"; import { FacetClient } from "facet-mesh/client";\n' +
  'console.log((await load()).open(fs.readFileSync("public/test.bsm"), { name: "a.bsm" }).info().counts.triangles, typeof unzip, typeof FacetClient);\n');
write("node.cjs", 'const fs = require("node:fs");\nimport("facet-mesh").then(async ({ load }) => ' +
  'console.log((await load()).open(fs.readFileSync("public/test.bsm"), { name: "a.bsm" }).info().counts.triangles));\n');
write("require.cjs", 'const fs = require("node:fs"), { load } = require("facet-mesh");\nload().then((facet) => ' +
  'console.log(facet.open(fs.readFileSync("public/test.bsm"), { name: "a.bsm" }).info().counts.triangles));\n');
expect("Node, import", run(["node.mjs"]).toString().trim() === "968 function function");
expect("Node, import() in CommonJS", run(["node.cjs"]).toString().trim() === "968");
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19))
  expect("Node, require", run(["--no-warnings", "require.cjs"]).toString().trim() === "968");

// -- Types ------------------------------------------------------------------------------

fs.copyFileSync(path.join(here, "types-plain.ts"), path.join(project, "plain.ts"));
fs.writeFileSync(path.join(project, "three.ts"), 'import { FacetLoader } from "facet-mesh/three";\nimport "facet-mesh/viewer";\n' +
  'export const load = async () => (await new FacetLoader().setAnimations(["a.bck"]).loadAsync("a.bdl")).facet.console.size;\n' +
  'export const time = () => document.querySelector("facet-viewer")?.currentTime;\n');
for (const version of ["ts51", "ts7", path.join(npm, "node_modules/typescript")]) {
  const tsc = path.resolve(bundlers, version, "bin/tsc");
  if (!fs.existsSync(tsc)) {
    console.log(`  ${version} is not there`);
    continue;
  }
  const compile = (file, lib) => {
    try {
      run([tsc, "--noEmit", "--strict", "--target", "es2022", "--lib", lib, "--typeRoots", "none", "--module", "nodenext", "--moduleResolution", "nodenext", file]);
      return "";
    } catch (fault) {
      return fault.stdout.toString();
    }
  };
  for (const lib of ["es2022", "es2022,dom"]) {
    const said = compile("plain.ts", lib);
    expect(`types by ${path.basename(version)} with ${lib}`, said === "", said);
  }
  if (version === "ts51" || !fs.existsSync(path.join(bundlers, "@types/three"))) continue; // three's types need a newer one
  if (!fs.existsSync(path.join(project, "node_modules/@types"))) fs.cpSync(path.join(bundlers, "@types"), path.join(project, "node_modules/@types"), { recursive: true });
  const said = compile("three.ts", "es2022,dom");
  expect(`types of the loader by ${path.basename(version)}`, !/^(three|node_modules\/facet-mesh)/m.test(said), said);
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
