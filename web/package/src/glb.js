// Convert a GLB to typed arrays, for `scene()`.

const arrays = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array,
                 5126: Float32Array };
const widths = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };

/**
 * @param {Uint8Array} bytes a GLB from this library: one JSON chunk and at most one binary chunk
 */
export function readGlb(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const jsonSize = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + jsonSize)));
  const begin = 20 + jsonSize + 8;
  const binary = bytes.subarray(begin, bytes.length);

  // An accessor as a separate, tightly packed array.
  function accessor(index) {
    const { componentType, type, count, bufferView, byteOffset = 0 } = json.accessors[index];
    const Type = arrays[componentType], width = widths[type];
    const values = new Type(count * width);
    if (bufferView === undefined) return values;
    const { byteOffset: start = 0, byteStride } = json.bufferViews[bufferView];
    const element = width * Type.BYTES_PER_ELEMENT, stride = byteStride ?? element;
    const to = new Uint8Array(values.buffer);
    for (let i = 0; i < count; i++) {
      const from = start + byteOffset + i * stride;
      to.set(binary.subarray(from, from + element), i * element);
      if (stride === element) { // packed: copy all elements at once
        to.set(binary.subarray(from, from + count * element));
        break;
      }
    }
    return values;
  }

  const meshes = (json.meshes ?? []).map(({ name = "", primitives, weights, extras }) => ({
    name,
    weights: weights ?? [],
    extras,
    primitives: primitives.map(({ attributes, indices, material, mode = 4, targets = [] }) => ({
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, at]) => [key, accessor(at)])),
      indices: indices === undefined ? null : accessor(indices),
      material: material ?? null,
      mode,
      targets: targets.map((target) =>
        Object.fromEntries(Object.entries(target).map(([key, at]) => [key, accessor(at)]))),
    })),
  }));
  const images = (json.images ?? []).map(({ name = "", mimeType = "", bufferView, uri, extras }) => {
    if (bufferView === undefined) return { name, mediaType: mimeType, uri, bytes: null, extras };
    const { byteOffset = 0, byteLength } = json.bufferViews[bufferView];
    return { name, mediaType: mimeType, bytes: binary.slice(byteOffset, byteOffset + byteLength), extras };
  });
  const skins = (json.skins ?? []).map(({ name = "", joints, inverseBindMatrices, skeleton }) => ({
    name,
    joints,
    skeleton: skeleton ?? null,
    inverseBindMatrices: inverseBindMatrices === undefined ? null : accessor(inverseBindMatrices),
  }));
  const animations = (json.animations ?? []).map(({ name = "", channels, samplers, extras }) => ({
    name,
    extras,
    channels: channels.map(({ target, sampler }) => ({
      target,
      interpolation: samplers[sampler].interpolation ?? "LINEAR",
      times: accessor(samplers[sampler].input),
      values: accessor(samplers[sampler].output),
    })),
  }));
  return {
    meshes,
    images,
    skins,
    animations,
    nodes: json.nodes ?? [],
    roots: json.scenes?.[json.scene ?? 0]?.nodes ?? [],
    materials: json.materials ?? [],
    textures: json.textures ?? [],
    samplers: json.samplers ?? [],
    extras: json.extras,
  };
}
