// Compiled by TypeScript 5.1 and the newest, without the types of a browser. It does not run.

import { load, FacetError, unzip, type Bytes, type Picture } from "facet-mesh";
import { FacetClient, type ClientFile } from "facet-mesh/client";

export async function direct(bytes: Uint8Array): Promise<Bytes> {
  const facet = await load({ wasm: new Uint8Array(8) });
  const file = facet.open(bytes, { name: "model.bdl", sibling: () => null });
  try {
    const picture: Picture = file.render({ size: "64x64" }, undefined, { progress: (step: string, fraction: number) => void [step, fraction] });
    for (const [name, member] of await unzip(picture.bytes)) facet.open(member, { name }).close();
    return file.convert("fish.glb", { inputs: ["walk.bck"] }).bytes;
  } catch (fault) {
    if (fault instanceof FacetError) throw new Error(`${fault.rule} ${fault.place} ${fault.file}`);
    throw fault;
  } finally {
    file.close();
  }
}

export async function inWorkers(bytes: Uint8Array): Promise<number> {
  const client = new FacetClient({ workers: 2, worker: () => ({ postMessage() {}, terminate() {} }) });
  const file: ClientFile = client.open(bytes, { sibling: async (path: string) => (path === "" ? null : new Uint8Array(4)) });
  const { errors } = await file.check();
  const { equal } = await client.compare(file, file);
  client.close();
  return equal ? errors : -1;
}
