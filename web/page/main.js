// The page: files in, a picture and the findings out. All work on files is done by the
// library in a worker; this file only shows what it says.

import { FacetClient } from "facet-mesh/client";
import { readModel } from "facet-mesh/model";
import { matchRender } from "facet-mesh/light";
import { Viewer } from "facet-mesh/stage";

import { listenForDrops, listenForLaunches, readPicked } from "./drop.js";
import { listenForKeys } from "./keys.js";
import { readLink, writeLink } from "./link.js";
import { NoViewer } from "./no-viewer.js";
import { showCheck, showComparison, showDetail, showMaterials, showSummary, showTextures } from "./panels.js";
import { expanded, Sources } from "./sources.js";
import { followTheme } from "./theme.js";
import { FileTree } from "./tree.js";

const $ = (id) => document.getElementById(id);
const client = new FacetClient();
const sources = new Sources();

function makeViewer() {
  try {
    matchRender();
    return new Viewer($("canvas"));
  } catch {
    document.body.classList.add("no-picture");
    return new NoViewer();
  }
}
const viewer = makeViewer();
const tree = new FileTree($("tree"), openPath, removePath);

/** What is shown: its path, what the library says of it, the glTF that is drawn. */
let shown = null;
let opening = new AbortController(); // of the file that is opened
let formats = [];
let addresses = []; // where files came from, when a link said so
let animations = []; // paths of files that only hold an animation

// -- Telling -----------------------------------------------------------------------

function say(text, fault = false) {
  $("status").textContent = text;
  $("status").classList.toggle("fault", fault);
}

const json = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
const plural = (count, word) => `${count.toLocaleString()} ${word}${count === 1 ? "" : "s"}`;

// -- Opening -----------------------------------------------------------------------

const sideFile = /\.(mtl|png|jpe?g|tga|bmp|bin|json|hdr|dds|txt)$/i;
const onlyBeside = /\.(mtl|bin|json|txt)$/i; // of no use without a model
const animationFile = /\.(bck|bca|btk|brk|bpk|btp|bva|blk|bla|bxk|bxa|bpa)$/i;
const modelFile = /\.(bdl|bmd|bsm|iqm|bpx|glb|gltf|obj|ply|stl|bga|binarymesh|mesh)$/i;

/** Take files in: pairs of path and bytes. */
async function take(entries) {
  if (entries.length === 0) return;
  say(`reading ${entries.length === 1 ? entries[0][0] : plural(entries.length, "file")} ...`);
  const all = await expanded(entries);
  await client.put(all);
  for (const [path, bytes] of all) {
    tree.add(path, bytes.length);
    if (animationFile.test(path) && !animations.includes(path)) animations.push(path);
  }
  if (document.body.dataset.state === "empty") document.body.dataset.state = "files";
  // Files that are stored next to a model are for the one that is shown: a texture that was missing, an animation.
  const paths = all.map(([path]) => path), beside = paths.every((path) => sideFile.test(path) || animationFile.test(path));
  if (beside && shown?.path && (shown.gltf || modelFile.test(shown.path))) return openPath(shown.path, true);
  const first = paths.find((path) => modelFile.test(path)) ?? paths.find((path) => !sideFile.test(path)) ??
    paths.find((path) => !onlyBeside.test(path));
  if (first) return openPath(first);
  say(`${paths.length === 1 ? paths[0] : plural(paths.length, "file")}: kept for a model that names ${paths.length === 1 ? "it" : "them"}`);
}

/** A file of the page, with what was put beside it, or was beside it where it came from. */
const fileAt = (path) => client.file(path, { sibling: sources.sibling(path) });

