// Number of surfaces at each pixel, as in `facet render --mode overdraw`.

import * as THREE from "three";

import { palettes } from "./looks.js";

/** Counts the surfaces of a model, which add 1/255 each, and shows the counts as colors. */
export class Overdraw {
  #target = null;
  #screen = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.ShaderMaterial({
    depthTest: false, depthWrite: false, transparent: true, toneMapped: false, uniforms: { counts: { value: null } },
    vertexShader: "varying vec2 at;\nvoid main() {\n  at = uv;\n  gl_Position = vec4(position.xy, 0.0, 1.0);\n}",
    fragmentShader: `${palettes}uniform sampler2D counts;\nvarying vec2 at;\nvoid main() {\n` +
      "  float layers = floor(texture2D(counts, at).r * 255.0 + 0.5);\n  if (layers < 1.0) discard;\n" +
      "  gl_FragColor = vec4(heat((min(layers, 8.0) - 1.0) / 7.0), 1.0);\n  #include <colorspace_fragment>\n}",
  }));
  #camera = new THREE.Camera();

  render(renderer, model, camera) {
    const size = renderer.getDrawingBufferSize(new THREE.Vector2());
    if (!this.#target) this.#target = new THREE.WebGLRenderTarget(size.x, size.y);
    this.#target.setSize(size.x, size.y);
    this.#screen.frustumCulled = false;
    const { autoClear } = renderer, color = renderer.getClearColor(new THREE.Color()), alpha = renderer.getClearAlpha();
    renderer.setRenderTarget(this.#target);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    renderer.autoClear = false;
    renderer.render(model, camera);
    renderer.setRenderTarget(null);
    renderer.setClearColor(color, alpha);
    this.#screen.material.uniforms.counts.value = this.#target.texture;
    renderer.render(this.#screen, this.#camera);
    renderer.autoClear = autoClear;
  }

  dispose() {
    this.#target?.dispose();
    this.#screen.geometry.dispose();
    this.#screen.material.dispose();
  }
}
