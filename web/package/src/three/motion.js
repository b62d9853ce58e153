// Animations: nodes (by three.js), KHR_animation_pointer (which three.js does not read), and
// uniforms and textures of console materials (from the library).

import * as THREE from "three";

import { setMotion, texturesOf } from "./console.js";

export const FRAMES = 30; // frames per second, if the file has no rate
const pictured = new Set(["btk", "brk", "bpk", "bpa", "btp"]); // kinds that move console materials

// -- Values over time ----------------------------------------------------------------

/** A function of time that returns a channel's values, interpolated as in glTF 2.0. */
export function sampler(times, values, interpolation) {
  const cubic = interpolation === "CUBICSPLINE", width = values.length / times.length / (cubic ? 3 : 1);
  const at = (key, part) => values.subarray((cubic ? 3 * key + part : key) * width, (cubic ? 3 * key + part + 1 : key + 1) * width);
  return (time) => {
    let low = 0, high = times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= Math.fround(time)) low = middle;
      else high = middle;
    }
    const here = at(low, 1), length = times[low + 1] - times[low], t = (time - times[low]) / length;
    if (low + 1 === times.length || !(t > 0) || interpolation === "STEP") return here;
    const next = at(low + 1, 1);
    if (!cubic) return here.map((value, i) => value + t * (next[i] - value));
    const leaving = at(low, 2), arriving = at(low + 1, 0), t2 = t * t, t3 = t2 * t;
    return here.map((value, i) => (2 * t3 - 3 * t2 + 1) * value + (t3 - 2 * t2 + t) * length * leaving[i] +
      (3 * t2 - 2 * t3) * next[i] + (t3 - t2) * length * arriving[i]);
  };
}

async function samplerOf({ input, output, interpolation = "LINEAR" }, parser) {
  const [times, values] = await Promise.all([input, output].map((index) => parser.getDependency("accessor", index)));
  return { end: times.array.at(-1), at: sampler(times.array, values.array, interpolation) };
}

// -- Pointers --------------------------------------------------------------------------

const mapsOf = { baseColorTexture: ["map"], metallicRoughnessTexture: ["metalnessMap", "roughnessMap"], normalTexture: ["normalMap"],
                 occlusionTexture: ["aoMap"], emissiveTexture: ["emissiveMap"] };
const transforms = { offset: (map, [x, y]) => map.offset.set(x, y), rotation: (map, [angle]) => { map.rotation = angle; },
                     scale: (map, [x, y]) => map.repeat.set(x, y) };

// The textures that a channel selects from, with the settings of the material's map.
async function choices(place, values, parser) {
  const made = new Map();
  for (const index of new Set(values)) {
    const holder = {};
    await parser.assignTexture(holder, "map", { ...place, index }, THREE.SRGBColorSpace).catch(() => null);
    if (holder.map) made.set(index, holder.map);
  }
  return made;
}

/** Functions that set a channel's target to values. Empty if the target is not supported. */
async function setters(pointer, values, motion) {
  const { parser } = motion, words = pointer.split("/").slice(1), number = Number(words[1]);
  if (words[0] === "nodes" && words.at(-1) === "visible") {
    const node = await parser.getDependency("node", number);
    return [([seen]) => motion.hide(node, !seen)];
  }
  const materials = words[0] === "materials" ? motion.materialsOf(number) : [];
  if (words.at(-1) === "baseColorFactor")
    return materials.map((material) => ([r, g, b, a]) => {
      material.color.setRGB(r, g, b, THREE.LinearSRGBColorSpace);
      material.opacity = a;
    });
  if (words.at(-1) === "emissiveFactor")
    return materials.filter((material) => material.emissive).map((material) => ([r, g, b]) => material.emissive.setRGB(r, g, b, THREE.LinearSRGBColorSpace));
  const name = words[2] === "pbrMetallicRoughness" ? words[3] : words[2], maps = mapsOf[name] ?? [];
  if (words.at(-2) === "KHR_texture_transform" && transforms[words.at(-1)])
    return materials.flatMap((material) => maps.filter((map) => material[map]).map((map) => (to) => transforms[words.at(-1)](material[map], to)));
  if (words.at(-2) === "extras" && words.at(-1) === "texture" && name === "baseColorTexture") {
    const place = parser.json.materials[number].pbrMetallicRoughness[name], made = await choices(place, values, parser);
    motion.keep(made.values());
    return materials.filter((material) => material.map).map((material) => ([index]) => {
      if (made.has(index)) material.map = made.get(index);
    });
  }
  return [];
}

