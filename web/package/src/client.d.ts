import type { ConsoleMaterial, ConsoleMotion, Overlay, Watch } from "./index.js";

/** What a run of the command line gave. */
export interface RunResult {
  /** Exit status: 0 done, 1 the input is at fault, 2 the command line is, 3 the system is. */
  status: number;
  output: string;
  errors: string;
  /** Files that were written below ".facet", by their paths in it. */
  files: Map<string, Uint8Array>;
  /** Names that were asked for and are not there. */
  missing: string[];
}

/** A worker that holds files by their paths, and runs the command line on them. */
export class FacetClient {
  constructor(makeWorker: () => Worker, wasm?: string | URL | WebAssembly.Module);
  put(entries: Iterable<[string, Uint8Array]>): Promise<void>;
  clear(): Promise<void>;
  /** Have all that a model needs compiled; the first call of all is faster afterwards. */
  warm(): Promise<void>;
  run(words: string[], how?: { input?: Uint8Array } & Watch): Promise<RunResult>;
  glsl(gltf: { materials?: object[]; images?: object[] }): Promise<(ConsoleMaterial | null)[]>;
  motion(gltf: { materials?: object[]; images?: object[] }, file: string | Uint8Array): Promise<ConsoleMotion | null>;
  overlays(path: string): Promise<Overlay[]>;
  bytes(path: string, from?: number, count?: number): Promise<Uint8Array | null>;
  readonly busy: boolean;
  /** End what runs and what waits; their promises are rejected with the reason, an AbortError without one. */
  cancel(reason?: unknown): void;
}
