// doors.mjs NPM FACET CORPUS OUT: test the package's client, its three.js loader and its element,
// bundled by esbuild, in a headless Chromium.

import * as fs from "node:fs";
import * as path from "node:path";
import { deflateSync } from "node:zlib";
import { pathToFileURL } from "node:url";

import { crc32 } from "../package/src/zip.js";
import { Stage } from "./stage.mjs";
import { zip } from "./zip.mjs";

const [npm, facet, corpus, out] = process.argv.slice(2).map((name) => path.resolve(name));
const here = import.meta.dirname, packaged = path.join(here, "../package"), site = path.join(out, "doors");
fs.rmSync(site, { recursive: true, force: true });
fs.mkdirSync(path.join(site, "node_modules"), { recursive: true });
fs.mkdirSync(path.join(site, "page"));
fs.symlinkSync(packaged, path.join(site, "node_modules/facet-mesh"));
const { build } = await import(pathToFileURL(path.join(npm, "node_modules/esbuild/lib/main.js")));
await build({
  entryPoints: { main: path.join(here, "doors-page.js"), worker: path.join(packaged, "src/worker.js") }, outdir: path.join(site, "page"),
  bundle: true, format: "esm", target: "es2022", logLevel: "warning", preserveSymlinks: true,
  nodePaths: [path.join(npm, "node_modules"), path.join(site, "node_modules")],
});
fs.symlinkSync(path.join(packaged, "dist"), path.join(site, "dist"));
// The bundle is in a folder next to "dist", like the package's own modules.
fs.writeFileSync(path.join(site, "page/index.html"), "<!doctype html><title>doors</title><body><script>window.facet = { ready: new Promise((go) => { " +
  "addEventListener('ready', go); }) };</script><script type=module>await import('./main.js'); dispatchEvent(new Event('ready'));</script>");

const stage = await Stage.open({ npm, page: site, facet, corpus, out });
stage.address += "page/index.html";
for (const name of ["gltf/Fox.glb", "gltf/CesiumMan.glb", "obj/spider.obj", "obj/spider.mtl", "obj/SpiderTex.jpg", "bsm/test.bsm"])
  stage.files[`/m/${path.basename(name)}`] = stage.real(name);
const made = path.join(out, "doors-models");
fs.mkdirSync(made, { recursive: true });
stage.native("convert", "-q", stage.real("gltf/Fox.glb"), path.join(made, "fox.bdl"));
stage.native("convert", "-q", stage.real("gltf/Fox.glb"), path.join(made, "walk.bck"), "--clip", "Walk", "--like", path.join(made, "fox.bdl"));
// A texture that scrolls by its size in ten frames.
fs.writeFileSync(path.join(made, "walk.json"), JSON.stringify({ format: "facet-j3d-animation", version: 1, kind: "btk", frames: 10, loop: "repeat", rotation_shift: 1,
  texture_matrices: [{ material: "fox_material", matrix: 0, center: [0, 0, 0], scale: [1, 1, 1], rotation: [0, 0, 0], translation: [[[0, 0, 0.1], [10, 1, 0.1]], 0, 0] }] }));
stage.native("pack", "-q", path.join(made, "walk.btk"), path.join(made, "walk.json"));
for (const name of ["fox.bdl", "walk.bck", "walk.btk"]) stage.files[`/m/${name}`] = path.join(made, name);
fs.writeFileSync(path.join(made, "up.obj"), "mtllib ../t/up.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
fs.writeFileSync(path.join(made, "up.mtl"), "newmtl m\nKd 1 0 0\n");
fs.writeFileSync(path.join(made, "broken.bsm"), fs.readFileSync(stage.real("bsm/test.bsm")).subarray(0, 200));
stage.files["/m/up.obj"] = path.join(made, "up.obj");
stage.files["/t/up.mtl"] = path.join(made, "up.mtl");
stage.files["/m/broken.bsm"] = path.join(made, "broken.bsm");
// Textures that are found at the first choice of their place, at the second, and nowhere.
fs.writeFileSync(path.join(made, "choices.obj"), "mtllib choices.mtl\n" + ["first", "second", "lost"].map((name, i) =>
  `usemtl ${name}\nv ${i} 0 0\nv ${i + 1} 0 0\nv ${i} 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf -3/-3 -2/-2 -1/-1\n`).join(""));
fs.writeFileSync(path.join(made, "choices.mtl"), ["first", "second", "lost"].map((name) => `newmtl ${name}\nmap_Kd tex/${name}.jpg\n`).join(""));
fs.writeFileSync(path.join(made, "cut.glb"), fs.readFileSync(stage.real("gltf/Fox.glb")).subarray(0, 700));
fs.writeFileSync(path.join(made, "draco.gltf"), JSON.stringify({ asset: { version: "2.0" }, extensionsUsed: ["KHR_draco_mesh_compression"],
  extensionsRequired: ["KHR_draco_mesh_compression"], scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }], accessors: [{ componentType: 5126, count: 3, type: "VEC3" }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } } }] }],
  bufferViews: [{ buffer: 0, byteLength: 3 }], buffers: [{ byteLength: 3, uri: "data:application/octet-stream;base64,AAAA" }] }));
