// Files in memory. A page has no disk.

import { bytesOfSibling } from "./arguments.js";
import { SystemFault } from "./system.js";

/**
 * A path without "." and empty parts. ".." is only at its beginning, if the path leaves the folder.
 */
export function clean(path) {
  const parts = [];
  for (const part of path.split("/")) {
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/**
 * A clean path that does not leave the folder. U+FFFD replaces what a name in bytes cannot have: NUL, and lone surrogates
 * except those of names.js.
 */
export function inside(path) {
  return clean(path).replace(/^(\.\.(\/|$))+/, "").replace(/\0|[\uD800-\uDBFF]|[\uDC00-\uDC7F]|[\uDD00-\uDFFF]/gu, "\uFFFD");
}

class MemoryHandle {
  #file;
  constructor(file) {
    this.#file = file;
  }
  read(to, at) {
    const from = this.#file.bytes.subarray(at, at + to.length);
    to.set(from);
    return from.length;
  }
  write(from, at) {
    const file = this.#file, end = at + from.length;
    if (end > file.space.length) {
      const larger = new Uint8Array(Math.max(end, 2 * file.space.length, 4096));
      larger.set(file.bytes);
      file.space = larger;
    }
    if (end > file.bytes.length) file.bytes = file.space.subarray(0, end);
    file.bytes.set(from, at);
    return from.length;
  }
  truncate(size) {
    if (size <= this.#file.bytes.length) this.#file.bytes = this.#file.bytes.subarray(0, size);
    else this.write(new Uint8Array(size - this.#file.bytes.length), this.#file.bytes.length);
  }
  status() {
    return { kind: "file", size: this.#file.bytes.length, inode: this.#file.inode };
  }
  sync() {}
  again() {
    return this;
  }
  close() {}
}

/**
 * A folder in memory. Parts of paths are separated by /; a / at the beginning is ignored. A folder
 * exists if it was created or contains a file.
 */
export class MemoryFiles {
  #files = new Map();
  #folders = new Set([""]);
  #resolve;
  #outputs;
  #inode = 1;

  /**
   * @param {(path: string) => Uint8Array | null | undefined} [resolve] called once for a missing
   *     file
   * @param {string} [outputs] a folder for the program's outputs; `resolve` is not called for it
   */
  constructor(resolve, outputs) {
    this.#resolve = resolve;
    this.#outputs = outputs;
  }

  /** Add a file. The bytes are not copied: if you change them, the file changes. */
  put(path, bytes) {
    const name = clean(path);
    this.#files.set(name, { bytes, space: new Uint8Array(0), inode: this.#inode++ });
    this.missing.delete(name);
    this.#addFolders(name);
  }
  /** The bytes of a file, or undefined. */
  get(path) {
    return this.#files.get(clean(path))?.bytes;
  }
  /** Names of all files, in the order they were added. */
  names() {
    return [...this.#files.keys()];
  }
  /** Names that were requested and not found. */
  missing = new Set();

  #addFolders(name) {
    for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1)) this.#folders.add(name.slice(0, at));
  }
  #isOutput(name) {
    return this.#outputs !== undefined && (name === this.#outputs || name.startsWith(`${this.#outputs}/`));
  }
  // True for a path inside a file. The program tests for such a folder before it opens the archive.
  #isMember(name) {
    for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1)) if (this.#files.has(name.slice(0, at))) return true;
    return false;
  }
  #find(path) {
    const name = clean(path), file = this.#files.get(name);
    // Absolute paths belong to the system, for example the description of a terminal.
    if (file || this.#folders.has(name) || path.startsWith("/") || this.#isOutput(name) || this.#isMember(name) || this.missing.has(name)) return file;
    const found = bytesOfSibling(this.#resolve?.(name), name);
    if (!found) {
      this.missing.add(name);
      return undefined;
    }
    this.put(name, found);
    return this.#files.get(name);
  }

  open(path, how) {
    const name = clean(path);
    let file = how.create ? this.#files.get(name) : this.#find(path);
    if (this.#folders.has(name)) throw new SystemFault("EISDIR");
    if (file && how.exclusive) throw new SystemFault("EEXIST");
    if (!file && !how.create) throw new SystemFault(this.#isMember(name) ? "ENOTDIR" : "ENOENT");
    if (!file) {
      this.put(name, new Uint8Array(0));
      file = this.#files.get(name);
    } else if (how.truncate) {
      file.bytes = new Uint8Array(0);
      file.space = new Uint8Array(0);
    }
    return new MemoryHandle(file);
  }
  status(path, follow, orNothing) {
    const name = clean(path);
    if (this.#folders.has(name)) return { kind: "directory", mode: 0o755 };
    const file = this.#find(path);
    if (file) return { kind: "file", size: file.bytes.length, inode: file.inode };
    if (orNothing) return undefined;
    throw new SystemFault(this.#isMember(name) ? "ENOTDIR" : "ENOENT");
  }
  /** True if `resolve` may have files in an otherwise unknown folder. */
  mayBeFolder(path) {
    const name = clean(path);
    return this.#resolve !== undefined && !path.startsWith("/") && !this.#files.has(name) && !this.#isOutput(name) && !this.#isMember(name);
  }
  makeFolder(path) {
    const name = clean(path);
    if (this.#folders.has(name) || this.#files.has(name)) throw new SystemFault("EEXIST");
    this.#addFolders(`${name}/`);
  }
  rename(from, to) {
    const file = this.#files.get(clean(from)), name = clean(to);
    if (!file) throw new SystemFault("ENOENT");
    this.#files.delete(clean(from));
    this.#files.set(name, file);
    this.#addFolders(name);
  }
  remove(path) {
    if (!this.#files.delete(clean(path))) throw new SystemFault("ENOENT");
  }
  removeFolder(path) {
    if (!this.#folders.delete(clean(path))) throw new SystemFault("ENOENT");
  }
  list(path) {
    const name = clean(path), prefix = name === "" ? "" : `${name}/`, found = new Map();
    for (const file of this.#files.keys()) {
      if (!file.startsWith(prefix)) continue;
      const inside = file.slice(prefix.length), slash = inside.indexOf("/");
      found.set(slash < 0 ? inside : inside.slice(0, slash), slash < 0 ? "file" : "directory");
    }
    for (const folder of this.#folders) {
      if (folder.startsWith(prefix) && folder !== name && !folder.slice(prefix.length).includes("/"))
        found.set(folder.slice(prefix.length), "directory");
    }
    return [...found].map(([entry, kind]) => ({ name: entry, kind }));
  }
  readLink() {
    throw new SystemFault("EINVAL");
  }
  workingFolder() {
    return "/";
  }
}
