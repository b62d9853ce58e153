// Models from addresses: fetch them, and files next to them.

import { addressOf, decoded, freePath } from "facet-mesh/names";
import { isZip, unzip } from "facet-mesh/zip";

// Web pages that show a file of a repository, and the address of the file itself.
const pages = [
  [/^https:\/\/github\.com\/([^/]+\/[^/]+)\/(?:blob|raw)\/(.+)$/, "https://raw.githubusercontent.com/$1/$2"],
  [/^(https:\/\/gitlab\.com\/.+)\/-\/blob\/(.+)$/, "$1/-/raw/$2"],
  [/^(https:\/\/huggingface\.co\/.+)\/blob\/(.+)$/, "$1/resolve/$2"],
];

/** The address of the file that a web page of a repository shows; other addresses stay. */
export function fileAddress(address) {
  for (const [page, file] of pages) if (page.test(address)) return address.split("#")[0].replace(page, file);
  return address;
}

async function fetchBytes(address) {
  const response = await fetch(address).catch((fault) => {
    throw new Error(`${address} cannot be fetched from here (${fault.message}): its server may not allow it`);
  });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Files from addresses, and a way to fetch files next to them. */
export class Sources {
  #bases = new Map(); // path of a file to its address, the folder before its path there, and its depth in folders

  // The path of an address. Different addresses have different paths, also those of one path on two servers.
  #pathOf(address) {
    const here = new URL(".", location.href).pathname, { pathname, origin, href } = address;
    // Paths of files below the page's folder begin there.
    const inside = origin === location.origin && pathname.startsWith(here) ? pathname.slice(here.length) : pathname.slice(1);
    const name = decoded(inside) || "model", isOther = (each) => this.#bases.has(each) && this.#bases.get(each).address.href !== href;
    const path = freePath(name, isOther);
    this.#bases.set(path, { address, folder: path.slice(0, path.length - name.length), depth: name.split("/").length - 1 });
    return path;
  }

  /**
   * Fetch files.
   *
   * @param {string[]} given addresses
   * @returns {Promise<[string, Uint8Array][]>} files by paths, which keep the folders of the
   *     addresses
   */
  fetch(given) {
    const addresses = given.map((each) => new URL(fileAddress(each), location.href));
    // Paths are those of the given addresses in their order: neither redirects nor the speed of a server changes them.
    const paths = addresses.map((address) => this.#pathOf(address));
    return Promise.all(addresses.map(async (address, i) => [paths[i], await fetchBytes(address)]));
  }

  /**
   * A function that opens files next to a fetched file. undefined for other paths: nothing is
   * fetched.
   */
  sibling(path) {
    const base = this.#bases.get(path);
    if (!base) return undefined;
    return async (name) => {
      const up = "../".repeat(base.depth); // names are relative to the root of all paths
      const address = addressOf(name.startsWith(base.folder) ? name.slice(base.folder.length) : name);
      const response = await fetch(new URL(up + address, base.address)).catch(() => null);
      return response?.ok ? new Uint8Array(await response.arrayBuffer()) : null;
    };
  }
}

/** Pairs of path and bytes, with ZIP archives replaced by their members. */
export async function expanded(entries) {
  const all = await Promise.all(entries.map(async ([path, bytes]) => {
    if (!isZip(bytes)) return [[path, bytes]];
    const members = await unzip(bytes).catch((fault) => { throw new Error(`${path}: ${fault.message}`); });
    return [...members].map(([name, member]) => [`${path}/${name}`, member]);
  }));
  return all.flat();
}
