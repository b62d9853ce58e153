// The light of `facet render`: a key light and light from all around, both of which go
// with the camera. src/render/shade.c has the same numbers.

import * as THREE from "three";

// Light that goes from one microfacet to another is left out, as there.
const chunk = "lights_physical_pars_fragment";
THREE.ShaderChunk[chunk] = THREE.ShaderChunk[chunk].replace(" * material.multiScatteringCompensation", "")
  .replace("indirectSpecular += multiScattering * cosineWeightedIrradiance;", "");

const direction = new THREE.Vector3(-0.4, 0.6, 0.69).normalize();

// Light from a direction, in the camera's axes. Diffuse light is the sum over half of all
// directions, which leaves two thirds of the first band and a quarter of the second.
function radiance(x, y, z) {
  const first = 0.3261 * y + 0.3322 * z + 0.0465 * x;
  const second = 0.0387 * x * y + 0.2803 * y * z + 0.0303 * (3 * z * z - 1) - 0.0412 * x * z - 0.1056 * (x * x - y * y);
  return 0.45 * Math.max(0, 1 + 1.5 * first + 4 * second);
}

function makeEnvironment(renderer) {
  const width = 64, height = 32, data = new Float32Array(4 * width * height);
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

/** Put the light into a scene. The result is to be called before each frame. */
export function addLight(scene, camera, renderer) {
  scene.environment = makeEnvironment(renderer);
  const key = new THREE.DirectionalLight(0xffffff, 0.6 * Math.PI);
  key.position.copy(direction);
  camera.add(key, key.target);
  scene.add(camera);
  return () => scene.environmentRotation.setFromQuaternion(camera.quaternion);
}

/** Uniforms of the eight lights of a console material, in the camera's axes: far away, and
 * what is in their files of lights of their own is not looked at. */
export function consoleLights(cosines) {
  const positions = new Float32Array(32), directions = new Float32Array(32);
  const half = direction.clone().add(new THREE.Vector3(0, 0, 1)).normalize();
  for (let i = 0; i < 8; i++) {
    direction.clone().multiplyScalar(1e6).toArray(positions, 4 * i);
    (cosines[4 * i + 2] === 1 ? half : direction).toArray(directions, 4 * i);
  }
  return { light_position: positions, light_direction: directions };
}
