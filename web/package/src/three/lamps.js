// Lights for console materials: the key light of `facet render`, which moves with the camera.

import { Vector3 } from "three";

/** Direction to the key light, in camera axes. */
export const keyDirection = new Vector3(-0.4, 0.6, 0.69).normalize();

/**
 * Uniforms of the eight lights of a console material, in camera axes. All are far away. Lights of
 * the model's file are ignored.
 */
export function consoleLights(cosines) {
  const positions = new Float32Array(32), directions = new Float32Array(32);
  const half = keyDirection.clone().add(new Vector3(0, 0, 1)).normalize();
  for (let i = 0; i < 8; i++) {
    keyDirection.clone().multiplyScalar(1e6).toArray(positions, 4 * i);
    (cosines[4 * i + 2] === 1 ? half : keyDirection).toArray(directions, 4 * i);
  }
  return { light_position: positions, light_direction: directions };
}
