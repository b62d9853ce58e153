// calls.mjs: test calls of the package in Node with generated files: names, siblings, errors, ZIP.

import { createServer } from "node:http";
import * as fs from "node:fs";

import { complete, finder, withoutChoice } from "../package/src/beside.js";
import { addressOf, decoded } from "../package/src/names.js";
import { FacetError, isZip, load, MemoryFiles, unzip } from "../package/src/node.js";
import { zip } from "./zip.mjs";

let passed = 0, failed = 0;
function expect(what, good, found) {
  if (good) passed++;
  else {
    failed++;
    console.log(`FAILED: ${what}${found === undefined ? "" : `: ${JSON.stringify(found).slice(0, 300)}`}`);
  }
}
const bytesOf = (text) => new TextEncoder().encode(text);
async function thrown(act) {
  try {
    await act();
  } catch (fault) {
    return fault;
  }
  return null;
}

const facet = await load();
const triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n";
const obj = (library) => bytesOf(`mtllib ${library}\n${triangle}`);

// -- Siblings ---------------------------------------------------------------------------

const colors = { "a.mtl": bytesOf("newmtl m\nKd 1 0 0\n"), "b.mtl": bytesOf("newmtl m\nKd 0 1 0\n") };
const sibling = (name) => colors[name];
const [a, b, c] = [["a.obj", "a.mtl"], ["b.obj", "b.mtl"], ["c.obj", "a.mtl"]].map(([name, library]) => facet.open(obj(library), { name, sibling }));
expect("compare reads the materials of both sides", facet.compare(a, b).equal === false && facet.compare(a, c).equal === true,
  facet.compare(a, b).findings);
const lonely = facet.open(obj("gone.mtl"), { name: "deep/a.obj" });
facet.compare(a, lonely);
expect("compare lists what each side lacks", a.missing.length === 0 && lonely.missing.join() === "deep/gone.mtl", [a.missing, lonely.missing]);

for (const library of ["outfit.mtl", "out.mtl", "out/a.mtl", "result.mtl", "first/a.mtl"]) {
  const file = facet.open(obj(library), { name: "a.obj" });
  file.convert("glb");
  // A library in a folder is also searched next to the file.
  const searched = library.includes("/") ? `${library},a.mtl` : library;
  expect(`${library} that is missing is listed`, file.missing.join() === searched, file.missing);
}
for (const library of ["sub/a.mtl", "sub/deep/a.mtl"]) {
  const file = facet.open(obj(library), { name: "models/a.obj", sibling: (name) => (name === `models/${library}` ? colors["a.mtl"] : null) });
  const { materials } = file.scene();
  expect(`${library} is opened in its folder`, file.missing.length === 0 && materials[0].pbrMetallicRoughness?.baseColorFactor?.[1] === 0, [file.missing, materials]);
}
const promised = await thrown(() => facet.open(obj("a.mtl"), { sibling: async () => colors["a.mtl"] }).convert("glb"));
expect("a promise of a sibling is an error of the call", promised instanceof FacetError && promised.status === 2 && /Promise/.test(promised.message), String(promised));
expect("a sibling may be an ArrayBuffer", facet.open(obj("a.mtl"), { name: "a.obj", sibling: () => colors["a.mtl"].buffer }).convert("glb").findings.length === 0);

let requests = 0;
facet.open(obj("gone.mtl"), { name: "a.obj", sibling: () => void requests++ }).convert("glb");
expect("a file that is missing is requested once", requests === 1, requests);
const set = new MemoryFiles();
set.put("a.obj", obj("./late.mtl"));
facet.run(["convert", "-q", "a.obj", "a.glb"], set);
const lacked = [...set.missing];
set.put("late.mtl", colors["a.mtl"]);
expect("a file that is added is not missing", lacked.includes("late.mtl") && !set.missing.has("late.mtl"), [lacked, [...set.missing]]);

// -- Names ------------------------------------------------------------------------------

