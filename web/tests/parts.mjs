// Parts of the page around the picture: scene tree, tools, textures, saving, comparison, samples,
// phones.

import * as fs from "node:fs";
import * as path from "node:path";

const pixels = (tab, how = { width: 96, height: 72 }) => tab.evaluate((size) => window.facet.viewer.pixels(size).data.join(), how);
const status = (tab) => tab.textContent("#status");

/** Two squares, one behind the other, with a material each. */
function squares() {
  const at = (z) => [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => `v ${x} ${y} ${z}`).join("\n");
  return `mtllib two.mtl\no front\n${at(0)}\nusemtl red\nf 1 2 3 4\no back\n${at(-2)}\nusemtl blue\nf 5 6 7 8\n`;
}
const colors = "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n";

// -- Scene tree --------------------------------------------------------------------------

async function testScene(stage, tab) {
  await stage.show(tab, [["two.obj", Buffer.from(squares())], ["two.mtl", Buffer.from(colors)]]);
  await tab.click("#tab-scene");
  const rows = await tab.evaluate(() => [...document.querySelectorAll(".scene [role=treeitem]")].map((item) => item.firstChild.firstChild.textContent));
  for (const name of ["front", "back", "red", "blue"]) stage.expect(`the scene tree lists ${name}`, rows.includes(name), rows);
  const item = (name) => tab.locator(".scene [role=treeitem]").filter({ has: tab.locator(`button:first-child:has-text("${name}")`) }).last();
  const hidden = () => tab.evaluate(() => window.facet.viewer.hidden.size), whole = await pixels(tab);
  await item("front").locator(":scope > .eye").click();
  stage.expect("a hidden part is not drawn", (await hidden()) === 1 && whole !== await pixels(tab));
  await item("front").locator(":scope > .eye").click();
  stage.expect("it comes back as it was", (await hidden()) === 0 && whole === await pixels(tab));
  await item("blue").locator(":scope > .only").click();
  const visible = () => tab.evaluate(() => window.facet.viewer.parts.filter(({ mesh }) => !window.facet.viewer.hidden.has(mesh)).map(({ material }) => window.facet.shown.gltf.parser.json.materials[material].name).join());
  stage.expect("only the parts of a material are shown", (await visible()) === "blue", await visible());
  await tab.click('.scene button:text("Show all")');
  stage.expect("all parts are shown again", (await hidden()) === 0);

  // Both directions: from the tree to the picture, and back.
  await item("back").locator(":scope > button").first().click();
  stage.expect("a part that is selected is marked in the picture", whole !== await pixels(tab) && /back/.test(await tab.textContent("#picked")));
  await tab.evaluate(() => window.facet.setLayer("grid", false));
  await tab.evaluate(() => { window.facet.viewer.view = [0.5, 0.5, 6, 0.5, 0.5, 0]; });
  await stage.frame(tab);
  const { x, y, width, height } = await tab.locator("#canvas").boundingBox();
  await tab.mouse.click(x + width / 2, y + height / 2);
  await stage.until("a part that is clicked is selected in the tree", tab, () => /front/.test(document.querySelector(".scene [aria-current=true]")?.textContent ?? ""));

  // Keys.
  await tab.focus(".scene [role=treeitem] > button");
  await tab.keyboard.press("End");
  const last = await tab.evaluate(() => document.activeElement.textContent);
  await tab.keyboard.press("h");
  stage.expect("H hides the part that has the focus", (await hidden()) === 1 && (await tab.getAttribute("#hulls", "aria-pressed")) === "false", last);
  await tab.keyboard.press("i");
  stage.expect("I shows only this part", (await hidden()) === 1 && (await visible()).length > 0, await visible());
  await tab.keyboard.press("i");
  await tab.keyboard.press("ArrowLeft");
  stage.expect("Left goes to the row above", (await tab.evaluate(() => document.activeElement.textContent)).startsWith("Materials"));
  await tab.keyboard.press("ArrowLeft");
  stage.expect("Left closes it", await tab.evaluate(() => document.activeElement.parentElement.getAttribute("aria-expanded") === "false"));
  await tab.keyboard.press("ArrowUp");
  stage.expect("Up goes on", !(await tab.evaluate(() => document.activeElement.textContent)).startsWith("Materials"));

  await tab.evaluate(() => window.facet.take(window.facet.samples.reed()));
  await stage.settled(tab, "reed.gltf");
  await tab.locator('.scene button:first-child:has-text("joint 2")').click();
  stage.expect("joints are in the tree, and can be marked", /joint 2/.test(await tab.textContent("#picked")));
  await tab.click("#tab-summary");
}

