// The lights of `facet render`: a key light and an environment. Both move with the camera.
// src/render/studio.h and light.c have the same numbers.

import * as THREE from "three";

import { keyDirection } from "../three/lamps.js";

/**
 * Remove multiple scattering between microfacets, as in `facet render`. This changes the standard
 * material of three.js for the whole page.
 */
export function matchRender() {
  const chunk = "lights_physical_pars_fragment";
  THREE.ShaderChunk[chunk] = THREE.ShaderChunk[chunk].replace(" * material.multiScatteringCompensation", "")
    .replace("indirectSpecular += multiScattering * cosineWeightedIrradiance;", "");
}

// Panels of the studio: direction in camera axes, sharpness, amplitude.
const panels = [
  [0, 0.97014, 0.24254, 9, 1.1321],
  [-0.62112, 0.42076, 0.66119, 16, 1.1321],
  [0.92445, 0.12058, 0.36174, 24, 1.4151],
  [-0.75569, 0.2519, -0.60455, 16, 1.0378],
  [0.59702, 0.39801, -0.69653, 18, 1.0378],
  [0, -0.34894, 0.93715, 2.5, 0.56605],
];

// Light from a direction in camera axes.
function radiance(x, y, z) {
  return panels.reduce((sum, [px, py, pz, sharpness, amplitude]) =>
    sum + amplitude * Math.exp(sharpness * (px * x + py * y + pz * z - 1)), 0.15095 + 0.094342 * y);
}

function makeEnvironment(renderer) {
  const width = 128, height = 64, data = new Float32Array(4 * width * height);
  for (let row = 0; row < height; row++) {
    const latitude = ((row + 0.5) / height - 0.5) * Math.PI;
    for (let column = 0; column < width; column++) {
      const longitude = ((column + 0.5) / width - 0.5) * 2 * Math.PI;
      const value = radiance(Math.cos(latitude) * Math.cos(longitude), Math.sin(latitude),
        Math.cos(latitude) * Math.sin(longitude));
      data.set([value, value, value, 1], 4 * (row * width + column));
    }
  }
  const map = new THREE.DataTexture(data, width, height, THREE.RGBAFormat, THREE.FloatType);
  map.mapping = THREE.EquirectangularReflectionMapping;
  map.needsUpdate = true;
  const generator = new THREE.PMREMGenerator(renderer), made = generator.fromEquirectangular(map).texture;
  generator.dispose();
  map.dispose();
  return made;
}

/**
 * Add the lights to a scene.
 *
 * @returns {{turn: () => void, remake: () => void}} `turn` must be called before each frame, and
 *     `remake` after the graphics context was lost, because the environment is lost with it
 */
export function addLight(scene, camera, renderer) {
  const remake = () => { scene.environment = makeEnvironment(renderer); };
  remake();
  const key = new THREE.DirectionalLight(0xffffff, 0.6 * Math.PI);
  key.position.copy(keyDirection);
  camera.add(key, key.target);
  scene.add(camera);
  return { turn: () => scene.environmentRotation.setFromQuaternion(camera.quaternion), remake };
}