/** What is in a file. info follows no name that leaves the folder of the model; convert does, and its GLB is described then. */
async function describe(path, signal) {
  try {
    return await fileAt(path).info(undefined, {}, { signal });
  } catch (fault) {
    const made = signal.aborted || !modelFile.test(path) ? null : await fileAt(path).convert("glb", toDraw, undefined, { signal }).catch(() => null);
    if (!made) throw fault;
    const described = client.open(made.bytes, { name: "described.glb" }), info = await described.info(undefined, {}, { signal });
    described.close();
    return { ...info, file: path, format: path.split(".").at(-1).toLowerCase(), version: "", detail: {} };
  }
}

async function openPath(path, keepsView = false) {
  if (animationFile.test(path) && shown?.gltf && isJ3d(shown.info)) return playFile(path);
  opening.abort(new DOMException("superseded", "AbortError"));
  opening = new AbortController();
  const { signal } = opening;
  tree.select(path);
  $("progress").removeAttribute("value");
  say(`opening ${path} ...`);
  document.body.setAttribute("aria-busy", "true");
  try {
    const info = await describe(path, signal);
    if (info.detail?.members || info.detail?.entries || formatOf(info)?.folder) await openArchive(path, info, signal);
    else await show(path, info, signal, keepsView);
  } catch (fault) {
    if (!signal.aborted) await showFault(path, fault, signal);
  } finally {
    if (signal === opening.signal) document.body.removeAttribute("aria-busy");
  }
}

/** A file that cannot be read: what is wrong with it is what check is for. */
async function showFault(path, fault, signal) {
  reset(path, { fault });
  say(`${path}: ${fault.message}`, true);
  const [report, rule] = await Promise.all([
    fileAt(path).check({}, undefined, { signal }).catch(() => null),
    fault.rule ? client.run(["rule", "--json", fault.rule], { signal }).catch(() => null) : null,
  ]);
  if (signal.aborted) return;
  shown.report = report;
  shown.rule = json(rule?.output ?? "")[0] ?? null;
  showBadge();
  showAll();
}

function cancel() {
  opening.abort(new DOMException("canceled", "AbortError"));
  document.body.removeAttribute("aria-busy");
  reset(null);
  say("canceled");
}
$("cancel").addEventListener("click", cancel);

const formatOf = (info) => formats.find((format) => format.name === info.format);
const isJ3d = (info) => /^(bmd|bdl)$/.test(info?.format);

async function openArchive(path, info, signal) {
  const listed = await client.run(["info", "--json", "-v", "--", path], { signal });
  const members = membersOf(json(listed.output)[0] ?? info);
  for (const member of members) tree.add(`${path}/${member.path}`, member.bytes);
  tree.expand(path);
  const model = members.find((member) => modelFile.test(member.path));
  animations = members.filter((member) => animationFile.test(member.path)).map((member) => `${path}/${member.path}`);
  if (model) {
    await openPath(`${path}/${model.path}`);
  } else {
    reset(path, { info, members });
    say(`${path}: ${plural(members.length, "file")}`);
  }
}

/** Files of an archive, from its description: each with its path. */
function membersOf(info) {
  const found = [];
  const walk = (value) => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (value && typeof value === "object") {
      if (typeof value.path === "string" && value.size !== undefined) found.push({ path: value.path, bytes: value.size });
      else Object.values(value).forEach(walk);
    }
  };
  walk(info.detail);
  return found;
}

function reset(path, more = {}) {
  viewer.clear();
  shown = { path, ...more };
  $("file-name").textContent = path ?? "";
  $("timeline").hidden = true;
  $("save-format").disabled = $("compare").disabled = true;
  $("picked").textContent = "";
  showBadge();
  showAll();
}

async function removePath(path) {
  const isInside = (each) => each === path || each.startsWith(`${path}/`);
  await client.remove(tree.files.filter(isInside));
  tree.remove(path);
  animations = animations.filter((each) => !isInside(each));
  if (shown?.path && isInside(shown.path)) {
    opening.abort(new DOMException("removed", "AbortError"));
    reset(null);
    say(`${path} is removed`);
  }
  if (tree.files.length === 0) document.body.dataset.state = "empty";
  else if (shown?.path) listOthers();
}

