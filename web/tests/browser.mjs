// browser.mjs NPM PAGE FACET CORPUS OUT: test the page in a headless Chromium. Each family is
// dropped, drawn and saved. Controls work, malicious files do no harm, memory is released, and the
// page works offline.

import * as fs from "node:fs";
import * as path from "node:path";
import { execFileSync } from "node:child_process";

import { testAnimations } from "./animations.mjs";
import { testFamilies } from "./families.mjs";
import { testParts } from "./parts.mjs";
import { Stage } from "./stage.mjs";

const [npm, page, facet, corpus, out] = process.argv.slice(2).map((name) => path.resolve(name));
const stage = await Stage.open({ npm, page, facet, corpus, out });
const tab = await stage.tab(1280, 800);
const began = Date.now();
const step = (name) => console.log(`${name} (after ${Math.round((Date.now() - began) / 1000)} s)`);

await tab.screenshot({ path: path.join(out, "empty.png") });
const atFirst = await tab.evaluate(() => window.facet.viewer.numbers);
step("families: how far channels are from facet render's on average, of 255 (pixels that are far off)");
await testFamilies(stage, tab);

// -- Display modes, panels, keys -------------------------------------------------------

step("controls");
await stage.show(tab, ["obj/spider.obj", "obj/spider.mtl", "obj/SpiderTex.jpg"].map((name) => stage.real(name)));
const modes = await tab.evaluate(() => [...document.getElementById("mode").options].map((option) => option.value));
const pictures = new Set();
for (const mode of modes) {
  await tab.selectOption("#mode", mode);
  stage.expect(`${mode} draws something`, (await stage.drawn(tab)) > 0.01);
  pictures.add(await tab.evaluate(() => window.facet.viewer.pixels({ width: 64, height: 64 }).data.reduce((a, b) => (a * 31 + b) >>> 0, 0)));
}
stage.expect("modes differ from one another", pictures.size >= modes.length - 4, pictures.size); // gray without skin and colors
await tab.selectOption("#mode", "shaded");
for (const [name, text] of [["check", "OBJ-"], ["materials", "baseColor"], ["textures", "Spider"], ["detail", "positions"], ["summary", "triangles"]]) {
  await tab.click(`#tab-${name}`);
  await stage.until(`the panel ${name} says something`, tab, (word) =>
    document.getElementById("panel").textContent.toLowerCase().includes(word), text.toLowerCase());
}
const view = () => tab.evaluate(() => JSON.stringify(window.facet.viewer.view));
await tab.focus("#canvas");
for (const key of ["ArrowLeft", "ArrowUp", "+", "Shift+ArrowRight"]) {
  const before = await view();
  await tab.keyboard.press(key);
  await stage.until(`${key} moves the view`, tab, (was) => was !== JSON.stringify(window.facet.viewer.view), before);
}
const moved = await view();
await tab.keyboard.press("f");
await stage.until("F brings it back", tab, (was) => was !== JSON.stringify(window.facet.viewer.view), moved);
for (const [key, id] of [["w", "wires"], ["g", "grid"]]) {
  const before = await tab.getAttribute(`#${id}`, "aria-pressed");
  await tab.keyboard.press(key);
  await stage.until(`${key} is for ${id}`, tab, ([each, was]) => document.getElementById(each).getAttribute("aria-pressed") !== was, [id, before]);
}
await tab.keyboard.press("w");
await tab.keyboard.press("t");
await stage.until("T makes it light", tab, () => document.documentElement.dataset.theme === "light");
await tab.keyboard.press("t");

// Picking: the spider is in the middle of the picture.
const { x, y, width, height } = await tab.locator("#canvas").boundingBox();
await tab.mouse.click(x + width / 2, y + height / 2);
await stage.until("a click names what is there", tab, () => /material .*triangle \d+/.test(document.getElementById("picked").textContent));

// Save with the page's own dialog.
await tab.click("#save");
await tab.selectOption("#save-format", "stl");
const [download] = await Promise.all([tab.waitForEvent("download"), tab.click("#save-now")]);
const savedAs = path.join(out, "saved.stl");
await download.saveAs(savedAs);
stage.native("convert", "-q", stage.real("obj/spider.obj"), path.join(out, "wanted.stl"));
stage.expect("Save as writes the native program's bytes", fs.readFileSync(savedAs).equals(fs.readFileSync(path.join(out, "wanted.stl"))),
  download.suggestedFilename());

