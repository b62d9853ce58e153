// What a host calls: files in memory in, results out. Each call is a run of the program
// on files in memory, so that results are those of the command line.

import { Engine } from "./engine.js";
import { readGlb } from "./glb.js";
import { MemoryFiles } from "./memory-files.js";

const decoder = new TextDecoder();

/** A file that cannot be used, or a call that cannot be carried out. */
export class FacetError extends Error {
  /**
   * @param {string} message
   * @param {{rule?: string, offset?: number | null, line?: number, status?: number}} [place]
   */
  constructor(message, place = {}) {
    super(message);
    this.name = "FacetError";
    /** Id of the rule that is broken, for example "BSM-MAGIC"; "" when there is none. */
    this.rule = place.rule ?? "";
    /** Byte of the input that is at fault, or null. */
    this.offset = place.offset ?? null;
    /** Line of a text file, from 1, or null. */
    this.line = place.line ?? null;
    /** Exit status of the program: 1 the input is at fault, 2 the call, 3 the system. */
    this.status = place.status ?? 1;
  }
}

function joined(pieces) {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

// "facet: model.bsm:0x10: error [BSM-MAGIC]: sentence" as a fault.
function faultOf(text, status) {
  const line = text.split("\n").filter(Boolean).at(-1) ?? "the program ended without a word";
  const found = /^facet: (?:.*?(?::0x([0-9A-F]+)|:(\d+))?: error(?: \[([^\]]+)\])?: )?(.*)$/s.exec(line);
  if (!found) return new FacetError(line, { status });
  return new FacetError(found[4], {
    status,
    rule: found[3],
    offset: found[1] === undefined ? null : parseInt(found[1], 16),
    line: found[2] === undefined ? undefined : Number(found[2]),
  });
}

// What convert says of losses and notes: "facet: name: warning [RULE]: sentence".
function findingsOf(text) {
  const findings = [];
  for (const line of text.split("\n")) {
    const found = /^facet: .*?: (warning|note)(?: \[([^\]]+)\])?: (.*)$/.exec(line);
    if (found) findings.push({ severity: found[1], rule: found[2] ?? "", message: found[3] });
  }
  return findings;
}

function base64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text);
}

// Options as the command line has them: {newNormals: true, scale: 2} is
// ["--new-normals", "--scale", "2"].
function words(options) {
  const all = [];
  for (const [name, value] of Object.entries(options ?? {})) {
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) all.push(option);
    else if (value !== false && value !== undefined && value !== null) all.push(option, String(value));
  }
  return all;
}

