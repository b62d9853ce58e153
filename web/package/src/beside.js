// Find the files that a model names, in any folder of a set of files.

import { clean } from "./memory-files.js";

// Number of equal parts at the end of two paths.
function agreement(a, b) {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

/**
 * Create a function that finds a file: at its path, or else the file whose path agrees in the most
 * parts from the end. If several agree equally well, it finds none.
 *
 * @param {() => Iterable<[string, Uint8Array]>} entries the set; called for each search
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
 * Repeat a call while it names missing files that `sibling` can open. `sibling` may be
 * asynchronous; the library is not.
 *
 * @template T
 * @param {() => Promise<{result?: T, fault?: Error, missing: string[]}>} attempt
 * @param {(path: string) => unknown} sibling returns bytes, a promise of them, or null
 * @param {(found: [string, Uint8Array][]) => void} add adds the files for the next attempt
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
