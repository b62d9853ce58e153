// The viewer: a three.js scene that is drawn only after a change.

import * as THREE from "three";

import { orderConsole } from "../three/console.js";
import { Eye } from "./eye.js";
import { addLight } from "./light.js";
import { disposeMaterial, lookOf, nothing, overlayOf, wireOf, wires } from "./looks.js";
import { Overdraw } from "./overdraw.js";
import { hitOf, Pointers } from "./pointers.js";

const mostWires = 2e6; // triangles; larger models have no wireframe

export class Viewer {
  #renderer;
  #scene = new THREE.Scene();
  #eye;
  #sizes;
  #light;
  #model = null;
  #parser = null;
  #meshes = [];
  #own = new Map(); // usual material of each mesh: from the glTF, or the console
  #console = new Map(); // meshes with console materials
  #looks = []; // materials of the current mode
  #layers = { wires: false, joints: false, grid: true, hulls: false, occluder: false };
  #picture = null; // texture of the mode "texture"
  #hidden = new Set(); // meshes that the user hid
  #pointers = new Pointers(this.#scene);
  #overdraw = new Overdraw();
  #wires = [];
  #marks = [];
  #overlays = [];
  #skeleton = null;
  #grid = null;
  #motion = null;
  #playing = false;
  #speed = 1;
  #wanted = false;
  #last = 0;
  #mode = "shaded";
  #box = new THREE.Box3();
  #sphere = new THREE.Sphere(new THREE.Vector3(), 1);
  onTime = () => {};
  onPick = () => {};
  onMove = () => {};
  onFrame = () => {};