expect("a part of an address is decoded, a lone % is not", decoded("a%20b.obj") === "a b.obj" && decoded("100%.obj") === "100%.obj");
expect("a query stays in an address, other characters are encoded", addressOf("t/a b#1.png?v=2") === "t/a%20b%231.png?v=2", addressOf("t/a b#1.png?v=2"));
const near = finder(() => [["x/a.png", 1], ["y/b.png?v=2", 2], ["y/b.png", 3]]);
expect("a query is not part of a name, unless a file has it", near("t/a.png?v=2") === 1 && near("b.png?v=2") === 2 && near("b.png?v=3") === 3);
const { modelFile } = await import("../package/src/three/model-files.js");
// Formats of meshes that this build reads, except those for several formats.
const extensions = facet.formats().filter(({ read, needs, folder }) => read && needs.length > 0 && !folder).flatMap((format) => format.extensions);
expect("each extension of a mesh is that of a model", extensions.length > 9 && extensions.every((extension) => modelFile.test(`a${extension}`)), extensions);

const plain = facet.open(bytesOf(triangle), { name: "a.obj" }).convert("ply").bytes;
for (const name of ["-fish.obj", "--help", "--", "-", "out", "out/a.obj", ".facet/a.obj", "first", ".", "..", "../a.obj", "/a.obj", "a b\n.obj", "", "a\0b.obj", "\uD800.obj", "\uDF00.obj", "\u{1F600}.obj"]) {
  const file = facet.open(bytesOf(triangle), { name });
  const fault = await thrown(() => {
    expect(`${JSON.stringify(name)}: info`, file.info().counts.triangles === 1);
    expect(`${JSON.stringify(name)}: check`, file.check().errors === 0);
    expect(`${JSON.stringify(name)}: convert`, Buffer.from(file.convert("ply").bytes).equals(Buffer.from(plain)));
    expect(`${JSON.stringify(name)}: compare`, facet.compare(file, file).equal === true);
  });
  expect(`${JSON.stringify(name)} is a name like others`, fault === null, String(fault));
}
const named = facet.open(obj("a.mtl"), { name: "a.obj", sibling }).convert("fish.obj");
expect("an output has the name that it was given", [...named.siblings.keys()].join() === "fish.mtl", [...named.siblings.keys()]);
expect("results have buffers of their own", named.bytes.byteLength === named.bytes.buffer.byteLength &&
  [...named.siblings.values()].every((each) => each.byteLength === each.buffer.byteLength));
const folder = facet.pack("a.szs", new Map([["-a.bmd", new Uint8Array(4)], ["out/b.bin", new Uint8Array(8)]]));
expect("members of an archive may have any name", [...facet.open(folder, { name: "-a.szs" }).extract().keys()].filter((name) => name !== "archive.json").sort().join() === "-a.bmd,out/b.bin",
  [...facet.open(folder, { name: "-a.szs" }).extract().keys()]);

// -- Pictures, errors ---------------------------------------------------------------------

const picture = facet.open(bytesOf(triangle), { name: "a.obj" }).render({ size: "24x16" });
const header = new DataView(picture.bytes.buffer);
expect("render gives a PNG of that size and its camera", header.getUint32(0) === 0x89504E47 && header.getUint32(16) === 24 &&
  header.getUint32(20) === 16 && Array.isArray(picture.camera?.position), picture.camera);

const broken = facet.open(bytesOf("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"), { name: "dir/a.obj" });
const fault = await thrown(() => broken.info());
expect("an error has rule, file and line", fault instanceof FacetError && fault.rule.startsWith("OBJ-") && fault.file === "dir/a.obj" && fault.line === 4 &&
  fault.place === "dir/a.obj:4", fault && fault.toObject());
const report = broken.check();
expect("what info refuses, check reports with its place", report.errors > 0 && report.findings.some(({ line }) => line === 4), report.findings);
const wrong = await thrown(() => facet.open(bytesOf(triangle), { name: "a.obj" }).convert("glb", { simplify: 7.5 }));
expect("no error names a path that only the package knows", wrong === null || !/\.facet/.test(wrong.message), wrong?.message);
const nowhere = await thrown(() => facet.open(bytesOf(triangle), { name: "a.obj" }).convert("nothing"));
expect("nor does that of an output that cannot be", nowhere instanceof FacetError && !/\.facet/.test(nowhere.message), nowhere?.message);
const dashed = await thrown(() => facet.open(bytesOf(triangle), { name: "a.obj" }).convert("bck", { clip: "-v" }));
expect("a value that begins with a dash is a value", dashed instanceof FacetError && dashed.status === 1, dashed && dashed.toObject());

