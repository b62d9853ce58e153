// Work in a worker, so that a page stays alive: calls are queued, and answered in order.

/** A worker that holds files by their paths, and runs the command line on them. */
export class FacetClient {
  #make;
  #wasm;
  #worker = null;
  #calls = new Map();
  #next = 1;
  #files = new Map();

  /**
   * @param {() => Worker} makeWorker makes a worker of `facet-mesh/worker`; called again after a cancel
   * @param {string | URL | WebAssembly.Module} [wasm] what the worker loads; none: the package's own files
   */
  constructor(makeWorker, wasm) {
    this.#make = makeWorker;
    this.#wasm = wasm;
  }

  #start() {
    if (this.#worker) return;
    this.#worker = this.#make();
    this.#worker.onmessage = ({ data: { id, result, fault, step, fraction } }) => {
      const call = this.#calls.get(id);
      if (step !== undefined) return call?.progress?.(step, fraction);
      this.#calls.delete(id);
      if (fault) call?.reject(Object.assign(new Error(fault.message), { trap: fault.trap }));
      else call?.resolve(result);
    };
    this.#worker.onerror = (event) => this.#fail(new Error(event.message || "the worker could not be loaded"));
    const worker = this.#worker;
    this.#send("load", { wasm: this.#wasm }).catch((fault) => this.#worker === worker && this.#fail(fault));
    if (this.#files.size > 0) this.#send("put", { entries: [...this.#files] }).catch(() => {});
  }

  #fail(fault) {
    for (const call of this.#calls.values()) call.reject(fault);
    this.#calls.clear();
  }

  #send(operation, words, progress) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject, progress });
      this.#worker.postMessage({ id, operation, words });
    });
  }

  /** Add files: pairs of path and bytes, which are copied to the worker. */
  put(entries) {
    for (const [path, bytes] of entries) this.#files.set(path, bytes);
    this.#start();
    return this.#send("put", { entries });
  }

  /** Have all that a model needs compiled; the first call of all is faster afterwards. */
  warm() {
    this.#start();
    return this.#send("warm");
  }

  /** Forget all files. */
  clear() {
    this.#files.clear();
    if (!this.#worker) return Promise.resolve();
    return this.#send("clear");
  }

  /**
   * Run the command line. Outputs are written below the folder ".facet", and come back in `files`.
   *
   * @param {string[]} words
   * @param {{input?: Uint8Array, progress?: (step: string, fraction: number) => void, signal?: AbortSignal}} [how] an
   *     aborted signal ends all that runs and waits here, as `cancel()` does
   */
  run(words, { input, progress, signal } = {}) {
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#start();
    const stop = () => this.cancel(signal.reason);
    signal?.addEventListener("abort", stop, { once: true });
    return this.#send("run", { words, input, watched: Boolean(progress) }, progress)
      .finally(() => signal?.removeEventListener("abort", stop));
  }

  /** What `Facet.glsl` says. */
  glsl({ materials, images }) {
    this.#start();
    return this.#send("glsl", { gltf: { materials, images } });
  }

  /** What `Facet.motion` says. */
  motion({ materials, images }, file) {
    this.#start();
    return this.#send("motion", { gltf: { materials, images }, file });
  }

  /** What `Facet.overlays` says of a file. */
  overlays(path) {
    this.#start();
    return this.#send("overlays", { path });
  }

  /** Some bytes of a file, or of a member of an archive; null when there is none of that name. */
  bytes(path, from = 0, count = Infinity) {
    this.#start();
    return this.#send("bytes", { path, from, count });
  }

  /** Whether something runs or waits. */
  get busy() {
    return this.#calls.size > 0;
  }

  /** End what is running: the worker is dropped, and the next call starts another with the same files. */
  cancel(reason = new DOMException("canceled", "AbortError")) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#fail(reason);
  }
}
