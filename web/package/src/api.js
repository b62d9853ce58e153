// What a host calls: files in memory in, results out. Each call is a run of the program
// on files in memory, so that results are those of the command line.

import { Engine } from "./engine.js";
import { FacetError, jsonLines, objectOf, printedError } from "./error.js";
import { readGlb } from "./glb.js";
import { clean, inside, MemoryFiles } from "./memory-files.js";
import { words } from "./words.js";

const decoder = new TextDecoder();

function joined(pieces) {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function base64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
  return btoa(text);
}

// Bytes with a buffer of their own: files grow in larger ones.
const own = (bytes) => (bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice());

// -- The files of one run ---------------------------------------------------------------

/** Files of one run of the program, with a folder for outputs that no input is in. */
class Workspace {
  /**
   * @param {[string, Uint8Array][]} inputs
   * @param {(path: string) => Uint8Array | null | undefined} [sibling]
   */
  constructor(inputs, sibling = () => null) {
    this.out = ".facet";
    while (inputs.some(([path]) => clean(path).split("/")[0] === this.out)) this.out += "_";
    this.files = new MemoryFiles(sibling, this.out);
    for (const [path, bytes] of inputs) this.files.put(path, bytes);
    this.files.makeFolder(this.out);
  }

  /** Run a command on these names; what it prints has no trace of the folder for outputs. */
  run(facet, line, names, watch) {
    // A dash alone is standard input.
    const { output, errors, status } = facet.run([...line, "--", ...names.map((name) => (name === "-" ? "./-" : name))],
      this.files, undefined, watch);
    const shown = (text) => text.replaceAll(`${this.out}/`, "");
    return { status, output: new TextEncoder().encode(shown(decoder.decode(output))), errors: shown(errors) };
  }

