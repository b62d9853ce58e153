// The extension: a read-only editor for models, findings as diagnostics, "Convert to ...", and
// explanations of rules.

import * as path from "node:path";
import * as vscode from "vscode";

import { modelFile } from "facet-mesh/model-files";

import { diagnosticOf, textOf } from "./findings.js";
import { openFile, openLibrary } from "./library.js";

const archiveFile = /\.(arc|szs)$/i;
let library = null, diagnostics = null, dist = "";

async function readBeside(uri, name) {
  // Names come from a file and are untrusted: only files in the workspace folder are read.
  const target = vscode.Uri.joinPath(uri, "..", name), root = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, "..");
  if (!target.path.startsWith(root.path.endsWith("/") ? root.path : `${root.path}/`)) return null;
  try {
    return await vscode.workspace.fs.readFile(target);
  } catch {
    return null;
  }
}

async function withFile(uri, act) {
  library ??= openLibrary(dist);
  const bytes = await vscode.workspace.fs.readFile(uri);
  const file = openFile(library, uri, bytes, (name) => readBeside(uri, name));
  try {
    return await act(file, bytes);
  } finally {
    file.close();
  }
}

// -- Checks -----------------------------------------------------------------------------

async function check(uri) {
  await withFile(uri, async (file, bytes) => {
    const { findings } = await file.check(), all = new Map([[uri.toString(), [uri, []]]]);
    for (const finding of findings) {
      const { file: other, range, line, severity, message, code } = diagnosticOf(finding, textOf(bytes));
      const target = other === null ? uri : vscode.Uri.joinPath(uri, "..", path.posix.basename(other));
      const place = other === null ? range : [Math.max((line ?? 1) - 1, 0), 0, Math.max((line ?? 1) - 1, 0), 0];
      const diagnostic = new vscode.Diagnostic(new vscode.Range(...place), message, severity);
      diagnostic.source = "facet";
      diagnostic.code = code;
      if (!all.has(target.toString())) all.set(target.toString(), [target, []]);
      all.get(target.toString())[1].push(diagnostic);
    }
    for (const [target, list] of all.values()) diagnostics.set(target, list);
  });
}

async function checkQuietly(uri) {
  if (!(modelFile.test(uri.path) || archiveFile.test(uri.path)) || !vscode.workspace.getConfiguration("facet").get("checkOnSave", true)) return;
  await check(uri).catch(() => {}); // the editor of the file shows the error
}

// -- Conversion -------------------------------------------------------------------------

async function convert(uri) {
  uri ??= vscode.window.activeTextEditor?.document.uri;
  if (!uri) return;
  library ??= openLibrary(dist);
  const formats = (await library.formats()).filter(({ write, folder }) => write && !folder);
  const chosen = await vscode.window.showQuickPick(formats.map(({ name, title, description }) => ({ label: name, description: title ?? description ?? "" })),
    { placeHolder: "Convert to ..." });
  if (!chosen) return;
  const format = formats.find(({ name }) => name === chosen.label), extension = (format.extensions?.[0] ?? `.${format.name}`);
  const to = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.joinPath(uri, "..", path.posix.basename(uri.path).replace(/\.[^.]*$/, "") + extension) });
  if (!to) return;
  try {
    const { bytes, siblings, findings } = await withFile(uri, (file) => file.convert(path.posix.basename(to.path)));
    for (const [name, content] of siblings) await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(to, "..", path.posix.basename(name)), content);
    await vscode.workspace.fs.writeFile(to, bytes);
    const lost = findings.filter(({ severity }) => severity !== "note").map(({ message }) => message);
    const say = lost.length > 0 ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    say(`${path.posix.basename(to.path)} is written${lost.length > 0 ? `: ${lost.join("; ")}` : ""}`);
  } catch (fault) {
    vscode.window.showErrorMessage(`${path.posix.basename(uri.path)}: ${fault.message}`);
  }
}

// -- The editor -------------------------------------------------------------------------

