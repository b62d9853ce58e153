// J3D animations with their model. At a given time, the page must show the same as `facet render`
// for a model whose materials rest in that state.

import * as fs from "node:fs";
import * as path from "node:path";

// For the spider: two textures, of which a register mixes in the second; a material color; a konst
// color.
const stages = {
  texgens: [{ type: "MTX2X4", source: "TEX0", matrix: "TEXMTX0" }, { type: "MTX2X4", source: "TEX0", matrix: "IDENTITY" }],
  tevOrders: [{ texcoord: "TEXCOORD0", texmap: "TEXMAP0", channel: "COLOR0A0" }, { texcoord: "TEXCOORD1", texmap: "TEXMAP1", channel: "NULL" }],
  tevStages: [{ color: { inputs: ["ZERO", "TEXC", "RASC", "ZERO"] }, alpha: { inputs: ["ZERO", "TEXA", "RASA", "ZERO"] } },
              { color: { inputs: ["CPREV", "TEXC", "C1", "ZERO"] }, alpha: { inputs: ["ZERO", "ZERO", "ZERO", "APREV"] } }],
};
const unlit = { lighting: false, materialSource: "REG", lightMask: 0, diffuse: "NONE", attenuation: "NONE", ambientSource: "REG" };
const atRest = { translation: [0, 0], rotation: 0, red: 255, green: 160, mix: 0, konst: [20, 200, 250, 255], texture: "SpiderTex" };

/** Materials of the model in a given state. */
function materialsIn({ translation, rotation, red, green, mix, konst, texture }) {
  return { materials: [
    { name: "HLeibTex", texgenCount: 2, stageCount: 2, textures: [texture, "wal67ar_small"], ...stages, channels: [unlit],
      tevRegisters: [[0, 0, 0, 0], [mix, mix, mix, 255], [0, 0, 0, 0], [0, 0, 0, 0]],
      textureMatrices: [{ projection: "MTX2X4", mode: "NONE", center: [0.5, 0.5, 0.5], scale: [1, 1], rotation, translation }] },
    { name: "Skin", materialColors: [[red, green, 80, 255], [255, 255, 255, 255]], channels: [unlit] },
    { name: "Augentex", konstColors: [konst], channels: [unlit], tevStages: [{ color: { inputs: ["TEXC", "KONST", "RASC", "ZERO"] } }] },
  ] };
}

const line = (from, to) => [[0, from, (to - from) / 30], [30, to, (to - from) / 30]]; // linear, 30 frames
const file = (kind, rest) => ({ format: "facet-j3d-animation", version: 1, kind, name: kind, frames: 30, loop: "repeat", ...rest });

/** For each kind: the animation, and the state of the model at frame 12. */
const moving = {
  btk: [file("btk", { rotation_shift: 1, maya: false, texture_matrices: [{ material: "HLeibTex", matrix: 0, center: [0.5, 0.5, 0.5],
    scale: [1, 1, 1], rotation: [0, 0, line(0, 75)], translation: [line(0, 0.5), line(0, -0.25), 0] }] }),
        { translation: [0.2, -0.1], rotation: 30 }],
  brk: [file("brk", { registers: [{ material: "HLeibTex", register: 0, R: 0, G: 0, B: 0, A: 0 },
                                  { material: "HLeibTex", register: 1, R: line(0, 500), G: line(0, 500), B: line(0, 500), A: 255 }],
                      konst_colors: [{ material: "Augentex", register: 0, R: line(20, 220), G: 200, B: line(250, 0), A: 255 }] }),
        { mix: 200, konst: [100, 200, 150, 255] }],
  bpk: [file("bpk", { material_colors: [{ material: "Skin", R: line(255, 5), G: line(160, 10), B: 80, A: 255 }] }), { red: 155, green: 100 }],
  btp: [file("btp", { texture_maps: [{ material: "HLeibTex", map: 0, textures: [...Array(10).fill(0), ...Array(20).fill(1)] }] }),
        { texture: "wal67ar_small" }],
};

/**
 * Remove the J3D data of a GLB. For other programs, and for the page, it is then an ordinary glTF.
 */
function stripped(file) {
  const bytes = fs.readFileSync(file), size = bytes.readUInt32LE(12), json = JSON.parse(bytes.subarray(20, 20 + size));
  for (const list of ["scenes", "nodes", "meshes", "materials", "images", "animations"]) for (const each of json[list] ?? []) delete each.extras;
  delete json.extras;
  const text = Buffer.from(JSON.stringify(json)), padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, " ")]);
  const made = Buffer.concat([bytes.subarray(0, 20), padded, bytes.subarray(20 + size)]);
  made.writeUInt32LE(made.length, 8);
  made.writeUInt32LE(padded.length, 12);
  fs.writeFileSync(file, made);
  return file;
}

