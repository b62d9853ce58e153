// The list of files at the left, with folders and archives that open in place.

export class FileTree {
  #root;
  #open;
  #items = new Map(); // path to its list item
  #current = null;

  /**
   * @param {HTMLElement} root
   * @param {(path: string) => void} open what a click on a file does
   */
  constructor(root, open) {
    this.#root = root;
    this.#open = open;
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
    return item;
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
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const buttons = [...this.#root.querySelectorAll("button")].filter((button) => button.offsetParent);
    buttons[buttons.indexOf(document.activeElement) + step]?.focus();
    event.preventDefault();
  }
}
