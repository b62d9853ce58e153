// test.mjs NPM BUILT CORPUS OUT: test the bundled extension without VS Code. Its host is imitated,
// and the files are real. The webview runs in a headless Chromium, with its own content policy and
// with files from another origin.

import * as fs from "node:fs";
import * as http from "node:http";
import * as path from "node:path";
import Module, { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [npm, built, corpus, out] = process.argv.slice(2).map((name) => path.resolve(name));
let passed = 0, failed = 0;
const alive = setInterval(() => {}, 1000); // keep Node running, as the host does
function expect(what, good, found) {
  if (good) passed++;
  else {
    failed++;
    console.log(`FAILED: ${what}${found === undefined ? "" : `: ${JSON.stringify(found).slice(0, 500)}`}`);
  }
}

// -- The host -------------------------------------------------------------------------------

class Uri {
  constructor(full) { this.path = full; this.fsPath = full; this.scheme = "file"; }
  static file(full) { return new Uri(full); }
  static joinPath(uri, ...parts) { return new Uri(path.posix.join(uri.path, ...parts)); }
  toString() { return pathToFileURL(this.path).href; }
}
class Range { constructor(...places) { this.places = places; } }
class Diagnostic { constructor(range, message, severity) { Object.assign(this, { range, message, severity }); } }
class MarkdownString { text = ""; appendCodeblock(text) { this.text += text; return this; } }
class Hover { constructor(contents, range) { Object.assign(this, { contents, range }); } }

const folder = path.join(out, "vscode-workspace"), found = new Map(), commands = new Map(), editors = new Map(), said = [], listeners = {};
let chosen = null, saveTo = null, hover = null;
const vscode = {
  Uri, Range, Diagnostic, MarkdownString, Hover,
  languages: {
    createDiagnosticCollection: () => ({ set: (uri, list) => found.set(path.basename(uri.path), list), delete: (uri) => found.delete(path.basename(uri.path)), dispose() {} }),
    registerHoverProvider: (_, provider) => { hover = provider; return { dispose() {} }; },
  },
  window: {
    registerCustomEditorProvider: (type, editor) => { editors.set(type, editor); return { dispose() {} }; },
    showQuickPick: async (items) => items.find(({ label }) => label === chosen),
    showSaveDialog: async () => (saveTo ? new Uri(saveTo) : undefined),
    showWarningMessage: (text) => said.push(["warning", text]),
    showInformationMessage: (text) => said.push(["note", text]),
    showErrorMessage: (text) => said.push(["error", text]),
  },
  commands: { registerCommand: (name, act) => { commands.set(name, act); return { dispose() {} }; } },
  workspace: {
    textDocuments: [],
    getWorkspaceFolder: (uri) => (uri.path.startsWith(`${folder}/`) ? { uri: new Uri(folder) } : undefined),
    getConfiguration: () => ({ get: (_, fallback) => fallback }),
    fs: { readFile: async (uri) => new Uint8Array(fs.readFileSync(uri.path)), writeFile: async (uri, bytes) => fs.writeFileSync(uri.path, bytes) },
    ...Object.fromEntries(["Open", "Save", "Close"].map((what) => [`onDid${what}TextDocument`, (act) => { listeners[what] = act; return { dispose() {} }; }])),
  },
};
const require = createRequire(import.meta.url), load = Module._load;
Module._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));
fs.rmSync(folder, { recursive: true, force: true });
fs.mkdirSync(folder, { recursive: true });
const put = (name, text) => fs.writeFileSync(path.join(folder, name), text);
put("outside.mtl", "");
put("good.obj", "mtllib good.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n");
put("good.mtl", "newmtl red\nKd 1 0 0\n");
put("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
for (const name of ["bsm/test.bsm", "gltf/Fox.glb"]) fs.copyFileSync(path.join(corpus, name), path.join(folder, path.basename(name)));
const cut = fs.readFileSync(path.join(folder, "test.bsm")).subarray(0, 2000);
put("cut.bsm", cut);
put("cut.mesh", cut);

const extension = require(path.join(built, "dist/extension.cjs"));
const context = { extensionPath: built, subscriptions: [] };
extension.activate(context);
const at = (name) => new Uri(path.join(folder, name));

// -- Checks ------------------------------------------------------------------------------------

await commands.get("facet.check")(at("bad.obj"));
expect("nothing went wrong", said.length === 0, said);
const [first] = found.get("bad.obj") ?? [];
expect("a wrong index is an error on its line", first?.severity === 0 && first.range.places[0] === 3, first);
expect("with its rule", /^OBJ-/.test(first?.code ?? ""), first?.code);
await commands.get("facet.check")(at("good.obj"));
expect("a right file has none", found.get("good.obj")?.length === 0, found.get("good.obj"));
await commands.get("facet.check")(at("cut.bsm"));
expect("a binary file is marked at its beginning", found.get("cut.bsm")?.[0]?.range.places.join() === "0,0,0,0" && found.get("cut.bsm")[0].severity === 0, found.get("cut.bsm"));
put("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
listeners.Save({ uri: at("bad.obj") });
for (let tries = 0; tries < 100 && found.get("bad.obj")?.length > 0; tries++) await new Promise((resolve) => setTimeout(resolve, 50));
expect("what is mended and saved is mended", found.get("bad.obj")?.length === 0, found.get("bad.obj"));
listeners.Open({ uri: at("cut.mesh") });
for (let tries = 0; tries < 100 && !found.has("cut.mesh"); tries++) await new Promise((resolve) => setTimeout(resolve, 50));
expect("a .mesh is checked when it is opened", found.get("cut.mesh")?.[0]?.severity === 0, found.get("cut.mesh"));

// -- Conversion --------------------------------------------------------------------------------

[chosen, saveTo] = ["glb", path.join(folder, "made.glb")];
await commands.get("facet.convert")(at("good.obj"));
const glb = fs.existsSync(saveTo) ? fs.readFileSync(saveTo) : Buffer.alloc(20);
const json = glb.length > 20 ? JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12))) : {};
expect("an OBJ becomes a GLB with the color of its MTL", json.materials?.[0]?.pbrMetallicRoughness?.baseColorFactor?.slice(0, 3).join() === "1,0,0", json.materials);
[chosen, saveTo] = ["obj", path.join(folder, "fox.obj")];
await commands.get("facet.convert")(at("Fox.glb"));
expect("files beside OUT are written", fs.existsSync(path.join(folder, "fox.mtl")), fs.readdirSync(folder));
expect("what is lost is said", said.at(-1)?.[0] === "warning" && /fox\.obj is written: /.test(said.at(-1)[1]), said.at(-1));
[chosen, saveTo] = ["stl", path.join(folder, "cut.stl")];
await commands.get("facet.convert")(at("cut.bsm"));
expect("a broken file is an error, and nothing is written", said.at(-1)[0] === "error" && !fs.existsSync(saveTo), said.at(-1));

