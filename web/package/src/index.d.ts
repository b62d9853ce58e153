/// <reference lib="esnext.disposable" />

import type { CheckOptions, CompareOptions, ConvertOptions, ExtractOptions, InfoOptions, PackOptions } from "./options.js";

export type { CheckOptions, CompareOptions, ConvertOptions, ExtractOptions, InfoOptions, PackOptions };

/** One thing that a check, a reader or a writer has to say. */
export interface Finding {
  /** Id of the rule, "BSM-TRI-WINDING"; "" when there is none. */
  rule: string;
  severity: "note" | "warning" | "error";
  /** Byte offset of the first occurrence, or null. */
  offset?: number | null;
  /** Line of a text file, from 1. */
  line?: number;
  /** The file that offset and line are in, when it is another than the one that was read: a material library. */
  file?: string;
  /** Occurrences that it stands for. */
  count?: number;
  message: string;
}

export interface Report {
  file: string;
  format: string | null;
  errors: number;
  warnings: number;
  findings: Finding[];
}

export interface Info {
  file: string;
  format: string;
  version: string;
  bytes: number;
  counts: Record<"meshes" | "vertices" | "faces" | "triangles" | "materials" | "images" | "joints" | "hulls" | "animations", number>;
  bounds: { min: [number, number, number]; max: [number, number, number] } | null;
  /** The format's own tree. */
  detail: Record<string, unknown>;
}

/** The object of `facet compare --json`. */
export interface Comparison extends Record<string, unknown> {
  equal: boolean;
  sameBytes: boolean;
  findings: Finding[];
  /** With `picture: true`. */
  picture?: { bytes: Uint8Array; differentPixels: number; greatestDifference: number };
}

export interface Converted {
  /** With `split` it is empty, and all files are siblings. */
  bytes: Uint8Array;
  /** Files beside the result (an MTL, buffers, textures), by their names. */
  siblings: Map<string, Uint8Array>;
  /** What was lost or is worth knowing. */
  findings: Finding[];
}

export type TypedArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

export interface Primitive {
  /** By glTF's names: POSITION, NORMAL, TANGENT, TEXCOORD_0, COLOR_0, JOINTS_0, WEIGHTS_0, _CUSTOM. */
  attributes: Record<string, TypedArray>;
  indices: TypedArray | null;
  /** Index into the scene's materials, or null. */
  material: number | null;
  /** 4: triangles, 1: lines, 0: points. */
  mode: number;
  targets: Record<string, TypedArray>[];
}

/** As glTF 2.0 has it, with typed arrays: +Y up, right-handed, meters, v from the top. */
export interface Scene {
  meshes: { name: string; weights: number[]; primitives: Primitive[]; extras?: unknown }[];
  images: { name: string; mediaType: string; bytes: Uint8Array | null; uri?: string; extras?: unknown }[];
  skins: { name: string; joints: number[]; skeleton: number | null; inverseBindMatrices: TypedArray | null }[];
  animations: {
    name: string;
    extras?: unknown;
    channels: { target: { node?: number; path: string }; interpolation: string; times: TypedArray; values: TypedArray }[];
  }[];
  nodes: Record<string, unknown>[];
  roots: number[];
  materials: Record<string, unknown>[];
  textures: Record<string, unknown>[];
  samplers: Record<string, unknown>[];
  extras?: unknown;
}

/** A texture map: the number of an image, and enumerations by the numbers of the GX library. */
export interface ConsoleMap {
  image: number;
  wrapS: number;
  wrapT: number;
  minFilter: number;
  magFilter: number;
  lodBias: number;
}

/** What an animation changes of console materials. Each list of values has one for each frame, and one for the end. */
export interface ConsoleMotion {
  kind: "btk" | "brk" | "bpk" | "bpa" | "btp";
  frames: number;
  materials: {
    /** Of the glTF. */
    material: number;
    /** Numbers of uniforms that differ from those at rest, each by its place in the flat list. */
    tracks: { uniform: string; at: number; values: number[] }[];
    /** btp: what a sampler shows; values are numbers of choices. */
    maps?: { map: number; choices: (ConsoleMap | null)[]; values: number[] }[];
    /** btk: the vertex shader, which multiplies by the matrices that move. */
    vertex?: string;
  }[];
}