// A function that restores everything that setters change.
function rest(material) {
  const { color, opacity, emissive } = material, maps = Object.values(mapsOf).flat().filter((name) => material[name]);
  const kept = { color: color?.clone(), opacity, emissive: emissive?.clone(),
                 maps: maps.map((name) => [name, material[name], material[name].offset.clone(), material[name].rotation, material[name].repeat.clone()]) };
  return () => {
    if (kept.color) material.color.copy(kept.color);
    if (kept.emissive) material.emissive.copy(kept.emissive);
    material.opacity = kept.opacity;
    for (const [name, map, offset, rotation, repeat] of kept.maps) {
      material[name] = map;
      map.offset.copy(offset);
      map.rotation = rotation;
      map.repeat.copy(repeat);
    }
  };
}

// -- Animations --------------------------------------------------------------------------

/** True if animations of this kind move console materials. */
export const movesMaterials = (kind) => pictured.has(kind);

/** The animations to choose from. J3D animations of different kinds with the same name form one. */
export function listed(json) {
  const parts = (json.animations ?? []).map(({ name = "", extras }, index) => ({ name, index, ...extras?.j3d?.animation }));
  for (const { name, kind, file } of json.scenes?.[json.scene ?? 0]?.extras?.j3d?.animations ?? json.extras?.j3d?.animations ?? [])
    if (pictured.has(kind)) parts.push({ name, kind, file });
  const clips = [];
  for (const part of parts) {
    const among = part.kind ? clips.find((clip) => clip.name === part.name && clip.parts.every(({ kind }) => kind && kind !== part.kind)) : null;
    if (among) among.parts.push(part);
    else clips.push({ name: part.name, parts: [part] });
  }
  return clips;
}

/** The animations of a loaded model. */
export class Motion {
  #gltf;
  #ask;
  #mixer;
  #meshes;
  #console;
  #clips;
  #parts = []; // of the chosen animation: {end, loops, at(time)}
  #back = []; // functions that restore the state at rest
  #hidden = new Set();
  #resting = new Set();
  #textures = new Set(); // textures that only animations use
  #time = 0;
  #number = 0;

  /**
   * @param {object} gltf result of GLTFLoader
   * @param {Map<THREE.Mesh, THREE.Material>} console console materials by mesh
   * @param {(file: string) => Promise<object | null>} ask result of motion() for a file in base64
   */
  constructor(gltf, console, ask) {
    this.#gltf = gltf;
    this.#console = console;
    this.#ask = ask;
    this.#mixer = new THREE.AnimationMixer(gltf.scene);
    this.#clips = listed(gltf.parser.json);
    this.#meshes = [];
    gltf.scene.traverse((object) => {
      if (object.isMesh) this.#meshes.push([object, object.material]);
      const node = gltf.parser.json.nodes?.[gltf.parser.associations.get(object)?.nodes];
      if (node?.extensions?.KHR_node_visibility?.visible === false) this.#resting.add(object);
    });
    this.#hidden = new Set(this.#resting);
  }

