import type { AnimationClip, Group, LoadingManager, Material, Mesh } from "three";
import { Loader } from "three";
import type { GLTF, GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

import type { ConsoleMaterial, ConvertOptions, Facet, Finding } from "../index.js";
import type { FacetClient } from "../client.js";

/** The animations of a model by names, materials included: for what no AnimationMixer is wanted. */
export interface FacetMotion {
  readonly names: string[];
  readonly time: number;
  readonly duration: number;
  choose(index: number): Promise<void>;
  seek(time: number): void;
  advance(seconds: number): void;
  dispose(): void;
}

/** What GLTFLoader gives, and what only Facet knows of it. */
export interface FacetModel extends GLTF {
  scene: Group;
  animations: AnimationClip[];
  facet: {
    /** What was lost or is worth knowing. */
    findings: Finding[];
    /** Names that the model has and that were not there. */
    missing: string[];
    /** Textures that are not shown as they are. */
    notes: string[];
    /** Of each material: what draws it on its console, or null. */
    descriptions: (ConsoleMaterial | null)[];
    /** Shader materials of a console, by their meshes. */
    console: Map<Mesh, Material>;
    motion: FacetMotion;
  };
}

/** Loads any format that Facet reads, and gives what GLTFLoader gives. */
export class FacetLoader extends Loader<FacetModel> {
  constructor(manager?: LoadingManager);
  options: ConvertOptions;
  animations: string[];
  maxTextureSize: number;
  setOptions(options: ConvertOptions): this;
  setAnimations(addresses: string[]): this;
  setLibrary(library: Facet | FacetClient): this;
  setDRACOLoader(loader: Parameters<GLTFLoader["setDRACOLoader"]>[0]): this;
  setKTX2Loader(loader: Parameters<GLTFLoader["setKTX2Loader"]>[0]): this;
  setMeshoptDecoder(decoder: Parameters<GLTFLoader["setMeshoptDecoder"]>[0]): this;
  register(plugin: Parameters<GLTFLoader["register"]>[0]): this;
  load(url: string, onLoad: (model: FacetModel) => void, onProgress?: (event: ProgressEvent) => void, onError?: (fault: unknown) => void): void;
  parse(data: ArrayBuffer | Uint8Array | string, path: string, onLoad: (model: FacetModel) => void, onError?: (fault: unknown) => void): void;
  parseAsync(data: ArrayBuffer | Uint8Array | string, path?: string, name?: string): Promise<FacetModel>;
}
