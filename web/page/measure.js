// Measure: the distance between two clicked points of the model.

const digits = (value) => +value.toPrecision(5);

export class Measure {
  #app;
  #first = null;
  on = false;

  constructor(app) {
    this.#app = app;
  }

  /** Start or stop measuring. */
  set(on) {
    const { viewer, say } = this.#app;
    this.on = on;
    this.#first = null;
    viewer.point("measure", null);
    viewer.onPoint = on ? (hit) => this.#point(hit) : null;
    say(on ? "Click two points of the model" : "");
  }

  // Use the nearest corner, if one is near.
  #point({ point, corner }) {
    const at = (corner ?? point).clone(), { viewer, say, unit } = this.#app;
    if (!this.#first) {
      this.#first = at;
      viewer.point("measure", at.toArray());
      return say("Click the second point");
    }
    const by = at.clone().sub(this.#first).multiplyScalar(unit());
    viewer.point("measure", [...this.#first.toArray(), ...at.toArray()]);
    this.#first = null;
    say(`Distance ${digits(by.length())} in units of the file (x ${digits(Math.abs(by.x))}, y ${digits(Math.abs(by.y))}, z ${digits(Math.abs(by.z))})`);
  }
}