for (const name of ["choices.obj", "choices.mtl", "cut.glb", "draco.gltf"]) stage.files[`/m/${name}`] = path.join(made, name);
// A name with a lone %, two animations of one name, an archive with an IQM and a text before it, and a material library
// of another machine.
fs.writeFileSync(path.join(made, "100%.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
fs.writeFileSync(path.join(made, "far.obj"), "mtllib C:\\work\\up.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
stage.native("convert", "-q", stage.real("gltf/Fox.glb"), path.join(made, "run.bck"), "--clip", "Run", "--like", path.join(made, "fox.bdl"));
stage.native("convert", "-q", stage.real("gltf/Fox.glb"), path.join(made, "fox.iqm"));
fs.writeFileSync(path.join(made, "fox.zip"), zip([["a-readme.txt", Buffer.from("text")], ["fox.iqm", fs.readFileSync(path.join(made, "fox.iqm"))]]));
fs.writeFileSync(path.join(made, "query.gltf"), JSON.stringify({ asset: { version: "2.0" }, scenes: [{ nodes: [0] }], nodes: [{ mesh: 0 }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }], accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] }],
  bufferViews: [{ buffer: 0, byteLength: 36 }], buffers: [{ byteLength: 36, uri: "query%20a.bin?v=2" }] }));
fs.writeFileSync(path.join(made, "query a.bin"), new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]));
for (const name of ["query.gltf", "query a.bin"]) stage.files[`/m/${name}`] = path.join(made, name);
fs.writeFileSync(path.join(made, "walking.zip"), zip(["fox.bdl", "walk.bck"].map((name) => [name, fs.readFileSync(path.join(made, name))])));
stage.files["/m/walking.zip"] = path.join(made, "walking.zip");
stage.files["/m/100%.obj"] = stage.files["/m/100%25.obj"] = path.join(made, "100%.obj");
stage.files["/m/other/walk.bck"] = path.join(made, "run.bck");
stage.files["/m/far.obj"] = path.join(made, "far.obj");
stage.files["/m/up.mtl"] = path.join(made, "up.mtl");
stage.files["/m/fox.zip"] = path.join(made, "fox.zip");
// A PNG of 20,000 x 20,000 pixels of one bit, which unpacks to 50 MB and decodes to 1.6 GB.
const chunk = (type, data) => {
  const made = Buffer.alloc(12 + data.length);
  made.writeUInt32BE(data.length);
  made.write(type, 4, "latin1");
  data.copy(made, 8);
  made.writeUInt32BE(crc32(made.subarray(4, 8 + data.length)), 8 + data.length);
  return made;
};
const head = Buffer.alloc(13);
head.writeUInt32BE(20000);
head.writeUInt32BE(20000, 4);
head[8] = 1; // bits
fs.writeFileSync(path.join(made, "vast.png"), Buffer.concat([Buffer.from("\x89PNG\r\n\x1A\n", "latin1"), chunk("IHDR", head),
  chunk("IDAT", deflateSync(Buffer.alloc(20000 * 2501))), chunk("IEND", Buffer.alloc(0))]));
