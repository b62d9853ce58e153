// Load a GLB of the library: use GLTFLoader, then add the console materials.

import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

import { consoleMaterials, orderConsole } from "./console.js";
import { Motion } from "./motion.js";
import { pictureLimit } from "./pictures.js";

const MAX_TEXTURE = 4096; // minimum of all WebGL 2 devices in use

/**
 * Load a model. The result is that of GLTFLoader, with `facet`: `descriptions` (the result of
 * glsl()), `console` (mesh to shader material), `motion` (all animations, including those of
 * materials) and `notes`.
 *
 * @param {ArrayBuffer | string} data GLB, or the JSON of a glTF
 * @param {{glsl: Function, motion: Function}} library Facet, or a client
 * @param {{manager?: THREE.LoadingManager, path?: string, maxTextureSize?: number, setUp?: (loader:
 *     GLTFLoader) => void}} [how] `setUp` may add decoders to the GLTFLoader
 * @returns {Promise<object>}
 */
export async function readModel(data, library, { manager, path = "", maxTextureSize = MAX_TEXTURE, setUp } = {}) {
  const notes = [], loader = new GLTFLoader(manager);
  loader.register((parser) => pictureLimit(parser, maxTextureSize, (note) => notes.push(note)));
  setUp?.(loader);
  const gltf = await loader.parseAsync(data, path), { json } = gltf.parser;
  const descriptions = json.materials?.some((each) => each.extras?.j3d) ? await library.glsl(json) : [];
  const dressed = await consoleMaterials(gltf, descriptions);
  const motion = new Motion({ ...gltf, animations: [...gltf.animations] }, dressed, (file) => library.motion(json, file));
  gltf.facet = { descriptions, console: dressed, motion, notes };
  return gltf;
}

// The renderer calls update() of a LOD in each frame, before it sorts the objects after it in the
// scene.
class ConsoleOrder extends THREE.LOD {
  #dressed;
  constructor(dressed) {
    super();
    this.name = "order of console materials";
    this.#dressed = dressed;
  }
  update(camera) {
    orderConsole(this.#dressed, camera);
  }
}

/** Assign the console materials to their meshes, and draw these in the console's order. */
export function dress({ scene, facet: { console: dressed } }) {
  if (dressed.size === 0) return;
  for (const [mesh, material] of dressed) {
    mesh.material = material;
    if (material.userData.skipped) mesh.visible = false;
  }
  const order = new ConsoleOrder(dressed);
  scene.add(order);
  scene.children.unshift(scene.children.pop());
}