// Shown when something takes longer; the bar begins anew with each step.
const progress = (step, fraction) => {
  $("progress").value = fraction;
  $("progress").title = step;
};

// Textures are unpacked at once, so that packing them would be for nothing. All files are in memory: a name that leaves
// the folder of the model finds nothing else than them.
const toDraw = { png: "none", allowExternal: true };

// Models look as in `facet render`. Without normals, those of a glTF are flat, which three.js does
// itself; others have hard edges. STL has z up.
const asDrawn = (info) => ({
  ...(/^(gltf|glb)$/.test(info.format) ? {} : { crease: 40 }),
  ...(formatOf(info)?.zUp ? { up: "z" } : {}),
});

/** A GLB of a model, with the animations beside it that fit: {bytes, findings, inputs}. */
async function toGlb(file, info, signal) {
  const watch = { signal, progress }, convert = (inputs) => file.convert("glb", { ...toDraw, ...asDrawn(info), inputs }, undefined, watch);
  const beside = isJ3d(info) ? animations : [];
  try {
    return { ...await convert(beside), inputs: beside };
  } catch (fault) {
    if (beside.length === 0 || signal.aborted) throw fault;
  }
  const inputs = []; // one of them is not for this model
  for (const animation of beside)
    if ((await client.run(["check", "-q", "--", file.path, animation], { signal })).status === 0) inputs.push(animation);
  return { ...await convert(inputs), inputs };
}

async function show(path, info, signal, keepsView) {
  const started = performance.now(), file = fileAt(path);
  let made = null, fault = null, gltf = null;
  try {
    made = await toGlb(file, info, signal);
    gltf = await readModel(made.bytes.buffer, client, { maxTextureSize: viewer.maxTextureSize });
  } catch (found) {
    fault = found;
  }
  if (signal.aborted) return;
  shown = { path, info, fault, gltf, missing: file.missing, findings: made?.findings ?? [], inputs: made?.inputs ?? [],
            notes: gltf?.facet.notes ?? [], descriptions: gltf?.facet.descriptions ?? [] };
  $("file-name").textContent = path;
  $("picked").textContent = "";
  if (gltf) {
    await viewer.show(gltf, { keepsView });
    document.body.dataset.state = "model";
    shown.milliseconds = performance.now() - started;
    say([`${plural(info.counts.triangles, "triangle")}, ${Math.round(shown.milliseconds)} ms`, ...shown.notes,
         shown.missing.length > 0 && `not found: ${shown.missing.slice(0, 4).join(", ")} (drop them, too)`].filter(Boolean).join("; "));
  } else {
    viewer.clear();
    document.body.dataset.state = "files";
    say(`${path}: ${fault.message}`, true);
  }
  await showClips();
  listTargets(info);
  showBadge();
  showAll();
  listOthers();
  await addOverlays(file, info, signal);
  const report = await file.check({}, undefined, { signal }).catch(() => null);
  if (signal.aborted) return;
  shown.report = report;
  showBadge();
  if (chosen === "check" || fault) showAll();
}

/** Hulls and the occluder, which glTF has no place for. */
async function addOverlays(file, info, signal) {
  const some = /^(bsm|obj|binarymesh|gltf|glb)$/.test(info.format) && shown.gltf;
  const overlays = some ? await file.overlays(undefined, { signal }).catch(() => []) : [];
  if (signal.aborted) return;
  viewer.setOverlays(overlays);
  $("hulls").hidden = !overlays.some((each) => !each.occluder);
  $("occluder").hidden = !overlays.some((each) => each.occluder);
  $("joints").hidden = !(info.counts.joints > 0);
}

// -- Panels ------------------------------------------------------------------------

let chosen = "summary";
const panels = { summary: showSummary, check: showCheck, materials: showMaterials, textures: showTextures, detail: showDetail,
                 comparison: showComparison };