  /** What was written, by paths in the folder for outputs. */
  written() {
    const made = new Map(), prefix = `${this.out}/`;
    for (const name of this.files.names()) if (name.startsWith(prefix)) made.set(name.slice(prefix.length), own(this.files.get(name)));
    return made;
  }
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
    return new FacetFile(this, data, inside(name) || "file", sibling, { progress, signal });
  }

  /**
   * What differs between two files: the object of `facet compare --json`. With `picture: true` the object's `picture` has the
   * PNG as `bytes`.
   *
   * @param {FacetFile} a
   * @param {FacetFile} b
   * @param {import("./options.js").CompareOptions} [options]
   * @param {import("./index.js").Watch} [watch]
   */
  compare(a, b, { picture, ...options } = {}, watch) {
    const sides = { first: a, second: b };
    const space = new Workspace(Object.entries(sides).map(([side, file]) => [`${side}/${file.name}`, file.contents()]), (path) => {
      const [side, ...rest] = path.split("/");
      return sides[side]?.sibling?.(rest.join("/"));
    });
    const drawn = `${space.out}/picture.png`;
    const result = space.run(this, ["compare", "--json", ...words("compare", options), ...(picture ? [`--picture=${drawn}`] : [])],
      Object.entries(sides).map(([side, file]) => `${side}/${file.name}`), watch);
    for (const [side, file] of Object.entries(sides))
      file.missing = [...space.files.missing].filter((name) => name.startsWith(`${side}/`)).map((name) => name.slice(side.length + 1));
    const object = objectOf(result);
    if (object.picture) object.picture.bytes = space.written().get("picture.png");
    return object;
  }

  /**
   * Build an archive, a texture, a shader package: `facet pack`. Options that name files name members.
   *
   * @param {string} out name of what is built
   * @param {Map<string, Uint8Array>} members by their paths
   * @param {import("./options.js").PackOptions} [options]
   * @param {import("./index.js").Watch} [watch]
   * @returns {Uint8Array}
   */
  pack(out, members, options, watch) {
    const named = new Set(Object.values(options ?? {})), name = out.split("/").at(-1);
    const isArchive = options?.archive || this.formats().some(({ folder, extensions }) => folder &&
      extensions.some((extension) => name.toLowerCase().endsWith(extension)));
    const space = new Workspace([...members].map(([path, bytes]) => [isArchive ? `in/${path}` : path, bytes]));
    const inputs = isArchive ? ["in"] : [...members.keys()].filter((path) => !named.has(path));
    const { status, errors } = space.run(this, ["pack", ...words("pack", options)], [`${space.out}/${name}`, ...inputs], watch);
    if (status !== 0) throw printedError(errors, status, name);
    return space.written().get(name);
  }
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

  /** The bytes; an error when the file is closed. */
  contents() {
    if (!this.bytes) throw new FacetError("the file is closed", { status: 2, file: this.name });
    return this.bytes;
  }

  // Run a command on the file, and on more inputs that it is one model with.
  #run(line, { member, inputs = [], out, watch = {} }) {
    const space = new Workspace([[this.name, this.contents()]], this.sibling);
    const target = out === undefined ? [] : [out === "" ? space.out : `${space.out}/${out}`];
    const result = space.run(this.#facet, line, [this.#path(member), ...inputs, ...target], { ...this.#watch, ...watch });
    this.missing = [...space.files.missing];
    return { space, ...result };
  }

  #path(member) {
    return member ? `${this.name}/${member}` : this.name;
  }

  /** What is in it: the object of `facet info --json`. `member`: a path inside an archive. */
  info(member, options, watch) {
    return objectOf(this.#run(["info", "--json", ...words("info", options)], { member, watch }), this.#path(member));
  }

  /**
   * Every rule of its format: the object of `facet check --json`. It is not an error when the file is full of errors, or
   * cannot be read: that is a finding.
   */
  check(options, member, watch) {
    return objectOf(this.#run(["check", "--json", ...words("check", options)], { member, watch }), this.#path(member));
  }

  /**
   * Convert to another format.
   *
   * @param {string} to name of a format, "glb", or of the result, "fish.glb", by whose extension it is chosen
   * @param {import("./options.js").ConvertOptions & {inputs?: string[]}} [options] as the command line has them:
   *     `{scale: 2, newNormals: true}`; files that they name are opened by `sibling`, and so are `inputs`: more files of
   *     the same model, for example its animations
   * @param {string} [member] a path inside an archive
   * @param {import("./index.js").Watch} [watch]
   * @returns {{bytes: Uint8Array, siblings: Map<string, Uint8Array>, findings: object[]}} with `split` all files are in
   *     `siblings`, and `bytes` is empty
   */
  convert(to, { inputs, ...options } = {}, member, watch) {
    const isFormat = !to.includes("."), out = isFormat ? `result.${to}` : to.split("/").at(-1);
    const line = ["convert", "--json", ...words("convert", options), "-q", ...(isFormat ? [`--to=${to}`] : [])];
    const { space, ...result } = this.#run(line, { member, inputs, out, watch });
    const { findings } = objectOf(result, this.#path(member));
    const siblings = space.written(), bytes = siblings.get(out) ?? new Uint8Array();
    siblings.delete(out);
    return { bytes, siblings, findings };
  }

  /**
   * A picture, as PNG: `facet render`.
   *
   * @param {import("./options.js").RenderOptions & {inputs?: string[]}} [options] `inputs`: as of `convert`
   * @param {string} [member]
   * @param {import("./index.js").Watch} [watch]
   */
  render({ inputs, ...options } = {}, member, watch) {
    const line = ["render", "--json", ...words("render", options)];
    const { space, ...result } = this.#run(line, { member, inputs, out: "picture.png", watch });
    const object = objectOf(result, this.#path(member));
    return { ...object, bytes: space.written().get("picture.png") };
  }

  /** What is inside: textures, sections, members, materials as JSON; bytes by their paths. */
  extract(options, member, watch) {
    const line = ["extract", ...words("extract", options), "-q"];
    const { space, status, errors } = this.#run(line, { member, out: "", watch });
    if (status !== 0) throw printedError(errors, status, this.#path(member));
    return space.written();
  }

  /**
   * Meshes, nodes, materials, skins and animations, as glTF 2.0 has them, with typed arrays: +Y up,
   * right-handed, meters, v from the top. All are copies.
   */
  scene(options, member, watch) {
    return readGlb(this.convert("glb", options, member, watch).bytes);
  }

  /** Collision hulls and the occluder, as triangles in the axes of glTF. */
  overlays(member) {
    const space = new Workspace([[this.name, this.contents()]], this.sibling);
    return this.#facet.overlays(this.#path(member), space.files);
  }

  /** Let the bytes go. Calling it again does nothing. */
  close() {
    this.bytes = null;
    this.sibling = undefined;
  }
}

if (Symbol.dispose) FacetFile.prototype[Symbol.dispose] = FacetFile.prototype.close;