function page(webview, uri) {
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const from = (name) => webview.asWebviewUri(vscode.Uri.file(path.join(dist, name))).toString();
  const quote = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-${nonce}' 'wasm-unsafe-eval'; worker-src blob:;
  connect-src ${webview.cspSource} blob: data:; img-src ${webview.cspSource} blob: data:; style-src ${webview.cspSource} 'unsafe-inline'">
<link rel="stylesheet" href="${quote(from("view.css"))}"><title>Facet</title></head>
<body data-model="${quote(webview.asWebviewUri(uri).toString())}" data-dist="${quote(from(""))}">
<facet-viewer camera-controls autoplay></facet-viewer>
<div id="tools"><select id="mode" aria-label="View">${["shaded", "clay", "normals", "texcoords", "colors", "weights", "joints", "facing", "materials"]
    .map((mode) => `<option>${mode}</option>`).join("")}</select>
<select id="clip" aria-label="Animation" hidden></select><button id="play" type="button" hidden>Pause</button>
<button id="fit" type="button">Fit</button><span id="counts" role="status"></span></div>
<ul id="findings" aria-label="Findings"></ul>
<script type="module" nonce="${nonce}" src="${quote(from("view.js"))}"></script></body></html>`;
}

class ModelEditor {
  openCustomDocument(uri) {
    return { uri, dispose() {} };
  }

  async resolveCustomEditor({ uri }, { webview }) {
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri ?? vscode.Uri.joinPath(uri, "..");
    webview.options = { enableScripts: true, localResourceRoots: [vscode.Uri.file(dist), root] };
    webview.onDidReceiveMessage(async ({ kind }) => {
      if (kind !== "ready") return;
      try {
        const { info, findings } = await withFile(uri, async (file) => {
          const { findings } = await file.check();
          return { findings, info: await file.info().catch(() => null) };
        });
        webview.postMessage({ info, findings });
      } catch (fault) {
        webview.postMessage({ info: null, findings: [{ rule: fault.rule ?? "", severity: "error", message: fault.message }] });
      }
    });
    webview.html = page(webview, uri);
    checkQuietly(uri);
  }
}

// -- Rules ------------------------------------------------------------------------------

const rules = new Map();

async function explain(id) {
  library ??= openLibrary(dist);
  if (!rules.has(id)) {
    const { status, output } = await library.run(["rule", id]);
    rules.set(id, status === 0 ? output : null);
  }
  return rules.get(id);
}

const hover = {
  async provideHover(document, position) {
    const range = document.getWordRangeAtPosition(position, /[A-Z][A-Z0-9]*(-[A-Z0-9]+)+/);
    const text = range && await explain(document.getText(range)).catch(() => null);
    return text ? new vscode.Hover(new vscode.MarkdownString().appendCodeblock(text, "text"), range) : undefined;
  },
};

export function activate(context) {
  dist = path.join(context.extensionPath, "dist");
  diagnostics = vscode.languages.createDiagnosticCollection("facet");
  const editor = new ModelEditor(), how = { supportsMultipleEditorsPerDocument: true };
  context.subscriptions.push(diagnostics,
    vscode.window.registerCustomEditorProvider("facet.model", editor, how),
    vscode.window.registerCustomEditorProvider("facet.text-model", editor, how),
    vscode.commands.registerCommand("facet.convert", convert),
    vscode.commands.registerCommand("facet.check", (uri) => check(uri ?? vscode.window.activeTextEditor.document.uri)
      .catch((fault) => vscode.window.showErrorMessage(fault.message))),
    vscode.languages.registerHoverProvider({ scheme: "file" }, hover),
    vscode.workspace.onDidOpenTextDocument(({ uri }) => checkQuietly(uri)),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => checkQuietly(uri)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => diagnostics.delete(uri)),
    { dispose: () => library?.close() });
  for (const { uri } of vscode.workspace.textDocuments) checkQuietly(uri);
}

export function deactivate() {
  library?.close();
  library = null;
}
