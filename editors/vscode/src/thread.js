// The worker of the package in a thread of Node's.

import { parentPort } from "node:worker_threads";

globalThis.self = { onmessage: null, postMessage: (message, transfer) => parentPort.postMessage(message, transfer) };
parentPort.on("message", (data) => globalThis.self.onmessage?.({ data }));
