import type {
  Bytes, CheckOptions, CompareOptions, Comparison, ConsoleMaterial, ConsoleMotion, Converted, ConvertOptions, ExtractOptions, Info,
  InfoOptions, Overlay, PackOptions, Picture, RenderOptions, Report, Scene, Watch, WasmSource, WithInputs,
} from "./index.js";

/** What a run of the command line gave. */
export interface RunResult {
  /** Exit status: 0 done, 1 the input is at fault, 2 the command line is, 3 the system is. */
  status: number;
  output: string;
  errors: string;
  /** Files that were written below ".facet", by their paths in it. */
  files: Map<string, Bytes>;
  /** Names that were asked for and are not there. */
  missing: string[];
}

type Opened = Uint8Array | ArrayBuffer | null | undefined;
/** Opens a file that another names. */
export type AsyncSibling = (path: string) => Opened | Promise<Opened>;
/** A worker, by its own type where the project has "dom". */
export type WorkerLike = { postMessage(message: any): void; terminate(): void };

/** A file in workers: the methods of `FacetFile`, each with a promise. */
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
  /** Makes a worker of `facet-mesh/worker`, where a bundler does not find it by itself. */
  worker?: () => WorkerLike;
  /** How many calls run at once: 1 when it is left out. */
  workers?: number;
  wasm?: WasmSource;
  core?: boolean;
}

/** Workers that run the library on files that the client holds. An aborted signal ends its own call and no other. */
export class FacetClient {
  constructor(how?: ClientOptions | (() => WorkerLike), wasm?: WasmSource);
  /** As `Facet.open`; `sibling` may return a promise. */
  open(bytes: Uint8Array | ArrayBuffer, how?: { name?: string; sibling?: AsyncSibling } & Watch): ClientFile;
  compare(a: ClientFile, b: ClientFile, options?: CompareOptions, watch?: Watch): Promise<Comparison>;
  pack(out: string, members: Map<string, Uint8Array>, options?: PackOptions, watch?: Watch): Promise<Bytes>;
  formats(): Promise<Record<string, unknown>[]>;
  glsl(gltf: { materials?: object[]; images?: object[] }): Promise<(ConsoleMaterial | null)[]>;
  motion(gltf: { materials?: object[]; images?: object[] }, file: string | Uint8Array): Promise<ConsoleMotion | null>;

  /** Add files that are shared by their paths. One that names another finds it in any folder. */
  put(entries: Iterable<[string, Uint8Array]>): Promise<void>;
  remove(paths: Iterable<string>): Promise<void>;
  clear(): Promise<void>;
  /** A file that was put, or a member of an archive that was. */
  file(path: string, how?: { sibling?: AsyncSibling }): ClientFile;
  overlays(path: string): Promise<Overlay[]>;
  bytes(path: string, from?: number, count?: number): Promise<Bytes | null>;
  run(words: string[], how?: { input?: Uint8Array } & Watch): Promise<RunResult>;

  /** Have all that a model needs compiled; the first call of all is faster afterwards. */
  warm(): Promise<void>;
  readonly busy: boolean;
  /** End what runs and what waits; their promises are rejected with the reason, an AbortError without one. Files stay. */
  cancel(reason?: unknown): void;
  /** End all calls and workers, and forget all files. */
  close(): void;
}

export { FacetError } from "./index.js";