// -- Findings ----------------------------------------------------------------------------

step("findings, comparison, links");
const cut = fs.readFileSync(stage.real("bsm/test.bsm"));
const at = 132 + 12 * 7; // a number of the eighth position
cut.writeFloatLE(NaN, at);
await stage.show(tab, [["nan.bsm", cut]]);
await tab.click("#tab-check");
const finding = await tab.evaluate(() => window.facet.shown.report.findings.find((each) => each.offset > 0));
stage.expect("a damaged file has a finding with a place", finding !== undefined, finding);
await tab.click(".finding button");
await tab.waitForSelector(".place mark");
const mark = await tab.textContent(".place mark");
const shownFinding = await tab.evaluate(() => window.facet.shown.report.findings.find((each) => each.line || each.offset !== null));
stage.expect("a click shows its byte", parseInt(mark, 16) === cut[shownFinding.offset], [mark, shownFinding.offset]);

// -- Two files, links --------------------------------------------------------------------

await stage.show(tab, [stage.real("bsm/test.bsm")]);
const other = Buffer.from(fs.readFileSync(stage.real("bsm/test.bsm")));
other.writeFloatLE(other.readFloatLE(at) + 0.01, at);
await stage.drop(tab, [["other.bsm", other]]);
await stage.settled(tab, "other.bsm");
await tab.selectOption("#compare", "test.bsm");
await tab.waitForFunction(() => window.facet.shown.comparison);
await stage.until("two files are compared", tab, () => /differ/i.test(document.getElementById("panel").textContent));
await tab.focus("#canvas");
const place = await view();
await tab.keyboard.press("c");
await stage.settled(tab, "test.bsm");
stage.expect("C shows the other one from the same place", place === await view());

stage.files["/sample.bdl"] = stage.real("j3d/greenman_skinned.bdl");
const linked = await stage.tab(800, 600, { hash: "#model=sample.bdl&mode=normals&show=joints&view=0.03,0.02,0.04,0,0.01,0&tab=check" });
await stage.settled(linked, "sample.bdl");
const state = await linked.evaluate(() => ({ mode: document.getElementById("mode").value, view: window.facet.viewer.view,
  joints: document.getElementById("joints").getAttribute("aria-pressed"), tab: document.querySelector('[aria-selected="true"]').id }));
stage.expect("a link opens a file as it was seen", state.mode === "normals" && state.joints === "true" && state.tab === "tab-check" &&
  JSON.stringify(state.view.slice(0, 3)) === "[0.03,0.02,0.04]", state);
await linked.click("#link");
await stage.until("and the link says it again", linked, () => /model=sample\.bdl&mode=normals/.test(location.href));
await linked.context().close();

// -- Missing files, archives, animations -----------------------------------------------------

step("missing files, archives, animations");
await stage.show(tab, [stage.real("obj/spider.obj")]);
stage.expect("what is missing is named", (await tab.textContent("#status")).includes("spider.mtl"), await tab.textContent("#status"));
await stage.drop(tab, [stage.real("obj/spider.mtl")]);
await tab.waitForFunction(() => window.facet.shown.path === "spider.obj" && !window.facet.shown.missing.includes("spider.mtl"));

const folder = path.join(out, "archive");
fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync(path.join(folder, "in/bdl"), { recursive: true });
const fox = stage.real("gltf/Fox.glb"), model = path.join(folder, "in/bdl/fox.bdl"), walk = path.join(folder, "in/bdl/walk.bck");
stage.native("convert", "-q", fox, model);
stage.native("convert", "-q", fox, walk, "--clip", "Walk", "--like", model);
stage.native("pack", "-q", path.join(folder, "fox.szs"), path.join(folder, "in"));
await stage.show(tab, [path.join(folder, "fox.szs")], "fox.szs/bdl/fox.bdl");
stage.expect("an archive opens in place", (await tab.evaluate(() => window.facet.shown.path)) === "fox.szs/bdl/fox.bdl");
stage.expect("and lacks nothing", !(await tab.textContent("#status")).includes("not found"), await tab.textContent("#status"));
stage.expect("its model is drawn", (await stage.drawn(tab)) > 0.02);
const clips = await tab.evaluate(() => window.facet.viewer.clips);
stage.expect("with the animation beside it", clips.length === 1 && clips[0].includes("walk"), clips);
const pose = () => tab.evaluate(() => window.facet.viewer.pixels({ width: 96, height: 96 }).data.join());
const still = await pose();
await tab.evaluate(() => {
  const time = document.getElementById("time");
  time.value = time.max / 2;
  time.dispatchEvent(new Event("input"));
});
stage.expect("which the timeline moves", still !== await pose());
const stood = await tab.evaluate(() => window.facet.viewer.time);
await tab.click("#play");
await stage.until("and plays", tab, (was) => window.facet.viewer.playing && window.facet.viewer.time !== was, stood);
await tab.click("#play");
await stage.show(tab, [model]);
stage.expect("alone it has none", (await tab.evaluate(() => window.facet.viewer.clips.length)) === 0);
await stage.drop(tab, [walk]);
await tab.waitForFunction(() => window.facet.viewer.clips.length === 1);

