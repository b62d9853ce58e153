// <facet-viewer src="model.bdl" animations="walk.bck walk.btk" autoplay
// camera-controls></facet-viewer>
//
// Attributes and events have the names of <model-viewer>.

import { FacetError, load } from "facet-mesh";
import { FacetLoader } from "../three/index.js";
import { modes } from "./looks.js";
import { Viewer } from "./viewer.js";

const style = `
:host { display: block; position: relative; width: 300px; height: 150px; contain: content; }
:host([hidden]) { display: none; }
div, img, p { position: absolute; inset: 0; width: 100%; height: 100%; }
canvas { width: 100%; height: 100%; display: block; touch-action: none; }
canvas:focus-visible { outline: 2px solid; outline-offset: -2px; }
img { object-fit: contain; }
p { margin: 0; box-sizing: border-box; padding: 1rem; display: grid; place-content: center; text-align: center; font: 14px system-ui, sans-serif; }
[hidden] { display: none; }`;

function part(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}

let library = null; // shared by all elements

/** An element that shows a model. */
export class FacetViewerElement extends HTMLElement {
  static observedAttributes = ["src", "animations", "animation-name", "autoplay", "alt", "background", "camera-controls", "mode", "poster"];
  /** The library for all elements: a `Facet` or a `FacetClient`. Default: call `load()`. */
  static set library(value) {
    library = value;
  }

  #canvas = part("canvas", { tabIndex: 0 });
  #poster = part("img", { hidden: true, alt: "" });
  #message = part("p", { hidden: true });
  #viewer = null;
  #model = null;
  #number = 0; // of the loaded model
  #wanted = false;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" }), box = part("div");
    box.append(this.#canvas);
    this.#canvas.setAttribute("role", "img");
    this.#message.setAttribute("role", "alert");
    root.append(part("style", { textContent: style }), box, this.#poster, this.#message);
  }

  connectedCallback() {
    if (this.#viewer) return;
    this.#showPoster();
    try {
      this.#viewer = new Viewer(this.#canvas);
    } catch (fault) {
      return this.#fail(fault, "This browser has no WebGL 2, or it is turned off.");
    }
    this.#viewer.onTime = () => this.dispatchEvent(new Event("timeupdate"));
    this.#viewer.onMove = () => this.dispatchEvent(new Event("camera-change"));
    this.#viewer.setLayer("grid", false);
    for (const name of ["alt", "background", "camera-controls", "mode"]) this.#apply(name);
    this.#reload();
  }

  disconnectedCallback() {
    queueMicrotask(() => { // a moved element is connected again by now
      if (this.isConnected || !this.#viewer) return;
      this.#number++;
      this.#viewer.dispose();
      this.#viewer = this.#model = null;
      const fresh = part("canvas", { tabIndex: 0 }); // the old canvas has lost its context
      fresh.setAttribute("role", "img");
      this.#canvas.replaceWith(fresh);
      this.#canvas = fresh;
    });
  }

  attributeChangedCallback(name, before, after) {
    if (!this.#viewer || before === after) return;
    if (name === "src" || name === "animations") this.#reload();
    else this.#apply(name);
  }

  #apply(name) {
    const value = this.getAttribute(name), viewer = this.#viewer;
    if (name === "alt") this.#canvas.setAttribute("aria-label", value ?? "3D model");
    if (name === "background") viewer.background = value ?? "transparent";
    if (name === "camera-controls") viewer.controls = value !== null;
    if (name === "mode") viewer.setMode(this.#valid(name, modes) ?? "shaded");
    if (name === "poster") this.#showPoster();
    if (name === "animation-name" && this.#model) this.#choose();
    if (name === "autoplay" && this.#model && value !== null) this.play();
  }

  // The value of an attribute; null if it is missing or not valid.
  #valid(name, valid) {
    const value = this.getAttribute(name);
    if (value === null || valid.includes(value)) return value;
    const fault = new FacetError(`unknown ${name} '${value}' (valid: ${valid.join(", ") || "none"})`, { status: 2 });
    console.warn(`<facet-viewer>: ${fault.message}`);
    this.dispatchEvent(new CustomEvent("error", { detail: { type: "attribute", sourceError: fault } }));
    return null;
  }

  #showPoster() {
    const poster = this.getAttribute("poster");
    if (poster) this.#poster.src = poster;
    this.#poster.hidden = !poster || this.#model !== null;
  }

  // Load once, even if several attributes change.
  #reload() {
    if (this.#wanted) return;
    this.#wanted = true;
    queueMicrotask(() => {
      this.#wanted = false;
      if (this.#viewer) this.#load();
    });
  }

  async #load() {
    const number = ++this.#number, src = this.getAttribute("src");
    this.#model = null;
    this.#viewer.clear();
    this.#message.hidden = true;
    this.#showPoster();
    if (!src) return;
    try {
      library ??= await load();
      const loader = new FacetLoader().setLibrary(library).setAnimations((this.getAttribute("animations") ?? "").split(/\s+/).filter(Boolean));
      loader.maxTextureSize = this.#viewer.maxTextureSize;
      const model = await loader.loadAsync(src, ({ loaded, total }) =>
        this.dispatchEvent(new CustomEvent("progress", { detail: { totalProgress: total > 0 ? loaded / total : 0 } })));
      if (number !== this.#number || !this.#viewer) return;
      await this.#viewer.show(model);
      this.#model = model;
      this.dispatchEvent(new CustomEvent("progress", { detail: { totalProgress: 1 } })); // the size may be unknown until now
      this.#showPoster();
      await this.#choose();
      this.dispatchEvent(new CustomEvent("load", { detail: { url: src } }));
    } catch (fault) {
      if (number === this.#number) this.#fail(fault, `${src}: ${fault.message}`);
    }
  }

  #fail(fault, text) {
    this.#message.textContent = text;
    this.#message.hidden = false;
    this.dispatchEvent(new CustomEvent("error", { detail: { type: "loadfailure", sourceError: fault } }));
  }

  async #choose() {
    const names = this.availableAnimations, wanted = this.#valid("animation-name", names);
    if (names.length === 0) return;
    await this.#viewer.choose(Math.max(0, names.indexOf(wanted)));
    if (this.hasAttribute("autoplay")) this.play();
  }

  // -- Members of <model-viewer> ----------------------------------------------------------

  get src() {
    return this.getAttribute("src");
  }
  set src(value) {
    this.setAttribute("src", value);
  }
  get loaded() {
    return this.#model !== null;
  }
  /** The result of FacetLoader; null until a model is loaded. */
  get model() {
    return this.#model;
  }
  get availableAnimations() {
    return this.#viewer?.clips ?? [];
  }
  get duration() {
    return this.#viewer?.duration ?? 0;
  }
  get currentTime() {
    return this.#viewer?.time ?? 0;
  }
  set currentTime(seconds) {
    this.#viewer?.seek(seconds);
  }
  get paused() {
    return !this.#viewer?.playing;
  }
  play() {
    this.#viewer?.play(true);
    this.dispatchEvent(new Event("play"));
  }
  pause() {
    this.#viewer?.play(false);
    this.dispatchEvent(new Event("pause"));
  }
  /** Show the whole model. */
  resetView() {
    this.#viewer?.fit();
  }
  /** The current picture as PNG. */
  toBlob() {
    this.#viewer?.pixels(); // draw now, so that the canvas has the picture
    return new Promise((resolve) => this.#canvas.toBlob(resolve));
  }
}

if (!customElements.get("facet-viewer")) customElements.define("facet-viewer", FacetViewerElement);

