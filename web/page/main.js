// The page: it opens files and shows their pictures and findings. The library does all work on
// files in a worker.

import { FacetClient } from "facet-mesh/client";
import { readModel } from "facet-mesh/model";
import { modelFile } from "facet-mesh/model-files";
import { matchRender } from "facet-mesh/light";
import { Viewer } from "facet-mesh/stage";

import { SideBySide, showComparison } from "./compare.js";
import { listenForDrops, listenForLaunches, readPicked } from "./drop.js";
import { plural } from "./element.js";
import { Flight } from "./flight.js";
import { listenForKeys } from "./keys.js";
import { readLink, writeLink } from "./link.js";
import { Measure } from "./measure.js";
import { NoViewer } from "./no-viewer.js";
import { showCheck, showDetail, showMaterials, showSummary } from "./panels.js";
import { partOf, pointsOf } from "./place.js";
import { samples } from "./samples.js";
import { SaveDialog } from "./save.js";
import { SceneTree } from "./scene.js";
import { expanded, Sources } from "./sources.js";
import { showTextures, TextureView } from "./textures.js";
import { followTheme } from "./theme.js";
import { Timeline } from "./timeline.js";
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
const scene = new SceneTree(viewer, (text) => { $("picked").textContent = text; });

/** Interface of the page for its parts. */
const app = {
  client, viewer, say,
  get shown() { return shown; },
  get up() { return up; },
  get members() { return [...archives.values()].flat(); },
  fileAt: (path) => fileAt(path),
  progress: (step, fraction) => progress(step, fraction),
  archiveOf: (member) => [...archives.keys()].find((path) => member.startsWith(`${path}/`)),
  isConsole: (info) => isJ3d(info),
  unit: () => (isJ3d(shown.info) ? 100 : 1), // meters to centimeters of console models
  background: () => background,
  changed: () => updateLink(),
  glbOf: async (path) => (await toGlb(fileAt(path), await describe(path, new AbortController().signal), new AbortController().signal)).bytes,
  showTexture: (image) => {
    viewer.picture = image;
    setMode("texture");
  },
};
const timeline = new Timeline(app), saving = new SaveDialog(app), textures = new TextureView(app), beside = new SideBySide(app);
const tools = { measure: new Measure(app), fly: new Flight(viewer) };

/** The shown file: its path, its description by the library, the drawn glTF. */
let shown = null;
let up = ""; // up axis from the user, which replaces that of the file
let opening = new AbortController(); // for the file that is being opened
let formats = [];
let addresses = []; // addresses of the files, if a link named them
let animations = []; // paths of files that contain only an animation
const archives = new Map(); // path of an opened archive to the paths of its files

// -- Status -----------------------------------------------------------------------

function say(text, fault = false) {
  $("status").textContent = text;
  $("status").classList.toggle("fault", fault);
}

const json = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));

// -- Opening -----------------------------------------------------------------------

const sideFile = /\.(mtl|png|jpe?g|webp|ktx2|gif|psd|tga|bmp|bin|json|hdr|dds|txt)$/i;
const onlyBeside = /\.(mtl|bin|json|txt)$/i; // not useful without a model
const animationFile = /\.(bck|bca|btk|brk|bpk|btp|bva|blk|bla|bxk|bxa|bpa)$/i;

/** Add files: pairs of path and bytes. */
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
  // If all files are siblings or animations, they belong to the shown model: open it again.
  const paths = all.map(([path]) => path), beside = paths.every((path) => sideFile.test(path) || animationFile.test(path));
  if (beside && shown?.path && (shown.gltf || modelFile.test(shown.path))) return openPath(shown.path, true);
  const first = paths.find((path) => modelFile.test(path)) ?? paths.find((path) => !sideFile.test(path)) ??
    paths.find((path) => !onlyBeside.test(path));
  if (first) return openPath(first);
  say(`${paths.length === 1 ? paths[0] : plural(paths.length, "file")}: kept for a model that names ${paths.length === 1 ? "it" : "them"}`);
}

/** A file of the page. Its siblings are other files of the page, or files next to its address. */
const fileAt = (path) => client.file(path, { sibling: sources.sibling(path) });

/**
 * Describe a file. info does not follow names that leave the model's folder, but convert does: if
 * info fails, describe the GLB.
 */
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

/** Show a file that cannot be read. Checking it finds the reasons. */
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
  archives.set(path, members.map((member) => `${path}/${member.path}`));
  for (const member of members) tree.add(`${path}/${member.path}`, member.bytes);
  tree.expand(path);
  const model = members.find((member) => modelFile.test(member.path));
  animations = members.filter((member) => animationFile.test(member.path)).map((member) => `${path}/${member.path}`);
  if (model) {
    await openPath(`${path}/${model.path}`);
  } else {
    reset(path, { info, members });
    saving.list(formats);
    say(`${path}: ${plural(members.length, "file")}`);
  }
}

