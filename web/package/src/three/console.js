// Materials of a GameCube or Wii in three.js. The library writes their shaders. Depth test,
// blending and drawing order are those of the graphics chip.

import * as THREE from "three";

import { consoleLights } from "./lamps.js";

// -- Shaders -------------------------------------------------------------------------

const skinning = `
uniform mat4 bindMatrix, bindMatrixInverse;
uniform highp sampler2D boneTexture;
in vec4 skinIndex, skinWeight;
mat4 bone(float index) {
  int size = textureSize(boneTexture, 0).x, at = int(index) * 4;
  ivec2 place = ivec2(at % size, at / size);
  return mat4(texelFetch(boneTexture, place, 0), texelFetch(boneTexture, place + ivec2(1, 0), 0),
    texelFetch(boneTexture, place + ivec2(2, 0), 0), texelFetch(boneTexture, place + ivec2(3, 0), 0));
}
`;

// The skin already transforms vertices to the world.
const skinned = `
  mat4 skin = modelMatrix * bindMatrixInverse * (bone(skinIndex.x) * skinWeight.x + bone(skinIndex.y) * skinWeight.y +
    bone(skinIndex.z) * skinWeight.z + bone(skinIndex.w) * skinWeight.w) * bindMatrix;
  vec3 position = (skin * vec4(position, 1.0)).xyz;
  vec3 normal = mat3(skin) * normal;
  vec4 tangent = vec4(mat3(skin) * tangent.xyz, tangent.w);
`;

/** The library's vertex shader with three.js's matrices, and with skinning. */
export function vertexShader(text, isSkinned) {
  let shader = text.replace("#version 300 es\n", "").replace("uniform mat4 world, view, projection;",
    "uniform mat4 modelMatrix, viewMatrix, projectionMatrix;\n#define view viewMatrix\n" +
    `#define projection projectionMatrix\n#define world ${isSkinned ? "mat4(1.0)" : "modelMatrix"}\n${isSkinned ? skinning : ""}`);
  if (isSkinned) shader = shader.replace("void main() {\n", `void main() {\n${skinned}`);
  return shader;
}

/**
 * The fragment shader. The LOD bias of maps becomes an argument, because samplers of WebGL have
 * none.
 */
export function fragmentShader(text, maps) {
  return text.replace("#version 300 es\n", "").replace(/texture\(texmap(\d), ([^;]*?textureSize\(texmap\d, 0\)\)\))\)/g,
    (whole, unit, place) => {
      const bias = (maps[unit]?.lodBias ?? 0) / 100;
      return bias === 0 ? whole : `texture(texmap${unit}, ${place}, ${bias.toFixed(3)})`;
    });
}

// -- Textures ------------------------------------------------------------------------

const wraps = [THREE.ClampToEdgeWrapping, THREE.RepeatWrapping, THREE.MirroredRepeatWrapping];
const filters = [THREE.NearestFilter, THREE.LinearFilter, THREE.NearestMipmapNearestFilter,
  THREE.LinearMipmapNearestFilter, THREE.NearestMipmapLinearFilter, THREE.LinearMipmapLinearFilter];

function white() {
  const texture = new THREE.DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1);
  texture.needsUpdate = true;
  return texture;
}

async function textureOf(map, parser) {
  const source = await parser.loadImageSource(map.image, parser.textureLoader).catch(() => null);
  if (!source) return white();
  const texture = source.clone();
  texture.flipY = false;
  texture.colorSpace = THREE.NoColorSpace;
  texture.wrapS = wraps[map.wrapS] ?? THREE.ClampToEdgeWrapping;
  texture.wrapT = wraps[map.wrapT] ?? THREE.ClampToEdgeWrapping;
  texture.minFilter = filters[map.minFilter] ?? THREE.LinearFilter;
  texture.magFilter = map.magFilter === 0 ? THREE.NearestFilter : THREE.LinearFilter;
  texture.generateMipmaps = map.minFilter > 1;
  texture.needsUpdate = true;
  return texture;
}

// -- State ---------------------------------------------------------------------------

const comparisons = [THREE.NeverDepth, THREE.LessDepth, THREE.EqualDepth, THREE.LessEqualDepth, THREE.GreaterDepth,
  THREE.NotEqualDepth, THREE.GreaterEqualDepth, THREE.AlwaysDepth];
