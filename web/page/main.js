// The page: files in, a picture and the findings out. All work on files is done by the
// library in a worker; this file only shows what it says.

import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { FacetClient } from "facet-mesh/client";

import { listenForDrops, readPicked } from "./drop.js";
import { listenForKeys } from "./keys.js";
import { showCheck, showComparison, showDetail, showMaterials, showSummary, showTextures } from "./panels.js";
import { readLink, writeLink } from "./link.js";
import { followTheme } from "./theme.js";
import { FileTree } from "./tree.js";
import { Viewer } from "./viewer.js";

const $ = (id) => document.getElementById(id);
const worker = () => new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const client = new FacetClient(worker);
const viewer = new Viewer($("canvas"));
const tree = new FileTree($("tree"), openPath);

/** What is shown: its path, what the library says of it, the glTF that is drawn. */
let shown = null;
let opening = 0;
let warming = false; // the worker makes itself ready: it will be needed
let formats = [];
let address = null; // where it came from, when a link said so
let animations = []; // paths of files that hold an animation alone

// -- Telling -----------------------------------------------------------------------

function say(text, fault = false) {
  $("status").textContent = text;
  $("status").classList.toggle("fault", fault);
}

/** The last sentence of what the program said on its error stream. */
function sentence(errors) {
  return errors.trim().split("\n").at(-1)?.replace(/^facet: /, "") ?? "";
}

const json = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
const plural = (count, word) => `${count.toLocaleString()} ${word}${count === 1 ? "" : "s"}`;

// -- Opening -----------------------------------------------------------------------

const sideFile = /\.(mtl|png|jpe?g|tga|bmp|bin|json|hdr|dds|txt)$/i;
const animationFile = /\.(bck|bca|btk|brk|bpk|btp|bva|blk|bla|bxk|bxa|bpa)$/i;
const modelFile = /\.(bdl|bmd|bsm|bpx|glb|gltf|obj|ply|stl|bga|binarymesh|mesh)$/i;

/** Take files in: pairs of path and bytes. */
async function take(entries) {
  if (entries.length === 0) return;
  say(`reading ${entries.length === 1 ? entries[0][0] : plural(entries.length, "file")} ...`);
  await client.put(entries);
  for (const [path, bytes] of entries) {
    tree.add(path, bytes.length);
    if (animationFile.test(path) && !animations.includes(path)) animations.push(path);
  }
  document.body.dataset.state = "files";
  // What only stands beside a model is for the one that is shown: a texture that was
  // missing, an animation.
  const beside = entries.every(([path]) => sideFile.test(path) || animationFile.test(path));
  const first = entries.find(([path]) => modelFile.test(path)) ?? entries.find(([path]) => !sideFile.test(path)) ?? entries[0];
  await openPath(beside && shown?.gltf ? shown.path : first[0]);
}

async function openPath(path, keepsView = false) {
  const number = ++opening;
  if (client.busy && !warming) client.cancel(); // what nobody waits for any more
  tree.select(path);
  $("progress").removeAttribute("value");
  say(`opening ${path} ...`);
  document.body.setAttribute("aria-busy", "true");
  try {
    const described = await client.run(["info", "--json", path]);
    if (number !== opening) return;
    const info = json(described.output)[0];
    if (!info || info.error) {
      reset(path);
      say(info?.error ? `${path}: ${info.error.message}` : sentence(described.errors), true);
    } else if (info.detail?.members || info.detail?.entries || formatOf(info)?.folder) {
      await openArchive(path, info);
    } else {
      await show(path, info, number, keepsView);
    }
  } catch (fault) {
    if (fault.name !== "AbortError") say(`${path}: ${fault.message}`, true);
  } finally {
    if (number === opening) document.body.removeAttribute("aria-busy");
  }
}

function cancel() {
  opening++;
  client.cancel();
  document.body.removeAttribute("aria-busy");
  reset(null);
  say("canceled");
}
$("cancel").addEventListener("click", cancel);

const formatOf = (info) => formats.find((format) => format.name === info.format);

