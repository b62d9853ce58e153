// Models from addresses: fetch them, and files next to them.

import { addressOf, decoded } from "facet-mesh/names";
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

  /**
   * Fetch files.
   *
   * @param {string[]} addresses
   * @returns {Promise<[string, Uint8Array][]>} files by paths, which keep the folders of the
   *     addresses
   */
  fetch(addresses) {
    return Promise.all(addresses.map(async (given) => {
      const address = new URL(fileAddress(given), location.href), bytes = await fetchBytes(address);
      const here = new URL(".", location.href).pathname, { pathname, origin } = address;
      // Paths of files below the page's folder begin there.
      const inside = origin === location.origin && pathname.startsWith(here) ? pathname.slice(here.length) : pathname.slice(1);
      const name = decoded(inside) || "model", other = this.#bases.get(name);
      // Servers may have different files of one path.
      const folder = other && other.address.href !== address.href ? `${address.host}/` : "";
      const path = folder + name;
      this.#bases.set(path, { address, folder, depth: name.split("/").length - 1 });
      return [path, bytes];
    }));
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