fs.writeFileSync(path.join(made, "vast.mtl"), "newmtl m\nmap_Kd vast.png\n");
fs.writeFileSync(path.join(made, "vast.obj"), "mtllib vast.mtl\nusemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nf 1/1 2/2 3/3\n");
for (const name of ["vast.obj", "vast.mtl", "vast.png"]) stage.files[`/m/${name}`] = path.join(made, name);
for (const name of ["tex/first.jpg", "second.jpg"]) stage.files[`/m/${name}`] = stage.real("obj/SpiderTex.jpg");
const tab = await stage.tab(800, 600);

// -- The client -------------------------------------------------------------------------

const client = await tab.evaluate(async () => {
  const { FacetClient, FacetError, load } = window.doors, get = async (name) => new Uint8Array(await (await fetch(`/m/${name}`)).arrayBuffer());
  const sibling = async (name) => ((await fetch(`/m/${name}`)).ok ? get(name) : null);
  const pool = new FacetClient({ workers: 2 }), facet = await load(), said = {};
  const [spider, bytes] = [await get("spider.obj"), await get("test.bsm")];
  const away = pool.open(spider, { name: "spider.obj", sibling }), beside = { "spider.mtl": await get("spider.mtl"), "SpiderTex.jpg": await get("SpiderTex.jpg") };
  const here = facet.open(spider, { name: "spider.obj", sibling: (name) => beside[name] });
  const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  said.info = same(await away.info(), here.info());
  said.check = same(await away.check(), here.check());
  const [a, b] = [await away.convert("glb"), here.convert("glb")];
  said.convert = same([...a.bytes], [...b.bytes]) && a.bytes.buffer.byteLength === a.bytes.byteLength;
  said.render = same([...(await away.render({ size: "32x32" })).bytes], [...here.render({ size: "32x32" }).bytes]);
  said.extract = same([...(await pool.open(bytes, { name: "a.bsm" }).extract()).keys()], [...facet.open(bytes, { name: "a.bsm" }).extract().keys()]);
  const text = (body) => new TextEncoder().encode(body), triangle = "usemtl m\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const colored = (name, color) => pool.open(text(`mtllib ${name}\n${triangle}`), { name: "a.obj", sibling: async () => text(`newmtl m\nKd ${color}\n`) });
  said.compare = (await pool.compare(colored("a.mtl", "1 0 0"), colored("b.mtl", "0 1 0"))).equal === false &&
    (await pool.compare(colored("a.mtl", "1 0 0"), colored("b.mtl", "1 0 0"))).equal === true;
  said.pack = same([...await pool.pack("a.szs", new Map([["a.bin", bytes]]))], [...facet.pack("a.szs", new Map([["a.bin", bytes]]))]);
  const fault = await pool.open(bytes.slice(0, 200), { name: "cut.bsm" }).info().catch((found) => found);
  said.error = fault instanceof FacetError && fault.rule.startsWith("BSM-") && fault.file === "cut.bsm";
  said.view = (await pool.open(new DataView(bytes.buffer), { name: "a.bsm" }).info()).counts.triangles === (await pool.open(bytes, { name: "a.bsm" }).info()).counts.triangles;
  const shut = pool.open(bytes, { name: "a.bsm" }), openFile = pool.open(bytes, { name: "a.bsm" });
  shut.close();
  for (const [what, act, message] of [
    ["open", () => pool.open(new Blob([bytes])), "open() takes a Uint8Array or ArrayBuffer, not Blob"],
    ["convert", () => openFile.convert(), "convert() takes a string as 'to', not undefined"],
    ["info", () => openFile.info({ from: "bsm" }), "info() takes a string as 'member', not Object"],
    ["compare", () => pool.compare(openFile), "compare() takes two files of the client, not undefined"],
    ["compareClosed", () => pool.compare(openFile, shut), "the file is closed"],
    ["packObject", () => pool.pack("a.szs", { a: bytes }), "pack() takes a Map of paths and bytes as 'members', not Object"],
    ["glsl", () => pool.glsl(), "glsl() takes an object as 'gltf', not undefined"],
    ["motion", () => pool.motion({}), "motion() takes a string, Uint8Array or ArrayBuffer as 'file', not undefined"],
    ["put", () => pool.put([["a.bsm", "bytes"]]), "put() takes a Uint8Array or ArrayBuffer as 'a.bsm', not string"],
    ["remove", () => pool.remove("a.bsm"), "remove() takes a list, not string"],
    ["run", () => pool.run("info"), "run() takes an array of strings as 'words', not string"],
    ["file", () => pool.file(5), "file() takes a string as 'path', not number"],
    ["sibling", () => pool.open(spider, { name: "spider.obj", sibling: async () => "newmtl a" }).convert("glb"), 'sibling("spider.mtl") gave string; expected a Uint8Array or null'],
  ]) {
    const found = await (async () => act())().catch((refused) => refused);
    said[`refuses ${what}`] = (found instanceof FacetError && found.status === 2 && found.message === message) || String(found);
  }
  // A call that cannot be posted to a worker.
  pool.put([["kept.bsm", bytes]]);
  const refused = await pool.file("kept.bsm").convert("glb", { scale: () => 1 }).catch((found) => found);
  said["a function as an option"] = (refused instanceof FacetError && refused.status === 2 && refused.message.startsWith("convert(): ")) || String(refused);
  said["a refused call loses no file"] = await pool.file("kept.bsm").info().then(({ counts }) => counts.triangles === 968, String);
  const gone = bytes.slice();
  structuredClone(gone, { transfer: [gone.buffer] });
  said["detached bytes"] = await (async () => pool.open(gone))().then(() => "taken", ({ message }) => message.endsWith("not a detached Uint8Array") || message);
  // Two calls run and two wait. End one of each.
  const controllers = Array.from({ length: 4 }, () => new AbortController()), why = new Error("enough");
  const fox = await get("Fox.glb"), calls = controllers.map(({ signal }, i) => pool.open(fox, { name: `fox${i}.glb` }).convert("bdl", {}, undefined, { signal })
    .then(({ bytes: { length } }) => length, (found) => found));
  controllers[3].abort(why);
  setTimeout(() => controllers[0].abort(why), 30);
  const ended = await Promise.all(calls);
  said.abort = ended[0] === why && ended[3] === why && ended[1] > 1000 && ended[2] === ended[1];
  said.calm = pool.busy === false;
  pool.close();
  said.closed = await away.info().then(() => "worked", (found) => found instanceof FacetError && /closed/.test(found.message));
  // A module whose first fetch fails.
  const wasm = await (await fetch("/dist/facet-core.wasm")).arrayBuffer(), fetched = window.fetch;
  let tries = 0;
  window.fetch = async (...words) => (tries++ === 0 ? new Response("busy", { status: 503 }) : fetched(...words));
  const again = new FacetClient({ wasm: "/dist/facet-core.wasm" }), first = await again.formats().catch((found) => found);
  said.retry = first instanceof FacetError && (await again.formats()).length > 5 && wasm.byteLength > 0;
  window.fetch = fetched;
  const lost = new FacetClient({ worker: () => new Worker("/nowhere.js", { type: "module" }) });
  said.lost = await lost.formats().then(() => "worked", (found) => found instanceof FacetError);
  return said;
});
for (const [what, good] of Object.entries(client)) stage.expect(`client: ${what}`, good === true, good);