// -- Tools -------------------------------------------------------------------------------

async function testTools(stage, tab) {
  await stage.show(tab, [["two.obj", Buffer.from(squares())], ["two.mtl", Buffer.from(colors)]]);
  // From the front, the squares are 1 wide. In perspective, the one behind is smaller; in
  // orthographic projection it is not.
  const widths = () => tab.evaluate(() => {
    const { facet } = window;
    facet.viewer.view = [0.5, 0.5, 8, 0.5, 0.5, 0];
    const wide = (name) => {
      facet.viewer.hide(facet.viewer.parts.filter(({ material }) => facet.shown.gltf.parser.json.materials[material].name !== name).map(({ mesh }) => mesh));
      const { width: w, height: h, data } = facet.viewer.pixels({ width: 200, height: 200 });
      let count = 0;
      for (let x = 0; x < w; x++) count += Math.abs(data[4 * (h / 2 * w + x)] - data[0]) + Math.abs(data[4 * (h / 2 * w + x) + 2] - data[2]) > 60;
      return count;
    };
    facet.setLayer("grid", false);
    const found = [wide("red"), wide("blue")];
    facet.viewer.hide([]);
    return found;
  });
  const [near, far] = await widths();
  stage.expect("in perspective the farther square is smaller", Math.abs(far / near - 8 / 10) < 0.06, [near, far]);
  await tab.click("#flat");
  const [a, b] = await widths();
  stage.expect("without perspective both are the same size", Math.abs(a - b) <= 1 && Math.abs(a - near) <= 2, [a, b, near]);
  await tab.focus("#canvas");
  await tab.keyboard.press("p");
  stage.expect("P brings the perspective back", (await tab.getAttribute("#flat", "aria-pressed")) === "false");

  // Distances between two corners: 1 along x, and the diagonal of the square.
  await tab.evaluate(() => { window.facet.viewer.view = [0.5, 0.5, 4, 0.5, 0.5, 0]; });
  await stage.frame(tab);
  const box = await tab.locator("#canvas").boundingBox(), half = box.height / 2 / (4 * Math.tan(15 * Math.PI / 180));
  const scale = box.width >= box.height ? 1 : box.width / box.height;
  const at = (x, y) => [box.x + box.width / 2 + (x - 0.5) * half * scale, box.y + box.height / 2 - (y - 0.5) * half * scale];
  await tab.click("#measure");
  await tab.mouse.click(...at(0.01, 0.01));
  await tab.mouse.click(...at(0.99, 0.99));
  stage.expect("two corners are measured: the root of 2", /^Distance 1\.4142 .*x 1, y 1, z 0/.test(await status(tab)), await status(tab));
  await tab.keyboard.press("Escape");
  stage.expect("Escape ends measuring", (await tab.getAttribute("#measure", "aria-pressed")) === "false");

  // Flight.
  const view = () => tab.evaluate(() => window.facet.viewer.view), before = await view();
  await tab.click("#fly");
  await tab.keyboard.down("w");
  await tab.waitForFunction((z) => window.facet.viewer.view[2] < z - 0.2, before[2], { timeout: 20000 }).catch(() => {});
  await tab.keyboard.up("w");
  const after = await view();
  stage.expect("W flies forward, along the view", after[2] < before[2] - 0.2 && Math.abs(after[0] - before[0]) < 0.05 && (await tab.getAttribute("#wires", "aria-pressed")) === "false", [before, after]);
  await tab.keyboard.down("d");
  await tab.waitForFunction((x) => window.facet.viewer.view[0] > x + 0.1, after[0], { timeout: 20000 }).catch(() => {});
  await tab.keyboard.up("d");
  stage.expect("D flies to the right", (await view())[0] > after[0] + 0.1, await view());
  await tab.keyboard.press("v");

  // Change the up axis: an upright square becomes horizontal.
  await tab.selectOption("#up", "z");
  await tab.waitForFunction(() => window.facet.shown?.gltf && window.facet.shown.info && !document.body.hasAttribute("aria-busy"));
  const extent = await tab.evaluate(() => window.facet.viewer.parts.map(({ mesh }) => {
    mesh.geometry.computeBoundingBox();
    const { min, max } = mesh.geometry.boundingBox.clone().applyMatrix4(mesh.matrixWorld);
    return max.y - min.y;
  }));
  stage.expect("z up lays an upright square flat", extent.every((height) => Math.abs(height) < 1e-6), extent);
  await tab.selectOption("#up", "");
  await tab.waitForFunction(() => !document.body.hasAttribute("aria-busy"));
}