// -- Wrong calls ---------------------------------------------------------------------------

// Bytes whose buffer was transferred.
function detached() {
  const bytes = bytesOf(triangle);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
}

function detachedView(View = DataView) {
  const view = new View(new ArrayBuffer(16), 4);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
}

const file = facet.open(bytesOf(triangle), { name: "a.obj" }), core = await load({ core: true });
for (const [what, act, message] of [
  ["open(string)", () => facet.open("v 0 0 0"), "open() takes a Uint8Array or ArrayBuffer, not string"],
  ["open(Blob)", () => facet.open(new Blob([triangle])), "open() takes a Uint8Array or ArrayBuffer, not Blob"],
  ["open()", () => facet.open(), "open() takes a Uint8Array or ArrayBuffer, not undefined"],
  ["open(5)", () => facet.open(5), "open() takes a Uint8Array or ArrayBuffer, not number"],
  ["open({})", () => facet.open({}), "open() takes a Uint8Array or ArrayBuffer, not Object"],
  ["open(detached)", () => facet.open(detached()), "open() takes a Uint8Array or ArrayBuffer, not a detached Uint8Array"],
  ["open(detached buffer)", () => facet.open(detached().buffer), "open() takes a Uint8Array or ArrayBuffer, not a detached ArrayBuffer"],
  ["open(detached view)", () => facet.open(detachedView()), "open() takes a Uint8Array or ArrayBuffer, not a detached DataView"],
  ["open(detached Uint16Array)", () => facet.open(detachedView(Uint16Array)), "open() takes a Uint8Array or ArrayBuffer, not a detached Uint16Array"],
  ["scale: Symbol", () => file.convert("glb", { scale: Symbol("a") }), "convert(): scale takes a value, not Symbol(a)"],
  ["open([])", () => facet.open([118, 32]), "open() takes a Uint8Array or ArrayBuffer, not Array"],
  ["name: 5", () => facet.open(bytesOf(triangle), { name: 5 }), "open() takes a string as 'name', not number"],
  ["name: null", () => facet.open(bytesOf(triangle), { name: null }), "open() takes a string as 'name', not null"],
  ["sibling: {}", () => facet.open(bytesOf(triangle), { sibling: {} }), "open() takes a function as 'sibling', not Object"],
  ["signal: true", () => file.info(undefined, {}, { signal: true }), "info() takes an AbortSignal as 'signal', not boolean"],
  ["convert()", () => file.convert(), "convert() takes a string as 'to', not undefined"],
  ["convert(to, string)", () => file.convert("glb", "scale"), "convert() takes an object as 'options', not string"],
  ["inputs: string", () => file.convert("glb", { inputs: "a.bck" }), "convert() takes an array of strings as 'inputs', not string"],
  ["info(options)", () => file.info({ from: "obj" }), "info() takes a string as 'member', not Object"],
  ["overlays(5)", () => file.overlays(5), "overlays() takes a string as 'member', not number"],
  ["compare(file)", () => facet.compare(file), "compare() takes two open files, not undefined"],
  ["compare(bytes)", () => facet.compare(file, bytesOf(triangle)), "compare() takes two open files, not Uint8Array"],
  ["pack()", () => facet.pack(), "pack() takes a string as 'out', not undefined"],
  ["pack(out, {})", () => facet.pack("a.szs", { "a.txt": bytesOf("a") }), "pack() takes a Map of paths and bytes as 'members', not Object"],
  ["pack a string", () => facet.pack("a.arc", new Map([["x", "abc"]])), "pack() takes a Uint8Array or ArrayBuffer as 'x', not string"],
  ["load(null)", () => load(null), "load() takes an object, not null"],
  ["unzip()", () => unzip(), "unzip() takes a Uint8Array or ArrayBuffer, not undefined"],
  ["isZip()", () => isZip(), "isZip() takes a Uint8Array or ArrayBuffer, not undefined"],
  ["glsl()", () => facet.glsl(), "glsl() takes an object as 'gltf', not undefined"],
  ["glsl({ images: 5 })", () => facet.glsl({ images: 5 }), "glsl() takes an array of objects as 'images', not number"],
  ["motion(scene)", () => facet.motion(file.scene()), "motion() takes a string, Uint8Array or ArrayBuffer as 'file', not undefined"],
  ["run(string)", () => facet.run("info"), "run() takes an array of strings as 'line', not string"],
  ["scale: true", () => file.convert("glb", { scale: true }), "convert(): scale takes a value, not true"],
  ["scale: false", () => file.convert("glb", { scale: false }), "convert(): scale takes a value, not false"],
  ["animation: true", () => file.render({ animation: true }), "render(): animation takes a value, not true"],
  ["variant: true", () => file.render({ variant: true }), "render(): variant takes a value, not true"],
  ["camera: {}", () => file.render({ camera: {} }), "render(): camera takes a value, not Object"],
  ["strict: 'yes'", () => file.convert("glb", { strict: "yes" }), "convert(): strict takes true or false, not 'yes'"],
  ["convert(nothing)", () => file.convert("nothing"), "unknown format 'nothing'; 'facet formats' lists them"],
  ["render in the core", () => core.open(bytesOf(triangle), { name: "a.obj" }).render(), "the core module has no command 'render'; load() without core has all"],
  ["info of an OBJ in the core", () => core.open(bytesOf(triangle), { name: "a.obj" }).info(), "no format of the core module begins like this file; load() without core has all"],
  ["convert(obj) in the core", () => core.open(file.convert("glb").bytes).convert("obj"), "the core module has no format 'obj'; load() without core has all"],
]) {
  const found = await thrown(act);
  expect(`${what} is refused in words`, found instanceof FacetError && found.message === message, `${found?.constructor.name}: ${found?.message}`);
  if (!/core/.test(what)) expect(`${what} is a wrong call`, found?.status === 2, found?.status);
}
const glb = file.convert("glb").bytes, inner = new Uint8Array(glb.length + 12);
inner.set(glb, 8);
for (const [what, bytes] of [["a DataView", new DataView(inner.buffer, 8, glb.length)], ["a Uint16Array", new Uint16Array(inner.buffer, 8, glb.length / 2)],
  ["an ArrayBuffer", glb.slice().buffer]])
  expect(`${what} is bytes`, (await thrown(() => expect(`${what} has its triangle`, facet.open(bytes).info().counts.triangles === 1))) === null);
