// Materials that show properties of a mesh, in the colors of `facet render` (src/render/inspect.c).

import * as THREE from "three";

// -- Values of vertices as colors -------------------------------------------------------

const head = `
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
`;
const body = `
  #include <beginnormal_vertex>
  #include <morphnormal_vertex>
  #include <skinbase_vertex>
  #include <skinnormal_vertex>
  #include <begin_vertex>
  #include <morphtarget_vertex>
  #include <skinning_vertex>
  #include <project_vertex>
`;

// palette: distinct hues for consecutive numbers. heat: from blue through green and yellow to red.
export const palettes = `
vec3 palette(uint number) {
  float hue = float((number * 2654435769u) >> 8) / 16777216.0 * 6.0;
  vec3 at = hue - vec3(0.0, 2.0, 4.0);
  at += vec3(lessThan(at, vec3(-3.0))) * 6.0 - vec3(greaterThan(at, vec3(3.0))) * 6.0;
  return 0.08 + 0.7 * clamp(2.0 - abs(at), 0.0, 1.0);
}
vec3 heat(float value) {
  float x = clamp(value, 0.0, 1.0) * 3.0;
  vec3 a = vec3(0.02, 0.05, 0.5), b = vec3(0.02, 0.55, 0.35), c = vec3(0.9, 0.75, 0.05), d = vec3(0.8, 0.03, 0.02);
  return x < 1.0 ? mix(a, b, x) : x < 2.0 ? mix(b, c, x - 1.0) : mix(c, d, x - 2.0);
}
`;
const gray = "vec3(0.2)";

// Code of each mode: `vertex` computes a varying, and `fragment` a linear color from it. `direct`
// is a color in sRGB.
const inspections = {
  normals: { vertex: "shown.xyz = mat3(modelMatrix) * objectNormal;", direct: "normalize(shown.xyz) * 0.5 + 0.5" },
  // For meshes without normals: the normal of the triangle.
  faces: {
    vertex: "shown.xyz = (modelMatrix * vec4(transformed, 1.0)).xyz;",
    direct: "normalize(cross(dFdx(shown.xyz), dFdy(shown.xyz))) * 0.5 + 0.5",
  },
  tangents: {
    needs: "tangent", missing: "vec3(0.8, 0.0, 0.8)",
    vertex: "vec3 t = mix_tangent(tangent.xyz); shown.xyz = mat3(modelMatrix) * t;", direct: "clamp(shown.xyz * 0.5 + 0.5, 0.0, 1.0)",
  },
  texcoords: {
    needs: "uv", missing: gray, vertex: "shown.xy = uv;",
    fragment: "vec3(0.1 + 0.8 * fract(shown.xy), 0.15) * " +
      "(((int(fract(shown.x) * 10.0) ^ int(fract(shown.y) * 10.0)) & 1) == 1 ? 0.6 : 1.0)",
  },
  weights: {
    needs: "skinWeight", missing: gray, fragment: "shown.xyz",
    vertex: "vec4 w = skinWeight; shown.xyz = heat(max(max(w.x, w.y), max(w.z, w.w)));",
  },
  joints: {
    needs: "skinWeight", missing: gray, fragment: "shown.xyz",
    vertex: "shown.xyz = palette(uint(skinIndex.x)) * skinWeight.x + palette(uint(skinIndex.y)) * skinWeight.y + " +
      "palette(uint(skinIndex.z)) * skinWeight.z + palette(uint(skinIndex.w)) * skinWeight.w;",
  },
  colors: { needs: "color", missing: gray, vertex: "shown.xyz = color.rgb;", fragment: "shown.xyz" },
};

/** Modes that need no more than the model. */
export const modes = ["shaded", "clay", "facing", "materials", "overdraw", ...Object.keys(inspections).filter((name) => name !== "faces")];

function inspection(mode, geometry, isSkinned) {
  const { needs, missing, vertex, fragment, direct } = inspections[mode], { attributes } = geometry;
  const there = !needs || (attributes[needs] !== undefined && (needs !== "skinWeight" || isSkinned));
  const own = !there ? "" : needs === "tangent" ? "attribute vec4 tangent;\n" : needs === "color"
    ? `attribute vec${attributes.color.itemSize} color;\n` : "";
  const turned = "vec3 mix_tangent(vec3 t) {\n#ifdef USE_SKINNING\nmat4 m = bindMatrixInverse * (getBoneMatrix(skinIndex.x) * " +
    "skinWeight.x + getBoneMatrix(skinIndex.y) * skinWeight.y + getBoneMatrix(skinIndex.z) * skinWeight.z + " +
    "getBoneMatrix(skinIndex.w) * skinWeight.w) * bindMatrix;\nreturn mat3(m) * t;\n#else\nreturn t;\n#endif\n}\n";
  return new THREE.ShaderMaterial({
    side: THREE.DoubleSide, toneMapped: false,
    vertexShader: `${head}${palettes}${own}${mode === "tangents" ? turned : ""}varying vec4 shown;\n` +
      `void main() {${body}\n  shown = vec4(0.0);\n  ${there ? vertex : ""}\n}`,
    fragmentShader: `varying vec4 shown;\nvoid main() {\n` + (there && direct ? `  gl_FragColor = vec4(${direct}, 1.0);\n}`
      : `  gl_FragColor = vec4(${there ? fragment : missing}, 1.0);\n  #include <colorspace_fragment>\n}`),
  });
}