// -- The loader -------------------------------------------------------------------------

const loaded = await tab.evaluate(async () => {
  const { THREE, FacetLoader, GLTFLoader, FacetError } = window.doors, said = {}, order = [];
  const manager = new THREE.LoadingManager(() => order.push("all"));
  const url = (name) => `/m/${name}`;
  const mixerPose = (model, name, time) => {
    const mixer = new THREE.AnimationMixer(model.scene), clip = THREE.AnimationClip.findByName(model.animations, name);
    mixer.clipAction(clip).play();
    mixer.setTime(time);
    return mixer;
  };
  const man = await new FacetLoader(manager).loadAsync(url("CesiumMan.glb")), wanted = await new GLTFLoader().loadAsync(url("CesiumMan.glb"));
  const kinds = ({ scene }) => { const all = []; scene.traverse((each) => all.push(`${each.type} ${each.name}`)); return all.join(); };
  said["a GLB is what GLTFLoader makes of it"] = kinds(man) === kinds(wanted) && man.animations.length === wanted.animations.length &&
    man.animations[0].tracks.length === wanted.animations[0].tracks.length;
  const spider = await new FacetLoader(manager).loadAsync(url("spider.obj"));
  let mapped = 0, standard = 0;
  spider.scene.traverse((each) => { if (each.isMesh) { mapped += Boolean(each.material.map?.image); standard += each.material.isMeshStandardMaterial; } });
  said["an OBJ has its textures"] = mapped > 0 && standard > 0 && spider.scene.isGroup;
  said["and lists what is missing"] = spider.facet.missing.includes("drkwood2.jpg") && !spider.facet.missing.includes("spider.mtl");
  const up = await new FacetLoader().loadAsync(url("up.obj"));
  said["a name that leads out of the folder is followed"] = up.facet.missing.length === 0;
  const relative = await new FacetLoader().setPath("/m/").loadAsync("up.obj");
  said["setPath is for side files, too"] = relative.facet.missing.length === 0;
  const fox = await new FacetLoader(manager).setAnimations(["walk.bck", "walk.btk"]).loadAsync(url("fox.bdl"));
  let skinned = 0, shaders = 0;
  fox.scene.traverse((each) => { skinned += Boolean(each.isSkinnedMesh); shaders += Boolean(each.isMesh && each.material.isRawShaderMaterial); });
  said["a console model has skinned meshes with its shaders"] = skinned > 0 && shaders > 0;
  const walk = fox.animations.find(({ name }) => name === "walk");
  said["its animations are one clip"] = fox.animations.length === 1 && walk?.tracks.some(({ name }) => /material\.consoleFrame/.test(name)) &&
    walk.tracks.some(({ name }) => name.endsWith(".quaternion"));
  const material = [...fox.facet.console.values()][0], rows = () => [...material.uniforms.texture_rows.value].join();
  const rest = rows(), mixer = mixerPose(fox, "walk", 0.17), moved = rows();
  mixer.stopAllAction();
  said["a mixer moves textures, and puts them back"] = rest !== moved && rest === rows();
  const pixels = (model, time) => {
    const renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true }), camera = new THREE.PerspectiveCamera(30, 1, 1, 1000), scene = new THREE.Scene();
    renderer.setSize(64, 64, false);
    scene.add(model.scene, new THREE.AmbientLight(0xffffff, 3));
    const sphere = new THREE.Box3().setFromObject(model.scene, true).getBoundingSphere(new THREE.Sphere());
    camera.position.copy(sphere.center).add(new THREE.Vector3(1, 0.5, 1).setLength(sphere.radius * 3.5));
    camera.lookAt(sphere.center);
    if (time !== undefined) mixerPose(model, "walk", time);
    renderer.render(scene, camera);
    const gl = renderer.getContext(), data = new Uint8Array(4 * 64 * 64);
    gl.readPixels(0, 0, 64, 64, gl.RGBA, gl.UNSIGNED_BYTE, data);
    renderer.dispose();
    return data;
  };
  const still = pixels(fox), walking = pixels(fox, 0.3), drawn = still.filter((value, i) => i % 4 < 3 && value > 0).length;
  said["it is drawn, and moves"] = drawn > 200 && still.join() !== walking.join();
  const fault = await new FacetLoader(manager).loadAsync(url("broken.bsm")).catch((found) => found);
  said["a broken file is a FacetError with its rule"] = fault instanceof FacetError && fault.rule.startsWith("BSM-") && fault.file === "broken.bsm";
  const none = await new FacetLoader(manager).loadAsync(url("nowhere.bsm")).catch((found) => found);
  said["a file that is not there is an error"] = none instanceof Error;
  said["the manager ends after each"] = order.length >= 3;
  const parsed = await new Promise((go, fail) => fetch(url("test.bsm")).then((r) => r.arrayBuffer()).then((data) => new FacetLoader().parse(data, "", go, fail)));
  said["parse takes bytes"] = parsed.scene.isGroup;
  const two = await new FacetLoader().setOptions({ scale: 2 }).loadAsync(url("Fox.glb"));
  const size = (model) => new THREE.Box3().setFromObject(model.scene, true).getSize(new THREE.Vector3()).length();
  const one = await new FacetLoader().loadAsync(url("Fox.glb"));
  said["options are those of convert"] = Math.abs(size(two) / size(one) - 2) < 0.01;
  const sent = [], reported = [], quiet = window.fetch, errors = new THREE.LoadingManager(undefined, undefined, (address) => reported.push(address));
  window.fetch = (request, ...rest) => { sent.push(new URL(request.url ?? request, location.href).pathname); return quiet(request, ...rest); };
  const choices = await new FacetLoader(errors).loadAsync(url("choices.obj"));
  window.fetch = quiet;
  const asked = sent.filter((address) => address.endsWith(".jpg")).sort().join();
  said["a texture is requested at its first place, then next to the model"] = asked === "/m/lost.jpg,/m/second.jpg,/m/tex/first.jpg,/m/tex/lost.jpg,/m/tex/second.jpg" || asked;
  said["a manager gets errors only for a lost file"] = reported.sort().join() === "/m/lost.jpg,/m/tex/lost.jpg" || reported;
  said["only the lost file is missing"] = choices.facet.missing.sort().join() === "lost.jpg,tex/lost.jpg" || choices.facet.missing;
  const cut = await new FacetLoader().loadAsync(url("cut.glb")).catch((found) => found);
  said["a truncated GLB is a FacetError with rule and place"] = (cut instanceof FacetError && cut.rule === "GLTF-GLB-LENGTH" && cut.place === "cut.glb:0x8") || [cut.name, cut.message, cut.rule, cut.place];
  const draco = await new FacetLoader().loadAsync(url("draco.gltf")).catch((found) => found);
  said["without a decoder, the error names it"] = /DRACOLoader/.test(draco.message) || draco.message;
  const percent = await new FacetLoader().loadAsync(url("100%.obj")).catch(String);
  said["a name may have a lone %"] = percent.scene?.isGroup || percent;
  const both = await new FacetLoader().setAnimations(["walk.bck", "other/walk.bck"]).loadAsync(url("fox.bdl")).catch((found) => found);
  const lengths = new Set(both.animations?.map(({ duration }) => duration.toFixed(3)));
  said["animations of one name from two folders are two"] = lengths.size === 2 || [String(both), [...lengths]];
  const [walks, runs, ran] = await Promise.all([["fox.bdl", "walk.bck"], ["fox.bdl", "other/walk.bck"], ["walking.zip", "other/walk.bck"]].map(async ([model, animation]) =>
    (await new FacetLoader().setAnimations([animation]).loadAsync(url(model))).animations[0].duration));
  said["an animation of an address is not that of the archive"] = (ran === runs && ran !== walks) || [walks, runs, ran];
  const packed = await new FacetLoader().loadAsync(url("fox.zip")).catch(String);
  said["the model of an archive is found"] = packed.animations?.length === 3 || packed;
  const distant = await new FacetLoader().loadAsync(url("far.obj"));
  said["a library of another machine is found next to the model"] = distant.facet.findings.some(({ rule }) => rule === "OBJ-MTL-PLACE") &&
    distant.facet.missing.length === 0 || [distant.facet.findings, distant.facet.missing];
  const queried = await new FacetLoader().setOptions({ scale: 2 }).loadAsync(url("query.gltf")).catch(String);
  said["a buffer may have a query"] = queried.facet?.missing.length === 0 || queried;
  const imagesOf = ({ scene }) => { const all = []; scene.traverse((each) => each.material?.map && all.push(each.material.map.image)); return all; };
  const small = new FacetLoader();
  small.maxTextureSize = 16;
  const reduced = await small.loadAsync(url("spider.obj"));
  said["textures above the limit are reduced"] = (imagesOf(reduced).length > 0 && imagesOf(reduced).every(({ width, height }) => Math.max(width, height) === 16) &&
    reduced.facet.notes.every((note) => /it is shown with/.test(note))) || reduced.facet.notes;
  const vast = await new FacetLoader().loadAsync(url("vast.obj")).catch(String);
  said["a picture that is too large to decode is not decoded"] = (imagesOf(vast)[0]?.width === 1 && /20000 x 20000 pixels, which is too large/.test(vast.facet.notes.join())) ||
    [vast.facet?.notes ?? vast, vast.facet?.findings];
  const core = await window.doors.load({ core: true, wasm: "/dist/facet-core.wasm" }).catch(String);
  const light = await new FacetLoader().setLibrary(core).loadAsync(url("fox.bdl")).catch(String);
  said["the core module is a library for the loader"] = light.facet?.console.size > 0 || String(light);
  const hosted = await new FacetLoader().setAnimations(["/m/walk.bck"]).loadAsync(url("fox.bdl")).catch((found) => found);
  said["an address of an animation may begin with /"] = hosted.animations?.length === 1 || String(hosted);
  const absent = await new FacetLoader().setAnimations(["/nowhere.bck"]).loadAsync(url("fox.bdl")).catch((found) => found);
  said["an animation that is not there is an error with its address"] = (absent instanceof FacetError && absent.status === 3 && absent.file === "/nowhere.bck" &&
    /404/.test(absent.message)) || [absent.name, absent.message, absent.file];
  const odd = await new FacetLoader().parseAsync(undefined).catch((found) => found);
  said["parse refuses other types"] = (odd instanceof FacetError && odd.message === "parse() takes a string, Uint8Array or ArrayBuffer, not undefined") || String(odd);
  // Time to load a GLB, compared with GLTFLoader, and an OBJ.
  const time = async (make, name) => {
    let best = Infinity;
    for (let i = 0; i < 5; i++) { const began = performance.now(); await make().loadAsync(url(name)); best = Math.min(best, performance.now() - began); }
    return best;
  };
  said.times = [await time(() => new GLTFLoader(), "CesiumMan.glb"), await time(() => new FacetLoader(), "CesiumMan.glb")];
  return said;
});
console.log(`  CesiumMan.glb: GLTFLoader ${loaded.times[0].toFixed(0)} ms, FacetLoader ${loaded.times[1].toFixed(0)} ms`);
delete loaded.times;
for (const [what, good] of Object.entries(loaded)) stage.expect(`loader: ${what}`, good === true, good);