// -- Findings ----------------------------------------------------------------------------

async function testFindings(stage, tab) {
  await tab.evaluate(() => window.facet.clear());
  await tab.evaluate(() => window.facet.take(window.facet.samples.broken()));
  await stage.settled(tab, "broken-vase.obj");
  await tab.click("#tab-check");
  await tab.evaluate(() => window.facet.setLayer("grid", false));
  const before = await tab.evaluate(() => window.facet.viewer.view.join());
  const finding = await tab.evaluate(() => window.facet.shown.report.findings.find(({ rule }) => rule === "OBJ-FACE-DEGENERATE"));
  stage.expect("the sample with errors has a face without area", finding?.line > 0, finding);
  await tab.locator(".finding button", { hasText: "OBJ-FACE-DEGENERATE" }).click();
  await stage.until("a finding of a face moves the view to it", tab, (was) => window.facet.viewer.view.join() !== was, before);
  stage.expect("and its line is shown", /f 40\/40 41\/41 40\/40/.test(await tab.textContent(".place mark")), await tab.textContent(".place mark").catch(() => ""));
  // Vertex 40 has index 39: ring 1 of 33, side 6 of 32; radius 0.32, height 0.
  const target = await tab.evaluate(() => window.facet.viewer.view.slice(3)), angles = [6, 7].map((side) => side / 32 * 2 * Math.PI);
  const middle = [0.16 * (Math.cos(angles[0]) + Math.cos(angles[1])), 0, 0.16 * (Math.sin(angles[0]) + Math.sin(angles[1]))];
  stage.expect("the view is at the middle of its corners", target.every((value, i) => Math.abs(value - middle[i]) < 0.001), [target, middle]);
}

// -- Textures ----------------------------------------------------------------------------

async function testTextures(stage, tab) {
  // 4 x 2 pixels: red 10 to 80, green 200, blue 0, alpha 255.
  const tga = Buffer.alloc(18 + 32);
  tga[2] = 2; tga[12] = 4; tga[14] = 2; tga[16] = 32; tga[17] = 0x28;
  for (let i = 0; i < 8; i++) tga.set([0, 200, 10 * (i + 1), 255 - i], 18 + 4 * i);
  fs.writeFileSync(path.join(stage.out, "small.tga"), tga);
  stage.native("convert", "-q", path.join(stage.out, "small.tga"), path.join(stage.out, "small.png"));
  await tab.evaluate(() => window.facet.clear());
  await stage.drop(tab, [path.join(stage.out, "small.png")]);
  await tab.waitForSelector("#texture[open]");
  const canvas = () => tab.evaluate(() => {
    const each = document.getElementById("texture-canvas");
    return { width: each.width, height: each.height, data: [...each.getContext("2d").getImageData(0, 0, each.width, each.height).data] };
  });
  await tab.selectOption("#texture-channel", "red");
  let drawn = await canvas();
  stage.expect("a picture opens in the texture viewer: its red channel", drawn.width === 4 && drawn.height === 2 &&
    drawn.data.filter((_, i) => i % 4 === 0).join() === "10,20,30,40,50,60,70,80", drawn);
  await tab.selectOption("#texture-level", "1");
  drawn = await canvas();
  stage.expect("level 1 is half as large, the mean of four", drawn.width === 2 && drawn.height === 1 && drawn.data[0] === (10 + 20 + 50 + 60) / 4 && drawn.data[4] === (30 + 40 + 70 + 80) / 4, drawn);
  await tab.selectOption("#texture-channel", "alpha");
  await tab.selectOption("#texture-level", "0");
  drawn = await canvas();
  stage.expect("the alpha channel is shown in gray", drawn.data[0] === 255 && drawn.data[4] === 254 && drawn.data[3] === 255, drawn);
  await tab.click("#texture-close");

  await stage.show(tab, [stage.real("j3d/greenman_skinned.bdl")]);
  await tab.click("#tab-textures");
  await tab.click(".textures button");
  await tab.waitForSelector("#texture[open]");
  stage.expect("a texture of a console names its format", /128 x 128; format RGB565/.test(await tab.textContent("#texture-facts")), await tab.textContent("#texture-facts"));
  await tab.screenshot({ path: path.join(stage.out, "texture.png") });
  await tab.click("#texture-show");
  stage.expect("Show on the model chooses the mode", (await tab.inputValue("#mode")) === "texture");
  await tab.evaluate(() => window.facet.setMode("shaded"));
  await tab.click("#tab-summary");
}

