// The imports of the WebAssembly module: system calls of the program on a set of files. The files
// are those of Node or of memory.

import { bytesOf, nameOf } from "./names.js";

/** Error numbers of the module's C library. */
const codes = {
  EACCES: 2, EBADF: 8, EEXIST: 20, EINVAL: 28, EISDIR: 31, ELOOP: 32, ENOENT: 44, ENOSPC: 51, ENOSYS: 52,
  ENOTDIR: 54, ENOTEMPTY: 55, EPERM: 63, EROFS: 69, EXDEV: 75, EIO: 29, EMFILE: 33, ENAMETOOLONG: 37, EBUSY: 10, ESPIPE: 70,
};

const OPEN = { write: 1, readWrite: 2, create: 64, exclusive: 128, truncate: 512, append: 1024,
               nonBlocking: 2048, directory: 65536, noFollow: 131072 };
const KIND = { file: 0o100000, directory: 0o040000, link: 0o120000, other: 0o020000 };
const ENTRY = { file: 8, directory: 4, link: 10, other: 0 };
const HERE = -100; // the working directory as a descriptor

/** A system error by its name, for example "ENOENT". */
export class SystemFault extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

/** Thrown through the module when the program calls exit(). */
export class ProgramExit {
  constructor(status) {
    this.status = status;
  }
}


/**
 * The module's imports.
 *
 * @param {() => WebAssembly.Memory} memory valid once the module is instantiated
 * @param {object} files see memory-files.js for its methods
 * @param {object} streams `input`: bytes of standard input, or a function that returns some and
 *     returns an empty array at the end. `output(bytes)` and `error(bytes)` receive output.
 *     `isTerminal(descriptor)`: if missing, no descriptor is a terminal. `progress(step,
 *     fraction)`: returns false to cancel.
 */