/** Files of an archive, from its description: pairs of path and size. */
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
  closeTools();
  viewer.clear();
  shown = { path, ...more };
  scene.show(null);
  $("file-name").textContent = path ?? "";
  $("timeline").hidden = true;
  $("save").disabled = $("compare").disabled = true;
  $("picked").textContent = "";
  showBadge();
  showAll();
}

async function removePath(path) {
  const isInside = (each) => each === path || each.startsWith(`${path}/`);
  await client.remove(tree.files.filter(isInside));
  tree.remove(path);
  archives.delete(path);
  animations = animations.filter((each) => !isInside(each));
  if (shown?.path && isInside(shown.path)) {
    opening.abort(new DOMException("removed", "AbortError"));
    reset(null);
    say(`${path} is removed`);
  }
  if (tree.files.length === 0) document.body.dataset.state = "empty";
  else if (shown?.path) listOthers();
}

// Progress of long calls. Each step starts the bar again.
const progress = (step, fraction) => {
  $("progress").value = fraction;
  $("progress").title = step;
};

// Textures are decoded immediately, so do not compress them. All files are in memory: a name that
// leaves the model's folder finds no other files.
const toDraw = { png: "none", allowExternal: true };

// Options for the appearance of `facet render`. three.js computes flat normals for a glTF without
// normals; other formats get hard edges. STL has z up.
const asDrawn = (info) => ({
  ...(/^(gltf|glb)$/.test(info.format) ? {} : { crease: 40 }),
  ...(up ? { up } : formatOf(info)?.zUp ? { up: "z" } : {}),
});

/** A GLB of a model with its fitting animations: {bytes, findings, inputs}. */
async function toGlb(file, info, signal) {
  const watch = { signal, progress }, convert = (inputs) => file.convert("glb", { ...toDraw, ...asDrawn(info), inputs }, undefined, watch);
  const beside = isJ3d(info) ? animations : [];
  try {
    return { ...await convert(beside), inputs: beside };
  } catch (fault) {
    if (beside.length === 0 || signal.aborted) throw fault;
  }
  const inputs = []; // one of the animations does not fit
  for (const animation of beside)
    if ((await client.run(["check", "-q", "--", file.path, animation], { signal })).status === 0) inputs.push(animation);
  return { ...await convert(inputs), inputs };
}

async function show(path, info, signal, keepsView) {
  const started = performance.now(), file = fileAt(path);
  const images = await imagesAlone(file, info, signal);
  let made = null, fault = null, gltf = null;
  try {
    made = images ? null : await toGlb(file, info, signal);
    gltf = made && await readModel(made.bytes.buffer, client, { maxTextureSize: viewer.maxTextureSize });
  } catch (found) {
    fault = found;
  }
  if (signal.aborted) return;
  closeTools();
  shown = { path, info, fault, gltf, images, missing: file.missing, findings: made?.findings ?? [], inputs: made?.inputs ?? [],
            notes: gltf?.facet.notes ?? [], descriptions: gltf?.facet.descriptions ?? [] };
  $("file-name").textContent = path;
  $("picked").textContent = "";
  if (gltf) {
    await viewer.show(gltf, { keepsView });
    document.body.dataset.state = "model";
    scene.show(gltf);
    shown.milliseconds = performance.now() - started;
    say([`${plural(info.counts.triangles, "triangle")}, ${Math.round(shown.milliseconds)} ms`, ...shown.notes,
         shown.missing.length > 0 && `not found: ${shown.missing.slice(0, 4).join(", ")} (drop them, too)`].filter(Boolean).join("; "));
  } else {
    viewer.clear();
    scene.show(null);
    document.body.dataset.state = "files";
    if (images) say(`${path}: ${plural(images.length, "image")}`);
    else say(`${path}: ${fault.message}`, true);
  }
  await timeline.show();
  saving.list(formats);
  showBadge();
  showAll();
  listOthers();
  if (images) textures.open(0);
  await addOverlays(file, info, signal);
  const report = await file.check({}, undefined, { signal }).catch(() => null);
  if (signal.aborted) return;
  shown.report = report;
  showBadge();
  if (chosen === "check" || fault) showAll();
}

