// The page in the editor: the model, display modes, animations, and the findings of the check.

import { FacetClient } from "facet-mesh/client";
import { FacetViewerElement } from "facet-mesh/viewer";

const host = acquireVsCodeApi(), $ = (id) => document.getElementById(id);
const viewer = document.querySelector("facet-viewer"), { model, dist } = document.body.dataset;

// A webview cannot start a worker from an address, so fetch the script.
async function start() {
  const [worker, wasm] = await Promise.all([fetch(`${dist}/worker.js`).then((each) => each.text()), fetch(`${dist}/facet-simd.wasm`).then((each) => each.arrayBuffer())]);
  const address = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
  FacetViewerElement.library = new FacetClient({ worker: () => new Worker(address), wasm });
  viewer.src = model;
}

viewer.addEventListener("load", () => {
  const names = viewer.availableAnimations;
  $("clip").replaceChildren(...names.map((name, i) => new Option(name || `animation ${i}`, name)));
  $("clip").hidden = names.length < 2;
  $("play").hidden = names.length === 0;
});
viewer.addEventListener("play", () => { $("play").textContent = "Pause"; });
viewer.addEventListener("pause", () => { $("play").textContent = "Play"; });
$("mode").addEventListener("change", () => viewer.setAttribute("mode", $("mode").value));
$("clip").addEventListener("change", () => viewer.setAttribute("animation-name", $("clip").value));
$("play").addEventListener("click", () => (viewer.paused ? viewer.play() : viewer.pause()));
$("fit").addEventListener("click", () => viewer.resetView());

addEventListener("message", ({ data: { info, findings } }) => {
  const { triangles = 0, vertices = 0 } = info?.counts ?? {};
  $("counts").textContent = info ? `${info.format}, ${triangles.toLocaleString()} triangles, ${vertices.toLocaleString()} vertices` : "";
  $("findings").replaceChildren(...findings.map(({ rule, severity, message, offset, line }) => {
    const item = document.createElement("li"), place = line ? `line ${line}: ` : typeof offset === "number" ? `byte ${offset}: ` : "";
    item.className = severity;
    item.textContent = `${severity}${rule ? ` ${rule}` : ""}: ${place}${message}`;
    return item;
  }));
});

start().catch((fault) => { $("counts").textContent = fault.message; });
host.postMessage({ kind: "ready" });