export async function testAnimations(stage, tab) {
  const at = (name) => path.join(stage.out, name), bare = at("animated-bare.bdl");
  stage.native("convert", "-q", stage.real("obj/spider.obj"), bare);
  const build = (name, state) => {
    fs.writeFileSync(at(`${name}.json`), JSON.stringify(materialsIn({ ...atRest, ...state })));
    stage.native("convert", "-q", bare, "--materials", at(`${name}.json`), at(`${name}.bdl`));
    return at(`${name}.bdl`);
  };
  const pack = (name, json) => {
    fs.writeFileSync(at("packed.json"), JSON.stringify(json));
    stage.native("pack", "-q", at(name), at("packed.json"));
    return at(name);
  };
  const beside = async (what, model, words = [], most = 3.3) => {
    const time = (frame) => tab.evaluate((seconds) => window.facet.viewer.seek(seconds), frame / 30);
    const pixels = () => tab.evaluate(() => window.facet.viewer.pixels({ width: 128, height: 96 }).data.join());
    await time(0);
    const first = await pixels();
    await time(12);
    stage.expect(`${what}: at another time it looks otherwise`, first !== await pixels());
    const apart = await stage.beside(tab, model, "shaded", words);
    stage.expect(`${what}: as facet render draws that state`, apart.mean < most && apart.much < 0.02 && apart.drawn > 0.02, apart);
    await time(0);
    stage.expect(`${what}: the beginning comes back`, first === await pixels());
    return apart.mean.toFixed(2);
  };

  const rest = build("animated", {}), found = [];
  for (const [kind, [json, state]] of Object.entries(moving)) {
    await stage.show(tab, [rest, pack(`moving.${kind}`, json)]);
    stage.expect(`a ${kind} is listed`, (await tab.evaluate(() => window.facet.viewer.clips)).join() === "moving", await tab.evaluate(() => window.facet.viewer.clips));
    const still = await stage.beside(tab, rest, "shaded");
    stage.expect(`${kind}: its first frame is the model at rest`, still.mean < 3.3, still);
    const before = await stage.beside(tab, build(`animated-${kind}`, state), "shaded");
    stage.expect(`${kind}: its state at another time is none that rest could be taken for`, before.mean > 3.3, before);
    found.push(`${kind} ${await beside(kind, at(`animated-${kind}.bdl`))}`);
  }

  // Animations with the same name play together, including those that hide shapes.
  const bva = file("bva", { shapes: [{ visible: [...Array(10).fill(1), ...Array(20).fill(0)] }, { visible: [1] }, { visible: [1] }, { visible: [1] }] });
  const blink = pack("moving.bva", bva), state = Object.assign({}, ...Object.values(moving).map(([, each]) => each));
  await stage.show(tab, [rest, blink]);
  found.push(`bva ${await beside("bva", [rest, blink], ["--animation", "0", "--time", "0.4"])}`);
  await stage.show(tab, [rest, blink, ...Object.keys(moving).map((kind) => at(`moving.${kind}`))]);
  const clips = await tab.evaluate(() => window.facet.viewer.clips);
  stage.expect("animations of one name are one", clips.length === 1 && ["btk", "brk", "bpk", "btp", "bva"].every((kind) => clips[0].includes(kind)), clips);
  found.push(`all ${await beside("all together", [build("animated-all", state), blink], ["--animation", "0", "--time", "0.4"])}`);

  // After saving as GLB and opening it again, console materials and animations exist: extras store
  // them.
  const words = ["convert", "-q", rest, blink, ...Object.keys(moving).map((kind) => at(`moving.${kind}`)), at("animated.glb")];
  stage.native(...words);
  await stage.show(tab, [at("animated.glb")]);
  found.push(`of a GLB ${await beside("of a GLB", [at("animated-all.bdl"), blink], ["--animation", "0", "--time", "0.4"])}`);

  // The part that glTF can store moves the usual materials, in all viewers.
  for (const kind of ["btk", "bpk", "btp"]) {
    stage.native("convert", "-q", rest, at(`moving.${kind}`), at(`plain-${kind}.glb`));
    stage.native("convert", "-q", at(`animated-${kind}.bdl`), at(`plain-${kind}-then.glb`));
    await stage.show(tab, [stripped(at(`plain-${kind}.glb`))]);
    stage.expect(`${kind} in a plain glTF: no material is the console's`, !(await tab.evaluate(() => window.facet.shown.descriptions.some(Boolean))));
    found.push(`${kind} of a plain glTF ${await beside(`${kind} in a plain glTF`, stripped(at(`plain-${kind}-then.glb`)), [], 5)}`);
  }
  console.log(`  animations of materials, ${found.join(", ")}`);
}