const sources = [THREE.ZeroFactor, THREE.OneFactor, THREE.DstColorFactor, THREE.OneMinusDstColorFactor,
  THREE.SrcAlphaFactor, THREE.OneMinusSrcAlphaFactor, THREE.DstAlphaFactor, THREE.OneMinusDstAlphaFactor];
const destinations = [THREE.ZeroFactor, THREE.OneFactor, THREE.SrcColorFactor, THREE.OneMinusSrcColorFactor,
  ...sources.slice(4)];

// The alpha of the frame stays 1: games use it for other purposes.
function setBlending(material, [type, source, destination]) {
  if (type === 0 || type === 2) {
    material.blending = THREE.NoBlending;
    return;
  }
  Object.assign(material, { blending: THREE.CustomBlending, blendSrcAlpha: THREE.ZeroFactor, blendDstAlpha: THREE.OneFactor });
  if (type === 3) Object.assign(material, { blendEquation: THREE.ReverseSubtractEquation, blendSrc: THREE.OneFactor,
    blendDst: THREE.OneFactor, blendEquationAlpha: THREE.AddEquation });
  else Object.assign(material, { blendEquation: THREE.AddEquation, blendSrc: sources[source], blendDst: destinations[destination] });
}

async function makeMaterial(index, description, isSkinned, parser, textures) {
  const uniforms = {};
  for (const [name, values] of Object.entries({ ...description.uniforms, ...consoleLights(description.uniforms.light_cosine) }))
    uniforms[name] = { value: name === "registers" || name === "konst" ? Int32Array.from(values) : Float32Array.from(values) };
  for (let i = 0; i < 8; i++) {
    const map = description.maps[i], key = JSON.stringify(map);
    if (!textures.has(key)) textures.set(key, map ? await textureOf(map, parser) : white());
    uniforms[`texmap${i}`] = { value: textures.get(key) };
  }
  const [test, comparison, write] = description.depth;
  const material = new THREE.RawShaderMaterial({
    glslVersion: THREE.GLSL3, uniforms, vertexShader: vertexShader(description.vertex, isSkinned),
    fragmentShader: fragmentShader(description.fragment, description.maps), side: description.culls ? THREE.FrontSide : THREE.DoubleSide,
    transparent: true, // keeps the given order
    depthTest: test !== 0, depthFunc: comparisons[comparison], depthWrite: test !== 0 && write !== 0, toneMapped: false,
  });
  const defaults = { color0: [1, 1, 1, 1], color1: [1, 1, 1, 1], normal: [0, 0, 0], tangent: [0, 0, 0, 0] };
  for (let i = 0; i < 8; i++) defaults[`texcoord${i}`] = [0, 0];
  material.defaultAttributeValues = defaults;
  setBlending(material, description.blend);
  material.userData = { index, translucent: description.translucent, skipped: description.skipped, isSkinned };
  return material;
}

// -- Vertices ------------------------------------------------------------------------

// Vertex colors in the console's sRGB: stored values, or converted from glTF's linear colors.
function colors(stored, linear) {
  if (stored) {
    const bytes = new Uint8Array(4 * stored.count);
    for (let i = 0; i < stored.count; i++) {
      bytes.set([stored.getX(i), stored.getY(i), stored.getZ(i), stored.getW(i)], 4 * i);
    }
    return new THREE.BufferAttribute(bytes, 4, true);
  }
  if (!linear) return null;
  const values = new Float32Array(4 * linear.count), color = new THREE.Color();
  for (let i = 0; i < linear.count; i++) {
    color.setRGB(linear.getX(i), linear.getY(i), linear.getZ(i)).convertLinearToSRGB().toArray(values, 4 * i);
    values[4 * i + 3] = linear.itemSize > 3 ? linear.getW(i) : 1;
  }
  return new THREE.BufferAttribute(values, 4);
}

function nameAttributes(geometry) {
  const { attributes } = geometry;
  for (let i = 0; i < 8; i++) {
    const from = attributes[i === 0 ? "uv" : `uv${i}`] ?? attributes[`texcoord_${i}`];
    if (from) geometry.setAttribute(`texcoord${i}`, from);
  }
  const first = colors(attributes._j3d_color_0, attributes.color), second = colors(attributes._j3d_color_1, attributes.color_1);
  // If a mesh has only the second color, use it as the first.
  if (first ?? second) geometry.setAttribute("color0", first ?? second);
  if (second) geometry.setAttribute("color1", second);
}

