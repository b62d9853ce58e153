// The WebAssembly module: compiled once, instantiated any number of times.

import { bytesOf } from "./names.js";
import { makeSystem, ProgramExit } from "./system.js";

/** The smallest module with a SIMD instruction. It is valid only if the engine supports SIMD. */
const simdModule = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0,
  65, 0, 253, 15, 253, 98, 11]);

/** True if this engine supports WebAssembly SIMD. */
export const hasSimd = WebAssembly.validate(simdModule);

/** The imports of the module. Unused functions become stubs that return the error ENOSYS. */
function withStubs(module, imports) {
  const all = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    all[from] ??= {};
    all[from][name] = imports[from]?.[name] ?? (kind === "function" ? () => -52 : undefined); // ENOSYS
  }
  return all;
}

/** Imports of the module that system.js does not implement; for the tests. */
export function unknownImports(module) {
  const { imports } = makeSystem(() => null, null, {});
  return WebAssembly.Module.imports(module)
    .filter(({ module: from, name }) => !imports[from]?.[name])
    .map(({ module: from, name }) => `${from}.${name}`);
}

const decoder = new TextDecoder();

/** One instance of the module, with its memory. After a trap it cannot be used. */
export class Engine {
  #instance;
  #system;
  #files;
  #streams;
  #dead = null;

  /**
   * @param {WebAssembly.Module} module
   */
  constructor(module) {
    this.#streams = {};
    // Each run has its own files and streams: use those of the current run.
    const files = new Proxy({}, { get: (_, name) => (...words) => this.#files[name](...words) });
    const streams = {
      get input() { return outer.#streams.input; },
      set input(bytes) { outer.#streams.input = bytes; },
      output: (bytes) => this.#streams.output(bytes),
      error: (bytes) => this.#streams.error(bytes),
      progress: (step, fraction) => this.#streams.progress?.(step, fraction),
      isTerminal: (descriptor) => this.#streams.isTerminal?.(descriptor) ?? false,
    };
    const outer = this;
    this.#system = makeSystem(() => this.#instance.exports.memory, files, streams);
    this.#instance = new WebAssembly.Instance(module, withStubs(module, this.#system.imports));
    this.#instance.exports._initialize?.();
  }

  /** Size of the instance's memory in bytes. It never shrinks. */
  get memory() {
    return this.#instance.exports.memory.buffer.byteLength;
  }

  /** The error that ended the instance, or null. */
  get dead() {
    return this.#dead;
  }

  /**
   * Run the program.
   *
   * @param {string[]} words arguments, without the program's name
   * @param {object} files
   * @param {{input?: Uint8Array | (() => Uint8Array), output: (bytes: Uint8Array) => void, error:
   *     (bytes: Uint8Array) => void, progress?: (step: string, fraction: number) => boolean |
   *     void}} streams
   * @returns {number} the exit status
   */
  run(words, files, streams) {
    const texts = ["facet", ...words].map((word) => bytesOf(`${word}\0`));
    return this.#during(files, streams, ({ malloc, free, memory, facet_program: program }) => {
      const size = texts.reduce((sum, text) => sum + text.length, 4 * (texts.length + 1));
      const block = malloc(size);
      if (!block) throw new Error("there is no memory for the command line");
      let at = block + 4 * (texts.length + 1);
      const view = new DataView(memory.buffer);
      texts.forEach((text, i) => {
        new Uint8Array(memory.buffer).set(text, at);
        view.setUint32(block + 4 * i, at, true);
        at += text.length;
      });
      view.setUint32(block + 4 * texts.length, 0, true);
      const status = program(texts.length, block);
      free(block);
      return status;
    });
  }

  /**
   * Call an extra function of the module with a text, and return its text.
   *
   * @param {"facet_shaders" | "facet_motion" | "facet_overlays"} name
   * @param {string} text
   * @param {object} files
   * @returns {string | null} null if the function returns no text
   */
  ask(name, text, files) {
    const bytes = bytesOf(`${text}\0`), silent = () => {};
    return this.#during(files, { output: silent, error: silent }, ({ malloc, free, memory, [name]: answer }) => {
      const block = malloc(bytes.length);
      if (!block) throw new Error("there is no memory for the question");
      new Uint8Array(memory.buffer).set(bytes, block);
      const given = answer(block);
      free(block);
      if (!given) return null;
      const all = new Uint8Array(memory.buffer), result = decoder.decode(all.slice(given, all.indexOf(0, given)));
      free(given);
      return result;
    });
  }

  #during(files, streams, act) {
    if (this.#dead) throw new Error(`this engine ended with a fault before: ${this.#dead.message}`);
    this.#files = files;
    this.#streams = streams;
    try {
      return act(this.#instance.exports);
    } catch (fault) {
      if (fault instanceof ProgramExit) return fault.status;
      this.#dead = fault;
      throw fault;
    } finally {
      this.#system.closeAll();
      this.#files = null;
      this.#streams = {};
    }
  }
}
