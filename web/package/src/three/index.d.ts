import type { AnimationClip, Group, LoadingManager, Material, Mesh } from "three";
import { Loader } from "three";
import type { GLTF, GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

import type { ConsoleMaterial, ConvertOptions, Facet, Finding } from "../index.js";
import type { FacetClient } from "../client.js";

/**
 * The animations of a model by name, including those of materials. Use it instead of an
 * AnimationMixer.
 */
export interface FacetMotion {
  readonly names: string[];
  /** Seconds from the beginning. */
  readonly time: number;
  /** Seconds. */
  readonly duration: number;
  /** Choose an animation by its index in `names`, and set the time to 0. */
  choose(index: number): Promise<void>;
  seek(time: number): void;
  /** Advance the time by seconds. After the end, start again. */
  advance(seconds: number): void;
  dispose(): void;
}

/** The result of GLTFLoader, with more data in `facet`. */
export interface FacetModel extends GLTF {
  scene: Group;
  animations: AnimationClip[];
  facet: {
    /** Losses, and other warnings and notes. */
    findings: Finding[];
    /** Names of files that were not found. */
    missing: string[];
    /** Notes about textures that are reduced or not shown. */
    notes: string[];
    /** Shaders of each material; null for materials that are not of a console. */
    descriptions: (ConsoleMaterial | null)[];
    /** Shader materials of a console by mesh. */
    console: Map<Mesh, Material>;
    /** All animations, including those of console materials. */
    motion: FacetMotion;
  };
}

/** Loads any format that Facet reads. The result is like that of GLTFLoader. */
export class FacetLoader extends Loader<FacetModel> {
  constructor(manager?: LoadingManager);
  /** Options of `convert()`, such as `{ scale: 0.01 }`. */
  options: ConvertOptions;
  /** Addresses of animations for the model, relative to its path. */
  animations: string[];
  /** Maximum width and height of textures; larger ones are reduced. Default 4096. */
  maxTextureSize: number;
  setOptions(options: ConvertOptions): this;
  setAnimations(addresses: string[]): this;
  /** Default: call `load()`. A `FacetClient` keeps the page responsive. */
  setLibrary(library: Facet | FacetClient): this;
  setDRACOLoader(loader: Parameters<GLTFLoader["setDRACOLoader"]>[0]): this;
  setKTX2Loader(loader: Parameters<GLTFLoader["setKTX2Loader"]>[0]): this;
  setMeshoptDecoder(decoder: Parameters<GLTFLoader["setMeshoptDecoder"]>[0]): this;
  register(plugin: Parameters<GLTFLoader["register"]>[0]): this;
  load(url: string, onLoad: (model: FacetModel) => void, onProgress?: (event: ProgressEvent) => void, onError?: (fault: unknown) => void): void;
  parse(data: ArrayBuffer | Uint8Array | string, path: string, onLoad: (model: FacetModel) => void, onError?: (fault: unknown) => void): void;
  parseAsync(data: ArrayBuffer | Uint8Array | string, path?: string, name?: string): Promise<FacetModel>;
}
