// Write ZIP archives for saving. The platform's CompressionStream compresses them.

import { crc32 } from "facet-mesh/zip";

const LOCAL = 0x04034B50, ENTRY = 0x02014B50, END = 0x06054B50, UTF8 = 0x800, DEFLATE = 8;

async function deflate(bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
}

// A record: signature, then numbers of 2 and 4 bytes.
function record(signature, fields) {
  const size = 4 + fields.reduce((sum, [bytes]) => sum + bytes, 0), view = new DataView(new ArrayBuffer(size));
  view.setUint32(0, signature, true);
  let at = 4;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(view.buffer);
}

/**
 * Create a ZIP archive.
 *
 * @param {Iterable<[string, Uint8Array]>} files by their paths
 * @returns {Promise<Blob>} the same bytes for the same files: all dates are the earliest of ZIP
 */
export async function zip(files) {
  const pieces = [], directory = [];
  let at = 0;
  for (const [path, bytes] of files) {
    const name = new TextEncoder().encode(path), packed = await deflate(bytes), isSmaller = packed.length < bytes.length;
    const data = isSmaller ? packed : bytes;
    const common = [[2, 20], [2, UTF8], [2, isSmaller ? DEFLATE : 0], [2, 0], [2, 33], [4, crc32(bytes)], [4, data.length], [4, bytes.length], [2, name.length], [2, 0]];
    const head = record(LOCAL, common);
    directory.push(record(ENTRY, [[2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]]), name);
    pieces.push(head, name, data);
    at += head.length + name.length + data.length;
    if (at > 0xFFFFFFFF || directory.length / 2 > 0xFFFE) throw new Error("a ZIP archive of this page holds 4 GB and 65,534 files at most");
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0), count = directory.length / 2;
  return new Blob([...pieces, ...directory, record(END, [[2, 0], [2, 0], [2, count], [2, count], [4, size], [4, at], [2, 0]])], { type: "application/zip" });
}
