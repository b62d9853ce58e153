// The list of files at the left. Folders and archives open in place.

/**
 * Handle the usual keys of a tree: arrows, Home and End.
 *
 * @param {HTMLElement} root each item has a button first, and a list for its children
 * @param {{toggle: (item: HTMLElement) => void, keys?: Record<string, (item: HTMLElement) =>
 *     void>}} acts
 */
export function listenForTreeKeys(root, { toggle, keys = {} }) {
  root.addEventListener("keydown", (event) => {
    const at = document.activeElement, item = at?.closest("[role=treeitem]");
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const buttons = [...root.querySelectorAll("[role=treeitem] > button:first-child")].filter((button) => button.offsetParent);
    const here = buttons.indexOf(item.firstChild), isOpen = item.getAttribute("aria-expanded") === "true";
    const isClosed = item.getAttribute("aria-expanded") === "false";
    const own = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const act = own ? () => own(item) : {
      ArrowDown: () => buttons[here + 1]?.focus(),
      ArrowUp: () => buttons[here - 1]?.focus(),
      Home: () => buttons[0].focus(),
      End: () => buttons.at(-1).focus(),
      // Right opens an item, then enters it; left closes it, then leaves it.
      ArrowRight: () => (isClosed ? toggle(item) : isOpen && buttons[here + 1]?.focus()),
      ArrowLeft: () => (isOpen ? toggle(item) : item.parentElement.closest("[role=treeitem]")?.firstChild.focus()),
    }[event.key];
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  });
}

export class FileTree {
  #root;
  #open;
  #remove;
  #items = new Map(); // path to its list item
  #current = null;

  /**
   * @param {HTMLElement} root
   * @param {(path: string) => void} open called when the user clicks a file
   * @param {(path: string) => void} remove called for the Delete key and for the cross of a dropped
   *     file
   */
  constructor(root, open, remove) {
    this.#root = root;
    this.#open = open;
    this.#remove = remove;
    listenForTreeKeys(root, {
      toggle: (item) => this.#toggle(item, item.querySelector("ul")),
      keys: { Delete: (item) => this.#remove(item.dataset.path) },
    });
  }

  add(path, size) {
    let list = this.#root, walked = "";
    const parts = path.split("/");
    parts.forEach((part, i) => {
      walked = walked ? `${walked}/${part}` : part;
      let item = this.#items.get(walked);
      if (!item) {
        item = this.#make(walked, part, i < parts.length - 1);
        list.append(item);
        this.#items.set(walked, item);
      }
      if (i < parts.length - 1) list = this.#childrenOf(item);
      else if (size !== undefined) item.firstChild.title = `${path}, ${size.toLocaleString()} bytes`;
    });
  }

  #make(path, name, folder) {
    const item = document.createElement("li"), button = document.createElement("button");
    item.setAttribute("role", "treeitem");
    item.dataset.path = path;
    button.type = "button";
    button.textContent = name;
    button.title = path;
    button.classList.toggle("folder", folder);
    button.addEventListener("click", () => {
      const children = item.querySelector("ul");
      if (children) this.#toggle(item, children);
      if (!button.classList.contains("folder")) this.#open(path);
    });
    item.append(button);
    if (!path.includes("/")) item.append(this.#cross(path));
    return item;
  }

  #cross(path) {
    const cross = document.createElement("button");
    Object.assign(cross, { type: "button", className: "extra cross", textContent: "\u00D7", title: `Remove ${path} (Delete)`, tabIndex: -1 });
    cross.setAttribute("aria-label", `Remove ${path}`);
    cross.addEventListener("click", () => this.#remove(path));
    return cross;
  }

  #childrenOf(item) {
    let list = item.querySelector(":scope > ul");
    if (!list) {
      list = document.createElement("ul");
      list.setAttribute("role", "group");
      item.append(list);
      item.setAttribute("aria-expanded", "true");
    }
    return list;
  }

  #toggle(item, children) {
    children.hidden = !children.hidden;
    item.setAttribute("aria-expanded", String(!children.hidden));
  }

  /** Paths of all items except folders. */
  get files() {
    return [...this.#items].filter(([, item]) => !item.firstChild.classList.contains("folder")).map(([path]) => path);
  }

  /** Remove a file or a folder, and folders that become empty. */
  remove(path) {
    const item = this.#items.get(path), list = item?.parentElement;
    if (!item) return;
    for (const each of [...this.#items.keys()]) if (each === path || each.startsWith(`${path}/`)) this.#items.delete(each);
    const next = item.nextElementSibling ?? item.previousElementSibling, hadFocus = item.contains(document.activeElement);
    item.remove();
    if (hadFocus) next?.querySelector("button")?.focus();
    const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
    if (parent && list.childElementCount === 0) this.remove(parent);
  }

  expand(path) {
    const item = this.#items.get(path), children = item?.querySelector("ul");
    if (children?.hidden) this.#toggle(item, children);
  }

  select(path) {
    this.#current?.removeAttribute("aria-current");
    this.#current = this.#items.get(path)?.firstChild ?? null;
    this.#current?.setAttribute("aria-current", "true");
    this.#current?.scrollIntoView({ block: "nearest" });
  }

  clear() {
    this.#root.replaceChildren();
    this.#items.clear();
    this.#current = null;
  }
}