// -- Modes of facet render -----------------------------------------------------------------

async function testModes(stage, tab) {
  const file = stage.real("gltf/Fox.glb");
  await stage.show(tab, [file]);
  await tab.evaluate(() => window.facet.setMode("overdraw"));
  const overdraw = await stage.beside(tab, file, "overdraw", ["--animation", "0"]);
  stage.expect("overdraw: as facet render draws it", overdraw.mean < 6 && overdraw.much < 0.02 && overdraw.drawn > 0.02, overdraw);
  await tab.click("#tab-textures");
  await tab.click(".textures button");
  await tab.waitForSelector("#texture[open]");
  await tab.click("#texture-show");
  const texture = await stage.beside(tab, file, "texture=0", ["--animation", "0"]);
  stage.expect("one texture: as facet render draws it", texture.mean < 4 && texture.much < 0.02 && texture.drawn > 0.02, texture);
  await tab.evaluate(() => window.facet.setMode("shaded"));
  const flat = await stage.beside(tab, file, "shaded", ["--animation", "0", "--orthographic"]);
  stage.expect("orthographic: as facet render draws it", flat.mean < 8 && flat.much < 0.02 && flat.drawn > 0.02, flat);
  console.log(`  beside facet render: overdraw ${overdraw.mean.toFixed(2)}, texture ${texture.mean.toFixed(2)}, orthographic ${flat.mean.toFixed(2)}`);
  await tab.click("#tab-summary");
}

// -- Saving --------------------------------------------------------------------------------

async function download(tab, file) {
  const [made] = await Promise.all([tab.waitForEvent("download"), tab.click("#save-now")]);
  await made.saveAs(file);
  return made.suggestedFilename();
}

