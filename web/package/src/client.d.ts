import type {
  Bytes, CheckOptions, CompareOptions, Comparison, ConsoleMaterial, ConsoleMotion, Converted, ConvertOptions, ExtractOptions, Info,
  InfoOptions, Overlay, PackOptions, Picture, RenderOptions, Report, Scene, Watch, WasmSource, WithInputs,
} from "./index.js";

/** Result of a run of the command line. */
export interface RunResult {
  /** Exit status: 0 done, 1 error in the input, 2 wrong command line, 3 system error. */
  status: number;
  /** Standard output. */
  output: string;
  /** Standard error. */
  errors: string;
  /** Files that were written below ".facet", by their paths in it. */
  files: Map<string, Bytes>;
  /** Names that the run requested and did not find. */
  missing: string[];
}

type Opened = Uint8Array | ArrayBuffer | null | undefined;
/** Opens a file that another file names: returns its bytes, a promise of them, or null. */
export type AsyncSibling = (path: string) => Opened | Promise<Opened>;
/** A worker. Has its own type if the project has "dom". */
export type WorkerLike = { postMessage(message: any): void; terminate(): void };

/** A file in workers. Its methods are those of `FacetFile`, and return promises. */
export interface ClientFile {
  readonly name: string;
  readonly path: string;
  sibling?: AsyncSibling;
  missing: string[];
  info(member?: string, options?: InfoOptions, watch?: Watch): Promise<Info>;
  check(options?: CheckOptions, member?: string, watch?: Watch): Promise<Report>;
  convert(to: string, options?: ConvertOptions & WithInputs, member?: string, watch?: Watch): Promise<Converted>;
  render(options?: RenderOptions & WithInputs, member?: string, watch?: Watch): Promise<Picture>;
  extract(options?: ExtractOptions, member?: string, watch?: Watch): Promise<Map<string, Bytes>>;
  scene(options?: ConvertOptions & WithInputs, member?: string, watch?: Watch): Promise<Scene>;
  overlays(member?: string, watch?: Watch): Promise<Overlay[]>;
  close(): void;
}

export interface ClientOptions {
  /** Creates a worker of `facet-mesh/worker`. Needed if the bundler does not find the worker. */
  worker?: () => WorkerLike;
  /** Maximum number of calls that run at once; default 1. */
  workers?: number;
  /** Like those of `load`. */
  wasm?: WasmSource;
  core?: boolean;
}

/**
 * Workers that run the library on files of the client. An aborted signal ends only its own call.
 */
export class FacetClient {
  constructor(how?: ClientOptions | (() => WorkerLike), wasm?: WasmSource);
  /** Like `Facet.open`; `sibling` may return a promise. */
  open(bytes: ArrayBufferLike | ArrayBufferView, how?: { name?: string; sibling?: AsyncSibling } & Watch): ClientFile;
  compare(a: ClientFile, b: ClientFile, options?: CompareOptions, watch?: Watch): Promise<Comparison>;
  pack(out: string, members: Map<string, Uint8Array>, options?: PackOptions, watch?: Watch): Promise<Bytes>;
  formats(): Promise<Record<string, unknown>[]>;
  glsl(gltf: { materials?: object[]; images?: object[] }): Promise<(ConsoleMaterial | null)[]>;
  motion(gltf: { materials?: object[]; images?: object[] }, file: string | Uint8Array): Promise<ConsoleMotion | null>;

  /** Add shared files by their paths. A file finds another that it names in any folder. */
  put(entries: Iterable<[string, Uint8Array]>): Promise<void>;
  remove(paths: Iterable<string>): Promise<void>;
  clear(): Promise<void>;
  /** A shared file, or a member of a shared archive. */
  file(path: string, how?: { sibling?: AsyncSibling }): ClientFile;
  overlays(path: string): Promise<Overlay[]>;
  /** A range of bytes of a shared file or of a member of an archive; null if it does not exist. */
  bytes(path: string, from?: number, count?: number): Promise<Bytes | null>;
  /** Run the command line on the shared files. Outputs below ".facet" are returned in `files`. */
  run(words: string[], how?: { input?: Uint8Array } & Watch): Promise<RunResult>;

  /** Compile everything that a model needs, so that the first call is faster. */
  warm(): Promise<void>;
  /** True if a call runs or waits. */
  readonly busy: boolean;
  /**
   * End running and waiting calls. Their promises are rejected with the reason (default: an
   * AbortError). Files stay.
   */
  cancel(reason?: unknown): void;
  /** End all calls and workers, and remove all files. */
  close(): void;
}

export { FacetError } from "./index.js";