await testAnimations(stage, tab);
step("parts of the page");
await testParts(stage, tab);

// A clicked animation plays with the model and is saved with it.
const savedGlb = Buffer.from(await stage.saved(tab, "glb"));
const animationsOf = (glb) => (JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)).toString()).animations ?? []).map(({ name }) => name);
await stage.show(tab, [model]);
await stage.drop(tab, [walk]);
await tab.waitForFunction(() => window.facet.viewer.clips.length === 1);
await tab.click('[data-path="walk.bck"] button');
await stage.until("a click on an animation plays it with its model", tab, () => window.facet.viewer.playing && window.facet.shown.path === "fox.bdl");
await tab.click("#play");
stage.expect("Save as keeps the animation that is seen", animationsOf(Buffer.from(await stage.saved(tab, "glb"))).join() === "walk" && savedGlb.length > 0);
const targets = await tab.evaluate(() => [...document.getElementById("save-format").options].map(({ value }) => value).filter(Boolean));
stage.expect("Save as lists formats of models alone", targets.includes("glb") && !targets.some((name) => /^(bck|btk|png|bti|hdr|zip)$/.test(name)), targets);

// Files of a model, in any order and in any folder.
const parts = path.join(out, "parts");
fs.mkdirSync(parts, { recursive: true });
stage.native("convert", "-q", fox, path.join(parts, "fox.gltf"));
const json = JSON.parse(fs.readFileSync(path.join(parts, "fox.gltf"))), [{ uri }] = json.buffers, buffer = fs.readFileSync(path.join(parts, uri));
const whole = () => tab.waitForFunction(() => window.facet.shown?.gltf && window.facet.shown.missing.length === 0, null, { timeout: 20000 }).then(() => true, () => false);
for (const [what, steps] of [
  ["a buffer after its glTF", [[["fox.gltf", JSON.stringify(json)]], [[uri, buffer]]]],
  ["a buffer before its glTF", [[[uri, buffer]], [["fox.gltf", JSON.stringify(json)]]]],
  ["a buffer from another folder", [[["models/fox.gltf", JSON.stringify({ ...json, buffers: [{ ...json.buffers[0], uri: `../data/${uri}` }] })], [`data/${uri}`, buffer]]]],
]) {
  await tab.evaluate(() => window.facet.clear());
  for (const entries of steps) {
    await tab.evaluate((all) => window.facet.take(all.map(([name, text]) => [name, Uint8Array.from(atob(text), (c) => c.charCodeAt(0))])),
      entries.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]));
  }
  stage.expect(`${what} is taken`, await whole(), await tab.textContent("#status"));
}

// Bytes that are shown for a member are those of the member.
await stage.show(tab, [path.join(folder, "fox.szs")], "fox.szs/bdl/fox.bdl");
const begin = await tab.evaluate(async () => String.fromCharCode(...await window.facet.bytes("fox.szs/bdl/fox.bdl", 0, 8)));
stage.expect("a finding in an archive shows the bytes of its file", begin === "J3D2bdl4", begin);

// Links to several files, and a link that changes.
for (const name of ["fox.gltf", uri]) stage.files[`/deep/${name}`] = path.join(parts, name);
for (const name of ["fox.bdl", "walk.bck"]) stage.files[`/deep/${name}`] = name === "fox.bdl" ? model : walk;
const follow = await stage.tab(640, 480, { hash: "#model=deep/fox.gltf" });
await stage.until("a link fetches the files that a model names", follow, () => window.facet.shown?.gltf && window.facet.shown.missing.length === 0);
await follow.evaluate(() => { location.hash = "#model=deep/fox.bdl&model=deep/walk.bck&mode=normals"; });
await stage.until("a changed link is followed, with several files", follow, () => window.facet.shown?.path === "deep/fox.bdl" &&
  window.facet.viewer.clips.length === 1 && document.getElementById("mode").value === "normals");
