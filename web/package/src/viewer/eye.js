// The camera and its controls: pointer, keys, flight; perspective or orthographic.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const FIELD_OF_VIEW = 30; // of the smaller side, in degrees, as in `facet render`

export class Eye {
  camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 1000);
  controls;
  orthographic = false;
  #flat = new THREE.OrthographicCamera();
  #height = 0; // of the orthographic picture; 0: what the perspective shows at the target
  #flight = null; // steps to the right, up and forward

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {() => void} changed called when the camera moved, to draw
   * @param {() => void} ended called when the pointer is released
   */
  constructor(canvas, changed, ended) {
    this.camera.position.set(2, 1.4, 3);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("end", ended);
  }

  setLens(aspect, field = FIELD_OF_VIEW) {
    const half = Math.tan(THREE.MathUtils.degToRad(field) / 2);
    this.camera.aspect = aspect;
    this.camera.fov = 2 * THREE.MathUtils.radToDeg(Math.atan(aspect < 1 ? half / aspect : half));
    this.camera.updateProjectionMatrix();
  }

  /** The camera for drawing a model inside a sphere. */
  prepare({ center, radius: size }) {
    const { camera } = this, distance = camera.position.distanceTo(center), radius = size || 1;
    camera.near = Math.max(distance - 2.5 * radius, distance / 1000, radius / 1000);
    camera.far = distance + 12 * radius;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    if (!this.orthographic && this.#height === 0) return camera;
    const half = this.#height > 0 ? this.#height / 2
      : camera.position.distanceTo(this.controls.target) * Math.tan(THREE.MathUtils.degToRad(camera.fov) / 2);
    Object.assign(this.#flat, { top: half, bottom: -half, left: -half * camera.aspect, right: half * camera.aspect,
                                near: distance - 12 * radius, far: camera.far });
    this.#flat.position.copy(camera.position);
    this.#flat.quaternion.copy(camera.quaternion);
    this.#flat.updateProjectionMatrix();
    this.#flat.updateMatrixWorld();
    return this.#flat;
  }

  // -- Moving ------------------------------------------------------------------------

  /** Advance by one frame. True if another frame must follow. */
  step(seconds) {
    if (this.#flight) {
      const { right, up, forward, speed } = this.#flight, x = new THREE.Vector3(), y = new THREE.Vector3(), z = new THREE.Vector3();
      this.camera.matrix.extractBasis(x, y, z);
      this.#move(x.multiplyScalar(right).add(y.multiplyScalar(up)).addScaledVector(z, -forward).multiplyScalar(speed * seconds));
    }
    const moving = this.controls.update();
    return moving || Boolean(this.#flight && (this.#flight.right || this.#flight.up || this.#flight.forward));
  }

  #move(by) {
    this.camera.position.add(by);
    this.controls.target.add(by);
  }

  // In flight, place the target close to the eye, so that the pointer turns the view direction.
  #lookAhead(distance) {
    const ahead = this.camera.getWorldDirection(new THREE.Vector3());
    this.controls.target.copy(this.camera.position).addScaledVector(ahead, distance);
  }

  fly(steps, { center, radius }) {
    if (steps && !this.#flight) this.#lookAhead(radius / 100);
    if (!steps && this.#flight) this.#lookAhead(Math.max(this.camera.position.distanceTo(center), radius / 10));
    this.#flight = steps && { ...steps, speed: radius * 0.8 };
    this.controls.enableZoom = this.controls.enablePan = !steps;
    this.controls.update();
  }

  fit({ center, radius }) {
    const azimuth = THREE.MathUtils.degToRad(32), elevation = THREE.MathUtils.degToRad(22);
    this.controls.target.copy(center);
    this.camera.up.set(0, 1, 0);
    this.camera.position.setFromSphericalCoords(this.#distanceTo(radius), Math.PI / 2 - elevation, azimuth).add(center);
    this.controls.minDistance = radius / 100;
    this.controls.maxDistance = radius * 20;
    this.controls.update();
  }

  /** Center a part of the model and keep the view direction. */
  approach(part, whole) {
    const away = this.camera.position.clone().sub(this.controls.target).normalize(), radius = Math.max(part.radius, whole.radius / 60);
    this.controls.target.copy(part.center);
    this.camera.position.copy(part.center).addScaledVector(away, this.#distanceTo(radius) * 1.5);
    this.controls.update();
  }

  #distanceTo(radius) {
    return radius / Math.sin(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2)) * 0.95;
  }

  /** Center a point and halve the distance to it. */
  center(point) {
    this.camera.position.add(point.clone().sub(this.controls.target).multiplyScalar(0.5));
    this.controls.target.copy(point);
    this.controls.update();
  }

  turn(right, up, nearer, pan) {
    const { camera, controls } = this, offset = camera.position.clone().sub(controls.target);
    if (pan) {
      const step = offset.length() * 0.05, x = new THREE.Vector3(), y = new THREE.Vector3();
      camera.matrix.extractBasis(x, y, new THREE.Vector3());
      this.#move(x.multiplyScalar(-right * step).add(y.multiplyScalar(-up * step)));
    } else {
      const place = new THREE.Spherical().setFromVector3(offset);
      place.theta += right * Math.PI / 24;
      place.phi = THREE.MathUtils.clamp(place.phi - up * Math.PI / 24, 0.01, Math.PI - 0.01);
      place.radius *= 0.88 ** nearer;
      camera.position.copy(controls.target).add(new THREE.Vector3().setFromSpherical(place));
    }
    controls.update();
  }

  // -- Numbers -----------------------------------------------------------------------

  /** Six numbers: position, then target. */
  get view() {
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()].map((x) => +x.toPrecision(6));
  }
  look(numbers) {
    if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return false;
    this.camera.position.fromArray(numbers, 0);
    this.controls.target.fromArray(numbers, 3);
    this.controls.update();
    return true;
  }

  get reach() {
    return [this.controls.minDistance, this.controls.maxDistance];
  }
  set reach([least, greatest]) {
    Object.assign(this.controls, { minDistance: least, maxDistance: greatest });
  }

  /** Set a camera from `facet render --json`. null: upright again. */
  place(camera) {
    this.#height = camera?.height ?? 0;
    this.camera.up.fromArray(camera?.up ?? [0, 1, 0]);
    if (!camera) return;
    this.camera.position.fromArray(camera.position);
    this.camera.lookAt(...camera.target);
  }
}
