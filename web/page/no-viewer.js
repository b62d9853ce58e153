// A replacement for the viewer if WebGL 2 is missing. Everything except the picture works.

/** The members of `Viewer` that the page uses, without a picture. */
export class NoViewer {
  clips = [];
  duration = 0;
  time = 0;
  playing = false;
  view = [];
  numbers = { geometries: 0, textures: 0, triangles: 0, programs: 0 };
  maxTextureSize = 4096;
  hasPicture = false;
  orthographic = false;
  parts = [];
  hidden = new Set();
  picture = null;
  background = "";
  async show() {}
  async choose() {}
  clear() {}
  draw() {}
  setMode() {}
  setLayer() {}
  setOverlays() {}
  mark() {}
  point() {}
  hide() {}
  nodeObject() {
    return null;
  }
  fit() {}
  turn() {}
  fly() {}
  play() {}
  seek() {}
  setSpeed() {}
  pixels() {
    return { width: 0, height: 0, data: new Uint8Array() };
  }
}