// -- The element ------------------------------------------------------------------------

await tab.evaluate(() => {
  document.body.style.cssText = "margin: 0; background: #284; display: grid; grid-template-columns: 1fr 1fr; gap: 8px";
  const make = (attributes) => {
    const element = document.createElement("facet-viewer");
    element.style.cssText = "width: 100%; height: 290px";
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.done = new Promise((go) => { element.addEventListener("load", () => go("load")); element.addEventListener("error", () => go("error")); });
    document.body.append(element);
    return element;
  };
  window.elements = [make({ src: "/m/fox.bdl", animations: "walk.bck walk.btk", autoplay: "", "camera-controls": "", background: "#203040" }),
    make({ src: "/m/spider.obj", alt: "A spider" }), make({ src: "/m/CesiumMan.glb", mode: "joints", background: "#fff" }), make({ src: "/m/broken.bsm" })];
});
const ends = await tab.evaluate(() => Promise.all(window.elements.map((each) => each.done)));
stage.expect("element: three models load, a broken one is an error", ends.join() === "load,load,load,error", ends);
// On a software renderer, the first frames of four elements take long.
const plays = await tab.waitForFunction(() => window.elements[0].currentTime > 0.1 && !window.elements[0].paused, null, { polling: 100, timeout: 120000 })
  .then(() => true, () => false);
