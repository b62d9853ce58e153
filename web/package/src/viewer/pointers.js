// Picking with the pointer, and lines and points drawn over the picture.

import * as THREE from "three";

// The joint with the largest weight at the first corner of the triangle.
function jointOf({ object, face }) {
  if (!object.isSkinnedMesh || !face) return null;
  const { skinIndex, skinWeight } = object.geometry.attributes;
  let best = 0;
  for (let i = 1; i < 4; i++) if (skinWeight.getComponent(face.a, i) > skinWeight.getComponent(face.a, best)) best = i;
  return object.skeleton.bones[skinIndex.getComponent(face.a, best)] ?? null;
}

/**
 * The visible hit under a pointer, from three.js. `joint` is added, and `corner`: the nearest
 * corner of the triangle, or null if it is 8 pixels or more away.
 */
export function hitOf(event, canvas, camera, model, isSeen) {
  const { left, top, width, height } = canvas.getBoundingClientRect();
  const toScreen = (point) => {
    const { x, y } = point.clone().project(camera);
    return new THREE.Vector2(left + (x + 1) / 2 * width, top + (1 - y) / 2 * height);
  };
  const ray = new THREE.Raycaster(), at = new THREE.Vector2(event.clientX, event.clientY);
  ray.setFromCamera(new THREE.Vector2((at.x - left) / width * 2 - 1, 1 - (at.y - top) / height * 2), camera);
  const hit = ray.intersectObject(model, true).find(({ object }) => isSeen(object));
  if (!hit) return undefined;
  const corners = hit.face ? [hit.face.a, hit.face.b, hit.face.c].map((index) =>
    hit.object.localToWorld(hit.object.getVertexPosition(index, new THREE.Vector3()))) : [];
  const near = corners.map((corner) => [toScreen(corner).distanceTo(at), corner]).sort(([a], [b]) => a - b)[0];
  return Object.assign(hit, { joint: jointOf(hit), corner: near && near[0] < 8 ? near[1] : null });
}

/** Lines and points by name, drawn in front of everything. */
export class Pointers {
  #scene;
  #made = new Map();

  constructor(scene) {
    this.#scene = scene;
  }

  /**
   * Set the points of a name: 3 numbers each. `closed` joins the last with the first. The points
   * move with the object `under`.
   */
  set(name, points, { closed = false, under = this.#scene } = {}) {
    this.#drop(name);
    if (!points?.length) return;
    const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
    const looks = { color: 0xff4fa0, depthTest: false, transparent: true, toneMapped: false };
    const group = new THREE.Group(), Line = closed ? THREE.LineLoop : THREE.Line;
    group.add(new Line(geometry, new THREE.LineBasicMaterial(looks)),
      new THREE.Points(geometry, new THREE.PointsMaterial({ ...looks, size: 8, sizeAttenuation: false })));
    for (const each of group.children) Object.assign(each, { renderOrder: 1e6 + 3, frustumCulled: false, raycast: () => {} });
    under.add(group);
    this.#made.set(name, group);
  }

  #drop(name) {
    const group = this.#made.get(name);
    if (!group) return;
    group.removeFromParent();
    group.children[0].geometry.dispose();
    for (const each of group.children) each.material.dispose();
    this.#made.delete(name);
  }

  clear() {
    for (const name of [...this.#made.keys()]) this.#drop(name);
  }
}