export function makeSystem(memory, files, streams) {
  let view = null, bytes = null;
  const opened = new Map();
  let next = 3;
  let rest = new Uint8Array(0); // unread bytes of standard input
  let upper = 0;

  function data() {
    if (!view || view.buffer !== memory().buffer) {
      view = new DataView(memory().buffer);
      bytes = new Uint8Array(memory().buffer);
    }
    return view;
  }

  function text(pointer) {
    data();
    let end = pointer;
    while (bytes[end]) end++;
    return nameOf(bytes.subarray(pointer, end));
  }

  // The result of `what`, or a negative error number.
  function attempt(what) {
    try {
      return what() ?? 0;
    } catch (fault) {
      if (fault && typeof fault.code === "string") return -(codes[fault.code] ?? codes.EIO);
      throw fault;
    }
  }

  function pathAt(directory, pointer) {
    const path = text(pointer);
    if (directory === HERE || path.startsWith("/")) return path;
    const folder = opened.get(directory);
    if (!folder) throw new SystemFault("EBADF");
    return `${folder.path}/${path}`;
  }

  function fill(pointer, status) {
    const to = data();
    bytes.fill(0, pointer, pointer + 88);
    to.setUint32(pointer, status.device ?? 1, true);
    to.setUint32(pointer + 8, status.inode ?? 0, true);
    to.setUint32(pointer + 12, KIND[status.kind] | (status.mode ?? 0o644), true);
    to.setUint32(pointer + 16, 1, true);
    to.setBigInt64(pointer + 40, BigInt(status.size ?? 0), true);
    to.setInt32(pointer + 48, 4096, true);
    to.setInt32(pointer + 52, Math.ceil((status.size ?? 0) / 512), true);
    const seconds = Math.floor((status.modified ?? 0) / 1000);
    for (const at of [56, 64, 72]) to.setInt32(pointer + at, seconds, true);
    to.setBigUint64(pointer + 80, BigInt(status.inode ?? 0), true);
  }

  // The blocks of memory in an iovec list, in order.
  function* pieces(list, count) {
    for (let i = 0; i < count; i++) {
      const from = data().getUint32(list + 8 * i, true), size = data().getUint32(list + 8 * i + 4, true);
      yield bytes.subarray(from, from + size);
    }
  }

  function takeInput(piece) {
    if (rest.length === 0) {
      const more = typeof streams.input === "function" ? streams.input() : streams.input;
      if (typeof streams.input !== "function") streams.input = undefined;
      rest = more ?? new Uint8Array(0);
    }
    const taken = Math.min(rest.length, piece.length);
    piece.set(rest.subarray(0, taken));
    rest = rest.subarray(taken);
    return taken;
  }

  function transfer(descriptor, list, count, total, one) {
    let sum = 0;
    const status = attempt(() => {
      for (const piece of pieces(list, count)) {
        if (piece.length === 0) continue;
        const done = one(piece);
        sum += done;
        if (done < piece.length) break;
      }
    });
    if (status < 0) return -status;
    data().setUint32(total, sum, true);
    return 0;
  }

  const wasi = {
    args_sizes_get: () => 0,
    args_get: () => 0,
    environ_sizes_get(count, size) {
      data().setUint32(count, 0, true);
      data().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    proc_exit(status) {
      throw new ProgramExit(status);
    },
    clock_time_get(id, precision, pointer) {
      const now = id === 0 ? Date.now() : performance.now();
      data().setBigUint64(pointer, BigInt(Math.round(now * 1e6)), true);
      return 0;
    },
    clock_res_get(id, pointer) {
      data().setBigUint64(pointer, 1000n, true);
      return 0;
    },
    random_get(pointer, size) {
      data();
      for (let at = 0; at < size; at += 65536)
        crypto.getRandomValues(bytes.subarray(pointer + at, pointer + Math.min(size, at + 65536)));
      return 0;
    },
    fd_read(descriptor, list, count, total) {
      if (descriptor === 0) return transfer(descriptor, list, count, total, takeInput);
      const file = opened.get(descriptor);
      if (!file?.handle) return codes.EBADF;
      return transfer(descriptor, list, count, total, (piece) => {
        const done = file.handle.read(piece, file.at);
        file.at += done;
        return done;
      });
    },
    fd_write(descriptor, list, count, total) {
      if (descriptor === 1 || descriptor === 2) {
        const to = descriptor === 1 ? streams.output : streams.error;
        return transfer(descriptor, list, count, total, (piece) => {
          to(piece.slice());
          return piece.length;
        });
      }
      const file = opened.get(descriptor);
      if (!file?.handle) return codes.EBADF;
      return transfer(descriptor, list, count, total, (piece) => {
        if (file.append) file.at = file.handle.status().size;
        const done = file.handle.write(piece, file.at);
        file.at += done;
        return done;
      });
    },
    fd_seek(descriptor, offset, whence, pointer) {
      const file = opened.get(descriptor);
      if (descriptor < 3) return codes.ESPIPE;
      if (!file?.handle) return codes.EBADF;
      const from = whence === 0 ? 0 : whence === 1 ? file.at : file.handle.status().size;
      const at = from + Number(offset);
      if (at < 0) return codes.EINVAL;
      file.at = at;
      data().setBigInt64(pointer, BigInt(at), true);
      return 0;
    },
    fd_close(descriptor) {
      const file = opened.get(descriptor);
      if (descriptor < 3) return 0;
      if (!file) return codes.EBADF;
      opened.delete(descriptor);
      return -attempt(() => file.handle?.close());
    },
    fd_pread(descriptor, list, count, offset, total) {
      const file = opened.get(descriptor);
      if (!file?.handle) return codes.EBADF;
      let at = Number(offset);
      return transfer(descriptor, list, count, total, (piece) => {
        const done = file.handle.read(piece, at);
        at += done;
        return done;
      });
    },
    fd_pwrite(descriptor, list, count, offset, total) {
      const file = opened.get(descriptor);
      if (!file?.handle) return codes.EBADF;
      let at = Number(offset);
      return transfer(descriptor, list, count, total, (piece) => {
        const done = file.handle.write(piece, at);
        at += done;
        return done;
      });
    },
    fd_sync(descriptor) {
      return -attempt(() => opened.get(descriptor)?.handle?.sync());
    },
    fd_fdstat_get(descriptor, pointer) {
      data();
      bytes.fill(0, pointer, pointer + 24);
      bytes[pointer] = descriptor < 3 ? (streams.isTerminal?.(descriptor) ? 2 : 4) : opened.get(descriptor)?.handle ? 4 : 3;
      return 0;
    },
  };

  function openFile(path, flags, mode) {
    // The program opens each folder of "textures/a.png" without following links; to list a folder,
    // it follows them.
    if (flags & OPEN.directory && flags & OPEN.noFollow && files.mayBeFolder(path)) {
      opened.set(next, { path });
      return next++;
    }
    const folder = files.status(path, !(flags & OPEN.noFollow), true);
    if (folder?.kind === "link") throw new SystemFault("ELOOP");
    if (folder?.kind === "directory" && !(flags & (OPEN.write | OPEN.readWrite))) {
      opened.set(next, { path });
      return next++;
    }
    if (flags & OPEN.directory) throw new SystemFault(folder ? "ENOTDIR" : "ENOENT");
    const handle = files.open(path, {
      write: (flags & (OPEN.write | OPEN.readWrite)) !== 0,
      read: (flags & OPEN.write) === 0,
      create: (flags & OPEN.create) !== 0,
      exclusive: (flags & OPEN.exclusive) !== 0,
      truncate: (flags & OPEN.truncate) !== 0,
      noFollow: (flags & OPEN.noFollow) !== 0,
      nonBlocking: (flags & OPEN.nonBlocking) !== 0,
      mode,
    });
    opened.set(next, { path, handle, at: 0, append: (flags & OPEN.append) !== 0 });
    return next++;
  }

  function statusOf(pointer, path, follow) {
    fill(pointer, files.status(path, follow));
  }

  function listFolder(descriptor, pointer, size) {
    const folder = opened.get(descriptor);
    if (!folder) throw new SystemFault("EBADF");
    folder.entries ??= [{ name: ".", kind: "directory" }, { name: "..", kind: "directory" },
                        ...files.list(folder.path)];
    folder.given ??= 0;
    let used = 0;
    for (; folder.given < folder.entries.length && used + 280 <= size; folder.given++, used += 280) {
      const entry = folder.entries[folder.given], at = pointer + used;
      const name = bytesOf(entry.name).subarray(0, 255);
      data();
      bytes.fill(0, at, at + 280);
      view.setBigUint64(at, BigInt(folder.given + 1), true);
      view.setBigInt64(at + 8, BigInt(folder.given + 1), true);
      view.setUint16(at + 16, 280, true);
      bytes[at + 18] = ENTRY[entry.kind];
      bytes.set(name, at + 19);
    }
    return used;
  }

  const env = {
    emscripten_notify_memory_growth() {
      view = null;
    },
    // 94 cells; a space marks an unused one. Rows are pairs of halves of the trailing bytes.
    facet_shift_jis_row(row, pointer) {
      const decoder = new TextDecoder("shift_jis"), lead = (row >> 1) + (row < 62 ? 0x81 : 0xC1);
      const cells = Array.from({ length: 94 }, (_, cell) => {
        const found = decoder.decode(Uint8Array.of(lead, row % 2 ? 0x9F + cell : 0x40 + cell + (cell >= 63)));
        return found.length === 1 && found !== "\uFFFD" ? found : " ";
      });
      data();
      bytes.set(new TextEncoder().encode(`${cells.join("")}\0`), pointer);
    },
    facet_progress: (step, fraction) => (streams.progress?.(text(step), fraction) === false ? 0 : 1),
    __syscall_openat: (directory, path, flags, mode) =>
      attempt(() => openFile(pathAt(directory, path), flags, mode)),
    __syscall_fstat64: (descriptor, pointer) => attempt(() => {
      const file = opened.get(descriptor);
      if (descriptor < 3) return fill(pointer, { kind: "other" });
      if (!file) throw new SystemFault("EBADF");
      fill(pointer, file.handle ? file.handle.status() : files.status(file.path, true));
    }),
    __syscall_stat64: (path, pointer) => attempt(() => statusOf(pointer, text(path), true)),
    __syscall_lstat64: (path, pointer) => attempt(() => statusOf(pointer, text(path), false)),
    __syscall_fstatat64: (directory, path, pointer, flags) =>
      attempt(() => statusOf(pointer, pathAt(directory, path), !(flags & 256))),
    __syscall_mkdir: (path) => attempt(() => files.makeFolder(text(path))),
    __syscall_mkdirat: (directory, path) => attempt(() => files.makeFolder(pathAt(directory, path))),
    __syscall_rename: (from, to) => attempt(() => files.rename(text(from), text(to))),
    __syscall_renameat: (a, from, b, to) => attempt(() => files.rename(pathAt(a, from), pathAt(b, to))),
    __syscall_unlink: (path) => attempt(() => files.remove(text(path))),
    __syscall_unlinkat: (directory, path, flags) => attempt(() =>
      flags & 512 ? files.removeFolder(pathAt(directory, path)) : files.remove(pathAt(directory, path))),
    __syscall_rmdir: (path) => attempt(() => files.removeFolder(text(path))),
    __syscall_getdents64: (descriptor, pointer, size) => attempt(() => listFolder(descriptor, pointer, size)),
    __syscall_readlink: (path, pointer, size) => attempt(() => {
      const target = bytesOf(files.readLink(text(path))).subarray(0, size);
      data();
      bytes.set(target, pointer);
      return target.length;
    }),
    __syscall_faccessat: (directory, path) =>
      attempt(() => void files.status(pathAt(directory, path), true)),
    __syscall_access: (path) => attempt(() => void files.status(text(path), true)),
    __syscall_ftruncate64: (descriptor, low, high) => attempt(() => {
      const file = opened.get(descriptor);
      if (!file?.handle) throw new SystemFault("EBADF");
      file.handle.truncate(typeof low === "bigint" ? Number(low) : (low >>> 0) + high * 2 ** 32);
    }),
    __syscall_dup: (descriptor) => attempt(() => {
      const file = opened.get(descriptor);
      if (!file) throw new SystemFault(descriptor < 3 ? "ENOSYS" : "EBADF");
      opened.set(next, { ...file, handle: file.handle?.again() });
      return next++;
    }),
    __syscall_fdatasync: (descriptor) => attempt(() => opened.get(descriptor)?.handle?.sync()),
    __syscall_fchmod: () => 0,
    __syscall_chmod: () => 0,
    __syscall_getcwd: (pointer, size) => attempt(() => {
      const path = bytesOf(files.workingFolder());
      if (path.length + 1 > size) throw new SystemFault("EINVAL");
      data();
      bytes.set(path, pointer);
      bytes[pointer + path.length] = 0;
      return path.length + 1;
    }),
    // Upper half of a 64-bit result. Emscripten's setjmp returns the size of a table in it.
    getTempRet0: () => upper,
    setTempRet0: (value) => {
      upper = value;
    },
  };

  return {
    imports: { wasi_snapshot_preview1: wasi, env },
    /** Close the files of a program that ended early. */
    closeAll() {
      for (const file of opened.values()) file.handle?.close();
      opened.clear();
      rest = new Uint8Array(0);
    },
  };
}