async function openArchive(path, info) {
  const listed = await client.run(["info", "--json", "-v", path]);
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

// Shown when something takes longer; the bar begins anew with each step.
const progress = (step, fraction) => {
  $("progress").value = fraction;
  $("progress").title = step;
};

// Textures are unpacked at once, so that packing them would be for nothing.
const toDraw = ["--png", "none", "--to", "glb"];

// Models look as in `facet render`. Without normals, those of a glTF are flat, which three.js does
// itself; others have hard edges. STL has z up.
const asDrawn = (info) => [
  ...(/^(gltf|glb)$/.test(info.format) ? [] : ["--crease", "40"]),
  ...(formatOf(info)?.zUp ? ["--up", "z"] : []),
];

/** A GLB of a model, with the animations beside it that fit. */
async function toGlb(path, info) {
  const isJ3d = /^(bmd|bdl)$/.test(info.format), beside = isJ3d ? animations : [];
  let made = await client.run(["convert", ...toDraw, ...asDrawn(info), path, ...beside, ".facet/out.glb"], { progress });
  if (!made.files.has("out.glb") && beside.length > 0) { // one of them is not for this model
    const fitting = [];
    for (const animation of beside) {
      const checked = await client.run(["check", "-q", path, animation]);
      if (checked.status === 0) fitting.push(animation);
    }
    made = await client.run(["convert", ...toDraw, ...asDrawn(info), path, ...fitting, ".facet/out.glb"], { progress });
  }
  return made;
}

async function show(path, info, number, keepsView) {
  const started = performance.now();
  const made = await toGlb(path, info);
  if (number !== opening) return;
  const glb = made.files.get("out.glb");
  const gltf = glb ? await new GLTFLoader().parseAsync(glb.buffer, "") : null;
  const descriptions = gltf && gltf.parser.json.materials?.some((each) => each.extras?.j3d) ? await client.glsl(gltf.parser.json) : [];
  if (number !== opening) return;
  shown = { path, info, errors: made.errors, missing: made.missing, gltf, descriptions };
  $("file-name").textContent = path;
  $("picked").textContent = "";
  if (gltf) {
    await viewer.show(gltf, descriptions, { keepsView, motion: (file) => client.motion(gltf.parser.json, file).catch(() => null) });
    document.body.dataset.state = "model";
    shown.milliseconds = performance.now() - started;
    say(`${plural(info.counts.triangles, "triangle")}, ${Math.round(shown.milliseconds)} ms` +
        (made.missing.length > 0 ? `; not found: ${made.missing.slice(0, 4).join(", ")} (drop them, too)` : ""));
  } else {
    viewer.clear();
    document.body.dataset.state = "files";
    say(sentence(made.errors), true);
  }
  await showClips();
  $("save-format").disabled = false;
  showBadge();
  showAll();
  listOthers();
  await addOverlays(path, info, number);
  const checked = await client.run(["check", "--json", path]);
  if (number !== opening) return;
  shown.report = json(checked.output)[0];
  showBadge();
  if (chosen === "check") showAll();
}

/** Hulls and the occluder, which glTF has no place for. */
async function addOverlays(path, info, number) {
  const some = /^(bsm|obj|binarymesh|gltf|glb)$/.test(info.format) && shown.gltf;
  const overlays = some ? await client.overlays(path) : [];
  if (number !== opening) return;
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
  panels[chosen]($("panel"), { ...shown, place: (at, count) => client.bytes(shown.path, at, count), mark: (what) => viewer.mark(what) });
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
  const result = await client.run(["compare", "--json", first, path]);
  const report = json(result.output)[0];
  if (!report || report.error) return say(sentence(result.errors) || report.error.message, true);
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
    await take(await readPicked($(id).files));
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
listenForDrops(async (entries) => {
  try {
    address = null;
    await take(await entries);
  } catch (fault) {
    say(fault.message, true);
  }
});

// -- Saving ------------------------------------------------------------------------

function offer(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const stem = () => shown.path.split("/").at(-1).replace(/\.[^.]*$/, "");

/** Convert what is shown; the files that were written, by their names. */
async function save(format) {
  const extension = formats.find((each) => each.name === format)?.extensions?.[0] ?? `.${format}`;
  const result = await client.run(["convert", "--to", format, shown.path, `.facet/${stem()}${extension}`]);
  if (result.status !== 0) throw new Error(sentence(result.errors));
  return result;
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
    const { files, errors } = await save(format);
    for (const [name, bytes] of files) offer(name, new Blob([bytes]));
    const lost = errors.split("\n").filter((line) => line.includes("warning"));
    say(`saved ${[...files.keys()].join(", ")}${lost.length > 0 ? `; ${plural(lost.length, "warning")}: ${sentence(lost.join("\n"))}` : ""}`);
  } catch (fault) {
    say(fault.message, true);
  }
});

// -- Links -------------------------------------------------------------------------

const state = () => ({ model: address, mode: $("mode").value, layers: layers.filter(isOn), view: viewer.view, tab: chosen,
                       clip: viewer.duration > 0 ? Number($("clip").value) : null, time: viewer.time });

function updateLink() {
  if (ready) history.replaceState(null, "", writeLink(state()));
}
viewer.onMove = updateLink;

$("link").addEventListener("click", async () => {
  updateLink();
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  say(address ? "the link is copied" : "the link is copied: it has the view, not the file, which stays on this computer");
});

async function follow() {
  const { model, mode, layers: on, view, tab, clip, time } = readLink(location.hash);
  if (mode) setMode(mode);
  if (on) for (const name of layers) setLayer(name, on.includes(name));
  if (tab && panels[tab] && tab !== "comparison") choose(tab);
  if (model) {
    const response = await fetch(model).catch((fault) => {
      throw new Error(`${model} cannot be fetched from here (${fault.message}): its server may not allow it`);
    });
    if (!response.ok) throw new Error(`${model}: ${response.status} ${response.statusText}`);
    address = model;
    await take([[new URL(model, location.href).pathname.split("/").at(-1) || "model", new Uint8Array(await response.arrayBuffer())]]);
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
  formats = json((await client.run(["formats", "--json"])).output);
  for (const format of formats) if (format.write && !format.folder) $("save-format").append(new Option(format.name, format.name));
  $("save-format").append(new Option("picture (png)", "picture"));
  choose("summary");
  await follow();
  ready = true;
}

async function warm() {
  if (shown) return; // by a link
  warming = true;
  await client.warm().catch(() => {});
  warming = false;
}

const begun = begin().catch((fault) => {
  ready = true;
  say(fault.message, true);
});

/** For tests: what a person would see and do. */
window.facet = {
  ready: begun, warm: begun.then(warm),
  take, save, viewer, openPath, chooseClip, setMode, setLayer, compare, showOther,
  get shown() { return shown; },
  clear: async () => {
    opening++;
    if (client.busy && !warming) client.cancel();
    tree.clear();
    animations = [];
    reset(null);
    document.body.dataset.state = "empty";
    await client.clear();
  },
};

if ("serviceWorker" in navigator && window.isSecureContext) navigator.serviceWorker.register("offline.js").catch(() => {});
