// Files that a model names, found in a set of files in any folder.

import { clean } from "./memory-files.js";

// How many parts of two paths are the same, from the end.
function agreement(a, b) {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

/**
 * A function that finds a file: at its path, or else that with the same name whose folders agree best. When two agree
 * equally well, neither is taken.
 *
 * @param {() => Iterable<[string, Uint8Array]>} entries of the set, asked for each time
 * @returns {(path: string) => Uint8Array | undefined}
 */
export function finder(entries) {
  return (path) => {
    const name = clean(path), wanted = name.toLowerCase().split("/");
    let best = 0, found = [];
    for (const [each, bytes] of entries()) {
      if (each === name) return bytes;
      const count = agreement(each.toLowerCase().split("/"), wanted);
      if (count > best) found = [];
      best = Math.max(best, count);
      if (count > 0 && count === best) found.push(bytes);
    }
    return found.length === 1 ? found[0] : undefined;
  };
}

/**
 * Make a call as often as it names files that can be had: `sibling` may be asynchronous, the library is not.
 *
 * @template T
 * @param {() => Promise<{result?: T, fault?: Error, missing: string[]}>} attempt
 * @param {(path: string) => unknown} sibling bytes, or a promise of them; null when there is none
 * @param {(found: [string, Uint8Array][]) => void} add takes what was found, for the next attempt
 * @returns {Promise<{result: T, missing: string[]}>}
 */
export async function complete(attempt, sibling, add) {
  const asked = new Set();
  for (;;) {
    const { result, fault, missing } = await attempt();
    const names = missing.filter((name) => !asked.has(name));
    for (const name of names) asked.add(name);
    const all = await Promise.all(names.map(async (name) => [name, await sibling(name)]));
    const found = all.filter(([, bytes]) => bytes).map(([name, bytes]) => [name, bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes)]);
    if (found.length > 0) {
      add(found);
      continue;
    }
    if (fault) throw Object.assign(fault, { missing });
    return { result, missing };
  }
}
