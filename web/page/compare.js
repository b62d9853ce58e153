// Comparison of two files: a list of differences, a picture, and both models side by side.

import { readModel } from "facet-mesh/model";
import { Viewer } from "facet-mesh/stage";

import { element } from "./element.js";

const $ = (id) => document.getElementById(id);
const digits = (value) => (+value.toPrecision(4)).toLocaleString(undefined, { maximumSignificantDigits: 4 });
let address = null;

/** Rows of properties that both files have: name, first, second. */
function rowsOf([first, second]) {
  const rows = [["format", first.format, second.format], ["bytes", first.bytes.toLocaleString(), second.bytes.toLocaleString()]];
  for (const name of new Set([...Object.keys(first.counts ?? {}), ...Object.keys(second.counts ?? {})])) {
    const [a, b] = [first.counts?.[name] ?? 0, second.counts?.[name] ?? 0];
    if (a || b) rows.push([name, a.toLocaleString(), b.toLocaleString()]);
  }
  return rows;
}

// A sentence with the distance between the surfaces.
function distanceOf({ firstToSecond, secondToFirst, diagonal, sameTriangles }) {
  if (sameTriangles) return "All triangles are the same.";
  if (!firstToSecond || !secondToFirst) return "";
  const greatest = Math.max(firstToSecond.greatest, secondToFirst.greatest);
  if (greatest === 0) return "The surfaces are the same.";
  return `The surfaces are at most ${digits(greatest)} apart: ${digits(100 * greatest / diagonal)} % of the size of the model.`;
}

export function showComparison(panel, { comparison, sideBySide }) {
  if (address) URL.revokeObjectURL(address);
  address = null;
  if (!comparison) {
    panel.replaceChildren(element("p", { className: "quiet", text: "Choose a file under Compare." }));
    return;
  }
  const { equal, sameBytes, picture, findings = [], infos, names } = comparison;
  const head = element("tr", {}, element("td"), ...names.map((name) => element("th", { scope: "col", text: name.split("/").at(-1), title: name })));
  const rows = rowsOf(infos).map(([name, a, b]) => element("tr", { className: a === b ? "" : "differs" },
    element("th", { scope: "row", text: name }), element("td", { text: a }), element("td", { text: b })));
  const table = element("table", { className: "two" }, element("caption", { text: "Differing rows are marked." }), element("thead", {}, head), element("tbody", {}, ...rows));
  const beside = element("button", { type: "button", id: "beside", text: "Side by side" });
  beside.setAttribute("aria-pressed", String(document.body.classList.contains("beside")));
  beside.addEventListener("click", () => sideBySide(beside));
  const words = findings.filter(({ rule }) => rule !== "COMPARE-BYTES").map(({ message }) => element("li", { text: message }));
  panel.replaceChildren(
    element("p", {}, element("b", { text: equal && sameBytes ? "The same bytes." : equal ? "The same contents in other bytes." : findings.some(({ severity }) => severity === "error") ? "They differ." : "No difference in what is compared." }), ` ${distanceOf(comparison)}`),
    element("p", {}, beside, element("span", { className: "quiet", text: " Press C to change places." })), table);
  if (picture?.bytes) {
    address = URL.createObjectURL(new Blob([picture.bytes], { type: "image/png" }));
    const share = `${picture.differentPixels.toLocaleString()} pixels differ, by at most ${picture.greatestDifference} of 255`;
    panel.append(element("figure", { className: "difference" },
      element("img", { src: address, alt: `Pictures of both models and of their difference: ${share}` }), element("figcaption", { text: share })));
  }
  if (words.length > 0) panel.append(element("h2", { text: "Differences" }), element("ul", {}, ...words));
}

function copyView(from, to) {
  Object.assign(to, { orthographic: from.orthographic, reach: from.reach });
  if (JSON.stringify(from.view) !== JSON.stringify(to.view)) to.view = from.view;
}

/** The second viewer: the other model from the same camera. */
export class SideBySide {
  #app;
  #viewer = null;

  constructor(app) {
    this.#app = app;
  }
  get isOpen() {
    return this.#viewer !== null;
  }

  async open(path) {
    const { client, glbOf, viewer } = this.#app, bytes = await glbOf(path), gltf = await readModel(bytes.buffer, client, { maxTextureSize: viewer.maxTextureSize });
    document.body.classList.add("beside");
    $("other-name").textContent = path;
    const canvas = element("canvas", { tabIndex: -1 });
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `The model ${path}`);
    $("other").append(canvas);
    const other = new Viewer(canvas);
    this.#viewer = other;
    other.background = this.#app.background();
    other.setMode($("mode").value);
    await other.show(gltf);
    // The viewer that the pointer uses leads; the other one copies its camera.
    let leader = viewer;
    const lead = (of) => (() => { leader = of; });
    for (const [of, at] of [[viewer, $("canvas")], [other, canvas]]) for (const type of ["pointerdown", "wheel"]) at.addEventListener(type, lead(of), { passive: true });
    viewer.onFrame = () => { if (leader === viewer) copyView(viewer, other); };
    other.onFrame = () => { if (leader === other) copyView(other, viewer); };
    copyView(viewer, other);
  }

  setMode(mode) {
    this.#viewer?.setMode(mode);
  }
  get viewer() {
    return this.#viewer;
  }

  close() {
    if (!this.#viewer) return;
    this.#app.viewer.onFrame = () => {};
    this.#viewer.dispose();
    this.#viewer = null;
    $("other").querySelector("canvas")?.remove();
    document.body.classList.remove("beside");
  }
}