function showAll() {
  panels[chosen]($("panel"), { ...shown, place: (at, count, file) => client.bytes(file ?? shown.path, at, count),
                               mark: (what) => viewer.mark(what), choose });
  $("panel").setAttribute("aria-labelledby", `tab-${chosen}`);
}

function choose(name) {
  chosen = name;
  for (const each of $("tabs").children) {
    const selected = each.id === `tab-${name}`;
    each.setAttribute("aria-selected", String(selected));
    each.tabIndex = selected ? 0 : -1;
  }
  showAll();
}

function showBadge() {
  const { errors = 0, warnings = 0 } = shown?.report ?? {};
  $("badge").textContent = shown?.report ? (errors || warnings || "\u2713") : "";
  $("badge").className = errors ? "error" : warnings ? "warning" : "good";
  $("badge").setAttribute("aria-label", shown?.report ? `${plural(errors, "error")}, ${plural(warnings, "warning")}` : "");
}

for (const tab of $("tabs").children) tab.addEventListener("click", () => choose(tab.id.slice(4)));
$("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...$("tabs").children].filter((tab) => !tab.hidden), at = tabs.indexOf(document.activeElement);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
});

// -- Comparing ---------------------------------------------------------------------

let other = null; // the file that what is shown was compared with

function listOthers() {
  const paths = tree.files.filter((path) => path !== shown.path && modelFile.test(path));
  $("compare").replaceChildren(new Option("Compare with ...", ""),
    ...paths.map((path) => new Option(path, path)));
  $("compare").disabled = paths.length === 0;
}

async function compare(path) {
  const first = shown.path;
  say(`comparing ${first} and ${path} ...`);
  let report;
  try {
    report = await client.compare(fileAt(first), fileAt(path));
  } catch (fault) {
    return say(fault.message, true);
  }
  if (shown.path !== first) return; // another file was opened meanwhile
  other = path;
  shown.comparison = report;
  $("tab-comparison").hidden = false;
  choose("comparison");
  say("C shows the other one");
}

async function showOther() {
  if (!other) return;
  const next = other, { comparison } = shown;
  other = shown.path;
  await openPath(next, true);
  shown.comparison = comparison;
  if (chosen === "comparison") showAll();
}

$("compare").addEventListener("change", () => {
  const path = $("compare").value;
  $("compare").value = "";
  if (path) compare(path);
});

// -- Animations --------------------------------------------------------------------

async function showClips() {
  const { clips } = viewer;
  $("timeline").hidden = clips.length === 0;
  $("clip").replaceChildren(...clips.map((name, i) => new Option(name, i)));
  play(false);
  if (clips.length > 0) await viewer.choose(0);
}

async function chooseClip(index) {
  const { playing } = viewer;
  $("clip").value = index;
  await viewer.choose(index);
  play(playing);
}

/** Play the animation of a file with the model that is shown. */
async function playFile(path) {
  const model = shown.path, name = path.split("/").at(-1).replace(/\.[^.]*$/, "");
  const find = () => viewer.clips.findIndex((clip) => clip === name || clip.startsWith(`${name} (`));
  if (!shown.inputs.includes(path)) {
    if (!animations.includes(path)) animations.push(path);
    await openPath(model, true);
  }
  if (shown.path !== model) return;
  if (!shown.inputs.includes(path) || find() < 0) return say(`${path} does not fit ${model}`, true);
  tree.select(path);
  await chooseClip(find());
  play(true);
}

const FRAMES = 30; // a second, on the timeline
viewer.onTime = (time, duration) => {
  $("time").max = duration || 1;
  $("time").value = time;
  $("time-text").value = `${time.toFixed(2)} s, frame ${Math.round(time * FRAMES)}`;
};

function play(on) {
  viewer.play(on);
  $("play").textContent = viewer.playing ? "\u275A\u275A" : "\u25B6";
  $("play").setAttribute("aria-label", viewer.playing ? "Pause" : "Play");
}

