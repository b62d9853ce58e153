#!/usr/bin/env node
// The command line in Node: same arguments, output and exit status as the native program.

import * as fs from "node:fs";
import * as tty from "node:tty";

import { Engine, hasSimd } from "../src/engine.js";
import { nameOf } from "../src/names.js";
import { NodeFiles } from "../src/node-files.js";

function readInput() {
  const piece = Buffer.alloc(1 << 16);
  for (;;) {
    try {
      return piece.subarray(0, fs.readSync(0, piece, 0, piece.length, null));
    } catch (fault) {
      if (fault.code === "EOF") return piece.subarray(0, 0);
      if (fault.code !== "EAGAIN") throw fault;
    }
  }
}

function writeAll(descriptor, bytes) {
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(descriptor, bytes, at);
    } catch (fault) {
      if (fault.code !== "EAGAIN") throw fault;
    }
  }
}

// Arguments as strings. Node replaces bytes that are not UTF-8; Linux keeps the original bytes.
function words() {
  const given = process.argv.slice(2);
  if (!given.some((word) => word.includes("\uFFFD")) || !fs.existsSync("/proc/self/cmdline")) return given;
  const all = fs.readFileSync("/proc/self/cmdline"), parts = [];
  for (let at = 0, end; (end = all.indexOf(0, at)) >= 0; at = end + 1) parts.push(nameOf(all.subarray(at, end)));
  return given.length > 0 ? parts.slice(-given.length) : given;
}

const wasm = new URL(`../dist/facet${hasSimd && !process.env.FACET_NO_SIMD ? "-simd" : ""}.wasm`, import.meta.url);
const engine = new Engine(new WebAssembly.Module(fs.readFileSync(wasm)));
process.exitCode = engine.run(words(), new NodeFiles(), {
  input: readInput,
  output: (bytes) => writeAll(1, bytes),
  error: (bytes) => writeAll(2, bytes),
  isTerminal: (descriptor) => tty.isatty(descriptor),
});
