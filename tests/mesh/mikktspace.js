// node mikktspace.js IN OUT: MikkTSpace's tangents, by the npm package that
// wraps it. IN holds 3 positions, then 3 normals, then 2 texture coordinates
// for every corner, as floats; OUT gets 4 per corner. FACET_NPM names the
// folder of node_modules.
const fs = require('fs');
const path = require('path');
const {generateTangents} = require(path.join(process.env.FACET_NPM, 'node_modules', 'mikktspace'));

const bytes = fs.readFileSync(process.argv[2]);
const floats = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
const count = floats.length / 8;
const tangents = generateTangents(floats.slice(0, 3 * count), floats.slice(3 * count, 6 * count),
                                  floats.slice(6 * count));
fs.writeFileSync(process.argv[3], Buffer.from(tangents.buffer, 0, 16 * count));