  constructor(canvas) {
    this.#renderer = new THREE.WebGLRenderer({ canvas, alpha: true, antialias: true, preserveDrawingBuffer: true });
    this.#renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.#renderer.toneMapping = THREE.NeutralToneMapping;
    this.#eye = new Eye(canvas, () => this.draw(), () => this.onMove());
    this.#light = addLight(this.#scene, this.#eye.camera, this.#renderer);
    this.#sizes = new ResizeObserver(() => this.#resize());
    this.#sizes.observe(canvas.parentElement);
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.#light.remake();
      this.draw();
    });
    canvas.addEventListener("dblclick", (event) => this.#focus(event));
    let down = [0, 0];
    canvas.addEventListener("pointerdown", (event) => { down = [event.clientX, event.clientY]; });
    canvas.addEventListener("click", (event) => { // not after a drag
      if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4) this.#pick(event);
    });
    this.#resize();
  }

  /** Maximum width and height of textures. */
  get maxTextureSize() {
    return this.#renderer.capabilities.maxTextureSize;
  }

  /** True: the pointer turns the model. */
  set controls(on) {
    this.#eye.controls.enabled = on;
  }

  /** A color, or "transparent": the page shows through. */
  set background(color) {
    this.#scene.background = color === "transparent" ? null : new THREE.Color(color);
    this.draw();
  }

  // -- Frames ------------------------------------------------------------------------

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#renderer.domElement.parentElement;
    if (width === 0 || height === 0) return;
    this.#renderer.setSize(width, height, false);
    this.#eye.setLens(width / height);
    this.draw();
  }

  /** Request one frame. */
  draw() {
    if (this.#wanted) return;
    this.#wanted = true;
    requestAnimationFrame((now) => this.#frame(now));
  }

  #frame(now) {
    this.#wanted = false;
    const passed = Math.min(0.1, (now - this.#last) / 1000);
    this.#last = now;
    if (this.#playing) {
      this.#motion.advance(passed * this.#speed);
      this.onTime(this.time, this.duration);
    }
    const moving = this.#eye.step(passed);
    this.#render();
    if (this.#playing || moving) this.draw();
    this.onFrame();
  }

  #render() {
    const camera = this.#eye.prepare(this.#sphere);
    this.#light.turn();
    for (const mesh of this.#meshes) mesh.visible = this.#isSeen(mesh);
    if (this.#mode === "shaded") orderConsole(this.#console, camera);
    this.#renderer.render(this.#scene, camera);
    if (this.#mode === "overdraw" && this.#model) this.#overdraw.render(this.#renderer, this.#model, camera);
  }

  // -- The model ---------------------------------------------------------------------

  /**
   * Show a model.
   *
   * @param {object} gltf result of `readModel()`
   * @param {{keepsView?: boolean}} [how]
   */
  async show(gltf, { keepsView = false } = {}) {
    this.clear();
    this.#model = gltf.scene;
    this.#parser = gltf.parser;
    this.#console = gltf.facet.console;
    this.#scene.add(this.#model);
    this.#model.updateMatrixWorld(true);
    this.#model.traverse((object) => {
      if (!object.isMesh) return;
      this.#meshes.push(object);
      const colored = object.geometry.attributes.color !== undefined;
      const none = this.materialIndex(object) === undefined ? Object.assign(nothing(object), { vertexColors: colored }) : null;
      this.#own.set(object, this.#console.get(object) ?? none ?? object.material);
      for (const material of [object.material].flat()) if (material.isMeshBasicMaterial) material.toneMapped = false;
      object.frustumCulled = false; // joints move vertices out of their boxes
    });
    this.#box.setFromObject(this.#model, true).getBoundingSphere(this.#sphere);
    if (!(this.#sphere.radius > 0)) this.#sphere.radius = 1;
    this.#motion = gltf.facet.motion;
    this.#makeGrid();
    this.setMode(this.#mode);
    for (const name of Object.keys(this.#layers)) this.setLayer(name, this.#layers[name]);
    if (!keepsView) this.fit();
  }

  clear() {
    this.#playing = false;
    this.#motion?.dispose();
    this.#motion = null;
    this.mark(null);
    this.#pointers.clear();
    this.#hidden.clear();
    this.picture = null;
    this.#dropWires();
    this.#dropLooks();
    this.setOverlays([]);
    if (this.#skeleton) {
      this.#scene.remove(this.#skeleton);
      this.#skeleton.dispose();
      this.#skeleton = null;
    }
    for (const material of this.#console.values()) {
      for (const { value } of Object.values(material.uniforms)) if (value?.isTexture) {
        value.source?.data?.close?.();
        value.dispose();
      }
      material.dispose();
    }
    this.#model?.traverse((object) => {
      object.geometry?.dispose();
      object.skeleton?.dispose();
      for (const material of [object.material ?? []].flat()) disposeMaterial(material);
    });
    for (const material of this.#own.values()) if (!material.uniforms) disposeMaterial(material);
    if (this.#model) this.#scene.remove(this.#model);
    this.#model = this.#parser = null;
    this.#meshes = [];
    this.#own.clear();
    this.#console.clear();
    this.draw();
  }

  /** Release the graphics context. The viewer cannot be used afterwards. */
  dispose() {
    this.clear();
    this.#sizes.disconnect();
    this.#eye.controls.dispose();
    this.#overdraw.dispose();
    this.#scene.environment?.dispose();
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
  }

  #makeGrid() {
    if (this.#grid) {
      this.#scene.remove(this.#grid);
      this.#grid.dispose();
    }
    const wanted = this.#sphere.radius * 4, power = 10 ** Math.floor(Math.log10(wanted));
    const size = [1, 2, 5, 10].find((step) => step * power >= wanted) * power;
    this.#grid = new THREE.GridHelper(size, 20, 0x888888, 0x888888);
    this.#grid.material.transparent = true;
    this.#grid.material.opacity = 0.22;
    this.#grid.material.toneMapped = false;
    this.#grid.position.set(this.#sphere.center.x, this.#box.min.y, this.#sphere.center.z);
    this.#grid.visible = this.#layers.grid;
    this.#scene.add(this.#grid);
  }

  // -- Display modes -----------------------------------------------------------------

  #dropLooks() {
    for (const look of this.#looks) look.dispose();
    this.#looks = [];
    for (const [mesh, material] of this.#own) mesh.material = material;
  }

  /** Index of a mesh's material in the glTF, or undefined. */
  materialIndex(mesh) {
    const { json, associations } = this.#parser, place = associations.get(mesh);
    return json.meshes?.[place?.meshes]?.primitives?.[place?.primitives ?? 0]?.material;
  }

  setMode(mode) {
    this.#mode = mode;
    this.#dropLooks();
    for (const mesh of this.#meshes) {
      const look = lookOf(mode, mesh, this.materialIndex(mesh), this.#picture);
      if (!look) continue;
      this.#looks.push(look);
      mesh.material = look;
    }
    this.draw();
  }

  /** Picture for the mode "texture", mapped by the first texture coordinates; null: none. */
  set picture(image) {
    this.#picture?.dispose();
    this.#picture = null;
    if (image) {
      this.#picture = Object.assign(new THREE.Texture(image), { flipY: false, colorSpace: THREE.SRGBColorSpace,
        wrapS: THREE.RepeatWrapping, wrapT: THREE.RepeatWrapping, needsUpdate: true });
    }
    if (this.#mode === "texture") this.setMode("texture");
  }

  #dropWires() {
    for (const wire of this.#wires) wire.removeFromParent();
    this.#wires[0]?.material.dispose();
    this.#wires = [];
  }

  /** Show or hide "wires", "joints", "grid", "hulls", "occluder". */
  setLayer(name, on) {
    this.#layers[name] = on;
    if (name === "wires") {
      this.#dropWires();
      if (on && this.numberOfTriangles <= mostWires) {
        const material = wires(0x101418, 0.55);
        this.#wires = this.#meshes.map((mesh) => this.#lay(wireOf(mesh, material), mesh));
      }
    } else if (name === "joints") {
      if (on && this.#model && !this.#skeleton) {
        this.#skeleton = new THREE.SkeletonHelper(this.#model);
        this.#skeleton.renderOrder = 1e6 + 2;
        this.#scene.add(this.#skeleton);
      }
      if (this.#skeleton) this.#skeleton.visible = on;
    } else if (name === "grid") {
      if (this.#grid) this.#grid.visible = on;
    } else {
      for (const mesh of this.#overlays) mesh.visible = this.#layers[mesh.name === "occluder" ? "occluder" : "hulls"];
    }
    this.draw();
  }

  #lay(wire, mesh) {
    mesh.add(wire);
    return wire;
  }

  /** Set hulls and the occluder: the result of overlays(). */
  setOverlays(list) {
    for (const mesh of this.#overlays) {
      mesh.removeFromParent();
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.#overlays = list.map(overlayOf);
    if (this.#overlays.length > 0) this.#scene.add(...this.#overlays);
    for (const name of ["hulls", "occluder"]) this.setLayer(name, this.#layers[name]);
  }

  /** Highlight meshes: a list of meshes, or those with a material. null: none. */
  mark(what) {
    for (const mark of this.#marks) mark.removeFromParent();
    this.#marks[0]?.material.dispose();
    this.#marks = [];
    if (what) {
      const material = wires(0x30d0c0, 0.8);
      const meshes = this.#meshes.filter((mesh) => what.meshes?.includes(mesh) || (what.material !== undefined && this.materialIndex(mesh) === what.material));
      this.#marks = meshes.map((mesh) => this.#lay(wireOf(mesh, material), mesh));
    }
    this.draw();
  }

  /**
   * Draw lines and points over the picture, by name: a measurement, a finding, a joint. Without
   * points, remove them.
   */
  point(name, points, { closed = false, under } = {}) {
    this.#pointers.set(name, points, { closed, under });
    this.draw();
  }

  /** The drawn meshes, with their node, mesh, primitive and material indices in the glTF. */
  get parts() {
    return this.#meshes.map((mesh) => {
      const { associations } = this.#parser, own = associations.get(mesh);
      let node;
      for (let at = mesh; at && node === undefined; at = at.parent) node = associations.get(at)?.nodes;
      return { mesh, node, index: own?.meshes, primitive: own?.primitives ?? 0, material: this.materialIndex(mesh) };
    });
  }

  /** The object of a node of the glTF, for example a joint. */
  nodeObject(index) {
    let found = null;
    this.#model?.traverse((object) => { if (this.#parser.associations.get(object)?.nodes === index) found ??= object; });
    return found;
  }

  /** Hide these meshes and show all others. */
  hide(meshes) {
    this.#hidden = new Set(meshes);
    this.draw();
  }
  get hidden() {
    return this.#hidden;
  }

  get numberOfTriangles() {
    return this.#meshes.reduce((sum, { geometry }) => sum + (geometry.index ?? geometry.attributes.position).count / 3, 0);
  }

  // -- The camera --------------------------------------------------------------------

  /**
   * Show the whole model from its front right, above. With meshes or points: center these and keep
   * the view direction.
   */
  fit(what) {
    const box = new THREE.Box3();
    if (typeof what?.[0] === "number") box.setFromArray(what);
    else for (const each of what ?? []) box.expandByObject(each, true);
    if (!what || box.isEmpty()) this.#eye.fit(this.#sphere);
    else this.#eye.approach(box.getBoundingSphere(new THREE.Sphere()), this.#sphere);
    this.draw();
  }

  /** Turn or move by steps, as keys do: to the right, up, and nearer. */
  turn(right, up, nearer, pan) {
    this.#eye.turn(right, up, nearer, pan);
    this.onMove();
    this.draw();
  }

  /** Fly in the held directions: right, up and forward. null ends the flight. */
  fly(steps) {
    this.#eye.fly(steps, this.#sphere);
    this.#last = performance.now();
    this.draw();
  }

  /** True for an orthographic camera. */
  get orthographic() {
    return this.#eye.orthographic;
  }
  set orthographic(on) {
    this.#eye.orthographic = on;
    this.draw();
  }

  /** Minimum and maximum distance of the camera from its target. */
  get reach() {
    return this.#eye.reach;
  }
  set reach(distances) {
    this.#eye.reach = distances;
  }

  /** The camera as numbers for links: position, then target. */
  get view() {
    return this.#eye.view;
  }
  set view(numbers) {
    if (this.#eye.look(numbers)) this.draw();
  }

  // -- Animations --------------------------------------------------------------------

  get clips() {
    return this.#motion?.names ?? [];
  }
  get duration() {
    return this.#motion?.duration ?? 0;
  }
  get time() {
    return this.#motion?.time ?? 0;
  }
  get playing() {
    return this.#playing;
  }

  /** Choose an animation by index, and set the time to 0. */
  async choose(index) {
    await this.#motion?.choose(index);
    this.seek(0);
  }
  play(on) {
    this.#playing = on && this.duration > 0;
    this.#last = performance.now();
    this.draw();
  }
  seek(time) {
    this.#motion?.seek(time);
    this.onTime(this.time, this.duration);
    this.draw();
  }
  /** True if pictures can be taken. */
  get hasPicture() {
    return true;
  }
  setSpeed(factor) {
    this.#speed = factor;
  }

  // Helpers of console effects are invisible, and so are meshes that an animation or the user
  // hides.
  #isSeen(mesh) {
    return !(this.#mode === "shaded" && this.#own.get(mesh).userData.skipped) && !this.#motion.hides(mesh) && !this.#hidden.has(mesh);
  }

  // -- Picking -----------------------------------------------------------------------

  #hit(event) {
    return this.#model ? hitOf(event, this.#renderer.domElement, this.#eye.prepare(this.#sphere), this.#model,
      (mesh) => this.#own.has(mesh) && this.#isSeen(mesh)) : undefined;
  }
  #focus(event) {
    const hit = this.#hit(event);
    if (!hit) return;
    this.#eye.center(hit.point);
    this.onMove();
    this.draw();
  }
  #pick(event) {
    const hit = this.#hit(event);
    if (this.onPoint && hit) return this.onPoint(hit);
    this.mark(hit ? { meshes: [hit.object] } : null);
    if (!hit) return this.onPick(null);
    const { json, associations } = this.#parser, index = this.materialIndex(hit.object), place = associations.get(hit.object);
    this.onPick({ mesh: json.meshes?.[place?.meshes]?.name || hit.object.name, material: json.materials?.[index]?.name ?? "",
                  materialIndex: index, face: hit.faceIndex, joint: hit.joint?.name ?? "", object: hit.object });
  }
  /** If set, receives clicked points instead of `onPick`: {point, object, faceIndex}. */
  onPoint = null;

  // -- Pictures ----------------------------------------------------------------------

  /** Numbers for tests, such as living textures and geometries. */
  get numbers() {
    const { memory, render, programs } = this.#renderer.info;
    return { geometries: memory.geometries, textures: memory.textures, triangles: render.triangles, programs: programs.length };
  }

  /**
   * Pixels of a picture of another size, bottom row first.
   *
   * @param {{width?: number, height?: number, camera?: object, background?: string}} [how]
   *     `camera`: the object from `facet render --json`
   */
  pixels({ width, height, camera, background } = {}) {
    const before = { size: this.#renderer.getSize(new THREE.Vector2()), ratio: this.#renderer.getPixelRatio(), view: this.view,
                     background: this.#scene.background };
    if (width) {
      this.#renderer.setPixelRatio(1);
      this.#renderer.setSize(width, height, false);
      this.#eye.setLens(width / height, camera?.fieldOfView);
    }
    if (background) this.#scene.background = new THREE.Color(background);
    if (camera) this.#eye.place(camera);
    this.#render();
    const gl = this.#renderer.getContext(), columns = gl.drawingBufferWidth, rows = gl.drawingBufferHeight;
    const data = new Uint8Array(4 * columns * rows);
    gl.readPixels(0, 0, columns, rows, gl.RGBA, gl.UNSIGNED_BYTE, data);
    if (width || camera || background) {
      this.#scene.background = before.background;
      this.#renderer.setPixelRatio(before.ratio);
      this.#renderer.setSize(before.size.x, before.size.y, false);
      this.#eye.setLens(before.size.x / before.size.y);
      this.#eye.place(null);
      this.view = before.view;
    }
    return { width: columns, height: rows, data };
  }
}
