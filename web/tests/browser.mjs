// browser.mjs NPM PAGE FACET CORPUS OUT: the page in a headless Chromium: each family is
// dropped, drawn and saved; hostile files do no harm; what was opened is given back.

import * as fs from "node:fs";
import * as path from "node:path";
import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";

import { serve } from "../page/serve.mjs";

const [npm, page, facet, corpus, out] = process.argv.slice(2).map((name) => path.resolve(name));
const { chromium } = (await import(pathToFileURL(path.join(npm, "node_modules/playwright-core/index.js")))).default;
const validator = (await import(pathToFileURL(path.join(npm, "node_modules/gltf-validator/index.js")))).default;

let passed = 0, failed = 0;
function expect(what, good, found) {
  if (good) passed++;
  else {
    failed++;
    console.log(`FAILED: ${what}${found === undefined ? "" : `: ${JSON.stringify(found).slice(0, 400)}`}`);
  }
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb",
         "--hide-scrollbars", "--js-flags=--expose-gc"],
});
const server = await serve(page);
const address = `http://127.0.0.1:${server.address().port}/`;
const faults = [];

async function openPage(width, height, scheme = "dark") {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme });
  const tab = await context.newPage();
  tab.on("pageerror", (fault) => faults.push(String(fault)));
  tab.on("console", (message) => {
    if (message.type() === "error" || (message.type() === "warning" && !/GPU stall|GL Driver Message/.test(message.text())))
      faults.push(message.text());
  });
  await tab.goto(address);
  await tab.evaluate(() => window.facet.ready);
  return tab;
}

/** Files as the page takes them: names and bytes. */
async function drop(tab, files) {
  await tab.evaluate(async (list) => {
    const transfer = new DataTransfer();
    for (const [name, text] of list) {
      transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    }
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, files.map((file) => [path.basename(file), fs.readFileSync(file).toString("base64")]));
}

async function settled(tab, name) {
  await tab.waitForFunction((wanted) => {
    const { shown } = window.facet, status = document.getElementById("status");
    return (shown?.path?.startsWith(wanted) && shown.report) || status.classList.contains("fault");
  }, name, { timeout: 60000 });
}

/** The share of the picture that is not the background, and its mean color. */
function drawn(tab) {
  return tab.evaluate(() => {
    const { width, height, data } = window.facet.viewer.pixels();
    const ground = [data[0], data[1], data[2]];
    let other = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (Math.abs(data[i] - ground[0]) + Math.abs(data[i + 1] - ground[1]) + Math.abs(data[i + 2] - ground[2]) > 30) other++;
    }
    return other / (width * height);
  });
}

const tab = await openPage(1280, 800);
await tab.screenshot({ path: path.join(out, "empty.png") });

// -- Each family ---------------------------------------------------------------------

const samples = [["bsm/test.bsm"], ["binarymesh/material_preview_lamp.v3.binarymesh"], ["bga/teapot.v2.bga"],
                 ["j3d/greenman_skinned.bdl"], ["j3d/fish_static.bmd"],
                 ["obj/spider.obj", "obj/spider.mtl", "obj/SpiderTex.jpg", "obj/wal67ar_small.jpg", "obj/engineflare1.jpg"]];
for (const files of samples) {
  const name = path.basename(files[0]);
  await drop(tab, files.map((file) => path.join(corpus, file)));
  await settled(tab, name);
  await tab.evaluate(() => document.getElementById("grid").getAttribute("aria-pressed") === "true" && document.getElementById("grid").click());
  await tab.waitForTimeout(300);
  const share = await drawn(tab);
  expect(`${name} is drawn`, share > 0.02, share);
  const state = await tab.evaluate(() => ({ info: window.facet.shown.info, report: window.facet.shown.report,
    status: document.getElementById("status").textContent }));
  const native = JSON.parse(execFileSync(facet, ["info", "--json", path.join(corpus, files[0])]).toString());
  expect(`${name} counts what the native program counts`, JSON.stringify(state.info.counts) === JSON.stringify(native.counts), state.info.counts);
  await tab.screenshot({ path: path.join(out, `${name}.png`) });

  // Saved as GLB: the bytes that the native program writes, and the validator is silent.
  const saved = await tab.evaluate(async () => {
    const { files: made } = await window.facet.save("glb");
    const bytes = [...made.values()][0];
    let text = "";
    for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
    return btoa(text);
  });
  const glb = Buffer.from(saved, "base64");
  const wanted = path.join(out, `${name}.native.glb`);
  execFileSync(facet, ["convert", "-q", path.join(corpus, files[0]), wanted]);
  expect(`${name} as GLB has the native program's bytes`, glb.equals(fs.readFileSync(wanted)), glb.length);
  const report = await validator.validateBytes(new Uint8Array(glb));
  expect(`${name} as GLB is valid`, report.issues.numErrors === 0, report.issues.messages?.slice(0, 2));
}

