// Compiled, not run. The types must match the package.

import { load, FacetError, type Scene } from "../package/src/index.js";
import { FacetClient } from "../package/src/client.js";

export async function example(bytes: Uint8Array): Promise<Float32Array> {
  const facet = await load();
  const file = facet.open(bytes, { name: "model.bdl", sibling: () => null });
  try {
    const scene: Scene = file.scene({ scale: 0.01 });
    const count: number = file.info().counts.triangles + file.check().errors;
    const saved: Uint8Array = file.convert("bsm", { newNormals: true, crease: 40, hullsFrom: "a.obj", mips: "auto" }).bytes;
    file.render({ animation: 0, time: 1.5, exposure: 1, environmentRotation: 90, lineWidth: 2 });
    facet.open(new DataView(bytes.buffer)).render({ animation: "Walk" });
    // @ts-expect-error: not a number
    file.render({ time: "soon" });
    // @ts-expect-error: not an option
    file.convert("bsm", { newNormal: true });
    // @ts-expect-error: not one of the words
    file.convert("bga", { endian: "middle" });
    const positions = scene.meshes[0].primitives[0].attributes.POSITION;
    const shaders: string[] = facet.glsl(scene).flatMap((each) => (each ? [each.vertex, each.fragment] : []));
    const moved: number[] = facet.motion(scene, bytes)?.materials.flatMap(({ tracks }) => tracks.flatMap(({ values }) => values)) ?? [];
    if (moved.some((value) => Number.isNaN(value))) throw new Error("no number");
    if (shaders.some((text) => !text.startsWith("#version 300 es"))) throw new Error("no shader");
    if (!(positions instanceof Float32Array) || count < 0 || saved.length === 0) throw new Error("no positions");
    return positions;
  } catch (fault) {
    if (fault instanceof FacetError) console.log(fault.rule, fault.offset, fault.message);
    throw fault;
  } finally {
    file.close();
  }
}

export async function handles(bytes: Uint8Array): Promise<number> {
  const facet = await load();
  using file = facet.open(bytes, { signal: AbortSignal.timeout(1000), progress: (step, fraction) => console.log(step, 100 * fraction) });
  return file.overlays().filter((each) => each.occluder).length;
}

export async function blobs(bytes: Uint8Array, client: FacetClient): Promise<Blob[]> {
  const facet = await load({ wasm: await fetch("facet.wasm") });
  const { bytes: glb, siblings } = facet.open(bytes).convert("glb");
  const { signal } = new AbortController(), worker = new FacetClient(() => new Worker("worker.js", { type: "module" }));
  const picture = await worker.open(bytes).render({}, undefined, { signal });
  const packed = await client.pack("a.szs", new Map([["a.bmd", bytes]]));
  return [glb, ...siblings.values(), picture.bytes, packed].map((each) => new Blob([each]));
}
