// The table of the BGA format's own benchmark, in Node. Each format's loader reads the same mesh
// from memory five times; the times are in milliseconds.
//
//   node bga_loaders.mjs FACET_NPM FOLDER
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [npm, folder] = process.argv.slice(2)
const modules = path.join(npm, 'node_modules')
const require = createRequire(import.meta.url)
const RUNS = 5

const read = name => {
  const bytes = fs.readFileSync(path.join(folder, name))
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
}
const text = name => fs.readFileSync(path.join(folder, name), 'utf8')
const there = name => fs.existsSync(path.join(modules, name))
const importFrom = name => import(pathToFileURL(path.join(modules, name)).href)

const loaders = []
if (there('parse-bga-mesh')) {
  const parseBga = require(path.join(modules, 'parse-bga-mesh'))
  const parseObj = require(path.join(modules, 'parse-bga-mesh', 'bench', 'lib', 'parse-obj.js'))
  const bga = read('mesh.bga')
  loaders.push(['mesh.bga', 'parse-bga-mesh', () => parseBga(bga)])
  const json = text('mesh.json')
  loaders.push(['mesh.json', 'JSON.parse', () => JSON.parse(json)])
  const obj = text('mesh.obj')
  loaders.push(['mesh.obj', "parse-bga-mesh's parse-obj", () => parseObj(obj)])
}
if (there('three')) {
  globalThis.self ??= globalThis
  globalThis.ProgressEvent ??= class extends Event {}
  const { OBJLoader } = await importFrom('three/examples/jsm/loaders/OBJLoader.js')
  const { GLTFLoader } = await importFrom('three/examples/jsm/loaders/GLTFLoader.js')
  const obj = text('mesh.obj')
  loaders.push(['mesh.obj', 'three OBJLoader', () => new OBJLoader().parse(obj)])
  // One file, with the buffer in a data URI that fetch decodes.
  const gltf = JSON.parse(text('mesh.gltf'))
  const uri = 'data:application/octet-stream;base64,' +
    fs.readFileSync(path.join(folder, 'mesh.bin')).toString('base64')
  gltf.buffers[0].uri = uri
  const gltfText = JSON.stringify(gltf)
  const glb = read('mesh.glb')
  const parse = data => new Promise((resolve, reject) =>
    new GLTFLoader().parse(data, '', resolve, reject))
  loaders.push(['mesh.gltf', 'three GLTFLoader', () => parse(gltfText)])
  loaders.push(['mesh.glb', 'three GLTFLoader', () => parse(glb)])
}

console.log(`\nThe same mesh loaded in node ${process.version}, ${RUNS} times`)
for (const [file, loader, run] of loaders) {
  const times = []
  for (let i = 0; i < RUNS; i++) {
    const start = performance.now()
    await run()
    times.push((performance.now() - start).toFixed(1).padStart(9) + ' ms')
  }
  console.log(file.padEnd(10) + times.join('') + '   ' + loader)
}