expect("the finding of a check in the core names the core", /core module/.test(core.open(bytesOf(triangle), { name: "a.obj" }).check().findings[0].message));
expect("null and undefined are options that are not set", file.convert("glb", { scale: null, strict: undefined }).bytes.length === glb.length);
expect("options may be null", file.convert("glb", null).bytes.length === glb.length);
const nothing = facet.pack("a.szs", new Map());
expect("an empty archive has no members", [...facet.open(nothing, { name: "a.szs" }).extract().keys()].join() === "archive.json",
  [...facet.open(nothing, { name: "a.szs" }).extract().keys()]);
const ended = await thrown(() => file.render({ turntable: 3 }));
expect("the reason for turntable names an option of the package", /call it with a view/.test(ended?.message), ended?.message);

// -- Missing files, in the order of their choices ----------------------------------------------

for (const [what, there, wanted] of [
  ["the first choice is enough", ["t/a.png", "t/b.png"], "t/a.png,t/b.png"],
  ["the second is requested if the first failed", ["t/a.png", "b.png"], "t/a.png,t/b.png,b.png"],
  ["nothing is requested twice", [], "t/a.png,t/b.png,a.png,b.png"],
]) {
  const have = new Set(), requests = [];
  // Like the library: without t/a.png it looks for a.png.
  const attempt = async () => ({ result: 1, missing: ["a.png", "b.png"].filter((name) => !have.has(`t/${name}`)).flatMap((name) => [`t/${name}`, ...(have.has(name) ? [] : [name])]) });
  const { missing } = await complete(attempt, async (name) => { requests.push(name); return there.includes(name) ? new Uint8Array(1) : null; },
    (entries) => { for (const [name] of entries) have.add(name); });
  expect(what, requests.join() === wanted, requests);
  const lost = ["a.png", "b.png"].filter((name) => !have.has(name) && !have.has(`t/${name}`));
  expect(`${what}: only names without any choice are lost`, [...new Set(withoutChoice(missing, have).map((name) => name.split("/").at(-1)))].join() === lost.join(),
    [missing, withoutChoice(missing, have)]);
}
const odd = await thrown(() => complete(async () => ({ result: 1, missing: ["a.mtl"] }), async () => "newmtl a", () => {}));
expect("a promise of a string is no file", odd instanceof FacetError && odd.message === 'sibling("a.mtl") gave string; expected a Uint8Array or null', String(odd));

