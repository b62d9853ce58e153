// The page: files in, a picture and the findings out. All work on files is done by the
// library in a worker; this file only shows what it says.

import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { FacetClient } from "facet-mesh/client";

import { readDrop } from "./drop.js";
import { showCheck, showDetail, showMaterials, showSummary, showTextures } from "./panels.js";
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
let formats = [];

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

// -- Opening -----------------------------------------------------------------------

const sideFiles = /\.(mtl|png|jpe?g|tga|bmp|bin|json|hdr|dds|txt)$/i;

/** Take files in: pairs of path and bytes. */
async function take(entries) {
  if (entries.length === 0) return;
  say(`reading ${entries.length === 1 ? entries[0][0] : `${entries.length} files`} ...`);
  await client.put(entries);
  for (const [path, bytes] of entries) tree.add(path, bytes.length);
  document.body.dataset.state = "files";
  const first = entries.find(([path]) => !sideFiles.test(path)) ?? entries[0];
  // A texture that was missing: the same model again, now with it.
  const path = shown && entries.every(([name]) => sideFiles.test(name)) ? shown.path : first[0];
  await openPath(path);
}

async function openPath(path) {
  const number = ++opening;
  tree.select(path);
  say(`opening ${path} ...`);
  try {
    const described = await client.run(["info", "--json", path]);
    if (number !== opening) return;
    const info = json(described.output)[0];
    if (!info || info.error) {
      reset(path);
      say(`${path}: ${info?.error?.message ?? sentence(described.errors)}`, true);
      return;
    }
    if (info.detail?.members || info.detail?.entries || formatOf(info)?.folder) {
      await openArchive(path, info);
      return;
    }
    await show(path, info, number);
  } catch (fault) {
    if (fault.name !== "AbortError") say(`${path}: ${fault.message}`, true);
  }
}

function formatOf(info) {
  return formats.find((format) => format.name === info.format);
}

async function openArchive(path, info) {
  const listed = await client.run(["info", "--json", "-v", path]);
  const members = membersOf(json(listed.output)[0] ?? info);
  for (const member of members) tree.add(`${path}/${member.path}`, member.bytes);
  tree.expand(path);
  shown = { path, info, members };
  const model = members.find((member) => /\.(bdl|bmd|bsm|bpx|glb|gltf|obj|bga|binarymesh)$/i.test(member.path));
  if (model) await openPath(`${path}/${model.path}`);
  else {
    reset(path);
    showAll();
    say(`${path}: ${members.length} files`);
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

function reset(path) {
  viewer.clear();
  shown = { path };
  $("file-name").textContent = path;
  $("timeline").hidden = true;
  $("save-format").disabled = true;
  showAll();
}

async function show(path, info, number) {
  $("file-name").textContent = path;
  const started = performance.now();
  const made = await client.run(["convert", "--to", "glb", path, ".facet/out.glb"]);
  if (number !== opening) return;
  const glb = made.files.get("out.glb");
  shown = { path, info, errors: made.errors, missing: made.missing };
  if (glb) {
    const gltf = await new GLTFLoader().parseAsync(glb.buffer, "");
    if (number !== opening) return;
    shown.gltf = gltf;
    viewer.show(gltf);
    document.body.dataset.state = "model";
    const counts = info.counts;
    say(`${counts.triangles.toLocaleString()} triangles, ${Math.round(performance.now() - started)} ms` +
        (made.missing.length > 0 ? `; not found: ${made.missing.slice(0, 4).join(", ")} (drop them, too)` : ""));
  } else {
    viewer.clear();
    document.body.dataset.state = "files";
    say(`${path}: ${sentence(made.errors)}`, true);
  }
  showClips();
  $("save-format").disabled = false;
  showAll();
  const checked = await client.run(["check", "--json", path]);
  if (number !== opening) return;
  shown.report = json(checked.output)[0];
  showBadge();
  if (chosen === "check") showAll();
}

// -- Panels ------------------------------------------------------------------------

let chosen = "summary";
const panels = { summary: showSummary, check: showCheck, materials: showMaterials, textures: showTextures, detail: showDetail };

function showAll() {
  panels[chosen]($("panel"), shown ?? {});
  $("panel").setAttribute("aria-labelledby", `tab-${chosen}`);
}

function showBadge() {
  const { errors = 0, warnings = 0 } = shown.report ?? {};
  $("badge").textContent = shown.report ? (errors || warnings || "\u2713") : "";
  $("badge").className = errors ? "error" : warnings ? "warning" : "good";
  $("badge").setAttribute("aria-label", `${errors} errors, ${warnings} warnings`);
}

for (const tab of $("tabs").children) {
  tab.addEventListener("click", () => {
    chosen = tab.id.slice(4);
    for (const each of $("tabs").children) each.setAttribute("aria-selected", String(each === tab));
    showAll();
  });
}
$("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...$("tabs").children], at = tabs.indexOf(document.activeElement);
  const next = tabs[(at + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
});

// -- Animations --------------------------------------------------------------------

function showClips() {
  const clips = viewer.clips;
  $("timeline").hidden = clips.length === 0;
  $("clip").replaceChildren(...clips.map((name, i) => new Option(name, i)));
  if (clips.length > 0) viewer.choose(0);
}

viewer.onTime = (time, duration) => {
  $("time").max = duration || 1;
  $("time").value = time;
  $("time-text").value = `${time.toFixed(2)} s`;
};

function play(on) {
  viewer.play(on);
  $("play").textContent = viewer.playing ? "\u275A\u275A" : "\u25B6";
  $("play").setAttribute("aria-label", viewer.playing ? "Pause" : "Play");
}

$("play").addEventListener("click", () => play(!viewer.playing));
$("clip").addEventListener("change", () => viewer.choose(Number($("clip").value)));
$("time").addEventListener("input", () => {
  play(false);
  viewer.seek(Number($("time").value));
});
$("speed").addEventListener("change", () => viewer.setSpeed(Number($("speed").value)));

// -- Controls ----------------------------------------------------------------------

function toggle(button, act) {
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  act(on);
}

function setMode(mode) {
  $("mode").value = mode;
  viewer.setMode(mode);
}

$("mode").addEventListener("change", () => viewer.setMode($("mode").value));
$("joints").addEventListener("click", () => toggle($("joints"), (on) => viewer.setJoints(on)));
$("grid").addEventListener("click", () => toggle($("grid"), (on) => viewer.setGrid(on)));
$("fit").addEventListener("click", () => viewer.fit());
$("help").addEventListener("click", () => $("keys").showModal());
$("open").addEventListener("click", () => $("picker").click());
$("picker").addEventListener("change", async () => {
  await take(await Promise.all([...$("picker").files].map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())])));
  $("picker").value = "";
});
viewer.onPick = (hit) => {
  $("picked").textContent = hit ? `${hit.mesh || "mesh"}, ${hit.material || "no material"}, triangle ${hit.face}` : "";
};