await follow.evaluate(() => new Promise((restored) => {
  const lose = document.getElementById("canvas").getContext("webgl2").getExtension("WEBGL_lose_context");
  window.before = window.facet.viewer.pixels({ width: 64, height: 64 }).data.reduce((a, b) => a + b, 0);
  lose.loseContext();
  setTimeout(() => {
    lose.restoreContext();
    setTimeout(restored, 1000);
  }, 200);
}));
await stage.until("after a lost context the picture is the same", follow, () =>
  Math.abs(window.facet.viewer.pixels({ width: 64, height: 64 }).data.reduce((a, b) => a + b, 0) / window.before - 1) < 0.01);
// Two servers with files of one path: the paths are the same whichever answers first.
await follow.route(/^https:\/\/(one|two)\.example\//, async (route) => {
  const isFirst = route.request().url().startsWith("https://one");
  if (isFirst) await new Promise((go) => setTimeout(go, 500));
  await route.fulfill({ headers: { "access-control-allow-origin": "*" }, body: `v 0 0 0\nv 1 0 0\nv 0 1 0\n${"f 1 2 3\n".repeat(isFirst ? 1 : 2)}` });
});
await follow.evaluate(() => { location.hash = "#model=https://one.example/m/a.obj&model=https://two.example/m/a.obj"; });
await stage.until("files of one path on two servers have paths in the order of the link", follow, () => window.facet.shown?.path === "m/a.obj" &&
  window.facet.shown.info?.counts.triangles === 1);
await follow.context().close();

// Inside a frame of another page: only the model, and a link to the whole page.
const frame = await stage.tab(480, 360, { hash: "#model=deep/fox.bdl&model=deep/walk.bck&clip=0&time=0.2&embed=1" });
await stage.until("an embedded page shows its model", frame, () => window.facet.shown?.path === "deep/fox.bdl" && document.getElementById("whole").href.includes("deep/fox.bdl"));
stage.expect("and nothing around it", await frame.evaluate(() => ["header", "nav", "aside", "#tools"].every((name) => document.querySelector(name).offsetParent === null) &&
  document.getElementById("canvas").getBoundingClientRect().height === innerHeight));
stage.expect("its link leads to the whole page", await frame.evaluate(() => !document.getElementById("whole").href.includes("embed") && document.getElementById("whole").offsetParent !== null) &&
  await frame.evaluate(() => location.hash.includes("embed=1")), await frame.evaluate(() => document.getElementById("whole").href));
await frame.screenshot({ path: path.join(out, "embedded.png") });
await frame.context().close();

// The installed page opens files that the desktop passes to it.
const installed = await stage.tab(640, 480, { before: () => Object.defineProperty(window, "launchQueue", { value: { setConsumer(open) { window.launch = open; } } }) });
await installed.waitForFunction(() => window.launch);
const manifest = await installed.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
stage.expect("the manifest names files and an icon that is there", manifest.file_handlers[0].accept["model/gltf-binary"].includes(".glb") &&
  await installed.evaluate(async (src) => (await fetch(src)).ok, manifest.icons[0].src), manifest);
await installed.evaluate(() => window.launch({ files: [{ name: "launched.obj", getFile: async () => new File(["v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"], "launched.obj") }] }));
await stage.until("a launched file is opened", installed, () => window.facet.shown?.path === "launched.obj");
await installed.evaluate(() => window.launch({ files: [] }));
stage.expect("a launch without files closes nothing", await installed.evaluate(() => window.facet.shown?.path === "launched.obj"));
await installed.context().close();

// Several drops in quick succession; names that look like options; a removed file.
await tab.evaluate(() => window.facet.clear());
for (const name of ["-fish.obj", "--help.obj", "out"]) {
  await stage.drop(tab, [[name, Buffer.from("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")]]);
  await new Promise((resolve) => setTimeout(resolve, 60));
}
await stage.settled(tab, "out");
const there = () => tab.evaluate(() => [...document.querySelectorAll("#tree [role=treeitem]")].map((item) => item.dataset.path).join());
stage.expect("all of them arrive, whatever their names", await there() === "-fish.obj,--help.obj,out", await there());
await tab.focus('[data-path="-fish.obj"] button');
await tab.keyboard.press("End");
await tab.keyboard.press("Delete");
await stage.until("Delete removes a file", tab, () => document.querySelectorAll("#tree [role=treeitem]").length === 2 && !window.facet.shown.path);

