// A headless Chromium with the page in it, and functions for the tests.

import * as fs from "node:fs";
import * as path from "node:path";
import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";

import { serve } from "../page/serve.mjs";

export class Stage {
  passed = 0;
  failed = 0;
  files = {}; // extra files of the server, by address
  faults = []; // messages on the consoles of pages

  /** @param {{npm: string, page: string, facet: string, corpus: string, out: string}} where */
  static async open(where) {
    const stage = Object.assign(new Stage(), where);
    const { chromium } = (await import(pathToFileURL(path.join(where.npm, "node_modules/playwright-core/index.js")))).default;
    stage.validator = (await import(pathToFileURL(path.join(where.npm, "node_modules/gltf-validator/index.js")))).default;
    stage.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb",
             "--hide-scrollbars", "--js-flags=--expose-gc"],
    });
    stage.server = await serve(where.page, 0, stage.files);
    stage.address = `http://127.0.0.1:${stage.server.address().port}/`;
    return stage;
  }

  async close() {
    await this.browser.close();
    this.server.close();
    console.log(`${this.passed} passed, ${this.failed} failed`);
    process.exitCode = this.failed > 0 ? 1 : 0;
  }

  expect(what, good, found) {
    if (good) this.passed++;
    else {
      this.failed++;
      console.log(`FAILED: ${what}${found === undefined ? "" : `: ${JSON.stringify(found).slice(0, 400)}`}`);
    }
  }

  /** Expect that a condition (a function in the page) becomes true for the argument. */
  async until(what, tab, condition, argument) {
    const good = await tab.waitForFunction(condition, argument, { timeout: 20000 }).then(() => true, () => false);
    this.expect(what, good, good ? undefined : String(condition));
  }

  /** Run the native program and return its output. */
  native(...words) {
    return execFileSync(this.facet, words, { maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  }

  real(name) {
    return path.join(this.corpus, name);
  }

  async tab(width, height, { scheme = "dark", hash = "", before, touch = false } = {}) {
    const context = await this.browser.newContext({ viewport: { width, height }, colorScheme: scheme, hasTouch: touch, isMobile: touch });
    const tab = await context.newPage();
    if (before) await tab.addInitScript(before);
    tab.setDefaultTimeout(180000); // the machine may be busy
    tab.on("pageerror", (fault) => this.faults.push(String(fault)));
    tab.on("console", (message) => {
      if (/GPU stall|GL Driver Message/.test(message.text()) || !["error", "warning"].includes(message.type())) return;
      this.faults.push(message.text());
    });
    await tab.goto(this.address + hash, { timeout: 180000 });
    await tab.evaluate(() => window.facet.ready);
    return tab;
  }

  /** Wait until all requests so far are drawn: two frames. */
  frame(tab) {
    return tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }

  /** Drop files on the page like a user: names and bytes. */
  async drop(tab, files) {
    const list = files.map((file) => (typeof file === "string" ? [path.basename(file), fs.readFileSync(file)] : file));
    await tab.evaluate(async (all) => {
      const transfer = new DataTransfer();
      for (const [name, text] of all) transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, list.map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]));
  }

  /** Wait until a file is drawn and checked, or rejected. */
  async settled(tab, name) {
    await tab.waitForFunction((wanted) => {
      const { shown } = window.facet, status = document.getElementById("status");
      return shown?.path?.startsWith(wanted) && (shown.report || status.classList.contains("fault"));
    }, name);
  }

  async show(tab, files, name = typeof files[0] === "string" ? path.basename(files[0]) : files[0][0]) {
    await tab.evaluate(() => window.facet.clear());
    await this.drop(tab, files);
    await this.settled(tab, name);
  }

  /** The share of pixels that differ from the background. */
  drawn(tab) {
    return tab.evaluate(() => {
      const { facet } = window, grid = document.getElementById("grid");
      if (grid.getAttribute("aria-pressed") === "true") facet.setLayer("grid", false);
      const { width, height, data } = facet.viewer.pixels();
      let other = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (Math.abs(data[i] - data[0]) + Math.abs(data[i + 1] - data[1]) + Math.abs(data[i + 2] - data[2]) > 30) other++;
      }
      return other / (width * height);
    });
  }

  /** Bytes that the page saves. */
  async saved(tab, format) {
    const text = await tab.evaluate(async (wanted) => {
      const { files } = await window.facet.save(wanted), bytes = [...files.values()][0];
      let all = "";
      for (let i = 0; i < bytes.length; i += 4096) all += String.fromCharCode(...bytes.subarray(i, i + 4096));
      return btoa(all);
    }, format);
    return Buffer.from(text, "base64");
  }

  /**
   * Compare the page's picture with `facet render` of a file, or of a model and its animations,
   * from the same camera. Results: `some` and `much` are the shares of pixels with a channel that
   * differs by more than 8 and 32 of 255. `mean` is the mean difference of channels where either
   * drew something. `drawn` is the share of these pixels.
   */
  async beside(tab, file, mode, words = []) {
    const width = 480, height = 360, background = "#203040", picture = path.join(this.out, "native.png");
    const said = JSON.parse(this.native("render", ...[file].flat(), picture, "--json", "--size", `${width}x${height}`, "--background",
      background, "--mode", mode, ...words).toString());
    // The page uses meters. The camera uses the file's unit: centimeters for console models.
    const unit = /\.b[md][dl]$/.test([file].flat()[0]) ? 0.01 : 1;
    for (const place of ["position", "target"]) said.camera[place] = said.camera[place].map((length) => length * unit);
    return tab.evaluate(async ({ png, how }) => {
      const { facet } = window;
      for (const layer of ["grid", "wires", "joints", "hulls", "occluder"]) facet.viewer.setLayer(layer, false);
      const { data } = facet.viewer.pixels(how), { width: w, height: h } = how;
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (c) => c.charCodeAt(0))]), { colorSpaceConversion: "none" });
      const context = Object.assign(document.createElement("canvas"), { width: w, height: h }).getContext("2d", { willReadFrequently: true });
      context.drawImage(bitmap, 0, 0);
      const wanted = context.getImageData(0, 0, w, h).data, ground = [0x20, 0x30, 0x40];
      let some = 0, much = 0, sum = 0, drawn = 0;
      for (let y = 0; y < h; y++) {
        for (let x = 0; x < w; x++) {
          const a = 4 * (y * w + x), b = 4 * ((h - 1 - y) * w + x);
          const apart = [0, 1, 2].map((c) => Math.abs(wanted[a + c] - data[b + c])), most = Math.max(...apart);
          some += most > 8;
          much += most > 32;
          if ([0, 1, 2].every((c) => Math.abs(wanted[a + c] - ground[c]) < 3 && Math.abs(data[b + c] - ground[c]) < 3)) continue;
          drawn++;
          sum += (apart[0] + apart[1] + apart[2]) / 3;
        }
      }
      return { some: some / (w * h), much: much / (w * h), mean: sum / Math.max(1, drawn), drawn: drawn / (w * h) };
    }, { png: fs.readFileSync(picture).toString("base64"), how: { width, height, camera: said.camera, background } });
  }
}
