// The library in workers, so that the page stays responsive. The client stores the files and the
// queue. A worker has one call at a time, so that ending a call does not end others.

import { bytesOf, checkArguments } from "./arguments.js";
import { complete } from "./beside.js";
import { hasSimd } from "./engine.js";
import { FacetError } from "./error.js";
import { compile } from "./load.js";
import { clean, inside } from "./memory-files.js";
import { makeWorker, modules } from "./places.js";

export { FacetError };

const aborted = () => new DOMException("canceled", "AbortError");

/** A set of files by their paths. Workers get its changes when a call needs them. */
class FileSet {
  static #next = 1;
  id = FileSet.#next++;
  files = new Map();
  version = 0;
  #changes = new Map(); // path to the version of its last change

  put(entries) {
    this.version++;
    for (const [path, bytes] of entries) {
      this.files.set(clean(path), bytes);
      this.#changes.set(clean(path), this.version);
    }
  }
  remove(paths) {
    this.version++;
    for (const path of paths) if (this.files.delete(clean(path))) this.#changes.set(clean(path), this.version);
  }
  clear() {
    this.remove([...this.files.keys()]);
  }
  /** Changes since a version: pairs of path and bytes, or null for removed files. */
  since(version) {
    return [...this.#changes].filter(([, when]) => when > version).map(([path]) => [path, this.files.get(path) ?? null]);
  }
}

function faultOf({ kind, message, ...place }) {
  if (kind === "facet") return new FacetError(message, place);
  return Object.assign(new Error(message), { trap: kind === "trap" });
}

// Catch an error that names missing files: a retry with these files may succeed.
function attemptOf(sent) {
  return sent.catch((fault) => {
    if (!fault.missing) throw fault;
    return { fault, missing: fault.missing };
  });
}

/** A worker, its current call, and its versions of the file sets. */
class Slot {
  call = null;
  #worker;
  #versions = new Map();

  constructor(worker, ended) {
    this.#worker = worker;
    worker.onmessage = ({ data }) => {
      if (data.step !== undefined) this.call?.watch.progress?.(data.step, data.fraction);
      else ended(this, data);
    };
    worker.onerror = (event) => {
      event.preventDefault?.();
      ended(this, { fault: { kind: "facet", message: event.message || "the worker could not be loaded", status: 3 }, dead: true });
    };
  }