// Without WebGL.
const dark = await stage.tab(900, 600, { before: () => { HTMLCanvasElement.prototype.getContext = () => null; } });
stage.faults = stage.faults.filter((fault) => !/WebGL/.test(fault));
await stage.show(dark, [stage.real("bsm/test.bsm")]);
stage.expect("without WebGL files are described and checked", (await dark.evaluate(() => window.facet.shown.report.errors === 0 && window.facet.shown.info.counts.triangles === 968)) &&
  await dark.isVisible("#no-picture"));
stage.expect("and saved", (await stage.saved(dark, "stl")).length > 1000);
await dark.screenshot({ path: path.join(out, "no-webgl.png") });
await dark.context().close();
stage.faults = stage.faults.filter((fault) => !/WebGL/.test(fault));

// Hulls and the occluder, named in an OBJ.
const box = (name, size, first) => `o ${name}\n${[0, 1, 2, 3, 4, 5, 6, 7].map((i) => `v ${[i & 1, i >> 1 & 1, i >> 2].map((c) => (c - 0.5) * size).join(" ")}`).join("\n")}\n` +
  ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"].map((face) => `f ${face.split(" ").map((i) => Number(i) + first).join(" ")}`).join("\n");
await stage.show(tab, [["hulls.obj", Buffer.from(`${box("model", 1, 0)}\n${box("collision_mesh_a", 1.5, 8)}\n${box("occlusion_mesh", 0.8, 16)}\n`)]]);
await tab.waitForFunction(() => !document.getElementById("hulls").hidden);
const small = await stage.drawn(tab);
await tab.click("#hulls");
await tab.waitForSelector('#hulls[aria-pressed="true"]');
stage.expect("hulls are shown", (await stage.drawn(tab)) > small * 1.2, [small, await stage.drawn(tab)]);
stage.expect("so is the occluder", await tab.isVisible("#occluder"));
await tab.click("#hulls");

// -- Malicious files ---------------------------------------------------------------------------

step("hostile files");
const broken = fs.readdirSync(stage.real("broken")).map((name) => stage.real(`broken/${name}`)).filter((file) => fs.statSync(file).isFile());
const isBeside = (file) => /\.(bin|mtl|txt|json)$/.test(file); // opened only by a model
const hostile = broken.filter((file) => !isBeside(file));
let seed = 1;
const below = (count) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return Math.floor(seed / 2 ** 32 * count);
};
for (const name of ["bsm/test.bsm", "j3d/greenman_skinned.bdl", "gltf/CesiumMan.glb", "bga/teapot.v2.bga", "binarymesh/juice_00.v3.binarymesh"]) {
  const whole = fs.readFileSync(stage.real(name));
  for (let i = 0; i < 6; i++) {
    const bytes = Buffer.from(i % 2 ? whole.subarray(0, below(whole.length)) : whole);
    for (let k = 0; k < 8 && bytes.length > 0; k++) bytes[below(Math.min(bytes.length, 400))] = below(256);
    hostile.push([`broken-${i}-${path.basename(name)}`, bytes]);
  }
}
await tab.evaluate(() => window.facet.clear());
await stage.drop(tab, broken.filter(isBeside));
let unchecked = 0;
for (const file of hostile) {
  const name = typeof file === "string" ? path.basename(file) : file[0];
  await stage.drop(tab, [file]);
  await stage.settled(tab, name);
  const checked = await tab.waitForFunction((wanted) => window.facet.shown?.path === wanted && window.facet.shown.report, name, { timeout: 20000 })
    .then(() => true, () => false);
  if (!checked) {
    unchecked++;
    console.log(`  ${name} has no report: ${await tab.textContent("#status")}`);
  }
}
stage.expect("each broken file is checked, also when it cannot be read", unchecked === 0, unchecked);
await stage.show(tab, [stage.real("bsm/test.bsm")]);
stage.expect(`after ${hostile.length} broken files the page works`, (await stage.drawn(tab)) > 0.02);

// -- Memory --------------------------------------------------------------------------------------