/** What draws a material of a GameCube or Wii: GLSL ES 3.00, and what is not in it. */
export interface ConsoleMaterial {
  vertex: string;
  fragment: string;
  /** Values of the uniforms, flat: registers, konst (integers), material_color, ambient_color, texture_rows, light_... */
  uniforms: Record<string, number[]>;
  /** Of the samplers texmap0 to texmap7, null where there is none. */
  maps: (ConsoleMap | null)[];
  /** Test, comparison, write. */
  depth: [number, number, number];
  /** Type, source, destination, logic operation. */
  blend: [number, number, number, number];
  culls: boolean;
  /** It is drawn after all that is not, what is far before what is near. */
  translucent: boolean;
  /** It is a helper of a trick, and not to be drawn. */
  skipped: boolean;
}

/** A collision hull or the occluder, in the axes of glTF. */
export interface Overlay {
  occluder: boolean;
  positions: number[];
  indices: number[];
}

/** A file that cannot be used, or a call that cannot be carried out. */
export class FacetError extends Error {
  constructor(message: string, place?: { rule?: string; offset?: number | null; line?: number; status?: number });
  rule: string;
  offset: number | null;
  line: number | null;
  /** 1 the input is at fault, 2 the call, 3 the system. */
  status: number;
}

/** A folder in memory. */
export class MemoryFiles {
  constructor(resolve?: (path: string) => Uint8Array | null | undefined);
  put(path: string, bytes: Uint8Array): void;
  get(path: string): Uint8Array | undefined;
  names(): string[];
  missing: Set<string>;
}

/** What long work does beside. */
export interface Watch {
  /** Called now and then, with how much of a step is done: 0 to 1. */
  progress?: (step: string, fraction: number) => void;
  /** Once it is aborted, the work ends at the next such moment, and its reason is thrown. */
  signal?: AbortSignal;
}

/** A file of some format. */
export class FacetFile {
  readonly name: string;
  bytes: Uint8Array | null;
  /** Names that the last call asked for and that were not there. */
  missing: string[];
  /** @throws FacetError */
  info(member?: string, options?: InfoOptions): Info;
  /** @throws FacetError */
  check(options?: CheckOptions, member?: string): Report;
  /** @throws FacetError */
  convert(format: string, options?: ConvertOptions, member?: string): Converted;
  /** @throws FacetError */
  extract(options?: ExtractOptions, member?: string): Map<string, Uint8Array>;
  /** @throws FacetError */
  scene(options?: ConvertOptions, member?: string): Scene;
  overlays(member?: string): Overlay[];
  close(): void;
  [Symbol.dispose](): void;
}

/** The library. */
export class Facet {
  constructor(module: WebAssembly.Module);
  readonly version: string;
  glsl(gltf: { materials?: object[]; images?: object[] }): (ConsoleMaterial | null)[];
  motion(gltf: { materials?: object[]; images?: object[] }, file: string | Uint8Array): ConsoleMotion | null;
  overlays(path: string, files: MemoryFiles): Overlay[];
  formats(): Record<string, unknown>[];
  open(bytes: Uint8Array | ArrayBuffer,
    how?: { name?: string; sibling?: (path: string) => Uint8Array | null | undefined } & Watch): FacetFile;
  /** @throws FacetError */
  compare(a: FacetFile, b: FacetFile, options?: CompareOptions): Comparison;
  /** @throws FacetError */
  pack(out: string, members: Map<string, Uint8Array>, options?: PackOptions): Uint8Array;
  run(line: string[], files: MemoryFiles, input?: Uint8Array, watch?: Watch): { status: number; output: Uint8Array; errors: string };
}

/**
 * The library, loaded once. `wasm`: where it is, or the module; none: the package's own file. `core`: that which reads BSM,
 * BinaryMesh, BPX, BGA, J3D and glTF, and writes glTF alone.
 */
export function load(how?: { wasm?: string | URL | BufferSource | WebAssembly.Module | Response; core?: boolean }): Promise<Facet>;
