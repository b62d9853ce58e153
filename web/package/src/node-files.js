// The file system of Node.

import * as fs from "node:fs";

import { bytesOf, nameOf } from "./names.js";

const native = (path) => Buffer.from(bytesOf(path));

function kindOf(status) {
  return status.isFile() ? "file" : status.isDirectory() ? "directory" : status.isSymbolicLink() ? "link" : "other";
}

function described(status) {
  return { kind: kindOf(status), size: status.size, mode: status.mode & 0o7777, inode: Number(status.ino) >>> 0,
           device: Number(status.dev) >>> 0, modified: status.mtimeMs };
}

class NodeHandle {
  #descriptor;
  #users = 1;
  constructor(descriptor) {
    this.#descriptor = descriptor;
  }
  read(to, at) {
    try {
      return fs.readSync(this.#descriptor, to, 0, to.length, at);
    } catch (fault) {
      if (fault.code !== "ESPIPE") throw fault;
      return fs.readSync(this.#descriptor, to, 0, to.length, null); // a pipe
    }
  }
  write(from, at) {
    return fs.writeSync(this.#descriptor, from, 0, from.length, at);
  }
  truncate(size) {
    fs.ftruncateSync(this.#descriptor, size);
  }
  status() {
    return described(fs.fstatSync(this.#descriptor));
  }
  sync() {
    fs.fsyncSync(this.#descriptor);
  }
  /** Another descriptor of the program refers to this file. */
  again() {
    this.#users++;
    return this;
  }
  close() {
    if (--this.#users === 0) fs.closeSync(this.#descriptor);
  }
}

/** Files of the system that Node runs on. */
export class NodeFiles {
  open(path, how) {
    const flag = fs.constants;
    let flags = how.write ? (how.read ? flag.O_RDWR : flag.O_WRONLY) : flag.O_RDONLY;
    if (how.create) flags |= flag.O_CREAT;
    if (how.exclusive) flags |= flag.O_EXCL;
    if (how.truncate) flags |= flag.O_TRUNC;
    if (how.nonBlocking && flag.O_NONBLOCK) flags |= flag.O_NONBLOCK; // opening a pipe would wait
    if (how.noFollow && flag.O_NOFOLLOW) flags |= flag.O_NOFOLLOW;
    return new NodeHandle(fs.openSync(native(path), flags, how.mode || 0o666));
  }
  status(path, follow, orNothing) {
    try {
      return described(follow ? fs.statSync(native(path)) : fs.lstatSync(native(path)));
    } catch (fault) {
      if (orNothing && fault.code === "ENOENT") return undefined;
      throw fault;
    }
  }
  mayBeFolder() {
    return false;
  }
  makeFolder(path) {
    fs.mkdirSync(native(path));
  }
  rename(from, to) {
    fs.renameSync(native(from), native(to));
  }
  remove(path) {
    fs.unlinkSync(native(path));
  }
  removeFolder(path) {
    fs.rmdirSync(native(path));
  }
  list(path) {
    return fs.readdirSync(native(path), { withFileTypes: true, encoding: "buffer" }).map((entry) => ({ name: nameOf(entry.name), kind: kindOf(entry) }));
  }
  readLink(path) {
    return nameOf(fs.readlinkSync(native(path), "buffer"));
  }
  workingFolder() {
    return process.cwd();
  }
}
