// What a host calls: files in memory in, results out. Each call is a run of the program
// on files in memory, so that results are those of the command line.

import { Engine } from "./engine.js";
import { readGlb } from "./glb.js";
import { MemoryFiles } from "./memory-files.js";
import { notTaken, taken } from "./options.js";

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

// An error as `--json` prints it. Where no rule is broken, `rule` says in words what failed.
function faultOf({ rule, message, offset, line }, status) {
  return new FacetError(message, { status, rule: /^[A-Z]/.test(rule) ? rule : "", offset, line });
}

// The same of what the program writes to standard error, "facet: model.bsm:0x10: error [BSM-MAGIC]: sentence":
// extract and pack have no --json, and of a wrong call (status 2) no command prints an object.
function spokenFault(text, status) {
  const line = text.split("\n").find((each) => each && !/^facet: .*?: (?:warning|note)(?: \[[^\]]+\])?: /.test(each)) ??
    "the program ended without a message";
  const found = /^facet: (?:.*?(?::0x([0-9A-F]+)|:(\d+))?: error(?: \[([^\]]+)\])?: )?(.*)$/s.exec(line);
  if (!found) return new FacetError(line, { status });
  return new FacetError(found[4], {
    status,
    rule: found[3],
    offset: found[1] === undefined ? null : parseInt(found[1], 16),
    line: found[2] === undefined ? undefined : Number(found[2]),
  });
}

// The object that a command with --json printed; an error is thrown.
function objectOf({ output, errors, status }) {
  if (output.length === 0) throw spokenFault(errors, status);
  const [object] = jsonLines(output);
  if (object.error) throw faultOf(object.error, status);
  return object;
}

function base64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text);
}

// -- Options ----------------------------------------------------------------------------

// How many letters to insert, remove or change.
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}

function wrongOption(command, name) {
  const reason = notTaken[command][name];
  if (reason) return new FacetError(`${command}() has no option '${name}': ${reason}`, { status: 2 });
  const [near] = [...taken[command]].map((each) => [distance(name, each), each]).sort(([a], [b]) => a - b);
  const hint = near[0] <= 2 && 2 * near[0] <= name.length ? `; did you mean '${near[1]}'?` : "";
  return new FacetError(`${command}() has no option '${name}'${hint}`, { status: 2 });
}

// Options of a command as the command line has them: {newNormals: true, scale: 2} is
// ["--new-normals", "--scale", "2"]. An array gives an option several times.
function words(command, options) {
  const all = [];
  for (const [name, value] of Object.entries(options ?? {})) {
    if (!taken[command].has(name)) throw wrongOption(command, name);
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === true) all.push(option);
      else if (one !== false && one !== undefined && one !== null) all.push(option, String(one));
    }
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
   * What differs between two files: the object of `facet compare --json`. With `picture: true` the object's `picture` has the
   * PNG as `bytes`.
   *
   * @param {FacetFile} a
   * @param {FacetFile} b
   * @param {import("./options.js").CompareOptions} [options]
   */
  compare(a, b, { picture, ...options } = {}) {
    const files = new MemoryFiles((path) => a.sibling?.(path) ?? b.sibling?.(path)), drawn = "out/picture.png";
    files.put(`first/${a.name}`, a.bytes);
    files.put(`second/${b.name}`, b.bytes);
    files.makeFolder("out");
    const object = objectOf(this.run(["compare", "--json", ...words("compare", options), ...(picture ? ["--picture", drawn] : []),
                                      `first/${a.name}`, `second/${b.name}`], files));
    if (object.picture) object.picture.bytes = files.get(drawn);
    return object;
  }

  /**
   * Build an archive, a texture, a shader package: `facet pack`. Options that name files name members.
   *
   * @param {string} out name of what is built
   * @param {Map<string, Uint8Array>} members by their paths
   * @param {import("./options.js").PackOptions} [options]
   * @returns {Uint8Array}
   */
  pack(out, members, options) {
    const files = new MemoryFiles(), named = new Set(Object.values(options ?? {}));
    const isArchive = options?.archive || this.formats().some(({ folder, extensions }) => folder &&
      extensions.some((extension) => out.toLowerCase().endsWith(extension)));
    for (const [path, bytes] of members) files.put(isArchive ? `in/${path}` : path, bytes);
    const inputs = isArchive ? ["in"] : [...members.keys()].filter((path) => !named.has(path));
    const { status, errors } = this.run(["pack", ...words("pack", options), out, ...inputs], files);
    if (status !== 0) throw spokenFault(errors, status);
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
  info(member, options) {
    return objectOf(this.#run(["info", "--json", ...words("info", options), this.#path(member)]));
  }

  #path(member) {
    return member ? `${this.name}/${member}` : this.name;
  }

  /** Every rule of its format: the object of `facet check --json`. It is not an error when the file is full of errors. */
  check(options, member) {
    return objectOf(this.#run(["check", "--json", ...words("check", options), this.#path(member)]));
  }

  /**
   * Convert to another format.
   *
   * @param {string} format name of the format, "glb"
   * @param {import("./options.js").ConvertOptions} [options] as the command line has them: `{scale: 2, newNormals: true}`;
   *     files that they name are opened by `sibling`
   * @param {string} [member] a path inside an archive
   * @returns {{bytes: Uint8Array, siblings: Map<string, Uint8Array>, findings: object[]}} with `split` all files are in
   *     `siblings`, and `bytes` is empty
   */
  convert(format, options, member) {
    const out = `out/result.${format}`;
    const files = this.#files();
    files.makeFolder("out");
    const line = ["convert", "--json", "-q", ...words("convert", options), "--to", format, this.#path(member), out];
    const result = this.#facet.run(line, files, undefined, this.#watch);
    this.missing = [...files.missing].filter((name) => !name.startsWith("out"));
    const { findings } = objectOf(result);
    const siblings = new Map();
    for (const name of files.names()) {
      if (name.startsWith("out/") && name !== out) siblings.set(name.slice(4), files.get(name));
    }
    return { bytes: files.get(out) ?? new Uint8Array(), siblings, findings };
  }

  /** What is inside: textures, sections, members, materials as JSON; bytes by their paths. */
  extract(options, member) {
    const files = this.#files();
    const line = ["extract", ...words("extract", options), this.#path(member), "out"];
    const { status, errors } = this.#facet.run(line, files, undefined, this.#watch);
    if (status !== 0) throw spokenFault(errors, status);
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
