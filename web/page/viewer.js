// The picture: a scene of three.js that draws only when something changed.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { RoomEnvironment } from "three/addons/environments/RoomEnvironment.js";

/** A material for each way to look at a model that is not its own. */
const looks = {
  normals: () => new THREE.MeshNormalMaterial({ side: THREE.DoubleSide }),
  facing: () => new THREE.ShaderMaterial({
    side: THREE.DoubleSide,
    vertexShader: "#include <skinning_pars_vertex>\nvarying vec3 n; void main() {\n#include <beginnormal_vertex>\n" +
      "#include <skinbase_vertex>\n#include <skinnormal_vertex>\nn = normalMatrix * objectNormal;\n#include <begin_vertex>\n" +
      "#include <skinning_vertex>\n#include <project_vertex>\n}",
    fragmentShader: "varying vec3 n; void main() { float l = 0.35 + 0.65 * abs(normalize(n).z);" +
      "gl_FragColor = vec4((gl_FrontFacing ? vec3(0.35, 0.75, 0.7) : vec3(0.95, 0.35, 0.3)) * l, 1.0); }",
  }),
  texcoords: () => new THREE.MeshBasicMaterial({ map: checker(), side: THREE.DoubleSide }),
  colors: () => new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.DoubleSide }),
  weights: () => new THREE.ShaderMaterial({
    side: THREE.DoubleSide,
    // A color for each joint, mixed by the weights.
    vertexShader: "#include <skinning_pars_vertex>\nvarying vec3 c; vec3 hue(float j) {" +
      "return 0.5 + 0.5 * cos(6.2832 * (fract(j * 0.618034) + vec3(0.0, 0.33, 0.67))); }\nvoid main() {\nc = vec3(0.4);\n" +
      "#ifdef USE_SKINNING\nc = hue(skinIndex.x) * skinWeight.x + hue(skinIndex.y) * skinWeight.y + " +
      "hue(skinIndex.z) * skinWeight.z + hue(skinIndex.w) * skinWeight.w;\n#endif\n#include <beginnormal_vertex>\n" +
      "#include <skinbase_vertex>\n#include <begin_vertex>\n#include <skinning_vertex>\n#include <project_vertex>\n}",
    fragmentShader: "varying vec3 c; void main() { gl_FragColor = vec4(c, 1.0); }",
  }),
};

let checkerTexture;
function checker() {
  if (checkerTexture) return checkerTexture;
  const size = 256, data = new Uint8Array(4 * size * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const dark = ((x >> 5) + (y >> 5)) % 2 === 0;
      data.set([dark ? 60 : 230 - y / 4, dark ? 70 + x / 3 : 230, dark ? 90 + y / 3 : 235 - x / 4, 255], 4 * (y * size + x));
    }
  }
  checkerTexture = new THREE.DataTexture(data, size, size);
  checkerTexture.wrapS = checkerTexture.wrapT = THREE.RepeatWrapping;
  checkerTexture.colorSpace = THREE.SRGBColorSpace;
  checkerTexture.generateMipmaps = true;
  checkerTexture.minFilter = THREE.LinearMipmapLinearFilter;
  checkerTexture.needsUpdate = true;
  return checkerTexture;
}

export class Viewer {
  #renderer;
  #scene = new THREE.Scene();
  #camera = new THREE.PerspectiveCamera(45, 1, 0.1, 1000);
  #controls;
  #model = null;
  #skeleton = null;
  #grid = null;
  #mixer = null;
  #action = null;
  #clips = [];
  #playing = false;
  #wanted = false;
  #last = 0;
  #own = new Map(); // a mesh's material while another look is shown
  #mode = "shaded";
  #sphere = new THREE.Sphere(new THREE.Vector3(), 1);
  #showJoints = false;
  #showGrid = true;
  onTime = () => {};
  onPick = () => {};