// -- Loading ------------------------------------------------------------------------------

let asked = 0;
const wasm = fs.readFileSync(new URL("../package/dist/facet-core.wasm", import.meta.url));
const server = createServer((_, answer) => {
  if (asked++ === 0) answer.writeHead(503).end("busy");
  else answer.writeHead(200, { "content-type": asked === 2 ? "text/html" : "application/wasm" }).end(asked === 2 ? "<!doctype html>" : wasm);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/facet.wasm`;
const busy = await thrown(() => load({ wasm: address })), page = await thrown(() => load({ wasm: address }));
expect("a server that fails is an error with its status", busy instanceof FacetError && /503/.test(busy.message), String(busy));
expect("a page in the place of the module is named", page instanceof FacetError && /3c 21 64 6f/.test(page.message) && page.message.includes(address), String(page));
expect("the next try works", (await load({ wasm: address })).version === facet.version);
expect("a Response is taken in Node", (await load({ wasm: await fetch(address) })).version === facet.version);
server.close();

// -- ZIP ----------------------------------------------------------------------------------

const text = bytesOf("a text that is there twice, that is there twice".repeat(9));
const members = [["a/b.txt", text], ["c.obj", bytesOf(triangle), 0], ["folder/", new Uint8Array(0), 0], ["../up.txt", text]];
const opened = await unzip(zip(members));
expect("members are unpacked by their paths, inside the archive", [...opened.keys()].join() === "a/b.txt,c.obj,up.txt", [...opened.keys()]);
expect("deflated and stored bytes are right", Buffer.from(opened.get("a/b.txt")).equals(Buffer.from(text)) &&
  Buffer.from(opened.get("c.obj")).equals(Buffer.from(triangle)));
expect("a ZIP is known by its begin", isZip(zip(members)) && !isZip(bytesOf("PK")) && !isZip(text));
const opened64 = await unzip(zip(members, undefined, true)), shared = new Uint8Array(new SharedArrayBuffer(zip(members).length));
shared.set(zip(members));
expect("a ZIP64 archive has the same members", [...opened64].every(([name, bytes]) => Buffer.from(bytes).equals(Buffer.from(opened.get(name)))) &&
  opened64.size === opened.size, [...opened64.keys()]);
expect("shared memory is unpacked", (await unzip(shared)).size === opened.size);
for (const is64 of [false, true]) for (const [what, change, words] of [
  ["a wrong checksum", (fields) => { fields.crc = (fields.crc ^ 1) >>> 0; }, /checksum/],
  ["fewer bytes than announced", (fields) => { fields.size += 3; }, /unpacks to|stored with/],
  ["more bytes than announced", (fields) => { fields.size = Math.max(0, fields.size - 3); }, /unpacks to more|stored with/],
  ["a size that no such few bytes unpack to", (fields) => { fields.size = 0x7FFFFFFF; }, /cannot unpack|more than|stored with/],
  ["a packed size beyond the end", (fields) => { fields.packed = 0x7FFFFFFF; }, /are there/],
  ["a password", (fields) => { fields.flags = 1; }, /encrypted/],
  ["an unknown method", (fields) => { fields.method = 14; }, /method 14/],
]) {
  const found = await thrown(() => unzip(zip(members, change, is64)));
  expect(`${what} is refused`, found instanceof FacetError && words.test(found.message), String(found));
}
const twice = await thrown(() => unzip(zip([["a", text], ["./a", text]])));
expect("two members of one name are refused", twice instanceof FacetError && /two members/.test(twice.message), String(twice));
for (const whole of [zip(members), zip(members, undefined, true)]) for (let size = 0; size < whole.length; size++) {
  const found = await thrown(() => unzip(whole.subarray(0, size)));
  if (!(found instanceof FacetError)) expect(`the first ${size} bytes are refused`, false, String(found));
}
expect("every prefix is refused", true);

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
