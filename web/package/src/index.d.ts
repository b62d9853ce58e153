import type { CheckOptions, CompareOptions, ConvertOptions, ExtractOptions, InfoOptions, PackOptions, RenderOptions } from "./options.js";

export type { CheckOptions, CompareOptions, ConvertOptions, ExtractOptions, InfoOptions, PackOptions, RenderOptions };

// Types of the platform, if the project has them. Projects without "dom" compile as well.
type Instance<Name extends string> = typeof globalThis extends { [key in Name]: { prototype: infer T } } ? T : object;
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer T } } } ? T : object;
/** Values of `wasm`: an address, a response, bytes or a module. */
export type WasmSource = string | Instance<"URL"> | Instance<"Response"> | ArrayBuffer | ArrayBufferView | WasmModule;
/** The signal of an AbortController. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: any;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
/**
 * Bytes in a separate buffer. Since TypeScript 5.7 it is `Uint8Array<ArrayBuffer>`, which a Blob
 * accepts.
 */
export type Bytes = ReturnType<Uint8Array["slice"]>;

/** A note, warning or error from a check, a reader or a writer. */
export interface Finding {
  /** Id of the rule, for example "BSM-TRI-WINDING", or "". */
  rule: string;
  severity: "note" | "warning" | "error";
  /** Byte offset of the first occurrence, or null. */
  offset?: number | null;
  /** Line of a text file, from 1. */
  line?: number;
  /**
   * The file that `offset` and `line` refer to, for example a material library. Missing: the input.
   */
  file?: string;
  /**
   * Indices in the file, from 0. If `mesh` is missing, `face` and `vertex` count through all
   * meshes.
   */
  mesh?: number;
  face?: number;
  vertex?: number;
  /** Number of occurrences. */
  count?: number;
  message: string;
}

/** The object of `facet check --json`. */
export interface Report {
  file: string;
  format: string | null;
  errors: number;
  warnings: number;
  findings: Finding[];
}

/** The object of `facet info --json`. */
export interface Info {
  file: string;
  format: string;
  version: string;
  bytes: number;
  counts: Record<"meshes" | "vertices" | "faces" | "triangles" | "materials" | "images" | "joints" | "hulls" | "animations", number>;
  bounds: { min: [number, number, number]; max: [number, number, number] } | null;
  /** The format's own description, as a tree. */
  detail: Record<string, unknown>;
}

/** The object of `facet compare --json`. */
export interface Comparison extends Record<string, unknown> {
  equal: boolean;
  complete: boolean;
  sameBytes: boolean;
  findings: Finding[];
  /** Only with `picture: true`. */
  picture?: { bytes: Bytes; differentPixels: number; greatestDifference: number };
}

/** Result of `convert()`. */
export interface Converted {
  /** Empty with `split`; then all files are in `siblings`. */
  bytes: Bytes;
  /** Files next to the result (an MTL, buffers, textures), by their names. */
  siblings: Map<string, Bytes>;
  /** Losses, and other warnings and notes. */
  findings: Finding[];
}

/** The object of `facet render --json`, and the picture as PNG in `bytes`. */
export interface Picture extends Record<string, unknown> {
  bytes: Bytes;
}

/** `inputs`: names of more files of the same model, such as animations. `sibling` opens them. */
export interface WithInputs {
  inputs?: string[];
}

export type TypedArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

/** Faces, lines or points of a mesh with one material. */
export interface Primitive {
  /**
   * Named as in glTF: POSITION, NORMAL, TANGENT, TEXCOORD_0, COLOR_0, JOINTS_0, WEIGHTS_0, _CUSTOM.
   */
  attributes: Record<string, TypedArray>;
  indices: TypedArray | null;
  /** Index into the scene's materials, or null. */
  material: number | null;
  /** 4: triangles, 1: lines, 0: points. */
  mode: number;
  /** Morph targets: differences of attributes. */
  targets: Record<string, TypedArray>[];
}

/**
 * A scene in the structure of glTF 2.0, with typed arrays. +Y up, right-handed, meters, v from the
 * top.
 */
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

/** A texture map: index of an image, and GX values of the enumerations. */
export interface ConsoleMap {
  image: number;
  wrapS: number;
  wrapT: number;
  minFilter: number;
  magFilter: number;
  lodBias: number;
}

/**
 * Changes of console materials by an animation. Each list of values has one per frame, and one for
 * the end.
 */
export interface ConsoleMotion {
  kind: "btk" | "brk" | "bpk" | "bpa" | "btp";
  frames: number;
  materials: {
    /** Index of the material in the glTF. */
    material: number;
    /** Elements of uniforms that differ from those at rest. `at` is the index in the flat list. */
    tracks: { uniform: string; at: number; values: number[] }[];
    /** For btp: maps of a sampler. `values` are indices into `choices`. */
    maps?: { map: number; choices: (ConsoleMap | null)[]; values: number[] }[];
    /** For btk: the vertex shader, which multiplies by the moving matrices. */
    vertex?: string;
  }[];
}

/** Shaders (GLSL ES 3.00) and other state to draw a material of a GameCube or Wii. */
export interface ConsoleMaterial {
  vertex: string;
  fragment: string;
  /**
   * Flat lists: registers, konst (integers), material_color, ambient_color, texture_rows, light_...
   */
  uniforms: Record<string, number[]>;
  /** Maps of the samplers texmap0 to texmap7; null for unused ones. */
  maps: (ConsoleMap | null)[];
  /** GX values: test, comparison, write. */
  depth: [number, number, number];
  /** GX values: type, source, destination, logic operation. */
  blend: [number, number, number, number];
  /** Cull back faces. */
  culls: boolean;
  /** Draw it after all opaque materials, sorted from far to near. */
  translucent: boolean;
  /** Do not draw it: it is a helper of a console effect. */
  skipped: boolean;
}