function seek(time) {
  play(false);
  viewer.seek(time);
  updateLink();
}

$("play").addEventListener("click", () => play(!viewer.playing));
$("clip").addEventListener("change", () => chooseClip(Number($("clip").value)));
$("time").addEventListener("input", () => seek(Number($("time").value)));
$("speed").addEventListener("change", () => viewer.setSpeed(Number($("speed").value)));

// -- Controls ----------------------------------------------------------------------

const layers = ["wires", "joints", "hulls", "occluder", "grid"];

function setMode(mode) {
  $("mode").value = mode;
  viewer.setMode($("mode").value);
  updateLink();
}

function setLayer(name, on) {
  $(name).setAttribute("aria-pressed", String(on));
  viewer.setLayer(name, on);
  updateLink();
}

const isOn = (name) => $(name).getAttribute("aria-pressed") === "true";

$("mode").addEventListener("change", () => setMode($("mode").value));
for (const name of layers) $(name).addEventListener("click", () => setLayer(name, !isOn(name)));
$("fit").addEventListener("click", () => viewer.fit());
$("help").addEventListener("click", () => $("keys").showModal());
$("open").addEventListener("click", () => $("picker").click());
$("open-folder").addEventListener("click", () => $("folder-picker").click());
for (const id of ["picker", "folder-picker"]) {
  $(id).addEventListener("change", async () => {
    try {
      addresses = [];
      await take(await readPicked($(id).files));
    } catch (fault) {
      say(fault.message, true);
    }
    $(id).value = "";
  });
}
$("files-button").addEventListener("click", () => {
  const open = document.body.classList.toggle("files-open");
  $("files-button").setAttribute("aria-expanded", String(open));
});
viewer.onPick = (hit) => {
  $("picked").textContent = hit ? [hit.mesh || "mesh", hit.material && `material ${hit.material}`, hit.joint && `joint ${hit.joint}`,
    `triangle ${hit.face.toLocaleString()}`].filter(Boolean).join(", ") : "";
};
followTheme($("theme"), (background) => { viewer.background = background; });
listenForKeys($("canvas"), {
  f: () => viewer.fit(), w: () => setLayer("wires", !isOn("wires")), g: () => setLayer("grid", !isOn("grid")),
  j: () => setLayer("joints", !isOn("joints")), h: () => setLayer("hulls", !isOn("hulls")),
  o: () => setLayer("occluder", !isOn("occluder")), c: () => showOther(), t: () => $("theme").click(),
  m: () => setMode($("mode").options[($("mode").selectedIndex + 1) % $("mode").options.length].value),
  "?": () => $("keys").showModal(), " ": () => play(!viewer.playing),
  ",": () => seek(viewer.time - 1 / FRAMES), ".": () => seek(viewer.time + 1 / FRAMES),
  "+": () => viewer.turn(0, 0, 1), "=": () => viewer.turn(0, 0, 1), "-": () => viewer.turn(0, 0, -1),
}, (right, up, pan) => viewer.turn(right, up, 0, pan));
async function takeDropped(entries) {
  try {
    addresses = [];
    await take(await entries);
  } catch (fault) {
    say(fault.message, true);
  }
}
listenForDrops(takeDropped);

// -- Saving ------------------------------------------------------------------------