  constructor(canvas) {
    this.#renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.#renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.#renderer.toneMapping = THREE.NeutralToneMapping;
    const generator = new THREE.PMREMGenerator(this.#renderer);
    this.#scene.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
    generator.dispose();
    this.#controls = new OrbitControls(this.#camera, canvas);
    this.#controls.enableDamping = true;
    this.#controls.dampingFactor = 0.12;
    this.#controls.addEventListener("change", () => this.draw());
    this.#camera.position.set(2, 1.4, 3);
    const dark = matchMedia("(prefers-color-scheme: light)");
    const paint = () => {
      this.#scene.background = new THREE.Color(dark.matches ? 0xe4e8eb : 0x191d21);
      this.draw();
    };
    dark.addEventListener("change", paint);
    paint();
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement);
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => this.draw());
    canvas.addEventListener("dblclick", (event) => this.#focus(event));
    canvas.addEventListener("click", (event) => this.#pick(event));
    this.#resize();
  }

  #resize() {
    const { clientWidth: width, clientHeight: height } = this.#renderer.domElement.parentElement;
    if (width === 0 || height === 0) return;
    this.#renderer.setSize(width, height, false);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    this.draw();
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
    if (this.#playing && this.#mixer) {
      this.#mixer.update(passed);
      this.onTime(this.time, this.duration);
    }
    const moving = this.#controls.update();
    const distance = this.#camera.position.distanceTo(this.#sphere.center), radius = this.#sphere.radius || 1;
    this.#camera.near = Math.max(distance - 2.5 * radius, distance / 1000, radius / 1000);
    this.#camera.far = distance + 12 * radius;
    this.#camera.updateProjectionMatrix();
    this.#renderer.render(this.#scene, this.#camera);
    if (this.#playing || moving) this.draw();
  }

  /** Show what a GLTFLoader made; null: nothing. What was shown is disposed of. */
  show(gltf) {
    this.clear();
    if (!gltf) return;
    this.#model = gltf.scene;
    this.#scene.add(this.#model);
    this.#model.updateMatrixWorld(true);
    new THREE.Box3().setFromObject(this.#model).getBoundingSphere(this.#sphere);
    if (!(this.#sphere.radius > 0)) this.#sphere.radius = 1;
    this.#clips = gltf.animations;
    this.#mixer = this.#clips.length > 0 ? new THREE.AnimationMixer(this.#model) : null;
    this.#makeGrid();
    this.setJoints(this.#showJoints);
    this.setMode(this.#mode);
    this.fit();
  }

  clear() {
    this.#restoreLooks();
    this.#playing = false;
    this.#mixer?.stopAllAction();
    this.#mixer = this.#action = null;
    this.#clips = [];
    if (this.#skeleton) {
      this.#scene.remove(this.#skeleton);
      this.#skeleton.dispose();
      this.#skeleton = null;
    }
    this.#model?.traverse((object) => {
      object.geometry?.dispose();
      object.skeleton?.dispose();
      for (const material of [object.material ?? []].flat()) {
        for (const value of Object.values(material)) {
          if (value?.isTexture) {
            value.source?.data?.close?.();
            value.dispose();
          }
        }
        material.dispose();
      }
    });
    if (this.#model) this.#scene.remove(this.#model);
    this.#model = null;
    this.draw();
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
    const box = new THREE.Box3().setFromObject(this.#model);
    this.#grid.position.set(this.#sphere.center.x, box.min.y, this.#sphere.center.z);
    this.#grid.visible = this.#showGrid;
    this.#scene.add(this.#grid);
  }

  /** Bring all of the model into view, from a little above and aside. */
  fit() {
    const { center, radius } = this.#sphere;
    const vertical = THREE.MathUtils.degToRad(this.#camera.fov) / 2;
    const narrow = Math.min(vertical, Math.atan(Math.tan(vertical) * this.#camera.aspect));
    const distance = radius / Math.sin(narrow), azimuth = Math.PI / 5, elevation = Math.PI / 10;
    this.#controls.target.copy(center);
    this.#camera.position.set(
      center.x + distance * Math.sin(azimuth) * Math.cos(elevation),
      center.y + distance * Math.sin(elevation),
      center.z + distance * Math.cos(azimuth) * Math.cos(elevation));
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
    this.draw();
  }

  #restoreLooks() {
    for (const [mesh, material] of this.#own) {
      for (const shown of [mesh.material].flat()) shown.dispose();
      mesh.material = material;
    }
    this.#own.clear();
  }

  setMode(mode) {
    this.#mode = mode;
    this.#restoreLooks();
    this.#model?.traverse((object) => {
      if (!object.isMesh) return;
      for (const material of [object.material].flat()) material.wireframe = mode === "wireframe";
      if (!looks[mode]) return;
      this.#own.set(object, object.material);
      object.material = looks[mode]();
    });
    this.draw();
  }

  setJoints(on) {
    this.#showJoints = on;
    if (on && this.#model && !this.#skeleton) {
      this.#skeleton = new THREE.SkeletonHelper(this.#model);
      this.#scene.add(this.#skeleton);
    }
    if (this.#skeleton) this.#skeleton.visible = on;
    this.draw();
  }

  setGrid(on) {
    this.#showGrid = on;
    if (this.#grid) this.#grid.visible = on;
    this.draw();
  }

  /** Whether the model has vertex colors, weights and the like: what can be looked at. */
  get attributes() {
    const found = new Set();
    this.#model?.traverse((object) => {
      for (const name of Object.keys(object.geometry?.attributes ?? {})) found.add(name);
    });
    return found;
  }

  get clips() {
    return this.#clips.map((clip, i) => clip.name || `animation ${i}`);
  }
  get duration() {
    return this.#action?.getClip().duration ?? 0;
  }
  get time() {
    return this.#action?.time ?? 0;
  }
  get playing() {
    return this.#playing;
  }

  choose(index) {
    this.#mixer?.stopAllAction();
    this.#action = this.#mixer ? this.#mixer.clipAction(this.#clips[index]) : null;
    this.#action?.play();
    this.seek(0);
  }
  play(on) {
    this.#playing = on && !!this.#action;
    this.#last = performance.now();
    this.draw();
  }
  seek(time) {
    if (!this.#action) return;
    this.#action.time = THREE.MathUtils.clamp(time, 0, this.duration);
    this.#mixer.update(0);
    this.onTime(this.time, this.duration);
    this.draw();
  }
  setSpeed(factor) {
    if (this.#mixer) this.#mixer.timeScale = factor;
  }

  #hit(event) {
    const { left, top, width, height } = this.#renderer.domElement.getBoundingClientRect();
    const at = new THREE.Vector2((event.clientX - left) / width * 2 - 1, 1 - (event.clientY - top) / height * 2);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.#camera);
    return this.#model ? ray.intersectObject(this.#model, true).find((hit) => hit.object.isMesh) : undefined;
  }
  #focus(event) {
    const hit = this.#hit(event);
    if (!hit) return;
    this.#camera.position.add(hit.point.clone().sub(this.#controls.target).multiplyScalar(0.5));
    this.#controls.target.copy(hit.point);
    this.#controls.update();
  }
  #pick(event) {
    const hit = this.#hit(event);
    if (!hit) return this.onPick(null);
    const material = this.#own.get(hit.object) ?? hit.object.material;
    this.onPick({ mesh: hit.object.name, material: [material].flat()[0]?.name ?? "", face: hit.faceIndex });
  }

  /** What tests ask: textures and geometries that live, and the picture. */
  get numbers() {
    const { memory, render } = this.#renderer.info;
    return { geometries: memory.geometries, textures: memory.textures, triangles: render.triangles,
             programs: this.#renderer.info.programs.length };
  }
  /** The picture as it is now: pixels, bottom row first. */
  pixels() {
    this.#renderer.render(this.#scene, this.#camera);
    const gl = this.#renderer.getContext(), width = gl.drawingBufferWidth, height = gl.drawingBufferHeight;
    const data = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
    return { width, height, data };
  }

  /** Camera as numbers, for links. */
  get view() {
    return [...this.#camera.position.toArray(), ...this.#controls.target.toArray()].map((x) => +x.toPrecision(6));
  }
  set view(numbers) {
    this.#camera.position.fromArray(numbers, 0);
    this.#controls.target.fromArray(numbers, 3);
    this.#controls.update();
    this.draw();
  }
}
