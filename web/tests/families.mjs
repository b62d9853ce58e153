// Files of each family: dropped, compared with `facet render`, saved as GLB.

import * as fs from "node:fs";
import * as path from "node:path";

// Console materials that glTF cannot express: an environment map that a register mixes in, lights,
// blending, a texture matrix, swapped channels, an alpha test.
const console_ = { materials: [
  { name: "HLeibTex", texgenCount: 2, stageCount: 2, textures: ["SpiderTex", "wal67ar_small"],
    channels: [{ lighting: true, materialSource: "REG", lightMask: 1, diffuse: "CLAMP", attenuation: "SPOT", ambientSource: "REG" }],
    texgens: [{ type: "MTX2X4", source: "TEX0", matrix: "IDENTITY" }, { type: "MTX3X4", source: "NRM", matrix: "TEXMTX1" }],
    textureMatrices: [{}, { projection: "MTX3X4", mode: "ENV" }],
    tevRegisters: [[0, 0, 0, 0], [40, -30, 90, 255], [0, 0, 0, 0], [0, 0, 0, 0]],
    tevOrders: [{ texcoord: "TEXCOORD0", texmap: "TEXMAP0", channel: "COLOR0A0" }, { texcoord: "TEXCOORD1", texmap: "TEXMAP1", channel: "NULL" }],
    tevStages: [{ color: { inputs: ["ZERO", "TEXC", "RASC", "ZERO"] }, alpha: { inputs: ["ZERO", "TEXA", "RASA", "ZERO"] } },
                { color: { inputs: ["CPREV", "TEXC", "HALF", "C0"] }, alpha: { inputs: ["ZERO", "ZERO", "ZERO", "APREV"] } }],
    swapModes: [{}, {}] },
  { name: "Skin", mode: "TRANSLUCENT", cullMode: "NONE", blend: { type: "BLEND", source: "SRCALPHA", destination: "INVSRCALPHA" },
    depth: { test: true, comparison: "LEQUAL", write: false }, materialColors: [[255, 160, 80, 120], [255, 255, 255, 255]],
    channels: [{ lighting: true, materialSource: "REG", lightMask: 255, diffuse: "CLAMP", attenuation: "SPEC", ambientSource: "REG" }] },
  { name: "BeinTex", texgens: [{ type: "MTX2X4", source: "TEX0", matrix: "TEXMTX0" }], swapTables: [["B", "R", "G", "A"]],
    textureMatrices: [{ projection: "MTX2X4", mode: "NONE", center: [0.5, 0.5, 0.5], scale: [2, 3], rotation: 30, translation: [0.2, 0.1] }] },
  { name: "Augentex", earlyDepth: false, konstColors: [[20, 200, 250, 255]],
    alphaCompare: { comparison0: "GEQUAL", reference0: 128, operation: "AND", comparison1: "LEQUAL", reference1: 255 },
    tevStages: [{ color: { inputs: ["TEXC", "KONST", "RASC", "ZERO"] } }] },
] };

const spider = ["obj/spider.obj", "obj/spider.mtl", "obj/SpiderTex.jpg", "obj/wal67ar_small.jpg", "obj/engineflare1.jpg"];

