// What stands in for the viewer where there is no WebGL 2: everything else on the page works without pictures.

/** The members of `Viewer` that the page uses, without a picture. */
export class NoViewer {
  clips = [];
  duration = 0;
  time = 0;
  playing = false;
  view = [];
  numbers = { geometries: 0, textures: 0, triangles: 0, programs: 0 };
  maxTextureSize = 1;
  background = "";
  async show() {}
  async choose() {}
  clear() {}
  draw() {}
  setMode() {}
  setLayer() {}
  setOverlays() {}
  mark() {}
  fit() {}
  turn() {}
  play() {}
  seek() {}
  setSpeed() {}
  pixels() {
    return { width: 0, height: 0, data: new Uint8Array() };
  }
}
