import type { CheckOptions, CompareOptions, ConvertOptions, ExtractOptions, InfoOptions, PackOptions, RenderOptions } from "./options.js";

export type { CheckOptions, CompareOptions, ConvertOptions, ExtractOptions, InfoOptions, PackOptions, RenderOptions };

// Types of the platform where the project has them, so that one without "dom" compiles, too.
type Instance<Name extends string> = typeof globalThis extends { [key in Name]: { prototype: infer T } } ? T : object;
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer T } } } ? T : object;
/** What `wasm` may be: an address, a response, bytes or a module. */
export type WasmSource = string | Instance<"URL"> | Instance<"Response"> | ArrayBuffer | ArrayBufferView | WasmModule;
/** A signal of an AbortController. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: any;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
/** Bytes with a buffer of their own: since TypeScript 5.7 `Uint8Array<ArrayBuffer>`, which a Blob takes. */
export type Bytes = ReturnType<Uint8Array["slice"]>;

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
  /** Indices in the file of what it is about, from 0. Without a mesh, faces and vertices are counted through all of them. */
  mesh?: number;
  face?: number;
  vertex?: number;
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
  picture?: { bytes: Bytes; differentPixels: number; greatestDifference: number };
}

export interface Converted {
  /** With `split` it is empty, and all files are siblings. */
  bytes: Bytes;
  /** Files beside the result (an MTL, buffers, textures), by their names. */
  siblings: Map<string, Bytes>;
  /** What was lost or is worth knowing. */
  findings: Finding[];
}

/** The object of `facet render --json`, and the picture as PNG. */
export interface Picture extends Record<string, unknown> {
  bytes: Bytes;
}

/** More files of the same model, for example its animations: names, which `sibling` opens. */
export interface WithInputs {
  inputs?: string[];
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
  constructor(message: string, place?: { rule?: string; file?: string; offset?: number | null; line?: number | null; status?: number });
  /** Id of the rule that is broken, "BSM-MAGIC"; "" when there is none. */
  rule: string;
  /** Name of the file that is at fault. */
  file: string;
  offset: number | null;
  line: number | null;
  /** 1 the input is at fault, 2 the call, 3 the system. */
  status: number;
  /** File and line or byte: "model.obj:12", "model.bsm:0x10". */
  readonly place: string;
}

/** A folder in memory. */
export class MemoryFiles {
  constructor(resolve?: (path: string) => Uint8Array | null | undefined, outputs?: string);
  put(path: string, bytes: Uint8Array): void;
  get(path: string): Uint8Array | undefined;
  names(): string[];
  missing: Set<string>;
}

/** Whether bytes begin as a ZIP archive does. */
export function isZip(bytes: Uint8Array): boolean;
/** Files of a ZIP archive by their paths. */
export function unzip(bytes: Uint8Array): Promise<Map<string, Bytes>>;

/** What long work does beside. */
export interface Watch {
  /** Called now and then, with how much of a step is done: 0 to 1. */
  progress?: (step: string, fraction: number) => void;
  /** Once it is aborted, the call ends, and the signal's reason is thrown. */
  signal?: Signal;
}

/** `[Symbol.dispose]()`, for `using`, where the project's "lib" has it. */
type Disposes = SymbolConstructor extends { readonly dispose: infer Key extends symbol } ? { [key in Key]: () => void } : object;
export interface FacetFile extends Disposes {}

/** A file of some format. Each method throws a FacetError when it fails. */
export class FacetFile {
  readonly name: string;
  bytes: Uint8Array | null;
  sibling?: (path: string) => Uint8Array | null | undefined;
  /** Names that the last call asked for and that were not there. */
  missing: string[];
  info(member?: string, options?: InfoOptions, watch?: Watch): Info;
  /** A file that cannot be read is a finding. */
  check(options?: CheckOptions, member?: string, watch?: Watch): Report;
  /** `to`: a format, "glb", or the name of the result, "fish.glb". */
  convert(to: string, options?: ConvertOptions & WithInputs, member?: string, watch?: Watch): Converted;
  render(options?: RenderOptions & WithInputs, member?: string, watch?: Watch): Picture;
  extract(options?: ExtractOptions, member?: string, watch?: Watch): Map<string, Bytes>;
  scene(options?: ConvertOptions & WithInputs, member?: string, watch?: Watch): Scene;
  overlays(member?: string): Overlay[];
  /** Let the bytes go. */
  close(): void;
}

/** The library. */
export class Facet {
  constructor(module: WasmModule);
  readonly version: string;
  glsl(gltf: { materials?: object[]; images?: object[] }): (ConsoleMaterial | null)[];
  motion(gltf: { materials?: object[]; images?: object[] }, file: string | Uint8Array): ConsoleMotion | null;
  overlays(path: string, files: MemoryFiles): Overlay[];
  formats(): Record<string, unknown>[];
  open(bytes: Uint8Array | ArrayBuffer,
    how?: { name?: string; sibling?: (path: string) => Uint8Array | null | undefined } & Watch): FacetFile;
  compare(a: FacetFile, b: FacetFile, options?: CompareOptions, watch?: Watch): Comparison;
  pack(out: string, members: Map<string, Uint8Array>, options?: PackOptions, watch?: Watch): Bytes;
  run(line: string[], files: MemoryFiles, input?: Uint8Array, watch?: Watch): { status: number; output: Uint8Array; errors: string };
}

/**
 * The library, loaded once; a failure is not kept. `wasm`: where it is, or the module; none: the package's own file. `core`:
 * that which reads BSM, BinaryMesh, BPX, BGA, J3D and glTF, and writes glTF alone.
 */
export function load(how?: { wasm?: WasmSource; core?: boolean }): Promise<Facet>;