// -- Lit surfaces in one color -----------------------------------------------------------

function palette(number) {
  const hue = (Math.imul(number, 2654435769 | 0) >>> 8) / 16777216 * 6;
  return [0, 2, 4].map((shift) => {
    let at = hue - shift;
    at += at < -3 ? 6 : at > 3 ? -6 : 0;
    return 0.08 + 0.7 * Math.min(1, Math.max(0, 2 - Math.abs(at)));
  });
}

function plain(color, { geometry }) {
  const flatShading = !geometry.attributes.normal;
  const material = new THREE.MeshStandardMaterial({ roughness: 0.6, metalness: 0, side: THREE.DoubleSide, flatShading });
  material.color.setRGB(...color, THREE.LinearSRGBColorSpace);
  return material;
}

function facing(mesh) {
  const material = plain([1, 1, 1], mesh);
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace("#include <color_fragment>",
      "diffuseColor.rgb = gl_FrontFacing ? vec3(0.12, 0.3, 0.7) : vec3(0.75, 0.06, 0.04);");
  };
  return material;
}

/** Material for meshes without one: gray, both sides. */
export function nothing(mesh) {
  return Object.assign(plain([0.6, 0.6, 0.6], mesh), { roughness: 0.5 });
}

// Each surface adds 1/255. Depth is not tested.
function layer() {
  return new THREE.ShaderMaterial({
    side: THREE.DoubleSide, depthTest: false, depthWrite: false, transparent: true, toneMapped: false,
    blending: THREE.CustomBlending, blendEquation: THREE.AddEquation, blendSrc: THREE.OneFactor, blendDst: THREE.OneFactor,
    vertexShader: `${head}void main() {${body}}`,
    fragmentShader: "void main() {\n  gl_FragColor = vec4(1.0 / 255.0, 0.0, 0.0, 0.0);\n}",
  });
}

// A texture without light.
function textured(map) {
  const color = map ? 0xffffff : 0x7c7c7c;
  return new THREE.MeshBasicMaterial({ color, map, side: THREE.DoubleSide, toneMapped: false });
}

/**
 * The material that shows `mode` on a mesh; null for its usual material. `texture` is for the mode
 * "texture".
 */
export function lookOf(mode, mesh, materialIndex, texture) {
  if (mode === "overdraw") return layer();
  if (mode === "texture") return textured(texture);
  if (mode === "clay") return plain([0.6, 0.6, 0.6], mesh);
  if (mode === "facing") return facing(mesh);
  if (mode === "materials") return plain(palette(materialIndex === undefined ? 0 : materialIndex + 1), mesh);
  const shown = mode === "normals" && !mesh.geometry.attributes.normal ? "faces" : mode;
  return inspections[shown] ? inspection(shown, mesh.geometry, mesh.isSkinnedMesh === true) : null;
}

// -- Lines -------------------------------------------------------------------------------

/** Edges of triangles, moved slightly toward the camera. */
export function wires(color, opacity) {
  return new THREE.ShaderMaterial({
    wireframe: true, transparent: true, depthWrite: false, toneMapped: false, side: THREE.DoubleSide,
    uniforms: { color: { value: new THREE.Color(color) }, opacity: { value: opacity } },
    vertexShader: `${head}void main() {${body}\n  gl_Position.z -= 0.0004 * gl_Position.w;\n}`,
    fragmentShader: "uniform vec3 color;\nuniform float opacity;\nvoid main() {\n  gl_FragColor = vec4(color, opacity);\n" +
      "  #include <colorspace_fragment>\n}",
  });
}

/** A copy of the mesh that draws the edges of its triangles. */
export function wireOf(mesh, material) {
  const wire = mesh.isSkinnedMesh ? new THREE.SkinnedMesh(mesh.geometry, material) : new THREE.Mesh(mesh.geometry, material);
  if (mesh.isSkinnedMesh) wire.bind(mesh.skeleton, mesh.bindMatrix);
  wire.morphTargetInfluences = mesh.morphTargetInfluences;
  wire.raycast = () => {};
  wire.renderOrder = 1e6;
  return wire;
}

/** A translucent hull or occluder, as in `facet render`. */
export function overlayOf({ occluder, positions, indices }) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(positions), 3));
  geometry.setIndex(indices);
  const flat = geometry.toNonIndexed();
  geometry.dispose();
  flat.computeVertexNormals();
  const material = new THREE.MeshStandardMaterial({ transparent: true, opacity: 0.35, roughness: 0.5, depthWrite: false,
    side: THREE.DoubleSide });
  material.color.setRGB(...(occluder ? [0.9, 0.35, 0.05] : [0.05, 0.35, 0.9]), THREE.LinearSRGBColorSpace);
  const mesh = new THREE.Mesh(flat, material);
  mesh.raycast = () => {};
  mesh.renderOrder = 1e6 + 1;
  mesh.name = occluder ? "occluder" : "hull";
  return mesh;
}

/** Dispose of a material and its textures. */
export function disposeMaterial(material) {
  for (const value of Object.values(material)) {
    if (!value?.isTexture) continue;
    value.source?.data?.close?.();
    value.dispose();
  }
  material.dispose();
}
