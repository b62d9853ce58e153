// serve.mjs FOLDER [PORT]: serve the page on this machine only, for manual use and for the tests.

import * as fs from "node:fs";
import * as http from "node:http";
import * as path from "node:path";

import { decoded } from "../package/src/names.js";

const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json", ".wasm": "application/wasm" };

/**
 * Serve a folder at the loopback address. The default is a free port.
 *
 * @param {string} folder
 * @param {number} [port]
 * @param {Record<string, string>} [more] extra files by their addresses, such as "/sample.bdl"
 */
export function serve(folder, port = 0, more = {}) {
  const server = http.createServer((request, response) => {
    const name = path.normalize(decoded(new URL(request.url, "http://localhost").pathname));
    const file = more[name] ?? path.join(folder, name.endsWith("/") ? `${name}index.html` : name);
    fs.readFile(file, (fault, bytes) => {
      if (fault || !(more[name] || file.startsWith(folder))) return response.writeHead(404).end();
      response.writeHead(200, { "content-type": types[path.extname(file)] ?? "application/octet-stream" }).end(bytes);
    });
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

if (process.argv[1] === import.meta.filename) {
  const server = await serve(path.resolve(process.argv[2] ?? "."), Number(process.argv[3] ?? 8080));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