// -- Ways to look, panels, keys --------------------------------------------------------

for (const mode of ["wireframe", "normals", "texcoords", "facing", "weights", "colors", "shaded"]) {
  await tab.selectOption("#mode", mode);
  await tab.waitForTimeout(150);
  expect(`${mode} draws something`, (await drawn(tab)) > 0.005);
}
for (const [name, text] of [["check", ""], ["materials", "base"], ["textures", "Spider"], ["detail", ""], ["summary", "triangles"]]) {
  await tab.click(`#tab-${name}`);
  const shown = await tab.textContent("#panel");
  expect(`the panel ${name} says something`, shown.length > 0 && shown.toLowerCase().includes(text.toLowerCase()), shown.slice(0, 100));
}
const before = await tab.evaluate(() => window.facet.viewer.view);
await tab.focus("#canvas");
await tab.keyboard.press("ArrowLeft");
await tab.keyboard.press("+");
const after = await tab.evaluate(() => window.facet.viewer.view);
expect("arrow keys turn the model", JSON.stringify(before) !== JSON.stringify(after));
const unnamed = await tab.evaluate(() => [...document.querySelectorAll("button, select, input:not([hidden]), canvas")]
  .filter((each) => !(each.textContent.trim() || each.getAttribute("aria-label") || each.title || each.labels?.length)).map((each) => each.outerHTML));
expect("every control has a name", unnamed.length === 0, unnamed);

// -- Missing files, archives -----------------------------------------------------------

await tab.evaluate(() => window.facet.clear());
await drop(tab, [path.join(corpus, "obj/spider.obj")]);
await settled(tab, "spider.obj");
expect("what is missing is named", (await tab.textContent("#status")).includes("spider.mtl"), await tab.textContent("#status"));
await drop(tab, [path.join(corpus, "obj/spider.mtl")]);
await tab.waitForFunction(() => window.facet.shown.path === "spider.obj" && !window.facet.shown.missing.includes("spider.mtl"));
passed++;

const folder = fs.mkdtempSync(path.join(out, "archive-"));
fs.mkdirSync(path.join(folder, "in/bdl"), { recursive: true });
fs.copyFileSync(path.join(corpus, "j3d/fish_static.bmd"), path.join(folder, "in/bdl/fish.bmd"));
execFileSync(facet, ["pack", "-q", path.join(folder, "fish.szs"), path.join(folder, "in")]);
await tab.evaluate(() => window.facet.clear());
await drop(tab, [path.join(folder, "fish.szs")]);
await settled(tab, "fish.szs/bdl/fish.bmd");
expect("an archive opens in place", (await tab.evaluate(() => window.facet.shown.path)) === "fish.szs/bdl/fish.bmd");
expect("its model is drawn", (await drawn(tab)) > 0.02);

// -- Files that do harm -----------------------------------------------------------------

let broken = 0;
for (const file of fs.readdirSync(path.join(corpus, "broken")).slice(0, 40)) {
  const whole = path.join(corpus, "broken", file);
  if (!fs.statSync(whole).isFile()) continue;
  await drop(tab, [whole]);
  await settled(tab, file);
  broken++;
}
await drop(tab, [path.join(corpus, "bsm/test.bsm")]);
await settled(tab, "test.bsm");
expect(`after ${broken} broken files the page works`, broken > 5 && (await drawn(tab)) > 0.005, await drawn(tab));

// -- Memory -------------------------------------------------------------------------------

for (let round = 0; round < 25; round++) {
  for (const file of ["j3d/greenman_skinned.bdl", "bsm/test.bsm"]) {
    await tab.evaluate(() => window.facet.clear());
    await drop(tab, [path.join(corpus, file)]);
    await settled(tab, path.basename(file));
  }
}
const { numbers, memory } = await tab.evaluate(async () => {
  await window.facet.clear();
  return { numbers: window.facet.viewer.numbers, memory: await window.facet.memory() };
});
expect("after 50 files no geometry is left but the grid's and the environment's", numbers.geometries <= 3, numbers);
expect("nor WebAssembly memory", memory === 0, memory);

// -- Other screens ---------------------------------------------------------------------------

for (const [width, height, scheme] of [[390, 844, "dark"], [820, 1180, "light"], [1600, 900, "light"]]) {
  const other = await openPage(width, height, scheme);
  await drop(other, [path.join(corpus, "j3d/greenman_skinned.bdl")]);
  await settled(other, "greenman_skinned.bdl");
  await other.waitForTimeout(400);
  const wide = await other.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  expect(`${width} x ${height}: nothing sticks out`, wide);
  expect(`${width} x ${height}: it is drawn`, (await drawn(other)) > 0.01);
  await other.screenshot({ path: path.join(out, `${width}-${scheme}.png`) });
  await other.context().close();
}

expect("the console is silent", faults.length === 0, faults.slice(0, 5));
await browser.close();
server.close();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
