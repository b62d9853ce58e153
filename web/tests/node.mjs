// node.mjs FACET CORPUS OUT: compare the package in Node with the native program. Both modules must
// give the same bytes, messages and exit status. Also tests handles, errors, siblings and archives.

import * as fs from "node:fs";
import * as path from "node:path";
import { spawnSync } from "node:child_process";
import { brotliCompressSync } from "node:zlib";

import { load, FacetError, MemoryFiles } from "../package/src/node.js";
import { unknownImports } from "../package/src/engine.js";

const [facet, corpus, out] = process.argv.slice(2).map((name) => path.resolve(name));
const dist = new URL("../package/dist/", import.meta.url);
let passed = 0, failed = 0;

function expect(what, good, found) {
  if (good) passed++;
  else {
    failed++;
    console.log(`FAILED: ${what}${found === undefined ? "" : `: ${JSON.stringify(found).slice(0, 300)}`}`);
  }
}

function native(...words) {
  return spawnSync(facet, words, { encoding: "buffer", maxBuffer: 1 << 28 });
}

// -- Both modules compared with the native program --------------------------------------

const read = (name) => new Uint8Array(fs.readFileSync(path.join(corpus, name)));
const conversions = [
  ["obj/spider.obj", ["bsm", "glb", "bga", "bpx", "bmd", "ply", "stl", "binarymesh"]],
  ["j3d/greenman_skinned.bdl", ["glb", "obj", "bmd", "bpx"]],
  ["gltf/CesiumMan.glb", ["bdl", "bpx", "iqm", "obj"]],
  ["bga/fish.big-endian.v2.bga", ["bsm", "glb"]],
  ["binarymesh/juice_00.v2.binarymesh", ["obj", "glb", "bsm"]],
  ["bsm/test.bsm", ["obj", "glb", "stl"]],
];
// Compressed bytes depend on the size of a machine word.
const contentsAlone = new Set(["binarymesh"]);

for (const variant of ["facet.wasm", "facet-simd.wasm"]) {
  const library = await load({ wasm: new URL(variant, dist) });
  const unknown = unknownImports(await WebAssembly.compile(fs.readFileSync(new URL(variant, dist))));
  // Unsupported calls start processes, wait for them, write to them, use signals, or lock a claim.
  const known = /^env\.(posix_spawnp|alarm|__call_sighandler|__syscall_(dup3|linkat|pipe|poll|sendto|utimensat))$/;
  expect(`${variant} imports what the package answers`, unknown.every((name) => known.test(name)), unknown);
  expect(`${variant} has the program's version`, `facet ${library.version}` === native("--version").stdout.toString().trim(), library.version);
  for (const [name, formats] of conversions) {
    const file = library.open(read(name), { name: path.basename(name), sibling: (side) => {
      const beside = path.join(corpus, path.dirname(name), side);
      return fs.existsSync(beside) ? new Uint8Array(fs.readFileSync(beside)) : null;
    } });
    const info = JSON.parse(native("info", "--json", path.join(corpus, name)).stdout);
    expect(`${variant}: info of ${name}`, JSON.stringify(file.info().detail) === JSON.stringify(info.detail));
    const report = JSON.parse(native("check", "--json", path.join(corpus, name)).stdout);
    /* The package has no folders. */
    const plain = report.findings.map((one) => (one.file ? { ...one, file: path.basename(one.file) } : one));
    expect(`${variant}: check of ${name}`, JSON.stringify(file.check().findings) === JSON.stringify(plain));
    for (const format of formats) {
      // The package has no folders: write the native output into the input's folder, so that the
      // names of textures are the same.
      const copies = path.join(out, path.dirname(name)), wanted = path.join(copies, `result.${format}`);
      fs.cpSync(path.join(corpus, path.dirname(name)), copies, { recursive: true });
      native("convert", "-q", "--to", format, path.join(out, name), wanted);
      const { bytes, siblings } = file.convert(format);
      const same = Buffer.from(bytes).equals(fs.readFileSync(wanted));
      expect(`${variant}: ${name} as ${format}`, same || contentsAlone.has(format), bytes.length);
      for (const [side, content] of siblings)
        expect(`${variant}: ${side} beside it`, Buffer.from(content).equals(fs.readFileSync(path.join(copies, side))));
    }
    file.close();
    file.close();
    let after = null;
    try { file.info(); } catch (fault) { after = fault; }
    expect(`${variant}: a closed file says so`, after instanceof FacetError && after.message.includes("closed"));
  }
}

