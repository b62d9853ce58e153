// The panels at the right. Each one is built from the shown file.

import { element, plural, table } from "./element.js";
import { partOf } from "./place.js";

const short = (_, value) => (typeof value === "number" ? +value.toPrecision(6) : value); // precision of floats
const numbers = (list) => list.map((x) => +x.toPrecision(5)).join(", ");

const placeOf = ({ line, offset, file }) => [file, line ? `line ${line}` : offset !== null && offset !== undefined ? `byte 0x${hex(offset, 1)}` : ""]
  .filter(Boolean).join(", ");

/** The error that prevented reading a file: rule, location, and how to fix it. */
function faultPanel({ fault, rule, report, choose }) {
  const panel = element("section", { className: "error-panel" }, element("h2", { text: "The file cannot be shown" }), element("p", { text: fault.message }));
  const rows = [["rule", fault.rule], ["place", fault.line || (fault.offset ?? null) !== null ? placeOf(fault) : ""], ["cause", rule?.cause], ["what to do", rule?.remedy]].filter(([, value]) => value);
  if (rows.length > 0) panel.append(table(rows));
  if (report?.findings.length > 0) {
    const show = element("button", { type: "button", text: `Show ${plural(report.findings.length, "finding")}` });
    show.addEventListener("click", () => choose("check"));
    panel.append(element("p", {}, show));
  }
  return panel;
}

function list(title, hint, lines) {
  return lines?.length > 0 ? [element("h2", { text: title }), ...(hint ? [element("p", { className: "quiet", text: hint })] : []),
    element("ul", {}, ...lines.map((text) => element("li", { text })))] : [];
}

export function showSummary(panel, { path, info, fault, rule, report, findings, notes, missing, milliseconds, choose }) {
  if (!info && !fault) {
    panel.replaceChildren(element("p", { className: "quiet", text: path ? "The file is not described." : "No file is open." }));
    return;
  }
  panel.replaceChildren(...(fault ? [faultPanel({ fault, rule, report, choose })] : []), ...(info ? [table(rowsOf(info, milliseconds))] : []),
    ...list("Not found", "Drop these files too, from any folder.", missing), ...list("Shown differently", "", notes),
    ...list("Lost in the picture", "", findings?.filter(({ severity }) => severity !== "note")
      .map(({ message, rule: id }) => (id ? `${message} [${id}]` : message))));
}

function rowsOf(info, milliseconds) {
  const rows = [["format", `${info.format} ${info.version ?? ""}`.trim()], ["size", `${info.bytes.toLocaleString()} bytes`]];
  for (const [name, count] of Object.entries(info.counts ?? {})) if (count > 0) rows.push([name, count.toLocaleString()]);
  if (info.bounds) {
    rows.push(["minimum", numbers(info.bounds.min)], ["maximum", numbers(info.bounds.max)]);
    rows.push(["extent", numbers(info.bounds.max.map((x, i) => x - info.bounds.min[i]))]);
  }
  if (milliseconds) rows.push(["time to draw", `${Math.round(milliseconds)} ms`]);
  return rows;
}

// -- Findings ------------------------------------------------------------------------

const BYTES = 16; // per row
const hex = (value, digits) => value.toString(16).toUpperCase().padStart(digits, "0");

/** Rows of bytes around an offset. The byte at the offset is marked. */
function hexRows(bytes, from, offset) {
  const rows = [];
  for (let row = 0; row < bytes.length; row += BYTES) {
    const some = bytes.subarray(row, row + BYTES), line = element("div", {}, element("span", { className: "quiet", text: `${hex(from + row, 8)}  ` }));
    some.forEach((byte, i) => line.append(element(from + row + i === offset ? "mark" : "span", { text: hex(byte, 2) }), " "));
    line.append(" ".repeat(3 * (BYTES - some.length)), ` ${String.fromCharCode(...some.map((c) => (c > 31 && c < 127 ? c : 46)))}`);
    rows.push(line);
  }
  return rows;
}

/** Lines of a text around a line, which counts from 1. */
function textRows(bytes, number) {
  const lines = new TextDecoder().decode(bytes).split("\n"), first = Math.max(0, number - 4);
  return lines.slice(first, number + 3).map((text, i) => element("div", {},
    element("span", { className: "quiet", text: `${String(first + i + 1).padStart(6)}  ` }),
    element(first + i + 1 === number ? "mark" : "span", { text: text.slice(0, 200) })));
}