/** Pictures of a file that is an image, such as a BTI; null for others. */
async function imagesAlone(file, info, signal) {
  if (!(info.counts?.images > 0) || info.counts.triangles > 0 || formatOf(info)?.needs.length !== 0) return null;
  const name = info.file.split("/").at(-1);
  if (/^(png|jpeg|bmp)$/.test(info.format)) {
    const bytes = await client.bytes(file.path);
    return bytes && [{ name, blob: new Blob([bytes]) }];
  }
  const made = await file.convert("png", { png: "fast" }, undefined, { signal }).catch(() => null);
  return made && [{ name, blob: new Blob([made.bytes], { type: "image/png" }) }];
}

/** Draw hulls and the occluder, which a glTF cannot store. */
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
const showScene = (panel) => panel.replaceChildren(scene.element);
const panels = { summary: showSummary, scene: showScene, check: showCheck, materials: showMaterials, textures: showTextures, detail: showDetail,
                 comparison: showComparison };

function showAll() {
  panels[chosen]($("panel"), { ...shown, place: (at, count, file) => client.bytes(file ?? shown.path, at, count),
                               mark: (what) => viewer.mark(what), choose, locate, lookAt: (i) => textures.open(i),
                               sideBySide: (button) => toggleBeside(button) });
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

/** Show the location of a finding in the picture. */
async function locate(finding) {
  const { path, gltf, info } = shown;
  if (!gltf) return;
  const found = await pointsOf(finding, info, (at, count) => client.bytes(path, at, count)), json = gltf.parser.json;
  if (shown.path !== path) return;
  viewer.point("finding", null);
  if (found) {
    const upward = up || (formatOf(info)?.zUp ? "z" : "y"), points = turned(found, upward);
    viewer.point("finding", points, { closed: true });
    viewer.fit(points);
    return say(`${plural(points.length / 3, "corner")} of this finding ${points.length === 3 ? "is" : "are"} marked in the picture`);
  }
  const part = partOf(finding, json);
  if (!part) return;
  const meshes = viewer.parts.filter((each) => part.material === each.material || part.mesh === each.index || part.node === each.node).map(({ mesh }) => mesh);
  viewer.mark({ meshes });
  if (meshes.length > 0) viewer.fit(meshes);
}

// Convert points from the file's axes to those of the picture.
function turned(points, upward) {
  const turn = { y: (x, y, z) => [x, y, z], z: (x, y, z) => [x, z, -y], x: (x, y, z) => [-y, x, z] }[upward];
  return Array.from({ length: points.length / 3 }, (_, i) => turn(...points.slice(3 * i, 3 * i + 3))).flat();
}

// -- Comparing ---------------------------------------------------------------------

let other = null; // the file that the shown file is compared with

function listOthers() {
  const paths = tree.files.filter((path) => path !== shown.path && modelFile.test(path));
  $("compare").replaceChildren(new Option("Compare with ...", ""),
    ...paths.map((path) => new Option(path, path)));
  $("compare").disabled = paths.length === 0;
}

async function compare(path) {
  const first = shown.path, files = [fileAt(first), fileAt(path)];
  say(`comparing ${first} and ${path} ...`);
  let report, infos;
  try {
    infos = await Promise.all(files.map((file) => file.info()));
    report = await client.compare(...files, { picture: true }).catch(() => client.compare(...files));
  } catch (fault) {
    return say(fault.message, true);
  }
  if (shown.path !== first) return; // another file was opened in the meantime
  other = path;
  shown.comparison = { ...report, infos, names: [first, path] };
  $("tab-comparison").hidden = false;
  choose("comparison");
  say("C shows the other one");
}

async function showOther() {
  if (!other) return;
  const next = other, { comparison } = shown, wasOpen = beside.isOpen;
  other = shown.path;
  await openPath(next, true);
  shown.comparison = comparison;
  if (wasOpen) await openBeside();
  if (chosen === "comparison") showAll();
}

async function openBeside() {
  try {
    await beside.open(other);
  } catch (fault) {
    beside.close();
    say(fault.message, true);
  }
}

async function toggleBeside(button) {
  if (beside.isOpen) beside.close();
  else await openBeside();
  button.setAttribute("aria-pressed", String(beside.isOpen));
}

$("compare").addEventListener("change", () => {
  const path = $("compare").value;
  $("compare").value = "";
  if (path) compare(path);
});

// -- Animations --------------------------------------------------------------------

/** Play the animation of a file with the shown model. */
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
  await timeline.choose(find());
  timeline.play(true);
}

// -- Controls ----------------------------------------------------------------------

const layers = ["wires", "joints", "hulls", "occluder", "grid"];