stage.expect("element: autoplay plays", plays);
const elements = await tab.evaluate(async () => {
  const [fox, spider, , broken] = window.elements, said = {};
  said["animations have names"] = fox.availableAnimations.length === 1 && fox.availableAnimations[0].startsWith("walk") && fox.duration > 0;
  fox.pause();
  fox.currentTime = 0.2;
  said["time can be set"] = fox.paused && Math.abs(fox.currentTime - 0.2) < 1e-6;
  said["alt is its name"] = spider.shadowRoot.querySelector("canvas").getAttribute("aria-label") === "A spider";
  said["an error is shown in words"] = /broken\.bsm: .+/.test(broken.shadowRoot.querySelector("p").textContent) && !broken.shadowRoot.querySelector("p").hidden;
  said["a picture is a PNG"] = (await spider.toBlob()).type === "image/png";
  const faults = [];
  fox.addEventListener("error", ({ detail }) => faults.push(`${detail.type}: ${detail.sourceError.message}`));
  fox.setAttribute("mode", "zzz");
  fox.setAttribute("animation-name", "fly");
  said["an unknown mode and an unknown animation are errors"] = faults.length === 2 && fox.loaded &&
    faults[0].startsWith("attribute: unknown mode 'zzz' (valid: shaded, clay, facing, materials, overdraw, normals, tangents, ") &&
    faults[1] === `attribute: unknown animation-name 'fly' (valid: ${fox.availableAnimations[0]})` || faults;
  fox.setAttribute("mode", "normals");
  fox.setAttribute("animation-name", fox.availableAnimations[0]);
  said["valid ones are not"] = faults.length === 2 || faults;
  const again = new Promise((go) => broken.addEventListener("load", go));
  broken.src = "/m/test.bsm";
  await again;
  said["another src is loaded"] = broken.loaded && broken.shadowRoot.querySelector("p").hidden;
  return said;
});
await stage.frame(tab);
await tab.screenshot({ path: path.join(out, "elements.png") });
for (const [what, good] of Object.entries(elements)) stage.expect(`element: ${what}`, good === true, good);
const removed = await tab.evaluate(async () => {
  const [fox] = window.elements;
  fox.remove();
  await new Promise((go) => setTimeout(go, 50));
  const again = new Promise((go) => fox.addEventListener("load", () => go(true)));
  document.body.append(fox);
  return again;
});
stage.expect("element: removed and put back it loads again", removed);
// -- Other versions of three.js, and react-three-fiber ------------------------------------