step("memory");
const devtools = await tab.context().newCDPSession(tab);
const processes = await stage.browser.newBrowserCDPSession();
async function used() {
  await devtools.send("HeapProfiler.collectGarbage");
  await tab.evaluate(() => window.gc());
  const { processInfo } = await processes.send("SystemInfo.getProcessInfo");
  const resident = processInfo.map(({ id }) => {
    const status = fs.existsSync(`/proc/${id}/status`) ? fs.readFileSync(`/proc/${id}/status`, "utf8") : "";
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
  }).reduce((sum, size) => sum + size, 0);
  return { heap: (await devtools.send("Runtime.getHeapUsage")).usedSize / 1e6, resident };
}
const some = ["j3d/greenman_skinned.bdl", "bsm/test.bsm", "gltf/CesiumMan.glb", "bga/teapot.v2.bga", "ply/fuze.ply"];
async function openAll(rounds) {
  for (let round = 0; round < rounds; round++) for (const file of some) await stage.show(tab, [stage.real(file)]);
  await tab.evaluate(() => window.facet.clear());
  return used();
}
const early = await openAll(2), late = await openAll(10), numbers = await tab.evaluate(() => window.facet.viewer.numbers);
console.log(`  after 10 files: heap ${early.heap.toFixed(1)} MB, all processes ${early.resident.toFixed(0)} MB; ` +
  `after 50 more: ${late.heap.toFixed(1)} MB, ${late.resident.toFixed(0)} MB`);
stage.expect("after 50 files there are as many geometries and textures as at first, and a grid's",
  numbers.geometries <= atFirst.geometries + 2 && numbers.textures <= atFirst.textures + 2, [atFirst, numbers]);
stage.expect("the heap is as large as after the first ten", late.heap < early.heap + 3, [early, late]);
stage.expect("so are all processes, but for what a collector leaves", late.resident < early.resident + 150, [early, late]);

// A large file: the page responds while the worker reads.
const gap = await tab.evaluate(async () => {
  const triangles = 400000, bytes = new Uint8Array(84 + 50 * triangles), numbersOf = new DataView(bytes.buffer);
  numbersOf.setUint32(80, triangles, true);
  for (let i = 0; i < triangles; i++) {
    const x = i % 1000, y = Math.floor(i / 1000); // small ones: each pixel is drawn about once
    [x, y, Math.sin(x / 90), x + 1, y, Math.sin(x / 90), x, y + 1, Math.sin(x / 90)].forEach((value, k) =>
      numbersOf.setFloat32(84 + 50 * i + 12 + 4 * k, value, true));
  }
  const began = performance.now();
  let last = began, longest = 0, opened = 0;
  const ticks = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 10);
  const bar = document.getElementById("progress"), steps = new Set(), fractions = [];
  new MutationObserver(() => {
    steps.add(bar.title);
    fractions.push(bar.value);
  }).observe(bar, { attributes: true });
  window.facet.take([["large.stl", bytes]]).catch(() => {});
  while (!window.facet.shown?.report && opened++ < 6000) await new Promise((resolve) => setTimeout(resolve, 10));
  clearInterval(ticks);
  return { steps: [...steps], fractions, longest: Math.round(longest), all: Math.round(performance.now() - began), drawn: Boolean(window.facet.shown?.gltf), status: document.getElementById("status").textContent };
});
console.log(`  400,000 triangles: the page was busy for at most ${gap.longest} ms at once`);
stage.expect("a large file is drawn", gap.drawn, gap);
// On a busy machine everything takes longer.
stage.expect("a large file does not freeze the page", gap.longest < Math.max(1500, gap.all / 2), gap);
stage.expect("how far it is, is told", gap.steps.length > 1 && gap.fractions.every((each) => each >= 0 && each <= 1), gap);

// Cancel a file as soon as the button is visible. The page continues to work.
await tab.evaluate(() => {
  const bytes = new Uint8Array(84 + 50 * 1e6);
  new DataView(bytes.buffer).setUint32(80, 1e6, true);
  return new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      observer.disconnect();
      document.getElementById("cancel").click();
      resolve();
    }).observe(document.body, { attributeFilter: ["aria-busy"] });
    window.facet.take([["larger.stl", bytes]]).catch(() => {});
  });
});
stage.expect("a canceled file is not shown", (await tab.textContent("#status")) === "canceled" && !(await tab.getAttribute("body", "aria-busy")));
await stage.show(tab, [stage.real("bsm/test.bsm")]);
stage.expect("after it another is", (await stage.drawn(tab)) > 0.02);
await tab.evaluate(() => window.facet.clear());

