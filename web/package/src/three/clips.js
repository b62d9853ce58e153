// Convert animations of console materials to clips of three.js. A track sets the frame number of a
// material.

import { AnimationClip, NumberKeyframeTrack } from "three";

import { setMotion, texturesOf } from "./console.js";
import { FRAMES, listed, movesMaterials } from "./motion.js";

let next = 1;

// Add a property to a material, so that a mixer can set it: the frame, or -1 for the state at rest.
function addFrame(material, moved, frames, textures) {
  const mover = setMotion(material, moved, textures), property = `consoleFrame${next++}`;
  let now = -1;
  Object.defineProperty(material, property, { configurable: true, get: () => now, set(frame) {
    now = frame;
    if (frame < 0) return mover.end();
    mover.begin();
    // The console draws whole frames.
    mover.at(Math.min(frames, Math.floor(frame + 1e-3)));
  } });
  return property;
}

async function tracksOf({ file, rate = FRAMES }, gltf, library) {
  const { parser, facet: { console: dressed } } = gltf, motion = await library.motion(parser.json, file);
  if (!motion) return [];
  const textures = await texturesOf(motion, parser), meshes = new Map(); // material to a mesh
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

/**
 * The clips of a model. For a console model, animations with the same name form one clip, with
 * tracks for the materials that move.
 */
export async function clipsOf(gltf, library) {
  const { animations, parser, facet } = gltf;
  if (facet.console.size === 0) return animations;
  const clips = await Promise.all(listed(parser.json).map(async ({ name, parts }) => {
    const nodes = parts.flatMap(({ index }) => animations[index]?.tracks ?? []);
    const materials = await Promise.all(parts.filter(({ kind }) => movesMaterials(kind)).map((part) => tracksOf(part, gltf, library)));
    return new AnimationClip(name, -1, [...nodes, ...materials.flat()]);
  }));
  return clips.filter(({ tracks }) => tracks.length > 0);
}
