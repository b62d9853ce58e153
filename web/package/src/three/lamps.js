// The lights of console materials: the key light of `facet render`, which goes with the camera.

import { Vector3 } from "three";

/** Where the key light comes from, in the axes of the camera. */
export const keyDirection = new Vector3(-0.4, 0.6, 0.69).normalize();

/** Uniforms of the eight lights of a console material, in the camera's axes: far away, and
 * what is in their files of lights of their own is not looked at. */
export function consoleLights(cosines) {
  const positions = new Float32Array(32), directions = new Float32Array(32);
  const half = keyDirection.clone().add(new Vector3(0, 0, 1)).normalize();
  for (let i = 0; i < 8; i++) {
    keyDirection.clone().multiplyScalar(1e6).toArray(positions, 4 * i);
    (cosines[4 * i + 2] === 1 ? half : keyDirection).toArray(directions, 4 * i);
  }
  return { light_position: positions, light_direction: directions };
}