/** The library: one module. Each call is an instance of it, as each run of the program is a process. */
export class Facet {
  #module;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
  }

  /**
   * Run the program on files in memory.
   *
   * @param {string[]} line words of the command line, without the program's name
   * @param {MemoryFiles} files
   * @param {Uint8Array} [input] what stands on standard input
   * @param {{progress?: (step: string, fraction: number) => void, signal?: AbortSignal}} [watch] progress is called now and
   *     then, with a fraction from 0 to 1 of each step; once the signal is aborted, its reason is thrown
   * @returns {{status: number, output: Uint8Array, errors: string}}
   */
  run(line, files, input, { progress, signal } = {}) {
    const output = [], errors = [];
    signal?.throwIfAborted();
    const status = new Engine(this.#module).run(line, files, {
      input,
      output: (bytes) => output.push(bytes),
      error: (bytes) => errors.push(bytes),
      progress: (step, fraction) => {
        progress?.(step, fraction);
        return !signal?.aborted;
      },
    });
    signal?.throwIfAborted();
    return { status, output: joined(output), errors: decoder.decode(joined(errors)) };
  }

  /**
   * What draws materials of a GameCube or Wii as their graphics chip does: for each material GLSL ES 3.00, the values of
   * its uniforms and the state that is not in shaders; null for one that is none.
   *
   * @param {{materials?: object[], images?: object[]}} gltf materials and images as the JSON of a glTF has them, or `scene()`
   */
  glsl({ materials = [], images = [] }) {
    const question = JSON.stringify({ materials, images: images.map(({ name, extras }) => ({ name, extras })) });
    return JSON.parse(new Engine(this.#module).ask("facet_shaders", question, new MemoryFiles()) ?? "[]");
  }

  /**
   * What an animation of console materials changes, frame by frame, of what `glsl()` gives; null when it is none.
   *
   * @param {{materials?: object[], images?: object[]}} gltf as for `glsl()`
   * @param {string | Uint8Array} file a BTK, BRK, BPK, BPA or BTP; as text, in base64, as extras have it
   */
  motion({ materials = [], images = [] }, file) {
    const question = JSON.stringify({ materials, images: images.map(({ name, extras }) => ({ name, extras })),
                                      file: typeof file === "string" ? file : base64(file) });
    return JSON.parse(new Engine(this.#module).ask("facet_motion", question, new MemoryFiles()) ?? "null");
  }

  /**
   * Collision hulls and the occluder of a file, as triangles in the axes of glTF.
   *
   * @param {string} path
   * @param {MemoryFiles} files
   */
  overlays(path, files) {
    return JSON.parse(new Engine(this.#module).ask("facet_overlays", path, files) ?? "[]");
  }

  /** The version of the library. */
  get version() {
    return decoder.decode(this.run(["--version"], new MemoryFiles()).output).trim().replace(/^facet /, "");
  }

  /** The formats: name, title, extensions, what can be read and written. */
  formats() {
    return jsonLines(this.run(["formats", "--json"], new MemoryFiles()).output);
  }

  /**
   * A file, which may be an archive. Nothing is read yet.
   *
   * @param {Uint8Array | ArrayBuffer} bytes are not copied: who changes them changes the file
   * @param {{name?: string, sibling?: (path: string) => Uint8Array | null | undefined,
   *     progress?: (step: string, fraction: number) => void, signal?: AbortSignal}} [how] its name, by whose extension
   *     some formats are told apart; what opens the files that it names; and as for `run`, of all calls of the file
   */
  open(bytes, { name = "file", sibling, progress, signal } = {}) {
    const data = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    return new FacetFile(this, data, name.replace(/^\/+/, "") || "file", sibling, { progress, signal });
  }

  /**
   * What differs between two files: the object of `facet compare --json`.
   *
   * @param {FacetFile} a
   * @param {FacetFile} b
   */
  compare(a, b, options) {
    const files = new MemoryFiles((path) => a.sibling?.(path) ?? b.sibling?.(path));
    files.put(`first/${a.name}`, a.bytes);
    files.put(`second/${b.name}`, b.bytes);
    const { status, output, errors } = this.run(
      ["compare", "--json", ...words(options), `first/${a.name}`, `second/${b.name}`], files);
    if (output.length === 0) throw faultOf(errors, status);
    return jsonLines(output)[0];
  }

  /**
   * Build an archive, a texture, a shader package: `facet pack`.
   *
   * @param {string} out name of what is built
   * @param {Map<string, Uint8Array>} members by their paths
   * @returns {Uint8Array}
   */
  pack(out, members, options) {
    const files = new MemoryFiles();
    for (const [path, bytes] of members) files.put(`in/${path}`, bytes);
    const { status, errors } = this.run(["pack", ...words(options), out, "in"], files);
    if (status !== 0) throw faultOf(errors, status);
    return files.get(out);
  }
}

function jsonLines(bytes) {
  return decoder.decode(bytes).split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/** A file of some format. */
export class FacetFile {
  #facet;
  #watch;

  constructor(facet, bytes, name, sibling, watch) {
    this.#facet = facet;
    this.#watch = watch;
    /** The bytes; null when closed. */
    this.bytes = bytes;
    /** Its name. */
    this.name = name;
    /** Opens the files that it names. */
    this.sibling = sibling;
    /** Names that it asked for and that were not there, of the last call. */
    this.missing = [];
  }

  #files() {
    if (!this.bytes) throw new FacetError("the file is closed", { status: 2 });
    const files = new MemoryFiles(this.sibling);
    files.put(this.name, this.bytes);
    return files;
  }

  #run(line) {
    const files = this.#files();
    const result = this.#facet.run(line, files, undefined, this.#watch);
    this.missing = [...files.missing];
    return { files, ...result };
  }

  /** What is in it: the object of `facet info --json`. `member`: a path inside an archive. */
  info(member) {
    const { output } = this.#run(["info", "--json", this.#path(member)]);
    const object = jsonLines(output)[0];
    if (object?.error) throw new FacetError(object.error.message, object.error);
    return object;
  }

  #path(member) {
    return member ? `${this.name}/${member}` : this.name;
  }

  /** Every rule of its format: the object of `facet check --json`. It is no fault when the file is full of errors. */
  check(options, member) {
    const { output, errors, status } = this.#run(["check", "--json", ...words(options), this.#path(member)]);
    if (output.length === 0) throw faultOf(errors, status);
    return jsonLines(output)[0];
  }

  /**
   * Convert to another format.
   *
   * @param {string} format name of the format, "glb"
   * @param {object} [options] as the command line has them: `{scale: 2, newNormals: true}`
   * @param {string} [member] a path inside an archive
   * @returns {{bytes: Uint8Array, siblings: Map<string, Uint8Array>, findings: object[]}}
   */
  convert(format, options, member) {
    const out = `out/result.${format}`;
    const files = this.#files();
    files.makeFolder("out");
    const line = ["convert", "-v", ...words(options), "--to", format, this.#path(member), out];
    const { status, errors } = this.#facet.run(line, files, undefined, this.#watch);
    this.missing = [...files.missing].filter((name) => !name.startsWith("out"));
    if (status !== 0) throw faultOf(errors, status);
    const siblings = new Map();
    for (const name of files.names()) {
      if (name.startsWith("out/") && name !== out) siblings.set(name.slice(4), files.get(name));
    }
    return { bytes: files.get(out), siblings, findings: findingsOf(errors) };
  }

  /** What is inside: textures, sections, members, materials as JSON; bytes by their paths. */
  extract(options, member) {
    const files = this.#files();
    const { status, errors } = this.#facet.run(["extract", ...words(options), this.#path(member), "out"], files,
      undefined, this.#watch);
    if (status !== 0) throw faultOf(errors, status);
    const pieces = new Map();
    for (const name of files.names()) {
      if (name.startsWith("out/")) pieces.set(name.slice(4), files.get(name));
    }
    return pieces;
  }

  /**
   * Meshes, nodes, materials, skins and animations, as glTF 2.0 has them, with typed arrays: +Y up,
   * right-handed, meters, v from the top. All are copies.
   */
  scene(options, member) {
    return readGlb(this.convert("glb", options, member).bytes);
  }

  /** Collision hulls and the occluder, as triangles in the axes of glTF. */
  overlays(member) {
    return this.#facet.overlays(this.#path(member), this.#files());
  }

  /** Let the bytes go. Calling it again does nothing. */
  close() {
    this.bytes = null;
    this.sibling = undefined;
  }
}

if (Symbol.dispose) FacetFile.prototype[Symbol.dispose] = FacetFile.prototype.close;
