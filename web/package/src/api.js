// The API of the package: files in memory as input, results as output. Each call runs the program
// on these files, so that results are those of the command line.

import { bytesOf, checkArguments } from "./arguments.js";
import { Engine } from "./engine.js";
import { explainCore, FacetError, jsonLines, objectOf, printedError } from "./error.js";
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

// Bytes in a buffer of exactly their size; the buffer of a growing file is larger.
const own = (bytes) => (bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice());

// -- The files of one run ---------------------------------------------------------------

/** Files of one run of the program. Outputs go into a separate folder, which contains no input. */
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

  /** Run a command on these names. The output folder is removed from the text that it prints. */
  run(facet, line, names, watch) {
    // A name "-" would be standard input.
    const { output, errors, status } = facet.run([...line, "--", ...names.map((name) => (name === "-" ? "./-" : name))],
      this.files, undefined, watch);
    const shown = (text) => explainCore(text.replaceAll(`${this.out}/`, ""), facet);
    return { status, output: new TextEncoder().encode(shown(decoder.decode(output))), errors: shown(errors) };
  }

  /** The files in the output folder, by their paths in it. */
  written() {
    const made = new Map(), prefix = `${this.out}/`;
    for (const name of this.files.names()) if (name.startsWith(prefix)) made.set(name.slice(prefix.length), own(this.files.get(name)));
    return made;
  }
}

/**
 * The library. Each call creates a new instance of the module, like a new process of the program.
 */
