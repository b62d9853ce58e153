// Names of files are bytes, mostly UTF-8. Other bytes become lone low surrogates in strings: 0xFF
// becomes U+DCFF, which does not occur in valid text.

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const alone = /[\uDC80-\uDCFF]/u;

/** Decode %20 and the like in a part of an address. Text that is not encoded is returned as it is: "100%.obj". */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The address of a file that a model names. A query stays: "a b.png?v=2" is requested as "a%20b.png?v=2". */
export function addressOf(name) {
  const [, path, query] = /^([^?]*)(.*)$/s.exec(name);
  return path.split("/").map(encodeURIComponent).join("/") + query;
}

/** A path for a file: its name, or if that is taken, its name in the first numbered folder that is free. */
export function freePath(name, isTaken) {
  let path = name;
  for (let i = 1; isTaken(path); i++) path = `${i}/${name}`;
  return path;
}

/** @param {Uint8Array} bytes */
export function nameOf(bytes) {
  try {
    return strict.decode(bytes);
  } catch { /* not UTF-8: decode byte by byte */ }
  let name = "";
  for (let at = 0; at < bytes.length;) {
    let length = 4;
    for (; length > 0; length--) {
      try {
        name += strict.decode(bytes.subarray(at, at + length));
        break;
      } catch { /* try a shorter sequence */ }
    }
    if (length === 0) name += String.fromCharCode(0xDC00 + bytes[at]);
    at += length || 1;
  }
  return name;
}

/** @param {string} name */
export function bytesOf(name) {
  if (!alone.test(name)) return encoder.encode(name);
  const bytes = [];
  for (const character of name) {
    if (alone.test(character)) bytes.push(character.charCodeAt(0) - 0xDC00);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}
