// The timeline: animations of the model, by time and by frame.

const $ = (id) => document.getElementById(id);
const FRAMES = 30; // frames per second

export class Timeline {
  #app;

  constructor(app) {
    this.#app = app;
    const { viewer } = app;
    viewer.onTime = (time, duration) => this.#at(time, duration);
    $("play").addEventListener("click", () => this.play(!viewer.playing));
    $("clip").addEventListener("change", () => this.choose(Number($("clip").value)));
    $("time").addEventListener("input", () => this.seek(Number($("time").value)));
    $("frame").addEventListener("change", () => this.seek($("frame").valueAsNumber / FRAMES || 0));
    $("frame-before").addEventListener("click", () => this.step(-1));
    $("frame-after").addEventListener("click", () => this.step(1));
    $("speed").addEventListener("change", () => viewer.setSpeed(Number($("speed").value)));
  }

  #at(time, duration) {
    $("time").max = duration || 1;
    $("time").value = time;
    const frame = String(Math.round(time * FRAMES));
    if (document.activeElement !== $("frame") || !this.#app.viewer.playing) $("frame").value = frame;
    $("frame").max = Math.round(duration * FRAMES);
    $("time-text").value = `of ${Math.round(duration * FRAMES)}, ${time.toFixed(2)} s`;
    $("time").setAttribute("aria-valuetext", `frame ${frame}, ${time.toFixed(2)} seconds`);
  }

  /** List the animations of the shown model. */
  async show() {
    const { clips } = this.#app.viewer;
    $("timeline").hidden = clips.length === 0;
    $("clip").replaceChildren(...clips.map((name, i) => new Option(name, i)));
    this.play(false);
    if (clips.length > 0) await this.#app.viewer.choose(0);
  }

  async choose(index) {
    const { viewer } = this.#app, { playing } = viewer;
    $("clip").value = index;
    await viewer.choose(index);
    this.play(playing);
  }

  play(on) {
    const { viewer } = this.#app;
    viewer.play(on);
    $("play").textContent = viewer.playing ? "\u275A\u275A" : "\u25B6";
    $("play").setAttribute("aria-label", viewer.playing ? "Pause" : "Play");
  }

  seek(time) {
    this.play(false);
    this.#app.viewer.seek(time);
    this.#app.changed();
  }

  /** Move by a number of frames; negative: back. */
  step(frames) {
    this.seek((Math.round(this.#app.viewer.time * FRAMES) + frames) / FRAMES);
  }
}