export class Facet {
  #module;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#module = module;
  }

  /**
   * Run the program on files in memory.
   *
   * @param {string[]} line arguments, without the program's name
   * @param {MemoryFiles} files
   * @param {Uint8Array} [input] standard input
   * @param {import("./index.js").Watch} [watch]
   * @returns {{status: number, output: Uint8Array, errors: string}}
   */
  run(line, files, input, watch) {
    checkArguments("run", [line, files, input, watch]);
    const { progress, signal } = watch ?? {};
    const output = [], errors = [];
    signal?.throwIfAborted();
    const status = new Engine(this.#module).run(line, files, {
      input: input && bytesOf(input),
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
   * Shaders for materials of a GameCube or Wii: for each material GLSL ES 3.00, uniforms and other
   * state. null for other materials.
   *
   * @param {{materials?: object[], images?: object[]}} gltf JSON of a glTF, or the result of
   *     `scene()`
   */
  glsl(gltf) {
    checkArguments("glsl", [gltf]);
    const { materials = [], images = [] } = gltf;
    const question = JSON.stringify({ materials, images: images.map(({ name, extras }) => ({ name, extras })) });
    return JSON.parse(new Engine(this.#module).ask("facet_shaders", question, new MemoryFiles()) ?? "[]");
  }

  /**
   * Changes of console materials by an animation, frame by frame. null if the file is not an
   * animation of materials.
   *
   * @param {{materials?: object[], images?: object[]}} gltf as for `glsl()`
   * @param {string | Uint8Array} file a BTK, BRK, BPK, BPA or BTP; a string is base64, as in extras
   */
  motion(gltf, file) {
    checkArguments("motion", [gltf, file]);
    const { materials = [], images = [] } = gltf;
    const question = JSON.stringify({ materials, images: images.map(({ name, extras }) => ({ name, extras })),
                                      file: typeof file === "string" ? file : base64(bytesOf(file)) });
    return JSON.parse(new Engine(this.#module).ask("facet_motion", question, new MemoryFiles()) ?? "null");
  }

  /**
   * Collision hulls and the occluder of a file, as triangles in glTF axes.
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

  /** The formats: name, title, extensions, whether they can be read and written. */
  formats() {
    return jsonLines(this.run(["formats", "--json"], new MemoryFiles()).output);
  }

  /**
   * Open a file or an archive. Nothing is read yet.
   *
   * @param {ArrayBufferLike | ArrayBufferView} bytes are not copied: if you change them, the file changes
   * @param {{name?: string, sibling?: (path: string) => Uint8Array | null | undefined} &
   *     import("./index.js").Watch} [how] The extension of `name` helps to detect some formats.
   *     `sibling` opens files that the file names. `progress` and `signal` apply to all calls of
   *     the file.
   */
  open(bytes, how = {}) {
    checkArguments("open", [bytes, how]);
    const { name = "file", sibling, progress, signal } = how;
    return new FacetFile(this, bytesOf(bytes), inside(name) || "file", sibling, { progress, signal });
  }

  /**
   * Compare two files. The result is the object of `facet compare --json`. With `picture: true`,
   * its `picture` has the PNG as `bytes`.
   *
   * @param {FacetFile} a
   * @param {FacetFile} b
   * @param {import("./options.js").CompareOptions} [options]
   * @param {import("./index.js").Watch} [watch]
   */
  compare(a, b, options, watch) {
    checkArguments("compare", [a, b, options, watch]);
    const { picture, ...rest } = options ?? {};
    const sides = { first: a, second: b };
    const space = new Workspace(Object.entries(sides).map(([side, file]) => [`${side}/${file.name}`, file.contents()]), (path) => {
      const [side, ...rest] = path.split("/");
      return sides[side]?.sibling?.(rest.join("/"));
    });
    const drawn = `${space.out}/picture.png`;
    const result = space.run(this, ["compare", "--json", ...words("compare", rest), ...(picture ? [`--picture=${drawn}`] : [])],
      Object.entries(sides).map(([side, file]) => `${side}/${file.name}`), watch);
    for (const [side, file] of Object.entries(sides))
      file.missing = [...space.files.missing].filter((name) => name.startsWith(`${side}/`)).map((name) => name.slice(side.length + 1));
    const object = objectOf(result);
    if (object.picture) object.picture.bytes = space.written().get("picture.png");
    return object;
  }

  /**
   * Build an archive, a texture or a shader package, like `facet pack`. Options that name files
   * name members.
   *
   * @param {string} out name of the output
   * @param {Map<string, Uint8Array>} members by their paths
   * @param {import("./options.js").PackOptions} [options]
   * @param {import("./index.js").Watch} [watch]
   * @returns {Uint8Array}
   */
  pack(out, members, options, watch) {
    checkArguments("pack", [out, members, options, watch]);
    const named = new Set(Object.values(options ?? {}).flat()), name = out.split("/").at(-1);
    const isArchive = options?.archive || this.formats().some(({ folder, extensions }) => folder &&
      extensions.some((extension) => name.toLowerCase().endsWith(extension)));
    const space = new Workspace([...members].map(([path, bytes]) => [isArchive ? `in/${path}` : path, bytesOf(bytes)]));
    if (isArchive && members.size === 0) space.files.makeFolder("in");
    const inputs = isArchive ? ["in"] : [...members.keys()].filter((path) => !named.has(path));
    const { status, errors } = space.run(this, ["pack", ...words("pack", options)], [`${space.out}/${name}`, ...inputs], watch);
    if (status !== 0) throw printedError(errors, status, name);
    return space.written().get(name);
  }
}

/** An open file of any format. */
export class FacetFile {
  #facet;
  #watch;

  constructor(facet, bytes, name, sibling, watch) {
    this.#facet = facet;
    this.#watch = watch;
    /** The bytes; null after close(). */
    this.bytes = bytes;
    /** The name. */
    this.name = name;
    /** Opens files that this file names. */
    this.sibling = sibling;
    /** Names that the last call requested and did not find. */
    this.missing = [];
  }

  /** The bytes. Throws if the file is closed. */
  contents() {
    if (!this.bytes) throw new FacetError("the file is closed", { status: 2, file: this.name });
    return this.bytes;
  }

  // Run a command on the file, and on more inputs of the same model.
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

  /** Describe the file: the object of `facet info --json`. `member` is a path inside an archive. */
  info(member, options, watch) {
    checkArguments("info", [member, options, watch]);
    return objectOf(this.#run(["info", "--json", ...words("info", options)], { member, watch }), this.#path(member));
  }

  /**
   * Check all rules of the format: the object of `facet check --json`. Errors in the file do not
   * throw, even if it cannot be read: they are findings.
   */
  check(options, member, watch) {
    checkArguments("check", [options, member, watch]);
    return objectOf(this.#run(["check", "--json", ...words("check", options)], { member, watch }), this.#path(member));
  }

  /**
   * Convert to another format. With `split`, all files are in `siblings`, and `bytes` is empty.
   *
   * @param {string} to a format ("glb"), or the name of the result, whose extension selects it
   *     ("fish.glb")
   * @param {import("./options.js").ConvertOptions & {inputs?: string[]}} [options] options of the
   *     command line: `{scale: 2, newNormals: true}`. `sibling` opens the files that they name, and
   *     those of `inputs`: more files of the same model, such as animations.
   * @param {string} [member] a path inside an archive
   * @param {import("./index.js").Watch} [watch]
   * @returns {{bytes: Uint8Array, siblings: Map<string, Uint8Array>, findings: object[]}}
   */
  convert(to, options, member, watch) {
    checkArguments("convert", [to, options, member, watch]);
    const { inputs, ...rest } = options ?? {};
    checkArguments("inputs", [inputs], "convert");
    const isFormat = !to.includes("."), out = isFormat ? `result.${to}` : to.split("/").at(-1);
    const line = ["convert", "--json", ...words("convert", rest), "-q", ...(isFormat ? [`--to=${to}`] : [])];
    const { space, ...result } = this.#run(line, { member, inputs: inputs ?? [], out, watch });
    const { findings } = objectOf(result, this.#path(member));
    const siblings = space.written(), bytes = siblings.get(out) ?? new Uint8Array();
    siblings.delete(out);
    return { bytes, siblings, findings };
  }

  /**
   * Draw a picture as PNG, like `facet render`.
   *
   * @param {import("./options.js").RenderOptions & {inputs?: string[]}} [options] `inputs` as for
   *     `convert`
   * @param {string} [member]
   * @param {import("./index.js").Watch} [watch]
   */
  render(options, member, watch) {
    checkArguments("render", [options, member, watch]);
    const { inputs, ...rest } = options ?? {};
    checkArguments("inputs", [inputs], "render");
    const line = ["render", "--json", ...words("render", rest)];
    const { space, ...result } = this.#run(line, { member, inputs: inputs ?? [], out: "picture.png", watch });
    const object = objectOf(result, this.#path(member));
    return { ...object, bytes: space.written().get("picture.png") };
  }

  /** Extract textures, sections, members, and materials as JSON: bytes by their paths. */
  extract(options, member, watch) {
    checkArguments("extract", [options, member, watch]);
    const line = ["extract", ...words("extract", options), "-q"];
    const { space, status, errors } = this.#run(line, { member, out: "", watch });
    if (status !== 0) throw printedError(errors, status, this.#path(member));
    return space.written();
  }

  /**
   * Meshes, nodes, materials, skins and animations in the structure of glTF 2.0, with typed arrays:
   * +Y up, right-handed, meters, v from the top. All arrays are copies.
   */
  scene(options, member, watch) {
    checkArguments("scene", [options, member, watch]);
    return readGlb(this.convert("glb", options, member, watch).bytes);
  }

  /** Collision hulls and the occluder, as triangles in glTF axes. */
  overlays(member) {
    checkArguments("overlays", [member]);
    const space = new Workspace([[this.name, this.contents()]], this.sibling);
    return this.#facet.overlays(this.#path(member), space.files);
  }

  /** Release the bytes. You may call it repeatedly. */
  close() {
    this.bytes = null;
    this.sibling = undefined;
  }
}

if (Symbol.dispose) FacetFile.prototype[Symbol.dispose] = FacetFile.prototype.close;
