// Files next to a model: those that it names, and its animations.

import { LoaderUtils } from "three";
import { FacetError } from "facet-mesh";

import { withoutChoice } from "../beside.js";
import { addressOf } from "../names.js";

// resolveURL of three.js appends "/a.png" to a path that has no host.
function resolve(address, path) {
  const hasHost = /^(https?:)?\/\//i.test(path);
  return !hasHost && /^\/(?!\/)/.test(address) ? address : LoaderUtils.resolveURL(address, path);
}

/** The requests of one model. A manager counts them, and gets an error only for a lost file. */
export class SideFiles {
  #manager;
  #loader;
  #path;
  #addresses;
  #found = new Set();
  #failed = new Map(); // names to addresses

  /**
   * @param {import("three").LoadingManager} manager
   * @param {(manager: import("three").LoadingManager) => import("three").FileLoader} loaderOf
   * @param {string} path folder of the model
   * @param {Map<string, string>} addresses of animations, by their names
   */
  constructor(manager, loaderOf, path, addresses) {
    const ignore = { value() {} };
    this.#manager = manager;
    this.#loader = loaderOf(Object.create(manager, { itemStart: ignore, itemEnd: ignore, itemError: ignore,
      abortController: { get: () => manager.abortController } }));
    this.#path = path;
    this.#addresses = addresses;
  }

  /** Load a file by the name in the model; null if it cannot be loaded. An animation must exist. */
  async open(name) {
    const animation = this.#addresses.get(name);
    const address = resolve(animation ?? addressOf(name), this.#path);
    this.#manager.itemStart(address);
    try {
      const data = await this.#loader.loadAsync(address);
      this.#found.add(name);
      return new Uint8Array(data);
    } catch (fault) {
      if (animation !== undefined) {
        this.#manager.itemError(address);
        throw Object.assign(new FacetError(`cannot load the animation: ${fault.message}`, { status: 3, file: address }), { cause: fault });
      }
      this.#failed.set(name, address);
      return null;
    } finally {
      this.#manager.itemEnd(address);
    }
  }

  /** Return those of the missing names that are lost. Report them to the manager. */
  lost(missing) {
    const names = withoutChoice(missing, this.#found);
    for (const name of names) if (this.#failed.has(name)) this.#manager.itemError(this.#failed.get(name));
    return names;
  }
}
