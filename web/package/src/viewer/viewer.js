// The picture: a scene of three.js that draws only when something changed.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

import { orderConsole } from "../three/console.js";
import { addLight } from "./light.js";
import { lookOf, nothing, overlayOf, wireOf, wires } from "./looks.js";

const FIELD_OF_VIEW = 30; // degrees of the smaller side, as `facet render` has it
const mostWires = 2e6; // triangles; more are not shown as lines

export class Viewer {
  #renderer;
  #scene = new THREE.Scene();
  #camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 1000);
  #controls;
  #sizes;
  #light;
  #model = null;
  #parser = null;
  #meshes = [];
  #own = new Map(); // a mesh's own material: that of the glTF or of the console
  #console = new Map(); // meshes with materials of the console
  #looks = []; // materials that show a mode
  #layers = { wires: false, joints: false, grid: true, hulls: false, occluder: false };
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

  constructor(canvas) {
    this.#renderer = new THREE.WebGLRenderer({ canvas, alpha: true, antialias: true, preserveDrawingBuffer: true });
    this.#renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.#renderer.toneMapping = THREE.NeutralToneMapping;
    this.#light = addLight(this.#scene, this.#camera, this.#renderer);
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#controls.dampingFactor = 0.12;
    this.#controls.addEventListener("change", () => this.draw());
    this.#controls.addEventListener("end", () => this.onMove());
    this.#camera.position.set(2, 1.4, 3);
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
    canvas.addEventListener("click", (event) => { // a drag is none
      if (Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4) this.#pick(event);
    });
    this.#resize();
  }

  /** Width and height of the largest texture. */
  get maxTextureSize() {
    return this.#renderer.capabilities.maxTextureSize;
  }

  /** Whether the pointer turns the model. */
  set controls(on) {
    this.#controls.enabled = on;
  }

  /** A color; "transparent" shows what is behind the canvas. */
  set background(color) {
    this.#scene.background = color === "transparent" ? null : new THREE.Color(color);
    this.draw();
  }