const others = path.join(npm, "../consumers/node_modules");
async function pageOf(name, entry, three) {
  await build({
    entryPoints: { [name]: path.join(here, entry) }, outdir: path.join(site, "page"), bundle: true, format: "esm", target: "es2022", logLevel: "warning",
    preserveSymlinks: true, jsx: "automatic", define: { "process.env.NODE_ENV": '"production"' }, nodePaths: [others, path.join(site, "node_modules")],
    alias: { three, "three/addons": path.join(three, "examples/jsm") },
  });
  fs.writeFileSync(path.join(site, `page/${name}.html`), `<!doctype html><title>${name}</title><body><script type=module src="${name}.js"></script>`);
  const made = await stage.browser.newPage();
  await made.goto(stage.address.replace("index.html", `${name}.html`));
  return made;
}
for (const version of ["three185", "three186"]) {
  if (!fs.existsSync(path.join(others, version))) {
    console.log(`  ${version} is not there`);
    continue;
  }
  const older = await pageOf(version, "doors-page.js", path.join(others, version));
  await older.waitForFunction(() => window.doors);
  const found = await older.evaluate(async () => {
    const { THREE, FacetLoader } = window.doors, fox = await new FacetLoader().setAnimations(["walk.bck", "walk.btk"]).loadAsync("/m/fox.bdl");
    const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true }), camera = new THREE.PerspectiveCamera(30, 1, 0.01, 1000), scene = new THREE.Scene();
    renderer.setSize(64, 64, false);
    scene.add(fox.scene, new THREE.AmbientLight(0xffffff, 3));
    const sphere = new THREE.Box3().setFromObject(fox.scene, true).getBoundingSphere(new THREE.Sphere());
    camera.position.copy(sphere.center).add(new THREE.Vector3(1, 0.5, 1).setLength(sphere.radius * 3.5));
    camera.lookAt(sphere.center);
    renderer.render(scene, camera);
    const gl = renderer.getContext(), data = new Uint8Array(4 * 64 * 64);
    gl.readPixels(0, 0, 64, 64, gl.RGBA, gl.UNSIGNED_BYTE, data);
    return { revision: THREE.REVISION, clips: fox.animations.length, drawn: data.filter((value, i) => i % 4 < 3 && value > 0).length };
  });
  stage.expect(`${version}: a console model is loaded, animated and drawn`, found.revision === version.slice(5) && found.clips === 1 && found.drawn > 200, found);
  await older.close();
}
if (fs.existsSync(path.join(others, "@react-three/fiber"))) {
  const fiber = await pageOf("fiber", "doors-fiber.jsx", path.join(npm, "node_modules/three"));
  await stage.until("useLoader of react-three-fiber loads a model", fiber, () => window.model?.scene?.isGroup && window.model.scene.parent?.isScene);
  await fiber.close();
} else {
  console.log("  @react-three/fiber is not there");
}

const real = stage.faults.filter((fault) => !/404|Failed to load resource|nowhere|unknown (mode|animation-name)/.test(fault));
stage.expect("no page said anything else on its console", real.length === 0, real);
await stage.close();
