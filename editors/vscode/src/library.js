// The library in a thread of Node, so that a large file does not block other extensions.

import * as fs from "node:fs";
import * as path from "node:path";
import { Worker } from "node:worker_threads";

import { FacetClient } from "facet-mesh/client";

// A worker as FacetClient uses it: postMessage, terminate, onmessage and onerror.
function makeWorker(dist) {
  const thread = new Worker(path.join(dist, "thread.cjs")), worker = {
    onmessage: null,
    onerror: null,
    postMessage: (message) => thread.postMessage(message),
    terminate: () => void thread.terminate(),
  };
  thread.on("message", (data) => worker.onmessage?.({ data }));
  thread.on("error", (fault) => worker.onerror?.(fault));
  thread.unref();
  return worker;
}

/**
 * @param {string} dist the folder of the bundled extension
 */
export function openLibrary(dist) {
  return new FacetClient({ worker: () => makeWorker(dist), wasm: fs.readFileSync(path.join(dist, "facet-simd.wasm")) });
}

/**
 * Open a file of a workspace. It can refer to files next to it.
 *
 * @param {FacetClient} library
 * @param {{path: string}} uri
 * @param {(path: string) => Promise<Uint8Array | null>} read reads a file by its path relative to
 *     the folder of `uri`
 */
export function openFile(library, uri, bytes, read) {
  return library.open(bytes, { name: path.posix.basename(uri.path), sibling: read });
}
