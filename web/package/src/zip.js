// Read ZIP archives. The platform's DecompressionStream decompresses the members.

import { bytesOf, checkArguments } from "./arguments.js";
import { FacetError } from "./error.js";
import { inside } from "./memory-files.js";

const END = 0x06054B50, ENTRY = 0x02014B50, LOCAL = 0x04034B50;
const LOCATOR64 = 0x07064B50, END64 = 0x06064B50, EXTRA64 = 1; // of ZIP64
const IN_EXTRA = 0xFFFFFFFF; // the number is in the extra field of ZIP64
const MAX_BYTES = 2 ** 30; // bytes of all members together
const MAX_RATIO = 1032; // maximum of deflate: 258 bytes from two bits

/** True if the bytes begin like a ZIP archive. */
export function isZip(given) {
  checkArguments("isZip", [given]);
  const bytes = bytesOf(given);
  return bytes[0] === 0x50 && bytes[1] === 0x4B && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6));
}

function fail(offset, message) {
  throw new FacetError(message, { offset, rule: "" });
}

// Offset of the end record. Only a comment may follow it.
function findEnd(view) {
  const last = view.byteLength - 22;
  for (let at = last; at >= 0 && at >= last - 0xFFFF; at--)
    if (view.getUint32(at, true) === END && at + 22 + view.getUint16(at + 20, true) === view.byteLength) return at;
  return fail(0, "the ZIP archive has no end record: it is cut short");
}

// A number of 64 bits. Places beyond 2^53 are outside of any file.
const u64 = (view, at) => Number(view.getBigUint64(at, true));

// Place and number of the entries of the directory. ZIP64 has them in another record, which the 20 bytes before the end
// record locate.
function findDirectory(view) {
  const end = findEnd(view), locator = end - 20;
  if (locator < 0 || view.getUint32(locator, true) !== LOCATOR64) return { at: view.getUint32(end + 16, true), count: view.getUint16(end + 10, true) };
  const record = u64(view, locator + 8);
  if (record + 56 > locator || view.getUint32(record, true) !== END64) fail(locator, `the ZIP64 archive has no end record at ${record}`);
  return { at: u64(view, record + 48), count: u64(view, record + 32) };
}

// The numbers of an entry that are in the extra field of ZIP64, in this order: size, packed, local.
function readExtra64(view, { at, name, ...entry }, extra, end) {
  for (; extra + 4 <= end; extra += 4 + view.getUint16(extra + 2, true)) {
    if (view.getUint16(extra, true) !== EXTRA64) continue;
    let place = extra + 4;
    const last = Math.min(end, place + view.getUint16(extra + 2, true));
    for (const key of ["size", "packed", "local"]) {
      if (entry[key] !== IN_EXTRA) continue;
      if (place + 8 > last) fail(at, `${name}: the extra field of ZIP64 has no ${key}`);
      entry[key] = u64(view, place);
      place += 8;
    }
    break;
  }
  return { at, name, ...entry };
}

const utf8 = new TextDecoder("utf-8", { fatal: true }), latin1 = new TextDecoder("latin1");
function nameOf(bytes) {
  try {
    return utf8.decode(bytes);
  } catch {
    return latin1.decode(bytes);
  }
}

function readEntry(view, bytes, at) {
  if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY) fail(at, "an entry of the ZIP directory is missing or cut short");
  const u16 = (place) => view.getUint16(at + place, true), u32 = (place) => view.getUint32(at + place, true);
  const extra = at + 46 + u16(28), comment = extra + u16(30), end = comment + u16(32);
  if (end > view.byteLength) fail(at, "an entry of the ZIP directory runs over the end");
  const entry = { at, end, name: nameOf(bytes.subarray(at + 46, extra)), encrypted: (u16(8) & 1) !== 0, method: u16(10),
                  crc: u32(16), packed: u32(20), size: u32(24), local: u32(42) };
  return readExtra64(view, entry, extra, comment);
}

function packedBytes(view, bytes, { at, name, local, packed }) {
  if (local + 30 > view.byteLength || view.getUint32(local, true) !== LOCAL) fail(at, `${name}: no member at offset ${local}`);
  const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  if (packed > view.byteLength - begin) fail(local, `${name}: ${packed} bytes are announced, ${Math.max(0, view.byteLength - begin)} are there`);
  return bytes.subarray(begin, begin + packed);
}

async function inflate(packed, { at, name, size }) {
  if (size > packed.length * MAX_RATIO) fail(at, `${name}: ${packed.length} bytes cannot unpack to ${size}`);
  const made = new Uint8Array(size);
  let filled = 0;
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((fault) => fail(at, `${name}: cannot be unpacked (${fault.message})`));
    if (done) break;
    if (value.length > size - filled) {
      await reader.cancel();
      fail(at, `${name}: unpacks to more than the ${size} bytes that are announced`);
    }
    made.set(value, filled);
    filled += value.length;
  }
  if (filled !== size) fail(at, `${name}: unpacks to ${filled} bytes, expected ${size}`);
  return made;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xEDB88320 ^ (value >>> 1) : value >>> 1;
  return value;
});
/** CRC-32 of bytes, as in ZIP. */
export function crc32(bytes) {
  let value = ~0;
  for (const byte of bytes) value = table[(value ^ byte) & 255] ^ (value >>> 8);
  return ~value >>> 0;
}

async function unpack(view, bytes, entry) {
  const { at, name, method, encrypted, crc, size } = entry;
  if (encrypted) fail(at, `${name}: encrypted; expected a member without a password`);
  if (method !== 0 && method !== 8) fail(at, `${name}: compression method ${method}; expected 0 (stored) or 8 (deflate)`);
  const packed = packedBytes(view, bytes, entry);
  if (method === 0 && packed.length !== size) fail(at, `${name}: stored with ${packed.length} bytes, expected ${size}`);
  const made = method === 0 ? packed.slice() : await inflate(packed, entry);
  if (crc32(made) !== crc) fail(at, `${name}: the checksum differs`);
  return made;
}

/**
 * The files of a ZIP archive by their paths, in the order of its directory.
 *
 * @param {Uint8Array} given
 * @returns {Promise<Map<string, Uint8Array>>}
 */
export async function unzip(given) {
  checkArguments("unzip", [given]);
  // Blob and TextDecoder of browsers refuse shared memory.
  const shared = bytesOf(given), isShared = typeof SharedArrayBuffer !== "undefined" && shared.buffer instanceof SharedArrayBuffer;
  const bytes = isShared ? shared.slice() : shared;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const directory = findDirectory(view), files = new Map();
  let { at } = directory, sum = 0;
  for (let i = 0; i < directory.count; i++) {
    const entry = readEntry(view, bytes, at), name = inside(entry.name.replaceAll("\\", "/"));
    at = entry.end;
    if (entry.name.endsWith("/") || name === "") continue;
    sum += entry.size;
    if (sum > MAX_BYTES) fail(entry.at, `the members have more than ${MAX_BYTES} bytes together`);
    if (files.has(name)) fail(entry.at, `${name}: the archive has two members of this name`);
    files.set(name, await unpack(view, bytes, entry));
  }
  return files;
}