// -- Scenes, errors, archives ------------------------------------------------------------

const library = await load();
const scene = library.open(read("gltf/CesiumMan.glb"), { name: "CesiumMan.glb" }).scene();
expect("a scene has typed arrays", scene.meshes[0].primitives[0].attributes.POSITION instanceof Float32Array &&
  scene.meshes[0].primitives[0].attributes.POSITION.length % 3 === 0);
expect("and skins and animations", scene.skins[0].joints.length === 19 && scene.animations[0].channels.length > 0, scene.skins[0]?.joints.length);
expect("indices stay in range", Math.max(...scene.meshes[0].primitives[0].indices) <
  scene.meshes[0].primitives[0].attributes.POSITION.length / 3);

let fault = null;
try { library.open(new TextEncoder().encode("no format begins like this")).info(); } catch (found) { fault = found; }
expect("what is no file of ours is a fault by rule", fault instanceof FacetError && fault.rule === "FORMAT-UNKNOWN", fault?.rule);
try { library.open(read("bsm/test.bsm").subarray(0, 100), { name: "cut.bsm" }).convert("obj"); } catch (found) { fault = found; }
expect("a file cut short is a fault with a place", fault.rule.startsWith("BSM-") && fault.status === 1, [fault.rule, fault.offset]);

// The texture scrolls by its size in ten frames: the third number of the matrix' first row changes
// by 0.1 per frame.
const spider = path.join(out, "motion.bdl"), scroll = path.join(out, "scroll.btk"), json = path.join(out, "scroll.json");
fs.writeFileSync(json, JSON.stringify({ format: "facet-j3d-animation", version: 1, kind: "btk", frames: 10, loop: "repeat", rotation_shift: 1,
  texture_matrices: [{ material: "HLeibTex", matrix: 0, center: [0, 0, 0], scale: [1, 1, 1], rotation: [0, 0, 0],
                       translation: [[[0, 0, 0.1], [10, 1, 0.1]], 0, 0] }] }));
native("convert", "-q", path.join(corpus, "obj/spider.obj"), spider);
native("pack", "-q", scroll, json);
const still = library.open(new Uint8Array(fs.readFileSync(spider)), { name: "motion.bdl" }).scene();
const motion = library.motion(still, new Uint8Array(fs.readFileSync(scroll)));
const slides = motion?.materials[0].tracks.find((track) => track.values[5] === 0.5);
expect("a btk says what it changes, at each frame", motion?.frames === 10 && slides?.uniform === "texture_rows" &&
  slides.values.length === 11 && Math.abs(slides.values[3] - 0.3) < 1e-6 && motion.materials[0].vertex.includes("texture_rows"), motion);
expect("what is no animation changes nothing", library.motion(still, new Uint8Array(100)) === null);

// Create an IQM. Both modules must describe it and its clips like the native program.
const foxFile = path.join(out, "fox.iqm"), foxGlb = path.join(out, "fox-iqm.glb");
native("convert", "-q", path.join(corpus, "gltf/Fox.glb"), foxFile);
native("convert", "-q", foxFile, foxGlb);
const fox = library.open(new Uint8Array(fs.readFileSync(foxFile)), { name: "fox.iqm" });
expect("an IQM is known by its content", library.open(new Uint8Array(fs.readFileSync(foxFile))).info().format === "iqm");
expect("info of an IQM", JSON.stringify(fox.info().detail) === JSON.stringify(JSON.parse(native("info", "--json", foxFile).stdout).detail));
expect("check of an IQM", fox.check().errors === 0 &&
  JSON.stringify(fox.check().findings) === JSON.stringify(JSON.parse(native("check", "--json", foxFile).stdout).findings), fox.check());