  // -- Frames ------------------------------------------------------------------------

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#renderer.domElement.parentElement;
    if (width === 0 || height === 0) return;
    this.#renderer.setSize(width, height, false);
    this.#setLens(width / height, FIELD_OF_VIEW);
    this.draw();
  }

  #setLens(aspect, field) {
    const half = Math.tan(THREE.MathUtils.degToRad(field) / 2);
    this.#camera.aspect = aspect;
    this.#camera.fov = 2 * THREE.MathUtils.radToDeg(Math.atan(aspect < 1 ? half / aspect : half));
    this.#camera.updateProjectionMatrix();
  }

  /** Draw once, soon. */
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
    const moving = this.#controls.update();
    this.#render();
    if (this.#playing || moving) this.draw();
  }

  #render() {
    const distance = this.#camera.position.distanceTo(this.#sphere.center), radius = this.#sphere.radius || 1;
    this.#camera.near = Math.max(distance - 2.5 * radius, distance / 1000, radius / 1000);
    this.#camera.far = distance + 12 * radius;
    this.#camera.updateProjectionMatrix();
    this.#camera.updateMatrixWorld();
    this.#light.turn();
    for (const mesh of this.#meshes) mesh.visible = this.#isSeen(mesh);
    if (this.#mode === "shaded") orderConsole(this.#console, this.#camera);
    this.#renderer.render(this.#scene, this.#camera);
  }

  // -- The model ---------------------------------------------------------------------

  /**
   * Show a model.
   *
   * @param {object} gltf what `readModel()` gave
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

  /** Give the graphics context back; the viewer is of no use afterwards. */
  dispose() {
    this.clear();
    this.#sizes.disconnect();
    this.#controls.dispose();
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

  // -- Ways to look ------------------------------------------------------------------

  #dropLooks() {
    for (const look of this.#looks) look.dispose();
    this.#looks = [];
    for (const [mesh, material] of this.#own) mesh.material = material;
  }

  /** Number of a mesh's material in the glTF; undefined: none. */
  materialIndex(mesh) {
    const { json, associations } = this.#parser, place = associations.get(mesh);
    return json.meshes?.[place?.meshes]?.primitives?.[place?.primitives ?? 0]?.material;
  }

  setMode(mode) {
    this.#mode = mode;
    this.#dropLooks();
    for (const mesh of this.#meshes) {
      const look = lookOf(mode, mesh, this.materialIndex(mesh));
      if (!look) continue;
      this.#looks.push(look);
      mesh.material = look;
    }
    this.draw();
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

  /** Hulls and the occluder, as the library's overlays() has them. */
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

  /** Put accents on meshes: those of a material, or one by itself; null: on none. */
  mark(what) {
    for (const mark of this.#marks) mark.removeFromParent();
    this.#marks[0]?.material.dispose();
    this.#marks = [];
    if (what) {
      const material = wires(0x30d0c0, 0.8);
      const meshes = this.#meshes.filter((mesh) => mesh === what.mesh || this.materialIndex(mesh) === what.material);
      this.#marks = meshes.map((mesh) => this.#lay(wireOf(mesh, material), mesh));
    }
    this.draw();
  }

  get numberOfTriangles() {
    return this.#meshes.reduce((sum, { geometry }) => sum + (geometry.index ?? geometry.attributes.position).count / 3, 0);
  }

  // -- The camera --------------------------------------------------------------------

  /** Bring all of the model into view, from a little above and aside. */
  fit() {
    const { center, radius } = this.#sphere, azimuth = THREE.MathUtils.degToRad(32), elevation = THREE.MathUtils.degToRad(22);
    const distance = radius / Math.sin(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2)) * 0.95;
    this.#controls.target.copy(center);
    this.#camera.up.set(0, 1, 0);
    this.#camera.position.setFromSphericalCoords(distance, Math.PI / 2 - elevation, azimuth).add(center);
    this.#controls.minDistance = radius / 100;
    this.#controls.maxDistance = radius * 20;
    this.#controls.update();
    this.draw();
  }

  /** Turn and move as keys do: steps to the right, up, and nearer. */
  turn(right, up, nearer, pan) {
    const offset = this.#camera.position.clone().sub(this.#controls.target);
    if (pan) {
      const step = offset.length() * 0.05, x = new THREE.Vector3(), y = new THREE.Vector3();
      this.#camera.matrix.extractBasis(x, y, new THREE.Vector3());
      const move = x.multiplyScalar(-right * step).add(y.multiplyScalar(-up * step));
      this.#controls.target.add(move);
      this.#camera.position.add(move);
    } else {
      const place = new THREE.Spherical().setFromVector3(offset);
      place.theta += right * Math.PI / 24;
      place.phi = THREE.MathUtils.clamp(place.phi - up * Math.PI / 24, 0.01, Math.PI - 0.01);
      place.radius *= 0.88 ** nearer;
      this.#camera.position.copy(this.#controls.target).add(new THREE.Vector3().setFromSpherical(place));
    }
    this.#controls.update();
    this.onMove();
    this.draw();
  }

  /** Camera as numbers, for links: position, then target. */
  get view() {
    return [...this.#camera.position.toArray(), ...this.#controls.target.toArray()].map((x) => +x.toPrecision(6));
  }
  set view(numbers) {
    if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return;
    this.#camera.position.fromArray(numbers, 0);
    this.#controls.target.fromArray(numbers, 3);
    this.#controls.update();
    this.draw();
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

  /** Take an animation by its number; it is at its beginning then. */
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
  setSpeed(factor) {
    this.#speed = factor;
  }

  // Helpers of tricks are not drawn, nor what an animation hides.
  #isSeen(mesh) {
    return !(this.#mode === "shaded" && this.#own.get(mesh).userData.skipped) && !this.#motion.hides(mesh);
  }

  // -- What is under the pointer -----------------------------------------------------

  #hit(event) {
    const { left, top, width, height } = this.#renderer.domElement.getBoundingClientRect();
    const at = new THREE.Vector2((event.clientX - left) / width * 2 - 1, 1 - (event.clientY - top) / height * 2);
    const ray = new THREE.Raycaster();
    this.#camera.updateMatrixWorld(); // since the last frame the view may have moved
    ray.setFromCamera(at, this.#camera);
    return this.#model ? ray.intersectObject(this.#model, true).find((hit) => this.#own.has(hit.object) && this.#isSeen(hit.object)) : undefined;
  }
  #focus(event) {
    const hit = this.#hit(event);
    if (!hit) return;
    this.#camera.position.add(hit.point.clone().sub(this.#controls.target).multiplyScalar(0.5));
    this.#controls.target.copy(hit.point);
    this.#controls.update();
    this.onMove();
  }
  #pick(event) {
    const hit = this.#hit(event);
    this.mark(hit ? { mesh: hit.object } : null);
    if (!hit) return this.onPick(null);
    const { json, associations } = this.#parser, index = this.materialIndex(hit.object), place = associations.get(hit.object);
    this.onPick({ mesh: json.meshes?.[place?.meshes]?.name || hit.object.name, material: json.materials?.[index]?.name ?? "",
                  materialIndex: index, face: hit.faceIndex, joint: this.#jointOf(hit) });
  }

  // The joint that moves the corner that was hit most.
  #jointOf({ object, face }) {
    if (!object.isSkinnedMesh || !face) return "";
    const { skinIndex, skinWeight } = object.geometry.attributes;
    let best = 0;
    for (let i = 1; i < 4; i++) if (skinWeight.getComponent(face.a, i) > skinWeight.getComponent(face.a, best)) best = i;
    return object.skeleton.bones[skinIndex.getComponent(face.a, best)]?.name ?? "";
  }

  // -- Pictures ----------------------------------------------------------------------

  /** What tests ask: textures and geometries that live. */
  get numbers() {
    const { memory, render, programs } = this.#renderer.info;
    return { geometries: memory.geometries, textures: memory.textures, triangles: render.triangles, programs: programs.length };
  }

  /**
   * A picture of another size: pixels, bottom row first.
   *
   * @param {{width?: number, height?: number, camera?: object, background?: string}} [how] camera: as `facet render --json`
   *     prints it
   */
  pixels({ width, height, camera, background } = {}) {
    const before = { size: this.#renderer.getSize(new THREE.Vector2()), ratio: this.#renderer.getPixelRatio(), view: this.view,
                     background: this.#scene.background };
    if (width) {
      this.#renderer.setPixelRatio(1);
      this.#renderer.setSize(width, height, false);
      this.#setLens(width / height, camera?.fieldOfView ?? FIELD_OF_VIEW);
    }
    if (background) this.#scene.background = new THREE.Color(background);
    if (camera) {
      this.#camera.up.fromArray(camera.up);
      this.#camera.position.fromArray(camera.position);
      this.#camera.lookAt(...camera.target);
    }
    this.#render();
    const gl = this.#renderer.getContext(), columns = gl.drawingBufferWidth, rows = gl.drawingBufferHeight;
    const data = new Uint8Array(4 * columns * rows);
    gl.readPixels(0, 0, columns, rows, gl.RGBA, gl.UNSIGNED_BYTE, data);
    if (width || camera || background) {
      this.#scene.background = before.background;
      this.#camera.up.set(0, 1, 0);
      this.#renderer.setPixelRatio(before.ratio);
      this.#renderer.setSize(before.size.x, before.size.y, false);
      this.#setLens(before.size.x / before.size.y, FIELD_OF_VIEW);
      this.view = before.view;
    }
    return { width: columns, height: rows, data };
  }
}

function disposeMaterial(material) {
  for (const value of Object.values(material)) {
    if (!value?.isTexture) continue;
    value.source?.data?.close?.();
    value.dispose();
  }
  material.dispose();
}
