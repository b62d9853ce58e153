// The list of files at the left, with folders and archives that open in place.

export class FileTree {
  #root;
  #open;
  #remove;
  #items = new Map(); // path to its list item
  #current = null;

  /**
   * @param {HTMLElement} root
   * @param {(path: string) => void} open what a click on a file does
   * @param {(path: string) => void} remove what Delete, and the cross of a file that was dropped, do
   */
  constructor(root, open, remove) {
    this.#root = root;
    this.#open = open;
    this.#remove = remove;
    root.addEventListener("keydown", (event) => this.#key(event));
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
    Object.assign(cross, { type: "button", className: "cross", textContent: "\u00D7", title: `Remove ${path} (Delete)`, tabIndex: -1 });
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

  /** Paths of all that are no folders. */
  get files() {
    return [...this.#items].filter(([, item]) => !item.firstChild.classList.contains("folder")).map(([path]) => path);
  }

  /** Take out a file, or a folder and what is in it, and folders that are empty then. */
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

  #key(event) {
    const at = document.activeElement, item = at?.closest("[role=treeitem]");
    if (!item) return;
    const buttons = [...this.#root.querySelectorAll("button:not(.cross)")].filter((button) => button.offsetParent);
    const here = buttons.indexOf(at), children = item.querySelector(":scope > ul"), isOpen = Boolean(children && !children.hidden);
    const act = {
      ArrowDown: () => buttons[here + 1]?.focus(),
      ArrowUp: () => buttons[here - 1]?.focus(),
      Home: () => buttons[0].focus(),
      End: () => buttons.at(-1).focus(),
      // As in every tree: open it, then go in; close it, then go out.
      ArrowRight: () => (children && !isOpen ? this.#toggle(item, children) : isOpen && buttons[here + 1].focus()),
      ArrowLeft: () => (isOpen ? this.#toggle(item, children) : item.parentElement.closest("[role=treeitem]")?.firstChild.focus()),
      Delete: () => this.#remove(item.dataset.path),
    }[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  }
}