function offer(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const stem = () => shown.path.split("/").at(-1).replace(/\.[^.]*$/, "");

// Formats that something can be saved as: of a model those of models, of an image those of images.
const isModelFormat = (format) => format.needs.length > 0;

function listTargets(info) {
  const models = Boolean(shown.gltf) || isModelFormat(formatOf(info) ?? { needs: [] });
  const names = formats.filter((format) => format.read && format.write && !format.folder && isModelFormat(format) === models)
    .map(({ name }) => name);
  $("save-format").replaceChildren(new Option("Save as ...", ""), ...names.map((name) => new Option(name, name)));
  if (shown.gltf && !(viewer instanceof NoViewer)) $("save-format").append(new Option("picture (png)", "picture"));
  $("save-format").disabled = names.length === 0;
}

/** Convert what is shown, with its animations: {files: a map of what was written, findings}. */
async function save(format) {
  const extension = formats.find((each) => each.name === format)?.extensions?.[0] ?? `.${format}`, name = `${stem()}${extension}`;
  const { bytes, siblings, findings } = await fileAt(shown.path).convert(name, { allowExternal: true, inputs: shown.inputs }, undefined, { progress });
  return { files: new Map([[name, bytes], ...siblings]), findings };
}

$("save-format").addEventListener("change", async () => {
  const format = $("save-format").value;
  $("save-format").value = "";
  if (!format || !shown) return;
  if (format === "picture") {
    viewer.pixels(); // drawn now, so that the canvas has it
    return $("canvas").toBlob((blob) => offer(`${stem()}.png`, blob));
  }
  try {
    say(`writing ${format} ...`);
    const { files, findings } = await save(format);
    for (const [name, bytes] of files) offer(name, new Blob([bytes]));
    const lost = findings.filter(({ severity }) => severity !== "note");
    say(`saved ${[...files.keys()].join(", ")}${lost.length > 0 ? `; ${plural(lost.length, "warning")}: ${lost.at(-1).message}` : ""}`);
  } catch (fault) {
    say(fault.message, true);
  }
});

// -- Links -------------------------------------------------------------------------

const state = () => ({ models: addresses, mode: $("mode").value, layers: layers.filter(isOn), view: viewer.view, tab: chosen,
                       clip: viewer.duration > 0 ? Number($("clip").value) : null, time: viewer.time,
                       embedded: document.body.classList.contains("embedded") });

function updateLink() {
  if (!ready) return;
  history.replaceState(null, "", writeLink(state()));
  linkWhole();
}
function linkWhole() {
  $("whole").href = writeLink({ ...state(), embedded: false });
}
viewer.onMove = updateLink;

$("link").addEventListener("click", async () => {
  updateLink();
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  say(addresses.length > 0 ? "the link is copied" : "the link is copied: it has the view, not the file, which stays on this computer");
});

async function follow() {
  const { models, mode, layers: on, view, tab, clip, time, embedded } = readLink(location.hash);
  document.body.classList.toggle("embedded", embedded);
  if (mode) setMode(mode);
  if (on) for (const name of layers) setLayer(name, on.includes(name));
  if (tab && panels[tab] && tab !== "comparison") choose(tab);
  if (models.length > 0 && models.join(" ") !== addresses.join(" ")) {
    say(`fetching ${models[0]} ...`);
    const entries = await sources.fetch(models);
    addresses = models;
    await take(entries);
  }
  if (clip !== null && viewer.clips[clip]) {
    await chooseClip(clip);
    viewer.seek(time);
  }
  if (view) viewer.view = view;
}

// -- Beginning ---------------------------------------------------------------------

let ready = false;

async function begin() {
  formats = await client.formats();
  choose("summary");
  await follow();
  ready = true;
  linkWhole();
  listenForLaunches(takeDropped);
}

async function warm() {
  if (shown?.path) return; // by a link
  await client.warm().catch(() => {});
}

addEventListener("hashchange", () => follow().catch((fault) => say(fault.message, true)));

const begun = begin().catch((fault) => {
  ready = true;
  say(fault.message, true);
});

/** For tests: what a person would see and do. */
window.facet = {
  ready: begun, warm: begun.then(warm),
  take, save, viewer, openPath, chooseClip, setMode, setLayer, compare, showOther,
  bytes: (...place) => client.bytes(...place),
  get shown() { return shown; },
  clear: async () => {
    opening.abort(new DOMException("cleared", "AbortError"));
    tree.clear();
    animations = [];
    reset(null);
    document.body.dataset.state = "empty";
    await client.clear();
  },
};

if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("offline.js").catch(() => {});
