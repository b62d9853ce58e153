// Prints what the npm package parse-bga-mesh reads from BGA files, one line per attribute.
//
// A line has a hash of the attribute's values, read at the reported offsets. "--" ends a file;
// "refused" is a file that the package cannot read to its end.
//
//   node bga_parse.js NODE_MODULES FILE...
'use strict'
const fs = require('fs')
const path = require('path')
const parse = require(path.join(process.argv[2], 'parse-bga-mesh'))

const readers = {
  float: [4, (view, at, little) => view.getUint32(at, little)],
  uint8: [1, (view, at) => view.getUint8(at)],
  uint16: [2, (view, at, little) => view.getUint16(at, little)],
  uint32: [4, (view, at, little) => view.getUint32(at, little)]
}

// FNV-1a over the values as little-endian bytes.
function hashOf (view, attribute, little) {
  const [size, read] = readers[attribute.type]
  let hash = 0x811c9dc5
  for (let record = 0; record < attribute.count; record++) {
    for (let i = 0; i < attribute.quantity; i++) {
      const value = read(view, attribute.offset + record * attribute.stride + i * size, little)
      for (let byte = 0; byte < size; byte++) {
        hash = Math.imul(hash ^ ((value >>> (8 * byte)) & 0xff), 0x01000193) >>> 0
      }
    }
  }
  return hash
}

function describe (file) {
  const bytes = fs.readFileSync(file)
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  const mesh = parse(buffer)
  const view = new DataView(buffer)
  const lines = [`${mesh.version} ${mesh.endian}`]
  for (const [name, attributes] of Object.entries(mesh.data)) {
    for (const [attribute, at] of Object.entries(attributes)) {
      if (at.type === undefined) continue // signed: the package knows no such type
      if (at.count === undefined || Number.isNaN(at.offset)) throw new Error('no offset')
      const hash = hashOf(view, at, mesh.endian === 'little')
      lines.push(`${name}.${attribute} ${at.type} ${at.quantity} ${at.offset} ${at.stride} ` +
        `${at.count} ${hash}`)
    }
  }
  return lines.join('\n')
}

for (const file of process.argv.slice(3)) {
  try {
    console.log(describe(file))
  } catch (fault) {
    console.log('refused')
  }
  console.log('--')
}