/** Show the bytes or lines of a finding below it, after a click. */
async function showPlace(under, finding, place) {
  if (under.lastChild.className === "place") return under.lastChild.remove();
  const { offset, line, file } = finding, from = Math.max(0, Math.floor((offset ?? 0) / BYTES) * BYTES - 3 * BYTES);
  const bytes = line ? await place(0, 64 << 20, file) : await place(from, 7 * BYTES, file);
  under.append(element("pre", { className: "place" }, ...(bytes ? (line ? textRows(bytes, line) : hexRows(bytes, from, offset))
                                                               : [element("div", { text: "the bytes are not available" })])));
}

const isNamed = (finding, gltf) => gltf && partOf(finding, gltf.parser.json) !== null;

export function showCheck(panel, { report, place, locate, gltf }) {
  if (!report) {
    panel.replaceChildren(element("p", { className: "quiet", text: "The check is not done yet." }));
    return;
  }
  const { errors, warnings, findings } = report;
  panel.replaceChildren(element("p", { text: errors + warnings === 0 ? "No errors and no warnings."
    : `${plural(errors, "error")}, ${plural(warnings, "warning")}` }));
  for (const finding of findings) {
    const known = finding.line || (finding.offset !== null && finding.offset !== undefined);
    const where = placeOf(finding);
    const times = finding.count > 1 ? `${finding.count.toLocaleString()} times` : "";
    const words = [element("b", { text: finding.severity }), ` ${finding.message}`,
      element("code", { text: [finding.rule, where, times].filter(Boolean).join(", ") })];
    const made = element("div", { className: `finding ${finding.severity}` });
    const act = () => {
      if (known) showPlace(made, finding, place);
      locate?.(finding);
    };
    if (known || isNamed(finding, gltf)) {
      const button = element("button", { type: "button", title: known ? "Show its bytes, and its place in the picture" : "Show it in the picture" }, ...words);
      button.addEventListener("click", act);
      made.append(button);
    } else {
      made.append(element("p", {}, ...words));
    }
    panel.append(made);
  }
}

export function showMaterials(panel, { gltf, descriptions, mark }) {
  const materials = gltf?.parser?.json?.materials ?? [];
  panel.replaceChildren(...materials.map((material, i) => {
    const { pbrMetallicRoughness: pbr = {}, name = `material ${i}`, extras, ...rest } = material;
    const rows = Object.entries({ ...pbr, ...rest }).map(([key, value]) =>
      [key, typeof value === "object" ? JSON.stringify(value, short) : short(key, value)]);
    const made = element("details", { open: materials.length < 4 }, element("summary", { text: name }));
    const show = element("button", { type: "button", className: "small", text: "Mark in the picture" });
    show.addEventListener("click", () => mark({ material: i }));
    made.append(table(rows), show);
    const console_ = descriptions?.[i];
    if (console_) {
      made.append(element("p", { className: "quiet", text: "Drawn with the shaders of the console:" }));
      for (const [title, text] of [["vertex shader", console_.vertex], ["fragment shader", console_.fragment]])
        made.append(element("details", {}, element("summary", { text: title }), element("pre", { tabIndex: 0, text })));
    }
    if (extras) made.append(element("details", {}, element("summary", { text: "complete state" }),
      element("pre", { tabIndex: 0, text: JSON.stringify(extras, null, 1) })));
    return made;
  }));
  if (materials.length === 0) panel.append(element("p", { className: "quiet", text: "No materials." }));
}

// The first text in an object of a list.
function titleOf(value) {
  const title = Array.isArray(value) ? undefined : Object.values(value).find((each) => typeof each === "string" && each !== "");
  return title ? `: ${title.slice(0, 60)}` : "";
}

function branch(key, value, depth) {
  if (value === null || typeof value !== "object") return element("div", {}, `${key}: ${value}`);
  const entries = Object.entries(value);
  if (Array.isArray(value) && value.length < 10 && value.every((x) => typeof x === "number"))
    return element("div", {}, `${key}: ${value.join(", ")}`);
  const made = element("details", { open: depth < 1 }, element("summary", { text: `${key}${titleOf(value)} (${entries.length})` }));
  made.addEventListener("toggle", () => { // filled when it is opened, because lists may be long
    if (!made.open || made.childElementCount > 1) return;
    made.append(...entries.slice(0, 500).map(([name, inside]) => branch(name, inside, depth + 1)));
    if (entries.length > 500) made.append(element("div", { className: "quiet", text: `and ${entries.length - 500} more` }));
  });
  return made;
}

export function showDetail(panel, { info }) {
  panel.replaceChildren(...Object.entries(info?.detail ?? {}).map(([key, value]) => branch(key, value, 0)));
}
