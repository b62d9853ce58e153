// Flight: W, A, S, D, Q and E move the camera while they are pressed. Dragging turns the view.

const ways = { w: ["forward", 1], s: ["forward", -1], d: ["right", 1], a: ["right", -1], e: ["up", 1], q: ["up", -1] };

export class Flight {
  #viewer;
  #held = new Set();
  on = false;

  constructor(viewer) {
    this.#viewer = viewer;
    addEventListener("keydown", (event) => this.#key(event, true), { capture: true });
    addEventListener("keyup", (event) => this.#key(event, false), { capture: true });
    addEventListener("blur", () => this.#let());
  }

  set(on) {
    this.on = on;
    this.#held.clear();
    this.#viewer.fly(on ? this.#steps() : null);
  }

  #steps() {
    const steps = { right: 0, up: 0, forward: 0 }, factor = this.#held.has("shift") ? 4 : 1;
    for (const key of this.#held) if (ways[key]) steps[ways[key][0]] += ways[key][1] * factor;
    return steps;
  }

  #let() {
    this.#held.clear();
    if (this.on) this.#viewer.fly(this.#steps());
  }

  #key(event, down) {
    const key = event.key.toLowerCase();
    if (!this.on || !(ways[key] || key === "shift") || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") ||
        /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (down) this.#held.add(key);
    else this.#held.delete(key);
    if (ways[key]) {
      event.preventDefault();
      event.stopPropagation(); // W moves the camera and does not toggle wires
    }
    this.#viewer.fly(this.#steps());
  }
}