expect("an IQM as GLB", Buffer.from(fox.convert("glb").bytes).equals(fs.readFileSync(foxGlb)));
expect("an IQM as itself", Buffer.from(fox.convert("iqm").bytes).equals(fs.readFileSync(foxFile)));
const foxScene = fox.scene();
expect("its clips have names and keys", foxScene.animations.map(({ name }) => name).join() === "Survey,Walk,Run" &&
  foxScene.animations.every(({ channels }) => channels.length > 0) && foxScene.skins[0].joints.length === 24,
  [foxScene.animations.map(({ name }) => name), foxScene.skins[0]?.joints.length]);
try { library.open(new Uint8Array(fs.readFileSync(foxFile)).subarray(0, 1000), { name: "cut.iqm" }).convert("glb"); } catch (found) { fault = found; }
expect("an IQM cut short is a fault with a place", fault.rule === "IQM-SECTION-BOUNDS" && fault.status === 1, [fault.rule, fault.offset]);

const members = new Map([["bdl/fish.bmd", read("j3d/fish_static.bmd")]]);
const archive = library.pack("fish.szs", members);
const opened = library.open(archive, { name: "fish.szs" });
expect("an archive lists its members", opened.info().detail.members[0].path === "bdl/fish.bmd");
expect("members open in place", opened.info("bdl/fish.bmd").format === "bmd");
expect("and convert", Buffer.from(opened.convert("glb", {}, "bdl/fish.bmd").bytes).equals(
  Buffer.from(library.open(read("j3d/fish_static.bmd"), { name: "fish.bmd" }).convert("glb").bytes)));
expect("extracted, they are what was packed", Buffer.from(opened.extract().get("bdl/fish.bmd") ?? []).equals(
  Buffer.from(members.get("bdl/fish.bmd"))), [...opened.extract().keys()]);

// -- The small module --------------------------------------------------------------------

const core = await load({ core: true });
for (const name of ["j3d/greenman_skinned.bdl", "j3d/fish_static.bmd", "bsm/test.bsm", "bga/teapot.v2.bga", "binarymesh/juice_00.v2.binarymesh"]) {
  const [small, whole] = [core, library].map((each) => each.open(read(name), { name: path.basename(name) }));
  expect(`core: info of ${name}`, JSON.stringify(small.info()) === JSON.stringify(whole.info()));
  expect(`core: check of ${name}`, JSON.stringify(small.check()) === JSON.stringify(whole.check()));
  const [a, b] = [small, whole].map((each) => each.scene());
  const arrays = (made) => made.meshes.flatMap(({ primitives }) => primitives.map(({ attributes, indices }) =>
    [Object.entries(attributes).sort().map(([key, values]) => [key, values.length]), indices?.length, Math.max(...attributes.POSITION), Math.min(...attributes.POSITION)]));
  // Images are PNGs that the core wrote: the library reads their checksums.
  for (const { bytes } of a.images) if (bytes) expect(`core: images of ${name}`, library.open(bytes, { name: "a.png" }).check().errors === 0);
  expect(`core: the scene of ${name}`, JSON.stringify(arrays(a)) === JSON.stringify(arrays(b)) && a.images.length === b.images.length, arrays(a));
  expect(`core: GLSL of ${name}`, JSON.stringify(core.glsl(b)) === JSON.stringify(library.glsl(b)));
}
{
  const small = core.open(new Uint8Array(fs.readFileSync(foxFile)), { name: "fox.iqm" });
  expect("core: info of an IQM", JSON.stringify(small.info()) === JSON.stringify(fox.info()));
  expect("core: check of an IQM", JSON.stringify(small.check()) === JSON.stringify(fox.check()));
  expect("core: clips of an IQM", small.scene().animations.map(({ name }) => name).join() === "Survey,Walk,Run");
}
{
  // The core has the rows of Shift-JIS from the host, the library has a table: one material for each row.
  for (const [name, isFromHost] of [["facet-core.wasm", true], ["facet.wasm", false], ["facet-simd.wasm", false]]) {
    const imports = WebAssembly.Module.imports(await WebAssembly.compile(fs.readFileSync(new URL(name, dist))));
    expect(`${name}: Shift-JIS from the host: ${isFromHost}`, imports.some((each) => each.name === "facet_shift_jis_row") === isFromHost);
  }
  const decoder = new TextDecoder("shift_jis"), names = [];
  for (let row = 0; row < 84; row++) {
    const lead = (row >> 1) + (row < 62 ? 0x81 : 0xC1), first = row % 2 ? 0x9F : 0x40;
    const cells = Array.from({ length: 94 }, (_, cell) => decoder.decode(Uint8Array.of(lead, first + cell + (row % 2 === 0 && cell >= 63))));
    names.push(cells.filter((text) => text.length === 1 && text !== "\uFFFD" && text.trim()).join(""));
  }
  const wanted = names.filter(Boolean).sort(), obj = `v 0 0 0\nv 1 0 0\nv 0 1 0\n${wanted.map((name) => `usemtl ${name}\nf 1 2 3\n`).join("")}`;
  const bdl = library.open(new TextEncoder().encode(obj), { name: "a.obj" }).convert("bdl").bytes;
  const [small, whole] = [core, library].map((each) => each.open(bdl, { name: "a.bdl" }).scene().materials.map(({ name }) => name).sort());
  expect("core: names in Shift-JIS", wanted.length === 78 && small.join() === wanted.join() && whole.join() === wanted.join(), [wanted.length, small.length, small.filter((name, i) => name !== wanted[i])[0]]);
}
{
  // Checksums of contents below and above 1024 bytes, which the core computes in two ways.
  const bpx = library.open(read("j3d/fish_static.bmd"), { name: "a.bmd" }).convert("bpx").bytes, small = core.open(bpx, { name: "a.bpx" });
  expect("core: checksums of a BPX", small.check().errors === 0 && bpx.length > 4096, small.check());
  const last = bpx.length - 1;
  bpx[last] ^= 1;
  expect("core: and wrong ones", JSON.stringify(small.check()) === JSON.stringify(library.open(bpx, { name: "a.bpx" }).check()) && small.check().errors > 0, small.check());
}
// The loader of three.js asks for images that are not compressed. The core has one effort for all.
expect("core: an effort for PNG is accepted", core.open(read("j3d/greenman_skinned.bdl"), { name: "a.bdl" }).scene({ png: "none" }).images.every(({ bytes }) =>
  library.open(bytes, { name: "a.png" }).check().errors === 0));
