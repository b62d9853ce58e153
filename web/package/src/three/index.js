// A loader for three.js, for all formats that Facet reads.

import { FileLoader, Loader, LoaderUtils } from "three";

import { bytesOf, checkArguments } from "../arguments.js";
import { complete, finder } from "../beside.js";
import { decoded, freePath } from "../names.js";
import { Facet, FacetError, load } from "facet-mesh";
import { isZip, unzip } from "../zip.js";
import { clipsOf } from "./clips.js";
import { dress, readModel } from "./model.js";
import { modelFile } from "./model-files.js";
import { SideFiles } from "./side-files.js";

const decoder = new TextDecoder();

// True for glTF files. GLTFLoader reads them directly, with all its extensions.
function isGltf(data) {
  const begin = decoder.decode(data.subarray(0, 64)).trimStart();
  return begin.startsWith("glTF") || (begin.startsWith("{") && /"asset"\s*:/.test(decoder.decode(data)));
}

function nameOf(url) {
  if (/^(data|blob):/.test(url)) return "model";
  return decoded(url.split(/[?#]/)[0].split("/").at(-1)) || "model";
}

/** Loads any format that Facet reads. The result is like that of GLTFLoader. */
export class FacetLoader extends Loader {
  #library = null;
  #setUp = [];
  /** Options of `convert()`, such as `{ scale: 0.01 }`. */
  options = {};
  /** Addresses of animations for the model, relative to `path`: `["walk.bck", "walk.btk"]`. */
  animations = [];
  /** Maximum width and height of textures. Larger ones are reduced. */
  maxTextureSize = 4096;

  setOptions(options) {
    checkArguments("setOptions", [options]);
    this.options = options;
    return this;
  }
  setAnimations(addresses) {
    checkArguments("setAnimations", [addresses]);
    this.animations = addresses;
    return this;
  }
  /**
   * Set the library: a `Facet`, or a `FacetClient`, which keeps the page responsive. Default: call
   * `load()`.
   */
  setLibrary(library) {
    this.#library = library;
    return this;
  }

  // Decoders and plugins of GLTFLoader, for glTF files.
  setDRACOLoader(loader) {
    this.#setUp.push((gltf) => gltf.setDRACOLoader(loader));
    return this;
  }
  setKTX2Loader(loader) {
    this.#setUp.push((gltf) => gltf.setKTX2Loader(loader));
    return this;
  }
  setMeshoptDecoder(decoderOf) {
    this.#setUp.push((gltf) => gltf.setMeshoptDecoder(decoderOf));
    return this;
  }
  register(plugin) {
    this.#setUp.push((gltf) => gltf.register(plugin));
    return this;
  }

  #fileLoader(manager) {
    const loader = new FileLoader(manager);
    loader.setResponseType("arraybuffer");
    loader.setRequestHeader(this.requestHeader);
    loader.setWithCredentials(this.withCredentials);
    return loader;
  }

  load(url, onLoad, onProgress, onError) {
    const base = LoaderUtils.extractUrlBase(url);
    const path = this.resourcePath || (this.path ? LoaderUtils.resolveURL(base, this.path) : base);
    this.manager.itemStart(url); // ends after all siblings are loaded
    const fail = (fault) => {
      if (onError) onError(fault);
      else console.error(fault);
      this.manager.itemError(url);
      this.manager.itemEnd(url);
    };
    const done = (model) => {
      try {
        onLoad(model);
        this.manager.itemEnd(url);
      } catch (fault) {
        fail(fault);
      }
    };
    const loader = this.#fileLoader(this.manager);
    loader.setPath(this.path);
    loader.load(url, (data) => this.#read(new Uint8Array(data), path, nameOf(url)).then(done, fail), onProgress, fail);
  }

  parse(data, path, onLoad, onError) {
    this.parseAsync(data, path).then(onLoad, onError ?? console.error);
  }

  /**
   * @param {ArrayBuffer | Uint8Array | string} data
   * @param {string} path folder of files that the model names
   * @param {string} [name] its extension helps to detect some formats
   */
  async parseAsync(data, path = "", name = "model") {
    checkArguments("parse", [data]);
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : bytesOf(data);
    return this.#read(bytes, path || this.resourcePath || this.path, name);
  }

  async #read(data, path, name) {
    this.#library ??= await load();
    const library = this.#library, setUp = (loader) => this.#configure(loader);
    const how = { manager: this.manager, path, maxTextureSize: this.maxTextureSize, setUp };
    const asIs = isGltf(data) && Object.keys(this.options).length === 0 && this.animations.length === 0;
    const made = asIs ? { bytes: data, findings: [], missing: [] } : await this.#convert(library, data, path, name);
    const buffer = made.bytes.byteLength === made.bytes.buffer.byteLength ? made.bytes.buffer : made.bytes.slice().buffer;
    const model = await readModel(buffer, library, how).catch((fault) => {
      if (asIs) return this.#explain(fault, library, data, path, name);
      throw fault;
    });
    Object.assign(model.facet, { findings: made.findings, missing: made.missing });
    dress(model);
    model.animations = await clipsOf(model, library);
    return model;
  }

  // Errors of GLTFLoader have no rule and no place. Throw the library's error, if the library cannot
  // read the file either. For an extension, GLTFLoader's error names the decoder to set.
  async #explain(fault, ...model) {
    const found = await this.#convert(...model).catch((error) => error);
    throw found instanceof FacetError && found.rule && found.rule !== "GLTF-EXTENSION" ? Object.assign(found, { cause: fault }) : fault;
  }

  #configure(loader) {
    for (const each of this.#setUp) each(loader);
    loader.setCrossOrigin(this.crossOrigin);
    loader.setRequestHeader(this.requestHeader);
    loader.setWithCredentials(this.withCredentials);
  }

  async #convert(library, data, path, name) {
    const files = isZip(data) ? await unzip(data) : new Map([[name, data]]);
    const first = [...files.keys()].find((each) => modelFile.test(each)) ?? [...files.keys()][0] ?? name;
    const addresses = new Map(); // of animations, by their paths
    for (const address of this.animations)
      addresses.set(freePath(nameOf(address), (each) => files.has(each) || addresses.has(each)), address);
    const here = finder(() => files);
    const sides = new SideFiles(this.manager, (manager) => this.#fileLoader(manager), path, addresses);
    // An animation of an address is never a member of the archive, even if they have the same name.
    const sibling = async (asked) => (addresses.has(asked) ? undefined : here(asked)) ?? sides.open(asked);
    const options = { png: "none", allowExternal: true, ...this.options, inputs: [...addresses.keys()] };
    if (!(library instanceof Facet)) {
      const file = library.open(files.get(first) ?? data, { name: first, sibling });
      try {
        const { bytes, findings } = await file.convert("glb", options);
        return { bytes, findings, missing: sides.lost(file.missing) };
      } finally {
        file.close();
      }
    }
    const found = new Map(), file = library.open(files.get(first) ?? data, { name: first, sibling: (asked) => found.get(asked) });
    const attempt = async () => {
      try {
        return { result: file.convert("glb", options), missing: file.missing };
      } catch (fault) {
        return { fault, missing: file.missing };
      }
    };
    const { result, missing } = await complete(attempt, sibling, (entries) => { for (const entry of entries) found.set(...entry); });
    return { ...result, missing: sides.lost(missing) };
  }
}
