// What the npm package parse-bga-mesh makes of BGA files: one line per
// attribute, with a hash of its values read at the offsets that it reports.
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

for (const file of process.argv.slice(3)) {
  const bytes = fs.readFileSync(file)
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  const mesh = parse(buffer)
  const view = new DataView(buffer)
  console.log(`${mesh.version} ${mesh.endian}`)
  for (const [name, attributes] of Object.entries(mesh.data)) {
    for (const [attribute, at] of Object.entries(attributes)) {
      if (at.type === undefined) continue // signed: the package knows no such type
      const hash = hashOf(view, at, mesh.endian === 'little')
      console.log(`${name}.${attribute} ${at.type} ${at.quantity} ${at.offset} ${at.stride} ` +
        `${at.count} ${hash}`)
    }
  }
}