async function testSaving(stage, tab) {
  const at = (name) => path.join(stage.out, name);
  await stage.show(tab, [stage.real("ply/fuze.ply")]);
  await tab.click("#save");
  await tab.selectOption("#save-format", "stl");
  await tab.fill("#option-scale", "2");
  await tab.selectOption("#option-stl-encoding", "ascii");
  stage.expect("options of other formats are not shown", (await tab.locator("#option-texture-format").count()) === 0 && (await tab.locator("#option-ply-encoding").count()) === 0);
  await tab.screenshot({ path: at("save.png") });
  const name = await download(tab, at("scaled.stl"));
  stage.native("convert", "-q", stage.real("ply/fuze.ply"), at("wanted-scaled.stl"), "--scale", "2", "--stl-encoding", "ascii");
  stage.expect("Save uses the options: the native program's bytes", name === "fuze.stl" && fs.readFileSync(at("scaled.stl")).equals(fs.readFileSync(at("wanted-scaled.stl"))), name);
  await tab.click("#save");
  await tab.selectOption("#save-format", "bmd");
  await tab.locator("#save-options details summary").click();
  await tab.selectOption("#option-quantize", "none");
  await tab.fill("#option-scale", "-1");
  const invalid = await tab.evaluate(() => !document.getElementById("option-scale").checkValidity());
  stage.expect("a value out of range is not sent", invalid);
  await tab.click("#save-close");

  // All parts as a ZIP archive.
  await stage.show(tab, [stage.real("j3d/greenman_skinned.bdl")]);
  await tab.click("#save");
  await tab.selectOption("#save-format", "parts");
  await download(tab, at("parts.zip"));
  const { unzip } = await import("../package/src/zip.js");
  const pieces = await unzip(new Uint8Array(fs.readFileSync(at("parts.zip")))), folder = at("parts-native");
  fs.rmSync(folder, { recursive: true, force: true });
  stage.native("extract", "-q", stage.real("j3d/greenman_skinned.bdl"), folder);
  const names = fs.readdirSync(folder).sort();
  stage.expect("all parts as ZIP: the native program's files", [...pieces.keys()].sort().join() === names.join() &&
    names.every((each) => Buffer.from(pieces.get(each)).equals(fs.readFileSync(path.join(folder, each)))), [...pieces.keys()]);

  // Save into an archive: only the model is replaced.
  const inside = at("write-back/in");
  fs.rmSync(at("write-back"), { recursive: true, force: true });
  fs.mkdirSync(path.join(inside, "bdl"), { recursive: true });
  fs.copyFileSync(stage.real("j3d/fish_static.bmd"), path.join(inside, "bdl/fish.bmd"));
  fs.writeFileSync(path.join(inside, "note.txt"), "stays");
  stage.native("pack", "-q", at("write-back/fish.szs"), inside);
  await stage.show(tab, [at("write-back/fish.szs")], "fish.szs/bdl/fish.bmd");
  await stage.drop(tab, [stage.real("gltf/BoxInterleaved.glb")]);
  await stage.settled(tab, "BoxInterleaved.glb");
  await tab.click("#save");
  await tab.selectOption("#save-format", "member");
  stage.expect("models of open archives can be replaced", (await tab.inputValue("#save-member")) === "fish.szs/bdl/fish.bmd");
  await download(tab, at("write-back/new.szs"));
  fs.copyFileSync(at("write-back/fish.szs"), at("write-back/native.szs"));
  stage.native("convert", "-q", stage.real("gltf/BoxInterleaved.glb"), path.join(at("write-back"), "native.szs/bdl/fish.bmd"));
  stage.expect("written back: the native program's archive", fs.readFileSync(at("write-back/new.szs")).equals(fs.readFileSync(at("write-back/native.szs"))), await status(tab));
  stage.expect("and the archive on the page is as it was", await tab.evaluate(async () => (await window.facet.bytes("fish.szs/note.txt", 0, 9)).length) === 5);
}

// -- Two files -------------------------------------------------------------------------------

async function testComparison(stage, tab) {
  await stage.show(tab, [stage.real("gltf/BoxInterleaved.glb")]);
  await stage.drop(tab, [stage.real("gltf/Fox.glb")]);
  await stage.settled(tab, "Fox.glb");
  await tab.selectOption("#compare", "BoxInterleaved.glb");
  await tab.waitForSelector(".difference img");
  const text = await tab.textContent("#panel");
  stage.expect("a comparison is in words", /They differ\. The surfaces are at most [\d.]+ apart: [\d.]+ %/.test(text), text.slice(0, 300));
  const row = await tab.evaluate(() => [...document.querySelectorAll(".two tr")].find((each) => each.firstChild.textContent === "triangles")?.textContent);
  stage.expect("its table has both counts", row === "triangles57612", row);
  stage.expect("its picture is there", await tab.evaluate(() => document.querySelector(".difference img").decode().then(() => document.querySelector(".difference img").naturalWidth > 1000)));
  await tab.click("#beside");
  await tab.waitForSelector("#other canvas");
  await stage.until("both models are side by side", tab, () => window.facet.beside.viewer?.parts.length === 1);
  await tab.evaluate(() => window.facet.viewer.turn(3, 1, 1, false));
  await stage.until("and are seen from the same place", tab, () => window.facet.viewer.view.join() === window.facet.beside.viewer.view.join());
  await stage.frame(tab);
  await tab.screenshot({ path: path.join(stage.out, "beside.png") });
  const split = await tab.evaluate(() => ["canvas", "other"].map((id) => Math.round(document.getElementById(id).getBoundingClientRect().width)));
  stage.expect("each has half of the space", Math.abs(split[0] - split[1]) <= 2, split);
  await stage.show(tab, [stage.real("bsm/test.bsm")]);
  stage.expect("another file closes the second picture", await tab.evaluate(() => !window.facet.beside.isOpen && document.querySelectorAll("#other canvas").length === 0));
  await tab.click("#tab-summary");
}

// -- Samples, animation frames ------------------------------------------------------------------