const keys = {
  f: () => viewer.fit(), w: () => setMode($("mode").value === "wireframe" ? "shaded" : "wireframe"),
  g: () => $("grid").click(), j: () => $("joints").click(), "?": () => $("keys").showModal(), " ": () => play(!viewer.playing),
  ",": () => viewer.seek(viewer.time - 1 / 30), ".": () => viewer.seek(viewer.time + 1 / 30),
  "+": () => viewer.turn(0, 0, 1), "=": () => viewer.turn(0, 0, 1), "-": () => viewer.turn(0, 0, -1),
};
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

document.addEventListener("keydown", (event) => {
  const inField = /^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(event.target.tagName) || $("keys").open;
  if (inField || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = event.target === $("canvas") || event.target === document.body ? arrows[event.key] : undefined;
  if (arrow) viewer.turn(arrow[0], arrow[1], 0, event.shiftKey);
  else if (keys[event.key.toLowerCase()]) keys[event.key.toLowerCase()]();
  else return;
  event.preventDefault();
});

// -- Dropping ----------------------------------------------------------------------

let depth = 0; // of elements that the pointer entered and did not leave
const isFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
addEventListener("dragenter", (event) => {
  if (!isFile(event)) return;
  depth++;
  document.body.classList.add("dragging");
});
addEventListener("dragleave", () => {
  depth = Math.max(0, depth - 1);
  if (depth === 0) document.body.classList.remove("dragging");
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", async (event) => {
  event.preventDefault();
  depth = 0;
  document.body.classList.remove("dragging");
  try {
    await take(await readDrop(event.dataTransfer));
  } catch (fault) {
    say(fault.message, true);
  }
});

// -- Saving ------------------------------------------------------------------------

function offer(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** Convert what is shown; the files that were written, by their names. */
async function save(format) {
  const stem = shown.path.split("/").at(-1).replace(/\.[^.]*$/, "");
  const extension = formats.find((each) => each.name === format)?.extensions?.[0] ?? `.${format}`;
  const result = await client.run(["convert", "--to", format, shown.path, `.facet/${stem}${extension}`]);
  if (result.status !== 0) throw new Error(sentence(result.errors));
  return result;
}

$("save-format").addEventListener("change", async () => {
  const format = $("save-format").value;
  $("save-format").value = "";
  if (!format || !shown) return;
  try {
    const { files, errors } = await save(format);
    for (const [name, bytes] of files) offer(name, bytes);
    const lost = errors.split("\n").filter((line) => line.includes("warning"));
    say(`saved ${[...files.keys()].join(", ")}${lost.length > 0 ? `; ${lost.length} warnings: ${sentence(lost.join("\n"))}` : ""}`);
  } catch (fault) {
    say(fault.message, true);
  }
});

// -- Links -------------------------------------------------------------------------

/** What a link says: #model=URL&mode=wireframe&view=... */
async function follow() {
  const state = new URLSearchParams(location.hash.slice(1));
  if (state.get("mode")) setMode(state.get("mode"));
  if (state.get("model")) {
    const address = state.get("model"), response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
    await take([[address.split("/").at(-1) || "model", new Uint8Array(await response.arrayBuffer())]]);
  }
  if (state.get("view")) viewer.view = state.get("view").split(",").map(Number);
}

// -- Beginning ---------------------------------------------------------------------

async function begin() {
  formats = json((await client.run(["formats", "--json"])).output);
  for (const format of formats) {
    const writes = format.write ?? format.writes;
    if (writes && !format.folder) $("save-format").append(new Option(format.name, format.name));
  }
  await follow();
}

/** For tests: what a person would see and do. */
window.facet = {
  ready: begin().catch((fault) => say(fault.message, true)),
  take, save, viewer, openPath, setMode,
  get shown() { return shown; },
  memory: () => client.memory(),
  clear: async () => {
    viewer.clear();
    tree.clear();
    shown = null;
    document.body.dataset.state = "empty";
    await client.clear();
  },
};

if ("serviceWorker" in navigator && location.protocol === "https:") navigator.serviceWorker.register("offline.js");