/** A collision hull or the occluder, in glTF axes. */
export interface Overlay {
  occluder: boolean;
  /** 3 per vertex. */
  positions: number[];
  /** 3 per triangle. */
  indices: number[];
}

/** An invalid file, or a failed call. */
export class FacetError extends Error {
  constructor(message: string, place?: { rule?: string; file?: string; offset?: number | null; line?: number | null; status?: number });
  /** Id of the broken rule, for example "BSM-MAGIC", or "". */
  rule: string;
  /** Name of the file with the error, or "". */
  file: string;
  /** Byte offset of the error, or null. */
  offset: number | null;
  /** Line of a text file, from 1, or null. */
  line: number | null;
  /** 1 error in the input, 2 wrong call, 3 system error. */
  status: number;
  /** File and line or offset: "model.obj:12", "model.bsm:0x10"; "" if unknown. */
  readonly place: string;
}

/**
 * Files in memory. `resolve` is called for missing files, except below the folder `outputs`.
 */
export class MemoryFiles {
  constructor(resolve?: (path: string) => Uint8Array | null | undefined, outputs?: string);
  put(path: string, bytes: Uint8Array): void;
  get(path: string): Uint8Array | undefined;
  names(): string[];
  missing: Set<string>;
}

/** True if the bytes begin like a ZIP archive. */
export function isZip(bytes: Uint8Array): boolean;
/** The files of a ZIP archive by their paths. */
export function unzip(bytes: Uint8Array): Promise<Map<string, Bytes>>;

/** Progress and cancellation of a call. */
export interface Watch {
  /** Called repeatedly with the finished part of a step, 0 to 1. */
  progress?: (step: string, fraction: number) => void;
  /** When it is aborted, the call ends and throws the signal's reason. */
  signal?: Signal;
}

/** `[Symbol.dispose]()`, for `using`, if the project's "lib" has it. */
type Disposes = SymbolConstructor extends { readonly dispose: infer Key extends symbol } ? { [key in Key]: () => void } : object;
export interface FacetFile extends Disposes {}

/**
 * An open file of any format. Methods throw a FacetError on failure. `member` is a path inside an
 * archive.
 */
export class FacetFile {
  readonly name: string;
  /** The bytes; null after close(). */
  bytes: Uint8Array | null;
  /** Opens files that this file names. Returns their bytes, or null. */
  sibling?: (path: string) => Uint8Array | null | undefined;
  /** Names that the last call requested and did not find. */
  missing: string[];
  /** Describe the file: counts, bounds and details. */
  info(member?: string, options?: InfoOptions, watch?: Watch): Info;
  /**
   * Check all rules of the format. A file that cannot be read gives a finding and does not throw.
   */
  check(options?: CheckOptions, member?: string, watch?: Watch): Report;
  /** `to` is a format ("glb"), or the name of the result ("fish.glb"). */
  convert(to: string, options?: ConvertOptions & WithInputs, member?: string, watch?: Watch): Converted;
  /** Draw a picture as PNG. */
  render(options?: RenderOptions & WithInputs, member?: string, watch?: Watch): Picture;
  /** Extract textures, sections, members, and materials as JSON: bytes by their paths. */
  extract(options?: ExtractOptions, member?: string, watch?: Watch): Map<string, Bytes>;
  /** Convert to a scene with typed arrays. All arrays are copies. */
  scene(options?: ConvertOptions & WithInputs, member?: string, watch?: Watch): Scene;
  /** Collision hulls and the occluder. */
  overlays(member?: string): Overlay[];
  /** Release the bytes. */
  close(): void;
}

/** The library. */
export class Facet {
  constructor(module: WasmModule);
  readonly version: string;
  /**
   * Shaders for console materials: one entry per material, null for other materials. `gltf` may be
   * a `Scene`.
   */
  glsl(gltf: { materials?: object[]; images?: object[] }): (ConsoleMaterial | null)[];
  /**
   * Changes of console materials by a BTK, BRK, BPK, BPA or BTP; null for other files. A string is
   * base64.
   */
  motion(gltf: { materials?: object[]; images?: object[] }, file: string | Uint8Array): ConsoleMotion | null;
  /** Collision hulls and the occluder of a file. */
  overlays(path: string, files: MemoryFiles): Overlay[];
  /** The formats: name, title, extensions, whether they can be read and written. */
  formats(): Record<string, unknown>[];
  /**
   * Open a file or an archive. `bytes` are not copied: if you change them, the file changes. The
   * extension of `name` helps to detect some formats. `sibling` returns the bytes of files that the
   * file names.
   */
  open(bytes: ArrayBufferLike | ArrayBufferView,
    how?: { name?: string; sibling?: (path: string) => Uint8Array | null | undefined } & Watch): FacetFile;
  /** Compare two files. */
  compare(a: FacetFile, b: FacetFile, options?: CompareOptions, watch?: Watch): Comparison;
  /**
   * Build an archive, a texture or a shader package. `out` is its name, and `members` are bytes by
   * paths.
   */
  pack(out: string, members: Map<string, Uint8Array>, options?: PackOptions, watch?: Watch): Bytes;
  /**
   * Run the command line on files in memory. `input` is standard input, and `status` the exit
   * status.
   */
  run(line: string[], files: MemoryFiles, input?: Uint8Array, watch?: Watch): { status: number; output: Uint8Array; errors: string };
}

/**
 * Load the library once; a failure is not stored. `wasm` is its address or module (default: the
 * package's file). `core` selects a small module: it reads BSM, BinaryMesh, BPX, BGA, J3D and glTF,
 * and writes only glTF.
 */
export function load(how?: { wasm?: WasmSource; core?: boolean }): Promise<Facet>;
