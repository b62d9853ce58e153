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

const numbers = (list) => list.map((x) => +x.toPrecision(5)).join(", ");

export function showSummary(panel, { path, info, errors, missing }) {
  if (!info) {
    panel.replaceChildren(element("p", { className: "quiet", text: path ? "" : "No file is open." }));
    return;
  }
  const rows = [["format", `${info.format} ${info.version}`.trim()], ["size", `${info.bytes.toLocaleString()} bytes`]];
  for (const [name, count] of Object.entries(info.counts)) if (count > 0) rows.push([name, count.toLocaleString()]);
  if (info.bounds) {
    rows.push(["least", numbers(info.bounds.min)], ["greatest", numbers(info.bounds.max)]);
    rows.push(["extent", numbers(info.bounds.max.map((x, i) => x - info.bounds.min[i]))]);
  }
  const notes = (errors ?? "").split("\n").filter((line) => / (warning|error)/.test(line));
  panel.replaceChildren(table(rows));
  if (missing?.length > 0)
    panel.append(element("h2", { text: "Not found" }),
      element("ul", {}, ...missing.map((name) => element("li", { text: name }))));
  if (notes.length > 0)
    panel.append(element("h2", { text: "On the way to the picture" }),
      element("ul", {}, ...notes.map((line) => element("li", { text: line.replace(/^facet: [^:]*: /, "") }))));
}

export function showCheck(panel, { report }) {
  if (!report) {
    panel.replaceChildren(element("p", { className: "quiet", text: "Nothing was checked yet." }));
    return;
  }
  const { errors, warnings, findings } = report;
  panel.replaceChildren(element("p", { text: errors + warnings === 0 ? "Every rule of the format holds."
                                                                     : `${errors} errors, ${warnings} warnings` }));
  for (const finding of findings) {
    const place = finding.line ? `line ${finding.line}` : finding.offset !== null && finding.offset !== undefined
      ? `byte 0x${finding.offset.toString(16).toUpperCase()}` : "";
    panel.append(element("div", { className: `finding ${finding.severity}` },
      element("b", { text: finding.severity }), ` ${finding.message}`,
      element("code", { text: [finding.rule, place].filter(Boolean).join(", ") })));
  }
}

export function showMaterials(panel, { gltf }) {
  const materials = gltf?.parser?.json?.materials ?? [];
  panel.replaceChildren(...materials.map((material, i) => {
    const { pbrMetallicRoughness: pbr = {}, name = `material ${i}`, extras, ...rest } = material;
    const rows = Object.entries({ ...pbr, ...rest }).map(([key, value]) =>
      [key, typeof value === "object" ? JSON.stringify(value) : value]);
    const made = element("details", { open: materials.length < 4 }, element("summary", { text: name }), table(rows));
    if (extras) made.append(element("details", {}, element("summary", { text: "complete state" }),
      element("pre", { text: JSON.stringify(extras, null, 1) })));
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

function branch(key, value, depth) {
  if (value === null || typeof value !== "object") return element("div", {}, `${key}: ${value}`);
  const entries = Object.entries(value);
  if (Array.isArray(value) && value.length < 10 && value.every((x) => typeof x === "number"))
    return element("div", {}, `${key}: ${value.join(", ")}`);
  const made = element("details", { open: depth < 1 }, element("summary", { text: `${key} (${entries.length})` }));
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
