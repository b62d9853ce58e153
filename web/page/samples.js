// Sample models for the page. They are computed here: nothing is fetched.

const encode = (text) => new TextEncoder().encode(text);
const digits = (value) => String(+value.toFixed(5));

// Profile of the vase, turned about the y axis: radius and height of each ring, from foot to rim.
const profile = [[0, 0], [0.32, 0], [0.34, 0.03], [0.2, 0.1], [0.26, 0.2], [0.42, 0.4], [0.46, 0.58], [0.38, 0.76], [0.22, 0.92], [0.19, 1.02], [0.27, 1.12],
  [0.25, 1.12], [0.17, 1.02], [0.2, 0.92]];
const SIDES = 32;

/** The vase as an OBJ with positions, texture coordinates and two materials. */
export function vase() {
  const lines = ["mtllib vase.mtl", "o vase"], column = SIDES + 1;
  profile.forEach(([radius, height], ring) => {
    for (let side = 0; side <= SIDES; side++) {
      const angle = side / SIDES * 2 * Math.PI;
      lines.push(`v ${[radius * Math.cos(angle), height, radius * Math.sin(angle)].map(digits).join(" ")}`,
        `vt ${digits(side / SIDES)} ${digits(ring / (profile.length - 1))}`);
    }
  });
  for (let ring = 0; ring + 1 < profile.length; ring++) {
    if (ring === 0 || ring === 4 || ring === 7) lines.push(`usemtl ${ring === 4 ? "band" : "clay"}`);
    for (let side = 0; side < SIDES; side++) {
      const a = ring * column + side + 1, corners = [a, a + column, a + column + 1, ...(ring > 0 ? [a + 1] : [])];
      lines.push(`f ${corners.map((corner) => `${corner}/${corner}`).join(" ")}`);
    }
  }
  return [["vase.obj", encode(`${lines.join("\n")}\n`)],
          ["vase.mtl", encode("newmtl clay\nKd 0.62 0.27 0.16\nnewmtl band\nKd 0.09 0.32 0.38\n")]];
}

/**
 * The vase with errors for the checks: a face without area, a normal of length 0, a face with two
 * corners.
 */
export function broken() {
  const [[, bytes], [, colors]] = vase();
  return [["broken-vase.obj", encode(`${new TextDecoder().decode(bytes)}vn 0 0 0\nf 40/40 41/41 40/40\nf 50//1 83//1 84//1\nf 1 2\n`)], ["vase.mtl", colors]];
}

const base64 = (bytes) => {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(text);
};

/** A reed that sways: a skin with four joints, as a glTF with an embedded buffer. */
export function reed() {
  const JOINTS = 4, RINGS = 25, AROUND = 12, buffers = [], bufferViews = [], accessors = [];
  let size = 0;
  const add = (array, type, componentType, bounds) => {
    const width = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 }[type];
    bufferViews.push({ buffer: 0, byteOffset: size, byteLength: array.byteLength });
    accessors.push({ bufferView: bufferViews.length - 1, componentType, count: array.length / width, type, ...bounds });
    buffers.push(new Uint8Array(array.buffer), new Uint8Array(-array.byteLength & 3));
    size += array.byteLength + (-array.byteLength & 3);
    return accessors.length - 1;
  };
  const positions = [], normals = [], colors = [], joints = [], weights = [], indices = [];
  for (let ring = 0; ring < RINGS; ring++) {
    const height = ring / (RINGS - 1) * JOINTS, radius = 0.24 - 0.05 * height, joint = Math.min(JOINTS - 1, Math.floor(height)), part = height - joint;
    const before = Math.max(0, joint - 1), share = joint === 0 ? 1 : Math.min(1, 0.5 + part);
    for (let side = 0; side < AROUND; side++) {
      const angle = side / AROUND * 2 * Math.PI, [x, z] = [Math.cos(angle), Math.sin(angle)];
      positions.push(x * radius, height, z * radius);
      normals.push(x, 0, z);
      colors.push(0.15 + 0.18 * height, 0.5, 0.22, 1);
      joints.push(joint, before, 0, 0);
      weights.push(share, 1 - share, 0, 0);
      const a = ring * AROUND + side, b = ring * AROUND + (side + 1) % AROUND;
      if (ring + 1 < RINGS) indices.push(a, a + AROUND, b, b, a + AROUND, b + AROUND);
    }
  }
  const bones = Array.from({ length: JOINTS }, (_, i) => i), times = Float32Array.from({ length: 9 }, (_, i) => i / 4);
  const turn = (angle) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
  const rotation = (joint) => Float32Array.from([...times].flatMap((time) => turn(0.28 * Math.sin((time / 2 - joint / 8) * 2 * Math.PI))));
  const radius = 0.24, primitive = { attributes: {
    POSITION: add(new Float32Array(positions), "VEC3", 5126, { min: [-radius, 0, -radius], max: [radius, JOINTS, radius] }), NORMAL: add(new Float32Array(normals), "VEC3", 5126),
    COLOR_0: add(new Float32Array(colors), "VEC4", 5126), JOINTS_0: add(new Uint8Array(joints), "VEC4", 5121), WEIGHTS_0: add(new Float32Array(weights), "VEC4", 5126) },
  indices: add(new Uint16Array(indices), "SCALAR", 5123), material: 0 };
  const inverse = add(Float32Array.from(bones.flatMap((i) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -i, 0, 1])), "MAT4", 5126);
  const input = add(times, "SCALAR", 5126, { min: [0], max: [2] });
  const samplers = bones.map((joint) => ({ input, output: add(rotation(joint), "VEC4", 5126) }));
  const whole = new Uint8Array(size);
  let at = 0;
  for (const each of buffers) {
    whole.set(each, at);
    at += each.length;
  }
  const json = { asset: { version: "2.0" }, scene: 0, scenes: [{ nodes: [0, 1] }],
    nodes: [{ name: "reed", mesh: 0, skin: 0 }, ...bones.map((i) => ({ name: `joint ${i + 1}`, translation: [0, i === 0 ? 0 : 1, 0], ...(i + 1 < JOINTS && { children: [i + 2] }) }))],
    meshes: [{ name: "reed", primitives: [primitive] }], materials: [{ name: "leaf", pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 0.7 } }],
    skins: [{ joints: bones.map((i) => i + 1), inverseBindMatrices: inverse }],
    animations: [{ name: "sway", samplers, channels: bones.map((i) => ({ sampler: i, target: { node: i + 1, path: "rotation" } })) }],
    accessors, bufferViews, buffers: [{ byteLength: size, uri: `data:application/octet-stream;base64,${base64(whole)}` }] };
  return [["reed.gltf", encode(JSON.stringify(json))]];
}

export const samples = { vase, reed, broken };
