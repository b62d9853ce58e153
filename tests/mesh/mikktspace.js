// node mikktspace.js IN OUT: compute tangents with the npm package mikktspace. IN contains float
// arrays with values per corner: 3 for positions, then 3 for normals, then 2 for texture
// coordinates. OUT gets 4 floats per corner. FACET_NPM names the folder that contains node_modules.
const fs = require('fs');
const path = require('path');
const {generateTangents} = require(path.join(process.env.FACET_NPM, 'node_modules', 'mikktspace'));

const bytes = fs.readFileSync(process.argv[2]);
const floats = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
const count = floats.length / 8;
const tangents = generateTangents(floats.slice(0, 3 * count), floats.slice(3 * count, 6 * count),
                                  floats.slice(6 * count));
fs.writeFileSync(process.argv[3], Buffer.from(tangents.buffer, 0, 16 * count));