// -- Rules -------------------------------------------------------------------------------------

const document = (word) => ({ getWordRangeAtPosition: () => new Range(0, 0, 0, word.length), getText: () => word });
const shown = await hover.provideHover(document("BSM-TRI-WINDING"), null);
expect("a rule is explained where the pointer is", /BSM-TRI-WINDING/.test(shown?.contents.text ?? "") && shown.contents.text.length > 100, shown?.contents.text);
expect("another word is not", await hover.provideHover(document("UTF-8"), null) === undefined);

// -- The webview -------------------------------------------------------------------------------

// Files have another origin than the page, as in VS Code.
const types = { ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
let html = "";
const serve = (answer) => new Promise((resolve) => { const server = http.createServer(answer).listen(0, "127.0.0.1", () => resolve(server)); });
const files = await serve((request, response) => {
  const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
  fs.readFile(name, (fault, bytes) => {
    const isAllowed = [folder, path.join(built, "dist")].some((root) => name.startsWith(root));
    if (fault || !isAllowed) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": types[path.extname(name)] ?? "application/octet-stream", "access-control-allow-origin": "*" }).end(bytes);
  });
});
const pages = await serve((_, response) => response.writeHead(200, { "content-type": "text/html" }).end(html));
const origin = `http://127.0.0.1:${files.address().port}`;
const { chromium } = (await import(pathToFileURL(path.join(npm, "node_modules/playwright-core/index.js")))).default;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });

async function open(name) {
  let receive = null;
  const messages = [], webview = {
    cspSource: origin,
    asWebviewUri: (uri) => ({ toString: () => `${origin}${uri.path.split("/").map(encodeURIComponent).join("/")}` }),
    onDidReceiveMessage: (act) => { receive = act; },
    postMessage: (message) => messages.push(message),
  };
  const editor = editors.get("facet.model");
  await editor.resolveCustomEditor(editor.openCustomDocument(at(name)), { webview });
  html = webview.html;
  const tab = await browser.newPage({ viewport: { width: 900, height: 600 } }), faults = [];
  tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  tab.on("pageerror", (fault) => faults.push(String(fault)));
  await tab.addInitScript(() => { window.acquireVsCodeApi = () => ({ postMessage: (message) => { window.sent = message; } }); });
  await tab.goto(`http://127.0.0.1:${pages.address().port}/`, { waitUntil: "commit" });
  await tab.waitForFunction(() => window.sent?.kind === "ready", null, { timeout: 60000 });
  await receive({ kind: "ready" });
  await tab.evaluate((message) => window.postMessage(message, "*"), messages[0]);
  return { tab, faults };
}

const { tab, faults } = await open("Fox.glb");
await tab.waitForFunction(() => document.querySelector("facet-viewer").loaded, null, { timeout: 60000 }).catch(() => {});
expect("the webview shows the model", await tab.evaluate(() => document.querySelector("facet-viewer").loaded), faults);
expect("with its animations", await tab.evaluate(() => document.getElementById("clip").options.length === 3 && !document.querySelector("facet-viewer").paused));
expect("and its counts", /glb|gltf.*576 triangles/.test(await tab.textContent("#counts")), await tab.textContent("#counts"));
expect("nothing breaks its content policy", faults.length === 0, faults);
await tab.selectOption("#mode", "normals");
await tab.screenshot({ path: path.join(out, "vscode.png") });
const obj = await open("good.obj");
await obj.tab.waitForFunction(() => document.querySelector("facet-viewer").loaded, null, { timeout: 60000 }).catch(() => {});
expect("a file beside the model is fetched", await obj.tab.evaluate(() => document.querySelector("facet-viewer").model?.facet.missing.length === 0), obj.faults);
const broken = await open("cut.bsm");
await broken.tab.waitForFunction(() => document.querySelectorAll("#findings .error").length > 0, null, { timeout: 60000 }).catch(() => {});
expect("a broken file shows its findings", /BSM-/.test(await broken.tab.textContent("#findings")), await broken.tab.textContent("#findings"));
await broken.tab.screenshot({ path: path.join(out, "vscode-broken.png") });

await browser.close();
files.close();
pages.close();
for (const each of context.subscriptions) each.dispose?.();
extension.deactivate();
clearInterval(alive);
console.log(`vscode: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
