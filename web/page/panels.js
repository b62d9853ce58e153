// The panels at the right: each is made anew from what is shown.

function element(name, { text, ...rest } = {}, ...children) {
  const made = Object.assign(document.createElement(name), rest);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

function table(rows) {
  return element("table", {}, element("tbody", {}, ...rows.map(([key, value]) =>
    element("tr", {}, element("th", { scope: "row", text: key }), element("td", {}, value instanceof Node ? value : String(value))))));
}

const short = (_, value) => (typeof value === "number" ? +value.toPrecision(6) : value); // floats have no more digits
const numbers = (list) => list.map((x) => +x.toPrecision(5)).join(", ");

const placeOf = ({ line, offset, file }) => [file, line ? `line ${line}` : offset !== null && offset !== undefined ? `byte 0x${hex(offset, 1)}` : ""]
  .filter(Boolean).join(", ");

/** An error that stopped a file from being read: the rule, where, and what to do. */
function faultPanel({ fault, rule, report, choose }) {
  const panel = element("section", { className: "error-panel" }, element("h2", { text: "It cannot be shown" }), element("p", { text: fault.message }));
  const rows = [["rule", fault.rule], ["place", fault.line || (fault.offset ?? null) !== null ? placeOf(fault) : ""], ["cause", rule?.cause], ["what to do", rule?.remedy]].filter(([, value]) => value);
  if (rows.length > 0) panel.append(table(rows));
  if (report?.findings.length > 0) {
    const show = element("button", { type: "button", text: `Show ${report.findings.length === 1 ? "the finding" : `all ${report.findings.length} findings`}` });
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
    panel.replaceChildren(element("p", { className: "quiet", text: path ? "Nothing is known of it." : "No file is open." }));
    return;
  }
  panel.replaceChildren(...(fault ? [faultPanel({ fault, rule, report, choose })] : []), ...(info ? [table(rowsOf(info, milliseconds))] : []),
    ...list("Not found", "Drop them, too, in any folder.", missing), ...list("Shown otherwise than it is", "", notes),
    ...list("On the way to the picture", "", findings?.filter(({ severity }) => severity !== "note")
      .map(({ message, rule: id }) => (id ? `${message} [${id}]` : message))));
}

function rowsOf(info, milliseconds) {
  const rows = [["format", `${info.format} ${info.version ?? ""}`.trim()], ["size", `${info.bytes.toLocaleString()} bytes`]];
  for (const [name, count] of Object.entries(info.counts ?? {})) if (count > 0) rows.push([name, count.toLocaleString()]);
  if (info.bounds) {
    rows.push(["least", numbers(info.bounds.min)], ["greatest", numbers(info.bounds.max)]);
    rows.push(["extent", numbers(info.bounds.max.map((x, i) => x - info.bounds.min[i]))]);
  }
  if (milliseconds) rows.push(["drawn after", `${Math.round(milliseconds)} ms`]);
  return rows;
}

// -- Findings ------------------------------------------------------------------------

const BYTES = 16; // of a row
const hex = (value, digits) => value.toString(16).toUpperCase().padStart(digits, "0");

/** Rows of bytes around an offset, with the byte marked. */
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

/** Lines around a line of a text, from 1. */
function textRows(bytes, number) {
  const lines = new TextDecoder().decode(bytes).split("\n"), first = Math.max(0, number - 4);
  return lines.slice(first, number + 3).map((text, i) => element("div", {},
    element("span", { className: "quiet", text: `${String(first + i + 1).padStart(6)}  ` }),
    element(first + i + 1 === number ? "mark" : "span", { text: text.slice(0, 200) })));
}

/** Where a finding is: a click shows the bytes or the lines. */
async function showPlace(under, finding, place) {
  if (under.lastChild.className === "place") return under.lastChild.remove();
  const { offset, line, file } = finding, from = Math.max(0, Math.floor((offset ?? 0) / BYTES) * BYTES - 3 * BYTES);
  const bytes = line ? await place(0, 64 << 20, file) : await place(from, 7 * BYTES, file);
  under.append(element("pre", { className: "place" }, ...(bytes ? (line ? textRows(bytes, line) : hexRows(bytes, from, offset))
                                                               : [element("div", { text: "the bytes are not at hand" })])));
}

export function showCheck(panel, { report, place }) {
  if (!report) {
    panel.replaceChildren(element("p", { className: "quiet", text: "Nothing was checked yet." }));
    return;
  }
  const { errors, warnings, findings } = report;
  panel.replaceChildren(element("p", { text: errors + warnings === 0 ? "Every rule of the format holds."
    : `${errors} error${errors === 1 ? "" : "s"}, ${warnings} warning${warnings === 1 ? "" : "s"}` }));
  for (const finding of findings) {
    const known = finding.line || (finding.offset !== null && finding.offset !== undefined);
    const where = placeOf(finding);
    const times = finding.count > 1 ? `${finding.count.toLocaleString()} times` : "";
    const words = [element("b", { text: finding.severity }), ` ${finding.message}`,
      element("code", { text: [finding.rule, where, times].filter(Boolean).join(", ") })];
    const made = element("div", { className: `finding ${finding.severity}` });
    if (known) {
      const button = element("button", { type: "button", title: "Show the place" }, ...words);
      button.addEventListener("click", () => showPlace(made, finding, place));
      made.append(button);
    } else {
      made.append(element("p", {}, ...words));
    }
    panel.append(made);
  }
}

// -- Two files -----------------------------------------------------------------------

export function showComparison(panel, { comparison }) {
  if (!comparison) {
    panel.replaceChildren(element("p", { className: "quiet", text: "Choose a file under Compare." }));
    return;
  }
  const { equal, sameBytes, ...rest } = comparison;
  panel.replaceChildren(element("p", {}, element("b", { text: sameBytes ? "The same bytes." : equal ? "Equal in what they say."
    : "They differ." }), " C shows the other one."));
  for (const [key, value] of Object.entries(rest)) panel.append(branch(key, value, 0));
}

export function showMaterials(panel, { gltf, descriptions, mark }) {
  const materials = gltf?.parser?.json?.materials ?? [];
  panel.replaceChildren(...materials.map((material, i) => {
    const { pbrMetallicRoughness: pbr = {}, name = `material ${i}`, extras, ...rest } = material;
    const rows = Object.entries({ ...pbr, ...rest }).map(([key, value]) =>
      [key, typeof value === "object" ? JSON.stringify(value, short) : short(key, value)]);
    const made = element("details", { open: materials.length < 4 }, element("summary", { text: name }));
    const show = element("button", { type: "button", className: "small", text: "Show where" });
    show.addEventListener("click", () => mark({ material: i }));
    made.append(table(rows), show);
    const console_ = descriptions?.[i];
    if (console_) {
      made.append(element("p", { className: "quiet", text: "Drawn by the console's stages:" }));
      for (const [title, text] of [["vertex shader", console_.vertex], ["fragment shader", console_.fragment]])
        made.append(element("details", {}, element("summary", { text: title }), element("pre", { tabIndex: 0, text })));
    }
    if (extras) made.append(element("details", {}, element("summary", { text: "complete state" }),
      element("pre", { tabIndex: 0, text: JSON.stringify(extras, null, 1) })));
    return made;
  }));
  if (materials.length === 0) panel.append(element("p", { className: "quiet", text: "No materials." }));
}

let addresses = [];

export function showTextures(panel, { gltf }) {
  for (const address of addresses) URL.revokeObjectURL(address);
  addresses = [];
  const json = gltf?.parser?.json ?? {}, binary = gltf?.parser?.extensions?.KHR_binary_glTF?.body;
  const figures = (json.images ?? []).map((image, i) => {
    const { byteOffset = 0, byteLength = 0 } = json.bufferViews?.[image.bufferView] ?? {};
    const picture = element("img", { alt: image.name ?? "" }), caption = element("figcaption", { text: image.name || `image ${i}` });
    if (binary && byteLength > 0) {
      picture.src = URL.createObjectURL(new Blob([new Uint8Array(binary, byteOffset, byteLength)], { type: image.mimeType }));
      addresses.push(picture.src);
      picture.onload = () => caption.append(`, ${picture.naturalWidth} x ${picture.naturalHeight}`);
    }
    return element("figure", {}, picture, caption);
  });
  panel.replaceChildren(figures.length > 0 ? element("div", { className: "textures" }, ...figures)
                                           : element("p", { className: "quiet", text: "No textures." }));
}

// Of what stands in a list: the first text in it.
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
  made.addEventListener("toggle", () => { // filled when it is opened: lists may be long
    if (!made.open || made.childElementCount > 1) return;
    made.append(...entries.slice(0, 500).map(([name, inside]) => branch(name, inside, depth + 1)));
    if (entries.length > 500) made.append(element("div", { className: "quiet", text: `and ${entries.length - 500} more` }));
  });
  return made;
}

export function showDetail(panel, { info }) {
  panel.replaceChildren(...Object.entries(info?.detail ?? {}).map(([key, value]) => branch(key, value, 0)));
}
