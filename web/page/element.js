// Functions that create elements of the page.

/** Create an element with properties, text and children. */
export function element(name, { text, ...rest } = {}, ...children) {
  const made = Object.assign(document.createElement(name), rest);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

/** Create a table of pairs. */
export function table(rows) {
  return element("table", {}, element("tbody", {}, ...rows.map(([key, value]) =>
    element("tr", {}, element("th", { scope: "row", text: key }), element("td", {}, value instanceof Node ? value : String(value))))));
}

/** Save bytes as a file. */
export function offer(name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** "1 file", "2 files" */
export const plural = (count, word) => `${count.toLocaleString()} ${word}${count === 1 ? "" : "s"}`;
