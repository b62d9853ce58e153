// The package's worker in a thread of Node.

import { parentPort } from "node:worker_threads";

globalThis.self = { onmessage: null, postMessage: (message, transfer) => parentPort.postMessage(message, transfer) };
parentPort.on("message", (data) => globalThis.self.onmessage?.({ data }));