expect("core: animations", JSON.stringify(core.motion(still, new Uint8Array(fs.readFileSync(scroll)))) === JSON.stringify(motion));
try { core.open(read("bsm/test.bsm"), { name: "a.bsm" }).convert("obj"); } catch (found) { fault = found; }
expect("core: what it cannot write, it says", fault instanceof FacetError && fault.message.includes("obj"), fault?.message);
for (const options of [{ hulls: 4 }, { simplify: 0.5 }, { lods: 1 }, { compress: "best" }, { split: true }]) {
  fault = null;
  try { core.open(read("bsm/test.bsm"), { name: "a.bsm" }).convert("glb", options); } catch (found) { fault = found; }
  expect(`core: that it lacks ${Object.keys(options)}, it says`, fault instanceof FacetError && fault.rule === "FORMAT-ABSENT", fault?.message);
}
expect("core imports what the package answers", unknownImports(await WebAssembly.compile(fs.readFileSync(new URL("facet-core.wasm", dist))))
  .every((name) => /^env\.(__syscall_linkat|__call_sighandler)$/.test(name)), unknownImports(await WebAssembly.compile(fs.readFileSync(new URL("facet-core.wasm", dist)))));

// Size limits after brotli compression. README.md states them.
for (const [name, most] of [["facet-core.wasm", 340e3], ["facet.wasm", 1.5e6], ["facet-simd.wasm", 1.5e6]]) {
  const size = brotliCompressSync(fs.readFileSync(new URL(name, dist))).length;
  console.log(`  ${name}: ${size.toLocaleString()} bytes with brotli`);
  expect(`${name} is within its budget`, size <= most, size);
}

// -- Progress and cancel -----------------------------------------------------------------

