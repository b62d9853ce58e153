// Prints each error and warning of the Khronos validator for glTF files, one per line.
//
//   node gltf_validate.js NODE_MODULES FILE...
'use strict'
const fs = require('fs')
const path = require('path')
const validator = require(path.resolve(process.argv[2], 'gltf-validator'))

async function check (file) {
  const beside = uri => fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri)))
    .then(bytes => new Uint8Array(bytes))
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)),
    { uri: path.basename(file), externalResourceFunction: beside })
  for (const issue of report.issues.messages) {
    if (issue.severity < 2) {
      console.log(`${path.basename(file)}: ${issue.code} ${issue.pointer || ''} ${issue.message}`)
    }
  }
}

(async () => {
  for (const file of process.argv.slice(3)) await check(file)
})()
