// What a pointer hits, and lines over the picture that show a place.

import * as THREE from "three";

// The joint that moves the corner that was hit most.
function jointOf({ object, face }) {
  if (!object.isSkinnedMesh || !face) return null;
  const { skinIndex, skinWeight } = object.geometry.attributes;
  let best = 0;
  for (let i = 1; i < 4; i++) if (skinWeight.getComponent(face.a, i) > skinWeight.getComponent(face.a, best)) best = i;
  return object.skeleton.bones[skinIndex.getComponent(face.a, best)] ?? null;
}

/** What is drawn under a pointer: a hit of three.js with its `joint`, and its `corner`, the nearest one if it is near. */
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

/** Lines and points that are seen through everything, by names. */
export class Pointers {
  #scene;
  #made = new Map();

  constructor(scene) {
    this.#scene = scene;
  }

  /** Points as numbers in a row; `closed` joins the last with the first; `under` is an object that they move with. */
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