  get parser() {
    return this.#gltf.parser;
  }
  get names() {
    return this.#clips.map(({ name, parts }, i) => (name || `animation ${i}`) + (parts.length > 1 ? ` (${parts.map(({ kind }) => kind).join(", ")})` : ""));
  }
  get time() {
    return this.#time;
  }
  get duration() {
    return Math.max(0, ...this.#parts.map(({ end }) => end));
  }

  /** The three.js materials of a material of the glTF. */
  materialsOf(number) {
    const { associations } = this.parser;
    return [...new Set(this.#meshes.map(([, material]) => material).filter((material) => associations.get(material)?.materials === number))];
  }
  /** True if an object or one of its ancestors is hidden now. */
  hides(object) {
    for (let at = object; at; at = at.parent) if (this.#hidden.has(at)) return true;
    return false;
  }
  hide(object, on) {
    if (on) this.#hidden.add(object);
    else this.#hidden.delete(object);
  }
  keep(textures) {
    for (const texture of textures) this.#textures.add(texture);
  }

  #rest() {
    this.#mixer.stopAllAction();
    for (const back of this.#back) back();
    this.#back = [];
    this.#parts = [];
    this.#time = 0;
    this.#hidden = new Set(this.#resting);
  }

  /** Choose an animation by its index in `names`, or none. Load its data, and set the time to 0. */
  async choose(index) {
    const number = ++this.#number, clip = this.#clips[index];
    this.#rest();
    const made = clip ? (await Promise.all(clip.parts.map((part) => this.#make(part)))).flat() : [];
    if (number !== this.#number) return; // another one was chosen in the meantime
    this.#parts = made;
    for (const part of made) this.#back.push(...(part.begin?.() ?? []));
    this.seek(0);
  }

  async #make({ index, kind, file, loop, rate = FRAMES }) {
    const loops = loop === undefined || loop > 1, parts = [], clip = this.#gltf.animations[index];
    if (clip?.tracks.length > 0) {
      const action = this.#mixer.clipAction(clip);
      parts.push({ end: clip.duration, loops, begin: () => void action.play(), at: (time) => { action.time = time; } });
    }
    const { channels = [], samplers = [] } = this.parser.json.animations?.[index] ?? {};
    for (const { sampler: number, target } of channels) {
      const pointer = target.extensions?.KHR_animation_pointer?.pointer;
      if (!pointer) continue;
      const { end, at } = await samplerOf(samplers[number], this.parser), { output } = samplers[number];
      const set = await setters(pointer, (await this.parser.getDependency("accessor", output)).array, this);
      const begin = () => (pointer.startsWith("/materials/") ? this.materialsOf(Number(pointer.split("/")[2])).map(rest) : []);
      if (set.length > 0) parts.push({ end, loops, begin, at: (time) => { for (const each of set) each(at(time)); } });
    }
    if (pictured.has(kind) && this.#console.size > 0) parts.push(...await this.#makeConsole(file, loops, rate));
    return parts;
  }

  async #makeConsole(file, loops, rate) {
    const motion = await this.#ask(file);
    if (!motion) return [];
    const textures = await texturesOf(motion, this.parser), dressed = [...new Set(this.#console.values())];
    this.keep(textures.values());
    return dressed.flatMap((material) => {
      const moved = motion.materials.find((each) => each.material === material.userData.index);
      if (!moved) return [];
      const mover = setMotion(material, moved, textures);
      // The console draws whole frames.
      return [{ end: motion.frames / rate, loops, begin: () => { mover.begin(); return [mover.end]; },
                at: (time) => mover.at(Math.min(motion.frames, Math.floor(time * rate + 1e-3))) }];
    });
  }

  seek(time) {
    this.#time = THREE.MathUtils.clamp(time, 0, this.duration);
    for (const { end, loops, at } of this.#parts) at(this.#time <= end ? this.#time : loops && end > 0 ? this.#time % end : end);
    this.#mixer.update(0);
  }

  /** Advance the time. After the end, start again. */
  advance(seconds) {
    const { duration } = this, time = this.#time + seconds;
    this.seek(time > duration && duration > 0 ? time % duration : time);
  }

  dispose() {
    this.#number++;
    this.#rest();
    this.#mixer.uncacheRoot(this.#gltf.scene);
    for (const texture of this.#textures) {
      texture.source?.data?.close?.();
      texture.dispose();
    }
  }
}