const fractions = [];
const watched = library.open(read("gltf/CesiumMan.glb"), { name: "CesiumMan.glb", progress: (step, fraction) => fractions.push([step, fraction]) });
const unwatched = library.open(read("gltf/CesiumMan.glb"), { name: "CesiumMan.glb" });
expect("who is told the progress gets the same bytes", Buffer.from(watched.convert("bdl").bytes).equals(Buffer.from(unwatched.convert("bdl").bytes)));
expect("fractions of several steps are told", new Set(fractions.map(([step]) => step)).size > 2 &&
  fractions.every(([step, fraction]) => step.length > 0 && fraction >= 0 && fraction <= 1), fractions.slice(0, 9));
expect("they grow within a step", fractions.every(([step, fraction], i) => i === 0 || step !== fractions[i - 1][0] || fraction === 0 ||
  fraction >= fractions[i - 1][1]), fractions);
const abort = new AbortController(), why = new Error("enough");
let calls = 0, thrown = null;
const stopped = library.open(read("gltf/CesiumMan.glb"), { name: "CesiumMan.glb", signal: abort.signal, progress: () => { if (++calls === 3) abort.abort(why); } });
try { stopped.convert("bdl"); } catch (found) { thrown = found; }
expect("an aborted call ends with the signal's reason", thrown === why, String(thrown));
expect("at once", calls < fractions.length && calls <= 4, [calls, fractions.length]);
thrown = null;
try { stopped.info(); } catch (found) { thrown = found; }
expect("a signal that is aborted already lets nothing begin", thrown === why && calls <= 4);
expect("others go on", unwatched.info().counts.joints === 19);

const different = library.compare(library.open(read("bsm/test.bsm"), { name: "a.bsm" }), library.open(read("bsm/test.bsm"), { name: "b.bsm" }));
expect("a file equals itself", different.equal === true && different.sameBytes === true);

for (const file of fs.readdirSync(path.join(corpus, "broken"))) {
  const whole = path.join(corpus, "broken", file);
  if (!fs.statSync(whole).isFile()) continue;
  const files = new MemoryFiles((name) => {
    const beside = path.join(corpus, "broken", name);
    return fs.existsSync(beside) && fs.statSync(beside).isFile() ? new Uint8Array(fs.readFileSync(beside)) : null;
  });
  files.put(file, new Uint8Array(fs.readFileSync(whole)));
  const here = library.run(["check", "--json", file], files);
  const there = spawnSync(facet, ["check", "--json", file], { cwd: path.join(corpus, "broken") });
  expect(`broken/${file}: the same words and status`, here.status === there.status &&
    Buffer.from(here.output).equals(there.stdout), [here.status, there.status]);
}

// -- The command: names in a file do not leave its folder ---------------------------------

const inside = path.join(out, "inside"), outside = path.join(out, "outside");
for (const folder of [inside, outside]) fs.mkdirSync(folder, { recursive: true });
fs.writeFileSync(path.join(outside, "m.mtl"), "newmtl secret\nKd 1 0 0\n");
fs.rmSync(path.join(inside, "linked"), { force: true });
fs.symlinkSync("../outside", path.join(inside, "linked"));
fs.rmSync(path.join(inside, "pipe.mtl"), { force: true });
spawnSync("mkfifo", [path.join(inside, "pipe.mtl")]);
const command = new URL("../package/bin/facet.mjs", import.meta.url).pathname;
for (const library of ["linked/m.mtl", "pipe.mtl"]) {
  fs.writeFileSync(path.join(inside, "a.obj"), `mtllib ${library}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl secret\nf 1 2 3\n`);
  const words = ["convert", path.join(inside, "a.obj"), path.join(inside, "a.glb")];
  const here = spawnSync(process.execPath, [command, ...words], { timeout: 30000, encoding: "utf8" });
  const made = fs.existsSync(words[2]) ? fs.readFileSync(words[2], "latin1") : "";
  const there = spawnSync(facet, words, { encoding: "utf8" });
  expect(`the command does not read ${library}`, here.status === 0 && made.includes("secret") && !made.includes("baseColorFactor"), [here.status, here.signal, here.stderr]);
  expect(`and says of ${library} what the program says`, here.stderr === there.stderr, [here.stderr, there.stderr]);
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