// -- Accessibility, screens, offline ---------------------------------------------------------------

step("accessibility, screens, without a network");
await stage.show(tab, [stage.real("j3d/greenman_skinned.bdl")]);
const unnamed = await tab.evaluate(() => [...document.querySelectorAll("button, select, input:not([hidden]), canvas, [role]")]
  .filter((each) => !(each.textContent.trim() || each.getAttribute("aria-label") || each.getAttribute("aria-labelledby") || each.title ||
    each.labels?.length) && each.getAttribute("role") !== "status").map((each) => each.outerHTML));
stage.expect("every control has a name", unnamed.length === 0, unnamed);
const reached = new Set();
await tab.evaluate(() => document.activeElement?.blur());
for (let i = 0; i < 40; i++) {
  await tab.keyboard.press("Tab");
  const { id, ring } = await tab.evaluate(() => ({ id: document.activeElement.id || document.activeElement.tagName,
    ring: getComputedStyle(document.activeElement).outlineStyle }));
  if (id !== "BODY" && ring === "none") stage.expect(`the focus on ${id} is seen`, false, ring);
  reached.add(id);
}
for (const id of ["open", "mode", "fit", "canvas", "panel", "save", "theme"])
  stage.expect(`Tab reaches ${id}`, reached.has(id), [...reached]);
stage.expect("Tab reaches the panel that is chosen", [...reached].some((id) => id.startsWith("tab-")), [...reached]);
const contrasts = await tab.evaluate(() => {
  const light = (text) => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = {};
  for (const theme of ["dark", "light"]) {
    document.documentElement.dataset.theme = theme;
    const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    for (const [text, ground] of [["text", "panel"], ["quiet", "panel"], ["quiet", "ground"], ["accent", "panel"], ["error", "panel"],
                                  ["warning", "panel"], ["note", "panel"], ["on-accent", "accent"]]) {
      const a = light(color(text)), b = light(color(ground));
      found[`${theme}: ${text} on ${ground}`] = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }
  }
  document.documentElement.dataset.theme = "dark";
  return found;
});
for (const [what, ratio] of Object.entries(contrasts)) stage.expect(`contrast of ${what}`, ratio >= 4.5, ratio.toFixed(2));
await tab.focus("#canvas"); // in a list, keys belong to the list
await tab.keyboard.press("?");
await stage.until("? lists the keys", tab, () => document.getElementById("keys").open);
await tab.keyboard.press("Escape");

// Screenshots for inspection: three sizes, and that of docs/how-to/web-page.md with a generated
// model.
const vase = path.join(out, "vase.gltf");
execFileSync("python3", [path.join(import.meta.dirname, "../../tools/pictures"), "--model", vase]);
for (const [wide, high, scheme, panel] of [[390, 844, "dark", "summary"], [820, 1180, "light", "materials"], [1600, 900, "light", "detail"], [1280, 800, "dark", "summary"]]) {
  const screen = await stage.tab(wide, high, { scheme });
  await stage.show(screen, [vase]);
  await screen.click(`#tab-${panel}`);
  stage.expect(`${wide} x ${high}: nothing sticks out`, await screen.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  stage.expect(`${wide} x ${high}: every tab can be seen whole`, await screen.evaluate(() => [...document.querySelectorAll('[role="tab"]:not([hidden])')].every((tab) => {
    tab.scrollIntoView({ inline: "nearest" });
    const { left, right } = tab.getBoundingClientRect(), within = tab.parentElement.getBoundingClientRect();
    return left >= within.left - 1 && right <= within.right + 1;
  })));
  await screen.evaluate(() => window.facet.setLayer("grid", true));
  await stage.frame(screen);
  await screen.screenshot({ path: path.join(out, `${wide}-${scheme}.png`) });
  stage.expect(`${wide} x ${high}: it is drawn`, (await stage.drawn(screen)) > 0.01);
  await screen.context().close();
}

const offline = await stage.tab(800, 600);
await offline.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
await offline.reload();
await offline.evaluate(() => window.facet.ready);
await offline.context().setOffline(true);
await offline.reload();
await offline.evaluate(() => window.facet.ready);
await stage.show(offline, [stage.real("j3d/fish_static.bmd")]);
stage.expect("without a network it opens files", (await stage.drawn(offline)) > 0.02);
await offline.context().close();

stage.expect("the console is silent", stage.faults.length === 0, stage.faults.slice(0, 5));
step("done");
await stage.close();
