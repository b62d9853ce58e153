// Textures: a list in the panel, and a dialog that shows levels and channels of one texture.

import { element } from "./element.js";

const $ = (id) => document.getElementById(id);
let addresses = [];

/** Images of a glTF as blobs with names. */
function imagesOf(gltf) {
  const json = gltf?.parser?.json ?? {}, binary = gltf?.parser?.extensions?.KHR_binary_glTF?.body;
  return (json.images ?? []).map((image, i) => {
    const { byteOffset = 0, byteLength = 0 } = json.bufferViews?.[image.bufferView] ?? {};
    const blob = binary && byteLength > 0 ? new Blob([new Uint8Array(binary, byteOffset, byteLength)], { type: image.mimeType }) : null;
    return { name: image.name || `image ${i}`, blob };
  });
}

/** The images of an image file or of a model. */
export const texturesOf = ({ gltf, images }) => images ?? imagesOf(gltf);

export function showTextures(panel, shown) {
  for (const address of addresses) URL.revokeObjectURL(address);
  addresses = [];
  const figures = texturesOf(shown).map(({ name, blob }, i) => {
    const picture = element("img", { alt: "" }), caption = element("figcaption", { text: name });
    const button = element("button", { type: "button", title: `Look at ${name}` }, picture);
    button.setAttribute("aria-label", `Look at ${name}`);
    button.addEventListener("click", () => shown.lookAt(i));
    if (blob) {
      picture.src = URL.createObjectURL(blob);
      addresses.push(picture.src);
      picture.onload = () => caption.append(`, ${picture.naturalWidth} x ${picture.naturalHeight}`);
    }
    return element("figure", {}, button, caption);
  });
  panel.replaceChildren(figures.length > 0 ? element("div", { className: "textures" }, ...figures)
                                           : element("p", { className: "quiet", text: "No textures." }));
}

// -- One texture -------------------------------------------------------------------------

const halved = (size, level) => Math.max(1, size >> level);
const channels = { all: null, red: 0, green: 1, blue: 2, alpha: 3 };

export class TextureView {
  #app;
  #number = 0;
  #level = 0;
  #channel = "all";
  #bitmaps = []; // levels that the file contains
  #levels = 1;
  #describedFor = null;
  #described = null; // a promise of the library's extract result

  constructor(app) {
    this.#app = app;
    $("texture-close").addEventListener("click", () => $("texture").close());
    $("texture-level").addEventListener("change", () => this.setLevel(Number($("texture-level").value)));
    $("texture-channel").addEventListener("change", () => this.setChannel($("texture-channel").value));
    $("texture-zoom").addEventListener("change", () => this.#draw());
    for (const [id, step] of [["texture-before", -1], ["texture-after", 1]]) $(id).addEventListener("click", () => this.open(this.#number + step));
    $("texture-show").addEventListener("click", () => {
      $("texture").close();
      this.#app.showTexture(this.#bitmaps[0]);
    });
  }

  /** Show a texture by its index. */
  async open(number) {
    const all = texturesOf(this.#app.shown), { blob, name } = all[number] ?? {};
    if (!blob) return;
    this.#number = number;
    const { state, levels } = await this.#describe(name);
    const bitmaps = await Promise.all([blob, ...levels].map((each) => createImageBitmap(each, { colorSpaceConversion: "none", premultiplyAlpha: "none" })));
    this.#bitmaps = bitmaps;
    const [{ width, height }] = bitmaps, full = 1 + Math.floor(Math.log2(Math.max(width, height)));
    const isMipped = state ? state.levelCount > 1 || state.hasMipmaps : true;
    this.#levels = Math.max(bitmaps.length, isMipped ? Math.min(full, state?.levelCount > 1 ? state.levelCount : full) : 1);
    $("texture-level").replaceChildren(...Array.from({ length: this.#levels }, (_, level) =>
      new Option(`${level}: ${halved(width, level)} x ${halved(height, level)}${level < bitmaps.length ? "" : ", computed"}`, level)));
    $("texture-title").textContent = name;
    $("texture-facts").textContent = [`${width} x ${height}`, state && `format ${state.format}`, state?.hasPalette && `palette ${state.paletteFormat} with ${state.paletteCount} colors`,
      state && `wrap ${state.wrapS}, ${state.wrapT}`, state && `filter ${state.minFilter}, ${state.magFilter}`].filter(Boolean).join("; ");
    $("texture-before").disabled = number === 0;
    $("texture-after").disabled = number === all.length - 1;
    $("texture-show").hidden = !this.#app.shown.gltf;
    if (!$("texture").open) $("texture").showModal();
    this.setLevel(0);
  }

  // The file's data for a texture of a console model, and its stored levels.
  async #describe(name) {
    const { shown, fileAt, isConsole } = this.#app;
    if (!isConsole(shown.info)) return { levels: [] };
    if (this.#describedFor !== shown) {
      this.#describedFor = shown;
      this.#described = fileAt(shown.path).extract({ png: "fast" }).catch(() => new Map());
    }
    const pieces = await this.#described, json = JSON.parse(new TextDecoder().decode(pieces.get("textures.json")) || "{}");
    const levels = [];
    for (let i = 1; pieces.has(`${name}_mip${i}.png`); i++) levels.push(new Blob([pieces.get(`${name}_mip${i}.png`)], { type: "image/png" }));
    return { state: json.textures?.find((each) => each.name === name), levels };
  }

  setLevel(level) {
    this.#level = Math.min(level, this.#levels - 1);
    $("texture-level").value = this.#level;
    this.#draw();
  }
  setChannel(channel) {
    this.#channel = channel;
    $("texture-channel").value = channel;
    this.#draw();
  }

  // Pixels of a level: stored in the file, or computed as means of four pixels of the level above.
  #pixels(level) {
    if (level < this.#bitmaps.length) {
      const bitmap = this.#bitmaps[level], canvas = new OffscreenCanvas(bitmap.width, bitmap.height), context = canvas.getContext("2d", { willReadFrequently: true });
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, canvas.width, canvas.height);
    }
    const { width, height, data } = this.#pixels(level - 1), made = new ImageData(halved(width, 1), halved(height, 1));
    for (let y = 0; y < made.height; y++) {
      for (let x = 0; x < made.width; x++) {
        for (let c = 0; c < 4; c++) {
          const at = (i, j) => data[4 * (Math.min(height - 1, 2 * y + j) * width + Math.min(width - 1, 2 * x + i)) + c];
          made.data[4 * (y * made.width + x) + c] = Math.round((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) / 4);
        }
      }
    }
    return made;
  }

  #draw() {
    if (this.#bitmaps.length === 0) return;
    const pixels = this.#pixels(this.#level), only = channels[this.#channel], { data } = pixels;
    if (only !== null) {
      for (let i = 0; i < data.length; i += 4) {
        const value = data[i + only];
        data.set([value, value, value, 255], i);
      }
    }
    const canvas = $("texture-canvas"), zoom = Number($("texture-zoom").value);
    Object.assign(canvas, { width: pixels.width, height: pixels.height });
    canvas.getContext("2d", { willReadFrequently: true }).putImageData(pixels, 0, 0);
    canvas.classList.toggle("fits", zoom === 0);
    canvas.style.width = zoom > 0 ? `${pixels.width * zoom}px` : "";
  }
}