// -- A model -------------------------------------------------------------------------

// Meshes in the order of their nodes, then of their primitives.
function inFileOrder({ scene, parser }) {
  const meshes = [], node = (object) => parser.associations.get(object)?.nodes ?? (object.parent ? node(object.parent) : 0);
  scene.traverse((object) => object.isMesh && meshes.push([node(object), parser.associations.get(object)?.primitives ?? 0, object]));
  return meshes.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , mesh]) => mesh);
}

/**
 * Create console materials for the meshes that have them.
 *
 * @param {object} gltf result of GLTFLoader
 * @param {object[]} descriptions result of glsl(): one per material of the glTF, or null
 * @returns {Promise<Map<THREE.Mesh, THREE.Material>>}
 */
export async function consoleMaterials(gltf, descriptions) {
  const { parser } = gltf, made = new Map(), dressed = new Map(), textures = new Map();
  for (const mesh of inFileOrder(gltf)) {
    const index = parser.associations.get(mesh.material)?.materials, description = descriptions[index];
    if (!description) continue;
    const isSkinned = mesh.isSkinnedMesh === true, key = `${index} ${isSkinned}`;
    if (!made.has(key)) made.set(key, await makeMaterial(index, description, isSkinned, parser, textures));
    if (!mesh.geometry.attributes.texcoord0 && !mesh.geometry.attributes.color0) nameAttributes(mesh.geometry);
    dressed.set(mesh, made.get(key));
  }
  return dressed;
}

// -- Motion --------------------------------------------------------------------------

/** The textures that the result of motion() selects from, by the JSON of their descriptions. */
export async function texturesOf({ materials }, parser) {
  const made = new Map();
  for (const { maps = [] } of materials) {
    for (const choice of maps.flatMap(({ choices }) => choices)) {
      const key = JSON.stringify(choice);
      if (!made.has(key)) made.set(key, choice ? await textureOf(choice, parser) : white());
    }
  }
  return made;
}

/** Functions that set a material to a frame, and back to its state at rest. */
export function setMotion(material, { tracks, maps = [], vertex }, textures) {
  const { uniforms, vertexShader: text, userData: { isSkinned } } = material;
  const numbers = tracks.map(({ uniform, at, values }) => ({ to: uniforms[uniform].value, at, values, rest: uniforms[uniform].value[at] }));
  const shown = maps.map(({ map, choices, values }) => ({ to: uniforms[`texmap${map}`], rest: uniforms[`texmap${map}`].value,
    values: values.map((choice) => textures.get(JSON.stringify(choices[choice]))) }));
  const use = (shader) => {
    if (material.vertexShader === shader) return;
    material.vertexShader = shader;
    material.needsUpdate = true;
  };
  return {
    begin() {
      if (vertex) use(vertexShader(vertex, isSkinned));
    },
    at(frame) {
      for (const { to, at, values } of numbers) to[at] = values[frame];
      for (const { to, values } of shown) to.value = values[frame];
    },
    end() {
      use(text);
      for (const { to, at, rest } of numbers) to[at] = rest;
      for (const { to, rest } of shown) to.value = rest;
    },
  };
}

// -- Order ---------------------------------------------------------------------------

const place = new THREE.Vector3();

// Distance of a mesh's joint from the camera. Skinned meshes are at the origin.
function distanceOf(mesh, camera) {
  if (mesh.isSkinnedMesh) place.set(0, 0, 0);
  else place.setFromMatrixPosition(mesh.matrixWorld);
  return -place.applyMatrix4(camera.matrixWorldInverse).z;
}

/** Set the drawing order: opaque meshes in file order, then translucent ones from far to near. */
export function orderConsole(dressed, camera) {
  const opaque = [], translucent = [];
  for (const [mesh, { userData }] of dressed) (userData.translucent ? translucent : opaque).push(mesh);
  const far = new Map(translucent.map((mesh) => [mesh, distanceOf(mesh, camera)]));
  translucent.sort((a, b) => far.get(b) - far.get(a)); // stable: equal ones keep the file order
  [...opaque, ...translucent].forEach((mesh, i) => { mesh.renderOrder = i + 1; });
}