  send(message) {
    this.#worker.postMessage(message);
  }
  begin(call) {
    this.call = call;
    const sets = call.sets.map((set) => ({ id: set.id, entries: set.since(this.#versions.get(set.id) ?? 0) }));
    this.send({ sets, operation: call.operation, words: call.words, watched: Boolean(call.watch.progress) });
    for (const { id, version } of call.sets) this.#versions.set(id, version);
  }
  forget(set) {
    if (this.#versions.delete(set.id)) this.send({ forget: set.id });
  }
  end() {
    this.#worker.terminate();
  }
}

/** Workers that run the library on files of the client. */
export class FacetClient {
  #make;
  #size;
  #source;
  #module = null; // a promise
  #slots = [];
  #queue = [];
  #shared = new FileSet();
  #closed = false;

  /**
   * @param {import("./client.js").ClientOptions | (() => Worker)} [how] options, or the member
   *     `worker`
   * @param {string | URL | WebAssembly.Module} [wasm] the same as `how.wasm`
   */
  constructor(how = {}, wasm) {
    const all = typeof how === "function" ? { worker: how, wasm } : how;
    this.#make = all.worker ?? makeWorker;
    this.#size = Math.max(1, all.workers ?? 1);
    this.#source = all.wasm ?? (() => (all.core ? modules.core : hasSimd ? modules.simd : modules.base)());
  }

  // -- The queue ------------------------------------------------------------------------

  // The module, compiled once for all workers. A failure is not stored.
  #compiled() {
    if (!this.#module) {
      const source = typeof this.#source === "function" ? this.#source() : this.#source;
      const made = compile(source, (address) => fetch(address));
      this.#module = made;
      made.catch(() => { if (this.#module === made) this.#module = null; });
    }
    return this.#module;
  }

  #send(operation, words, sets = [this.#shared], watch = {}) {
    if (this.#closed) return Promise.reject(new FacetError("the client is closed", { status: 2 }));
    if (watch.signal?.aborted) return Promise.reject(watch.signal.reason);
    return new Promise((resolve, reject) => {
      const call = { operation, words, sets, watch, resolve, reject };
      call.stop = () => this.#end(call, watch.signal.reason);
      watch.signal?.addEventListener("abort", call.stop, { once: true });
      this.#queue.push(call);
      this.#next();
    });
  }

  #finish(call) {
    call.watch.signal?.removeEventListener("abort", call.stop);
    this.#queue = this.#queue.filter((each) => each !== call);
  }

  // End one call. A waiting call is removed from the queue; for a running call, its worker is
  // replaced.
  #end(call, reason) {
    this.#finish(call);
    const slot = this.#slots.find((each) => each.call === call);
    if (slot) this.#drop(slot);
    call.reject(reason);
    this.#next();
  }

  #drop(slot) {
    slot.end();
    this.#slots = this.#slots.filter((each) => each !== slot);
  }

  async #next() {
    let module;
    try {
      module = await this.#compiled();
    } catch (fault) {
      for (const call of this.#queue.splice(0)) {
        this.#finish(call);
        call.reject(fault);
      }
      return;
    }
    while (this.#queue.length > 0) {
      let slot = this.#slots.find((each) => !each.call);
      if (!slot && this.#slots.length >= this.#size) return;
      const call = this.#queue.shift();
      try {
        if (!slot) {
          slot = new Slot(this.#make(), (each, answer) => this.#answered(each, answer));
          slot.send({ module });
          this.#slots.push(slot);
        }
        slot.begin(call);
      } catch (fault) { // the worker cannot be created, or an argument cannot be posted
        if (slot) slot.call = null;
        this.#finish(call);
        call.reject(fault?.name === "DataCloneError" ? new FacetError(`${call.words.method ?? call.operation}(): ${fault.message}`, { status: 2 }) : fault);
      }
    }
  }

  #answered(slot, { result, fault, missing = [], dead = false }) {
    const { call } = slot;
    slot.call = null;
    if (dead) this.#drop(slot);
    if (call) {
      this.#finish(call);
      if (fault) call.reject(Object.assign(faultOf(fault), { missing }));
      else call.resolve({ result, missing });
    }
    this.#next();
  }

  /** True if a call runs or waits. */
  get busy() {
    return this.#queue.length > 0 || this.#slots.some((slot) => slot.call);
  }

  /** End running and waiting calls. Each is rejected with the reason. Files stay. */
  cancel(reason = aborted()) {
    for (const call of [...this.#queue, ...this.#slots.map((slot) => slot.call).filter(Boolean)]) this.#end(call, reason);
  }

  /** End all calls and workers, and remove all files. */
  close() {
    this.cancel();
    for (const slot of [...this.#slots]) this.#drop(slot);
    this.#shared.clear();
    this.#closed = true;
  }

  // -- Files that are shared by their paths -----------------------------------------------

  /** Add files: pairs of path and bytes. A file that names them may be in another folder. */
  async put(entries) {
    checkArguments("list", [entries], "put");
    const all = [...entries];
    checkArguments("put", [all]);
    this.#shared.put(all.map(([path, bytes]) => [path, bytesOf(bytes)]));
  }
  /** Remove some files. */
  async remove(paths) {
    checkArguments("list", [paths], "remove");
    const all = [...paths];
    checkArguments("remove", [all]);
    this.#shared.remove(all);
  }
  /** Remove all files that were added with put(). */
  async clear() {
    this.#shared.clear();
  }
  /** A shared file, or a member of a shared archive, by its path. */
  file(path, { sibling } = {}) {
    checkArguments("path", [path], "file");
    return new ClientFile((...call) => this.#send(...call), this.#shared, path, { sibling });
  }
  /** A range of bytes of a file or of a member of an archive; null if it does not exist. */
  async bytes(path, from = 0, count = Infinity) {
    checkArguments("path", [path], "bytes");
    return (await this.#send("bytes", { path, from, count })).result;
  }
  /** Run the command line. Outputs below the folder ".facet" are returned in `files`. */
  async run(words, how = {}) {
    checkArguments("runInWorker", [words, how], "run");
    const { input, ...watch } = how;
    const { result, missing } = await this.#send("run", { words, input }, [this.#shared], watch);
    return { ...result, missing };
  }

  // -- Methods of the library ---------------------------------------------------------------

  /**
   * Open a file with its own siblings, like `Facet.open`.
   *
   * @param {Uint8Array | ArrayBuffer} bytes
   * @param {{name?: string, sibling?: (path: string) => unknown} & import("./index.js").Watch}
   *     [how] `sibling` may return a promise
   */
  open(bytes, how = {}) {
    checkArguments("open", [bytes, how]);
    const { name = "file", sibling, ...watch } = how;
    const set = new FileSet(), path = inside(name) || "file";
    set.put([[path, bytesOf(bytes)]]);
    return new ClientFile((...call) => this.#send(...call), set, path, { sibling, watch, forget: () => {
      for (const slot of this.#slots) slot.forget(set);
    } });
  }
  /** Compare two files of this client. */
  async compare(a, b, options, watch) {
    checkArguments("compareInWorker", [a, b, options, watch], "compare");
    const sides = [a, b], sent = { paths: sides.map(({ path }) => path), options };
    const attempt = () => attemptOf(this.#send("compare", sent, sides.map((file) => file.opened()), watch ?? {}));
    const split = (name) => [sides[name[0]], name.slice(2)]; // "0/a.mtl": of the first file
    const { result, missing } = await complete(attempt, (name) => split(name)[0].sibling?.(split(name)[1]),
      (found) => { for (const [name, bytes] of found) split(name)[0].set.put([[split(name)[1], bytes]]); });
    sides.forEach((file, i) => { file.missing = missing.filter((name) => name.startsWith(`${i}/`)).map((name) => name.slice(2)); });
    return result;
  }
  async pack(out, members, options, watch) {
    checkArguments("pack", [out, members, options, watch]);
    return (await this.#send("pack", { out, members, options }, [], watch ?? {})).result;
  }
  async formats() {
    return (await this.#send("formats", {}, [])).result;
  }
  async glsl(gltf) {
    checkArguments("glsl", [gltf]);
    const { materials, images } = gltf;
    return (await this.#send("glsl", { gltf: { materials, images } }, [])).result;
  }
  async motion(gltf, file) {
    checkArguments("motion", [gltf, file]);
    const { materials, images } = gltf;
    return (await this.#send("motion", { gltf: { materials, images }, file }, [])).result;
  }
  async overlays(path) {
    return this.file(path).overlays();
  }
  /** Compile everything that a model needs, so that the first call is faster. */
  async warm() {
    await this.#send("warm", {}, []);
  }
}

/** A file in workers. Its methods are those of `FacetFile`, and return promises. */
export class ClientFile {
  #send;
  #watch;
  #forget;

  constructor(send, set, path, { sibling, watch = {}, forget } = {}) {
    this.#send = send;
    /** Opens files that this file names. May return a promise. */
    this.sibling = sibling;
    this.#watch = watch;
    this.#forget = forget;
    this.set = set;
    /** The path among the files of the client. */
    this.path = path;
    /** Names that the last call requested and did not find. */
    this.missing = [];
  }

  get name() {
    return this.path;
  }

  // The files of the client. Throws if the file is closed.
  opened() {
    if (!this.set) throw new FacetError("the file is closed", { status: 2, file: this.path });
    return this.set;
  }

  async #call(method, words, watch) {
    checkArguments(method, [...words, watch]);
    const set = this.opened(), sent = { path: this.path, method, words };
    const attempt = () => attemptOf(this.#send("file", sent, [set], { ...this.#watch, ...watch }));
    try {
      const { result, missing } = await complete(attempt, (name) => this.sibling?.(name), (found) => set.put(found));
      this.missing = missing;
      return result;
    } catch (fault) {
      this.missing = fault.missing ?? [];
      throw fault;
    }
  }

  info(member, options, watch) {
    return this.#call("info", [member, options], watch);
  }
  check(options, member, watch) {
    return this.#call("check", [options, member], watch);
  }
  convert(to, options, member, watch) {
    return this.#call("convert", [to, options, member], watch);
  }
  render(options, member, watch) {
    return this.#call("render", [options, member], watch);
  }
  extract(options, member, watch) {
    return this.#call("extract", [options, member], watch);
  }
  scene(options, member, watch) {
    return this.#call("scene", [options, member], watch);
  }
  overlays(member, watch) {
    return this.#call("overlays", [member], watch);
  }

  /** Release the bytes. You may call it repeatedly. */
  close() {
    this.#forget?.();
    this.set = null;
    this.sibling = undefined;
  }
}
