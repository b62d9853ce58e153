// The files of Node's own system.

import * as fs from "node:fs";

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
  /** For one more descriptor of the program. */
  again() {
    this.#users++;
    return this;
  }
  close() {
    if (--this.#users === 0) fs.closeSync(this.#descriptor);
  }
}

/** The files of the system that Node runs on. */
export class NodeFiles {
  open(path, how) {
    const flag = fs.constants;
    let flags = how.write ? (how.read ? flag.O_RDWR : flag.O_WRONLY) : flag.O_RDONLY;
    if (how.create) flags |= flag.O_CREAT;
    if (how.exclusive) flags |= flag.O_EXCL;
    if (how.truncate) flags |= flag.O_TRUNC;
    if (how.noFollow && flag.O_NOFOLLOW) flags |= flag.O_NOFOLLOW;
    return new NodeHandle(fs.openSync(path, flags, how.mode || 0o666));
  }
  status(path, follow, orNothing) {
    try {
      return described(follow ? fs.statSync(path) : fs.lstatSync(path));
    } catch (fault) {
      if (orNothing && fault.code === "ENOENT") return undefined;
      throw fault;
    }
  }
  makeFolder(path) {
    fs.mkdirSync(path);
  }
  rename(from, to) {
    fs.renameSync(from, to);
  }
  remove(path) {
    fs.unlinkSync(path);
  }
  removeFolder(path) {
    fs.rmdirSync(path);
  }
  list(path) {
    return fs.readdirSync(path, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  }
  readLink(path) {
    return fs.readlinkSync(path);
  }
  workingFolder() {
    return process.cwd();
  }
}