function setMode(mode) {
  $("mode").value = mode;
  viewer.setMode($("mode").value);
  beside.setMode($("mode").value);
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
function setFlat(on) {
  $("flat").setAttribute("aria-pressed", String(on));
  viewer.orthographic = on;
  updateLink();
}
function setTool(name, on) {
  for (const [each, tool] of Object.entries(tools)) {
    const isChosen = each === name && on;
    if (tool.on !== isChosen) tool.set(isChosen);
    $(each).setAttribute("aria-pressed", String(isChosen));
  }
  if (name === "fly" && on) say("W, A, S, D, Q and E fly; Shift is faster; a drag looks around; Escape ends it");
}
function closeTools() {
  beside.close();
  for (const name of Object.keys(tools)) if (isOn(name)) setTool(name, false);
}
async function setUp(axis) {
  up = axis;
  $("up").value = axis;
  if (shown?.gltf) await openPath(shown.path);
}
$("flat").addEventListener("click", () => setFlat(!isOn("flat")));
for (const name of Object.keys(tools)) $(name).addEventListener("click", () => setTool(name, !isOn(name)));
$("up").addEventListener("change", () => setUp($("up").value).catch((fault) => say(fault.message, true)));
for (const name of Object.keys(samples)) {
  $(`sample-${name}`).addEventListener("click", () => take(samples[name]()).catch((fault) => say(fault.message, true)));
}
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
  scene.reveal(hit?.object);
  $("picked").textContent = hit ? [hit.mesh || "mesh", hit.material && `material ${hit.material}`, hit.joint && `joint ${hit.joint}`,
    `triangle ${hit.face.toLocaleString()}`].filter(Boolean).join(", ") : "";
};
let background = 0;
followTheme($("theme"), (color) => {
  background = color;
  viewer.background = color;
  if (beside.viewer) beside.viewer.background = color;
});
listenForKeys($("canvas"), {
  f: () => viewer.fit(), w: () => setLayer("wires", !isOn("wires")), g: () => setLayer("grid", !isOn("grid")),
  j: () => setLayer("joints", !isOn("joints")), h: () => setLayer("hulls", !isOn("hulls")),
  o: () => setLayer("occluder", !isOn("occluder")), c: () => showOther(), t: () => $("theme").click(),
  m: () => setMode($("mode").options[($("mode").selectedIndex + 1) % $("mode").options.length].value),
  "?": () => $("keys").showModal(), " ": () => timeline.play(!viewer.playing),
  ",": () => timeline.step(-1), ".": () => timeline.step(1), p: () => setFlat(!isOn("flat")),
  r: () => setTool("measure", !isOn("measure")), v: () => setTool("fly", !isOn("fly")), escape: () => closeTools(),
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

// -- Links -------------------------------------------------------------------------

const state = () => ({ models: addresses, mode: $("mode").value, layers: layers.filter(isOn), view: viewer.view, tab: chosen,
                       clip: viewer.duration > 0 ? Number($("clip").value) : null, time: viewer.time, up, flat: isOn("flat"),
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
  const { models, mode, layers: on, view, tab, clip, time, embedded, up: axis, flat } = readLink(location.hash);
  document.body.classList.toggle("embedded", embedded);
  if (mode) setMode(mode);
  if (flat) setFlat(true);
  if (axis !== up) await setUp(axis);
  if (on) for (const name of layers) setLayer(name, on.includes(name));
  if (tab && panels[tab] && tab !== "comparison") choose(tab);
  if (models.length > 0 && models.join(" ") !== addresses.join(" ")) {
    say(`fetching ${models[0]} ...`);
    const entries = await sources.fetch(models);
    addresses = models;
    await take(entries);
  }
  if (clip !== null && viewer.clips[clip]) {
    await timeline.choose(clip);
    viewer.seek(time);
  }
  if (view) viewer.view = view;
}

// -- Start -------------------------------------------------------------------------

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
  if (shown?.path) return; // a link has opened a model
  await client.warm().catch(() => {});
}

addEventListener("hashchange", () => follow().catch((fault) => say(fault.message, true)));

const begun = begin().catch((fault) => {
  ready = true;
  say(fault.message, true);
});

/** For tests: state and actions of the page. */
window.facet = {
  ready: begun, warm: begun.then(warm),
  take, viewer, openPath, saving, scene, textures, beside, samples, archives,
  save: (format) => saving.convert(`saved${formats.find((each) => each.name === format)?.extensions?.[0] ?? `.${format}`}`),
  chooseClip: (index) => timeline.choose(index), setMode, setLayer, compare, showOther,
  bytes: (...place) => client.bytes(...place),
  get shown() { return shown; },
  clear: async () => {
    opening.abort(new DOMException("cleared", "AbortError"));
    tree.clear();
    animations = [];
    archives.clear();
    up = $("up").value = "";
    reset(null);
    document.body.dataset.state = "empty";
    await client.clear();
  },
};

if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("offline.js").catch(() => {});