/** Files to drop, the model first, and the modes to compare. */
function samples(stage) {
  const real = (...names) => names.map((name) => stage.real(name));
  const made = (name, ...words) => {
    const file = path.join(stage.out, name);
    stage.native("convert", "-q", ...words, file);
    return [file];
  };
  const materials = path.join(stage.out, "console.json");
  fs.writeFileSync(materials, JSON.stringify(console_));
  const [plain] = made("spider.bdl", stage.real("obj/spider.obj"));
  return [
    [real("bsm/test.bsm"), ["shaded", "normals", "tangents", "texcoords"]],
    [real("binarymesh/juice_00.v3.binarymesh"), ["shaded", "normals"]],
    [real("bga/teapot.v2.bga"), ["shaded", "normals", "facing"]],
    [made("man.bpx", stage.real("gltf/CesiumMan.glb")), ["shaded", "normals", "weights", "joints"]],
    [made("man.iqm", stage.real("gltf/CesiumMan.glb")), ["shaded", "normals", "weights", "joints"]],
    [real("j3d/fish_static.bmd"), ["shaded", "normals"]],
    [real("j3d/greenman_skinned.bdl"), ["shaded", "normals", "weights", "joints"]],
    [made("console.bdl", plain, "--materials", materials), ["shaded"]],
    [real(...spider), ["shaded", "texcoords", "materials"]],
    [real("ply/fuze.ply"), ["shaded"]],
    [real("stl/Spider_ascii.stl"), ["clay"]],
    [real("gltf/AnimatedMorphCube.gltf", "gltf/AnimatedMorphCube.bin"), ["shaded"]],
    [real("gltf/CesiumMan.glb"), ["shaded", "normals", "joints"]],
  ];
}

// Limits of the mean difference of channels (0 to 255) where something is drawn. Measured values:
// console 0.2 to 2.3, unlit colors 0.2 to 1.7. Lit colors: 2 to 6, because reflections come from a
// blurred picture in three.js and from a polynomial in the library. Without normals: 12, because
// three.js uses the triangle's normal and the library smooth ones.
const most = { normals: 3, tangents: 2, texcoords: 4, weights: 2, joints: 2, shaded: 8, clay: 12, facing: 6, materials: 6 };
const mostOfConsole = 3;
const native = { texcoords: "uv", materials: "material" };

async function look(stage, tab, name, glb, mode) {
  await tab.evaluate((wanted) => window.facet.setMode(wanted), mode);
  const { clips, hasConsole } = await tab.evaluate(() => ({ clips: window.facet.viewer.clips.length,
    hasConsole: window.facet.shown.descriptions.some(Boolean) }));
  const as = [...(clips > 0 ? ["--animation", "0"] : []), ...(name.endsWith(".stl") ? ["--up", "z"] : [])]; // STL has z up
  const apart = await stage.beside(tab, glb, native[mode] ?? mode, as);
  const limit = mode === "shaded" && hasConsole ? mostOfConsole : most[mode];
  stage.expect(`${name}, ${mode}: as facet render draws it`, apart.mean < limit && apart.much < 0.02 && apart.drawn > 0.02, apart);
  return apart;
}

export async function testFamilies(stage, tab) {
  for (const [files, modes] of samples(stage)) {
    const name = path.basename(files[0]), model = files[0];
    await stage.show(tab, files);
    const state = await tab.evaluate(() => ({ info: window.facet.shown.info, report: window.facet.shown.report, drawn: !!window.facet.shown.gltf,
                                              status: document.getElementById("status").textContent }));
    stage.expect(`${name} is drawn`, state.drawn, state.status);
    if (!state.drawn) continue;
    const counted = JSON.parse(stage.native("info", "--json", model).toString());
    stage.expect(`${name} counts what the native program counts`, JSON.stringify(state.info.counts) === JSON.stringify(counted.counts), state.info.counts);

    // Saving writes the same bytes as the native program, and the validator finds no error.
    const glb = await stage.saved(tab, "glb"), own = path.join(stage.out, "saved.glb"), wanted = path.join(stage.out, "wanted.glb");
    stage.native("convert", "-q", model, wanted);
    fs.writeFileSync(own, glb);
    stage.expect(`${name} as GLB has the native program's bytes`, glb.equals(fs.readFileSync(wanted)), glb.length);
    const report = await stage.validator.validateBytes(new Uint8Array(glb));
    stage.expect(`${name} as GLB is valid`, report.issues.numErrors === 0, report.issues.messages?.slice(0, 2));

    const found = [];
    for (const mode of modes) {
      const { mean, much } = await look(stage, tab, name, own, mode);
      found.push(`${mode} ${mean.toFixed(2)} (${(100 * much).toFixed(2)} %)`);
    }
    console.log(`  ${name}: ${found.join(", ")}`);
  }
  await tab.evaluate(() => window.facet.setMode("shaded"));
}
