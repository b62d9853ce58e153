// The scene as a tree: nodes with meshes and joints, and materials. Parts can be highlighted,
// hidden or shown alone. A click in the picture selects a row.

import { element } from "./element.js";
import { listenForTreeKeys } from "./tree.js";

const MAX_OPEN = 80; // maximum number of rows that are open at first

function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export class SceneTree {
  element = element("div", { className: "scene" });
  #tree = element("ul", {});
  #all = element("button", { type: "button", className: "small", text: "Show all", disabled: true });
  #viewer;
  #json = {};
  #parts = [];
  #rows = new Map(); // key to {item, meshes, fill}
  #partsOf = new Map(); // node to its parts
  #joints = new Set();
  #current = null;
  #alone = null; // key of the part that is shown alone

  /**
   * @param {object} viewer
   * @param {(text: string) => void} say called with the name of the selected part
   */
  constructor(viewer, say) {
    this.#viewer = viewer;
    this.say = say;
    this.#tree.setAttribute("role", "tree");
    this.#tree.setAttribute("aria-label", "Parts of the model");
    this.#all.addEventListener("click", () => this.#hide([], null));
    this.element.append(element("p", {}, this.#all), this.#tree,
      element("p", { className: "quiet", text: "In the tree: Enter marks a part, H hides it, I shows only this part. A click in the picture selects its part here." }));
    listenForTreeKeys(this.#tree, {
      toggle: (item) => this.#toggle(item),
      keys: { h: (item) => this.#eye(item.dataset.key), i: (item) => this.#only(item.dataset.key) },
    });
  }

  /** Show the tree of a model, the result of `readModel()`. null: an empty tree. */
  show(gltf) {
    this.#rows.clear();
    this.#current = this.#alone = null;
    this.#all.disabled = true;
    this.#json = gltf?.parser.json ?? {};
    this.#parts = gltf ? this.#viewer.parts : [];
    this.#tree.replaceChildren();
    this.#partsOf = grouped(this.#parts, ({ node }) => node);
    this.#joints = new Set((this.#json.skins ?? []).flatMap(({ joints }) => joints));
    if (!gltf) return;
    for (const node of this.#json.scenes?.[this.#json.scene ?? 0]?.nodes ?? []) this.#tree.append(this.#nodeRow(node));
    const materials = this.#json.materials ?? [];
    if (materials.length > 0) {
      this.#tree.append(this.#row("materials", `Materials (${materials.length})`, "", [], () => {
        const partsWith = grouped(this.#parts, ({ material }) => material);
        return materials.map(({ name }, i) => this.#row(`material:${i}`, name || `material ${i}`, "material", partsWith.get(i) ?? []));
      }));
    }
    for (let open = [...this.#tree.children]; open.length > 0 && this.#rows.size < MAX_OPEN;) {
      const item = open.shift();
      if (!item.hasAttribute("aria-expanded")) continue;
      this.#toggle(item);
      open.push(...item.querySelector("ul").children);
    }
  }

  // The parts of a node and of all its descendants. A stack instead of recursion allows deep trees.
  #partsBelow(node) {
    const found = [], nodes = [node];
    for (let at = nodes.pop(); at !== undefined; at = nodes.pop()) {
      for (const part of this.#partsOf.get(at) ?? []) found.push(part);
      for (const child of this.#json.nodes[at].children ?? []) nodes.push(child);
    }
    return found;
  }

  #nodeRow(node) {
    const { name, children = [], mesh } = this.#json.nodes[node], isJoint = this.#joints.has(node);
    const own = this.#partsOf.get(node) ?? [], parts = this.#partsBelow(node);
    const kind = isJoint ? "joint" : mesh !== undefined ? "mesh" : "node";
    const fill = children.length > 0 || own.length > 1 ? () => [
      ...(own.length > 1 ? own.map((part) => this.#row(`part:${this.#parts.indexOf(part)}`, this.#json.materials?.[part.material]?.name || `part ${part.primitive}`, "part", [part])) : []),
      ...children.map((child) => this.#nodeRow(child)),
    ] : null;
    return this.#row(`node:${node}`, name || this.#json.meshes?.[mesh]?.name || `node ${node}`, kind, parts, fill);
  }

  #row(key, name, kind, parts, fill = null) {
    const item = element("li", {}), button = element("button", { type: "button", text: name });
    item.setAttribute("role", "treeitem");
    item.dataset.key = key;
    if (kind) button.append(element("span", { className: "quiet kind", text: kind }));
    if (fill) {
      item.setAttribute("aria-expanded", "false");
      button.classList.add("folder");
    }
    button.addEventListener("click", () => (kind ? this.#mark(key) : this.#toggle(item)));
    item.append(button);
    if (parts.length > 0) {
      const eye = this.#extra("eye", `Hide ${name} (H)`, "\u25D0", () => this.#eye(key)), only = this.#extra("only", `Show only ${name} (I)`, "\u25CE", () => this.#only(key));
      item.append(eye, only);
    }
    if (fill && kind) {
      const arrow = this.#extra("arrow", `Open ${name}`, "", () => this.#toggle(item));
      item.append(arrow);
    }
    this.#rows.set(key, { item, meshes: parts.map(({ mesh }) => mesh), fill, name, kind });
    return item;
  }

  #extra(className, label, text, act) {
    const button = element("button", { type: "button", className: `extra ${className}`, title: label, text, tabIndex: -1 });
    button.setAttribute("aria-label", label);
    button.addEventListener("click", act);
    return button;
  }

  #toggle(item) {
    const row = this.#rows.get(item.dataset.key);
    if (!row.fill) return;
    let list = item.querySelector(":scope > ul");
    if (!list) {
      list = element("ul", { hidden: true }, ...row.fill());
      list.setAttribute("role", "group");
      item.append(list);
    }
    list.hidden = !list.hidden;
    item.setAttribute("aria-expanded", String(!list.hidden));
    this.#showHidden();
  }

  // -- Highlighting, hiding ------------------------------------------------------------

  #select(key) {
    const button = this.#rows.get(key)?.item.firstChild;
    this.#current?.removeAttribute("aria-current");
    this.#current = button ?? null;
    button?.setAttribute("aria-current", "true");
    if (button?.offsetParent) button.scrollIntoView({ block: "nearest" });
  }

  #mark(key) {
    const { meshes, name, kind } = this.#rows.get(key), [, number] = key.split(":");
    this.#select(key);
    this.#viewer.mark({ meshes });
    this.#viewer.point("joint", kind === "joint" ? [0, 0, 0] : null, { under: this.#viewer.nodeObject(Number(number)) ?? undefined });
    this.say(`${kind} ${name}`);
  }

  #eye(key) {
    const { meshes = [] } = this.#rows.get(key) ?? {}, hidden = new Set(this.#viewer.hidden), on = meshes.every((mesh) => hidden.has(mesh));
    for (const mesh of meshes) if (on) hidden.delete(mesh); else hidden.add(mesh);
    this.#hide(hidden, null);
  }

  #only(key) {
    const { meshes = [] } = this.#rows.get(key) ?? {};
    if (this.#alone === key || meshes.length === 0) return this.#hide([], null);
    this.#hide(this.#parts.map(({ mesh }) => mesh).filter((mesh) => !meshes.includes(mesh)), key);
  }

  #hide(meshes, alone) {
    this.#alone = alone;
    this.#viewer.hide(meshes);
    this.#showHidden();
  }

  #showHidden() {
    const { hidden } = this.#viewer;
    this.#all.disabled = hidden.size === 0;
    for (const [key, { item, meshes }] of this.#rows) {
      const isHidden = meshes.length > 0 && meshes.every((mesh) => hidden.has(mesh));
      item.classList.toggle("is-hidden", isHidden);
      item.querySelector(":scope > .eye")?.setAttribute("aria-pressed", String(isHidden));
      item.querySelector(":scope > .only")?.setAttribute("aria-pressed", String(this.#alone === key));
    }
  }

  /**
   * Select the row of a mesh that was clicked in the picture, and open the rows above it. null:
   * none.
   */
  reveal(mesh) {
    this.#viewer.point("joint", null);
    const part = this.#parts.find((each) => each.mesh === mesh);
    if (!part) return this.#select(null);
    const parents = new Map();
    (this.#json.nodes ?? []).forEach(({ children = [] }, i) => { for (const child of children) parents.set(child, i); });
    const above = [];
    for (let at = part.node; at !== undefined && above.length < 1e5; at = parents.get(at)) above.unshift(at);
    for (const node of above) {
      const row = this.#rows.get(`node:${node}`);
      if (row?.item.getAttribute("aria-expanded") === "false") this.#toggle(row.item);
    }
    const key = `part:${this.#parts.indexOf(part)}`;
    this.#select(this.#rows.has(key) ? key : `node:${part.node}`);
  }
}