async function testSamples(stage, tab) {
  const fresh = await stage.tab(900, 600);
  for (const [id, name, triangles] of [["vase", "vase.obj", 800], ["reed", "reed.gltf", 24 * 12 * 2]]) {
    await fresh.evaluate(() => window.facet.clear());
    await fresh.click(`#sample-${id}`);
    await stage.settled(fresh, name);
    const found = await fresh.evaluate(() => ({ report: window.facet.shown.report, counts: window.facet.shown.info.counts, missing: window.facet.shown.missing }));
    stage.expect(`the sample ${id} is without errors`, found.report.errors + found.report.warnings === 0 && found.missing.length === 0, found);
    stage.expect(`the sample ${id} has its triangles`, found.counts.triangles === triangles, found.counts);
  }
  stage.expect("the timeline counts frames", /of 60, 0\.00 s/.test(await fresh.inputValue("#time-text").catch(() => fresh.textContent("#time-text"))), await fresh.textContent("#time-text"));
  await fresh.click("#frame-after");
  await fresh.click("#frame-after");
  stage.expect("the next frame is one further", Math.abs(await fresh.evaluate(() => window.facet.viewer.time) - 2 / 30) < 1e-6);
  await fresh.fill("#frame", "30");
  await fresh.keyboard.press("Enter");
  stage.expect("a frame is gone to by its number", Math.abs(await fresh.evaluate(() => window.facet.viewer.time) - 1) < 1e-6);
  await fresh.context().close();
}

// -- Phones, accessibility ----------------------------------------------------------------------

async function testScreens(stage, axe) {
  for (const [name, width, height, scheme, touch] of [["desktop-dark", 1280, 800, "dark", false], ["desktop-light", 1280, 800, "light", false], ["phone-dark", 390, 844, "dark", true], ["phone-light", 390, 844, "light", true]]) {
    const tab = await stage.tab(width, height, { scheme, touch });
    const look = async (state) => {
      await stage.frame(tab);
      await tab.screenshot({ path: path.join(stage.out, `${name}-${state}.png`) });
      const sticking = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      stage.expect(`${name}, ${state}: nothing sticks out`, sticking <= 0, sticking);
      if (touch) {
        const small = await tab.evaluate(() => [...document.querySelectorAll("button, select, input, summary")].filter((each) => each.offsetParent && each.type !== "checkbox" && each.type !== "range")
          .map((each) => [each.id || each.textContent || each.className, each.getBoundingClientRect()]).filter(([, { width: w, height: h }]) => w < 43.5 || h < 43.5).map(([id, { width: w, height: h }]) => `${id} ${w} x ${h}`));
        stage.expect(`${name}, ${state}: targets have 44 px`, small.length === 0, small.slice(0, 5));
      }
      await tab.evaluate(axe);
      const violations = await tab.evaluate(async () => (await window.axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`));
      stage.expect(`${name}, ${state}: axe-core finds nothing`, violations.length === 0, violations);
    };
    await look("empty");
    await tab.evaluate(() => window.facet.take(window.facet.samples.broken()));
    await stage.settled(tab, "broken-vase.obj");
    await tab.click("#tab-check");
    await look("check");
    await tab.evaluate(() => window.facet.take(window.facet.samples.reed()));
    await stage.settled(tab, "reed.gltf");
    await tab.click("#tab-scene");
    await look("scene");
    await tab.click("#save");
    await tab.waitForSelector("#option-scale");
    await look("save");
    await tab.click("#save-close");
    await tab.selectOption("#compare", "broken-vase.obj");
    await tab.waitForSelector("#beside");
    await tab.click("#beside");
    await tab.waitForSelector("#other canvas");
    await look("compare");
    if (touch) {
      await tab.click("#files-button");
      await look("files");
    }
    await tab.context().close();
  }
}

export async function testParts(stage, tab) {
  const axe = fs.readFileSync(path.join(stage.npm, "node_modules/axe-core/axe.min.js"), "utf8");
  await testScene(stage, tab);
  await testTools(stage, tab);
  await testFindings(stage, tab);
  await testTextures(stage, tab);
  await testModes(stage, tab);
  await testSaving(stage, tab);
  await testComparison(stage, tab);
  await testSamples(stage, tab);
  await testScreens(stage, axe);
}
