// Reduce images that are too large for the graphics card, before GLTFLoader decodes them.

import { Texture } from "three";

const MAX_DECODED = 2 ** 27; // pixels; larger images (more than 512 MB) are not decoded

// The size in a frame header of a JPEG.
function jpegSize(view) {
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xFF;) {
    const marker = view.getUint8(at + 1);
    if (marker >= 0xC0 && marker <= 0xCF && ![0xC4, 0xC8, 0xCC].includes(marker))
      return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

/** Width and height from the header of a PNG or JPEG; null for other data. */
export function pictureSize(buffer) {
  const view = new DataView(buffer);
  if (view.byteLength >= 24 && view.getUint32(0) === 0x89504E47) return [view.getUint32(16), view.getUint32(20)];
  if (view.byteLength >= 4 && view.getUint16(0) === 0xFFD8) return jpegSize(view);
  return null;
}

function gray() {
  return createImageBitmap(new ImageData(new Uint8ClampedArray([128, 128, 128, 255]), 1, 1));
}

async function reduced(buffer, type, [width, height], limit) {
  const factor = limit / Math.max(width, height);
  return createImageBitmap(new Blob([buffer], { type }), {
    resizeWidth: Math.max(1, Math.round(width * factor)), resizeHeight: Math.max(1, Math.round(height * factor)),
    resizeQuality: "high", premultiplyAlpha: "none", colorSpaceConversion: "none",
  });
}

/**
 * Create a plugin for GLTFLoader.
 *
 * @param {object} parser
 * @param {number} limit maximum width and height
 * @param {(note: string) => void} report called for each image that is reduced or not shown
 */
export function pictureLimit(parser, limit, report) {
  const one = async (image, index) => {
    if (image.bufferView === undefined) return;
    const buffer = await parser.getDependency("bufferView", image.bufferView), size = pictureSize(buffer);
    if (!size || Math.max(...size) <= limit) return;
    const name = `image ${image.name || index} has ${size.join(" x ")} pixels`, tooLarge = size[0] * size[1] > MAX_DECODED;
    const bitmap = tooLarge ? null : await reduced(buffer, image.mimeType, size, limit).catch(() => null);
    report(bitmap ? `${name}; it is shown with ${bitmap.width} x ${bitmap.height}` : `${name}, which is too large to show`);
    const texture = new Texture(bitmap ?? await gray());
    texture.needsUpdate = true;
    parser.sourceCache[index] = Promise.resolve(texture);
  };
  return { name: "FACET_picture_limit", beforeRoot: () => Promise.all((parser.json.images ?? []).map(one)) };
}
