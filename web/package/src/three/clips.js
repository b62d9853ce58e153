// Animations of console materials as clips of three.js: a track gives a material the number of a frame.

import { AnimationClip, NumberKeyframeTrack } from "three";

import { setMotion, texturesOf } from "./console.js";
import { FRAMES, listed, movesMaterials } from "./motion.js";

let next = 1;

// A property of a material that a mixer can set: the frame, or -1 for what it is at rest.
function addFrame(material, moved, frames, textures) {
  const mover = setMotion(material, moved, textures), property = `consoleFrame${next++}`;
  let now = -1;
  Object.defineProperty(material, property, { configurable: true, get: () => now, set(frame) {
    now = frame;
    if (frame < 0) return mover.end();
    mover.begin();
    // A console has no moment between two frames.
    mover.at(Math.min(frames, Math.floor(frame + 1e-3)));
  } });
  return property;
}

async function tracksOf({ file, rate = FRAMES }, gltf, library) {
  const { parser, facet: { console: dressed } } = gltf, motion = await library.motion(parser.json, file);
  if (!motion) return [];
  const textures = await texturesOf(motion, parser), meshes = new Map(); // of each material, one mesh that leads to it
  for (const [mesh, material] of dressed) if (!meshes.has(material)) meshes.set(material, mesh);
  const tracks = [];
  for (const [material, mesh] of meshes) {
    const moved = motion.materials.find((each) => each.material === material.userData.index);
    if (!moved) continue;
    const property = addFrame(material, moved, motion.frames, textures);
    tracks.push(new NumberKeyframeTrack(`${mesh.uuid}.material.${property}`, [0, motion.frames / rate], [0, motion.frames]));
  }
  return tracks;
}

/** The clips of a model, with tracks for the materials that its animations move. */
export async function clipsOf(gltf, library) {
  const clips = [...gltf.animations];
  if (gltf.facet.console.size === 0) return clips;
  for (const { name, parts } of listed(gltf.parser.json)) {
    const tracks = (await Promise.all(parts.filter(({ kind }) => movesMaterials(kind)).map((part) => tracksOf(part, gltf, library)))).flat();
    if (tracks.length === 0) continue;
    const at = parts.find(({ index }) => index !== undefined)?.index, with_ = at === undefined ? [] : clips[at].tracks;
    const clip = new AnimationClip(name, -1, [...with_, ...tracks]);
    if (at === undefined) clips.push(clip);
    else clips[at] = clip;
  }
  return clips;
}
