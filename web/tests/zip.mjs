// zip.mjs: write ZIP archives for the tests, also malformed ones.

import { crc32, deflateRawSync } from "node:zlib";

// An extra field of ZIP64 (APPNOTE.TXT 4.5.3): its id, its size, numbers of 64 bits.
function extra64(numbers) {
  const extra = Buffer.alloc(4 + 8 * numbers.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * numbers.length, 2);
  numbers.forEach((number, i) => extra.writeBigUInt64LE(BigInt(number), 4 + 8 * i));
  return extra;
}

// The end of a ZIP64 archive (4.3.14, 4.3.15). A record has the number of entries and the place of the directory. The
// locator has the place of that record.
function end64(count, at, size) {
  const record = Buffer.alloc(56), locator = Buffer.alloc(20);
  record.writeUInt32LE(0x06064B50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(at), 48);
  locator.writeUInt32LE(0x07064B50, 0);
  locator.writeBigUInt64LE(BigInt(at + size), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator];
}

/**
 * A ZIP archive as in APPNOTE.TXT 4.3: local headers with data, the directory, the end record.
 *
 * @param {[string, Uint8Array, number?][]} members paths, bytes and methods (default: 8, deflated)
 * @param {(fields: object, name: string) => void} [change] changes numbers of a member
 * @param {boolean} [is64] all numbers are in the records of ZIP64
 */
export function zip(members, change = () => {}, is64 = false) {
  const pieces = [], directory = [];
  let at = 0;
  for (const [name, bytes, method = 8] of members) {
    const packed = method === 8 ? deflateRawSync(bytes) : bytes, path = Buffer.from(name);
    const fields = { method, crc: crc32(bytes), packed: packed.length, size: bytes.length, flags: 0 };
    change(fields, name);
    const local = Buffer.alloc(30), entry = Buffer.alloc(46);
    local.writeUInt32LE(0x04034B50, 0);
    local.writeUInt16LE(path.length, 26);
    entry.writeUInt32LE(0x02014B50, 0);
    entry.writeUInt16LE(fields.flags, 8);
    entry.writeUInt16LE(fields.method, 10);
    entry.writeUInt32LE(fields.crc, 16);
    const extra = is64 ? extra64([fields.size, fields.packed, at]) : Buffer.alloc(0), most = 0xFFFFFFFF;
    entry.writeUInt32LE(is64 ? most : fields.packed, 20);
    entry.writeUInt32LE(is64 ? most : fields.size, 24);
    entry.writeUInt16LE(path.length, 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(is64 ? most : at, 42);
    pieces.push(local, path, packed);
    directory.push(entry, path, extra);
    at += 30 + path.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054B50, 0);
  end.writeUInt16LE(is64 ? 0xFFFF : members.length, 10);
  end.writeUInt32LE(is64 ? 0xFFFFFFFF : at, 16);
  const more = is64 ? end64(members.length, at, directory.reduce((sum, piece) => sum + piece.length, 0)) : [];
  return new Uint8Array(Buffer.concat([...pieces, ...directory, ...more, end]));
}
