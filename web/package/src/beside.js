// Find the files that a model names, in any folder of a set of files.

import { bytesOfSibling } from "./arguments.js";
import { clean } from "./memory-files.js";

// Number of equal parts at the end of two paths.
function agreement(a, b) {
  let count = 0;
  while (count < a.length && count < b.length && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

/**
 * Create a function that finds a file: at its path, or else the file whose path agrees in the most
 * parts from the end. If several agree equally well, it finds none. A query is not part of a name, unless a file has it.
 *
 * @param {() => Iterable<[string, Uint8Array]>} entries the set; called for each search
 * @returns {(path: string) => Uint8Array | undefined}
 */
export function finder(entries) {
  const find = (path) => {
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
  return (path) => find(path) ?? (path.includes("?") ? find(path.split("?")[0]) : undefined);
}

const depthOf = (name) => name.split("/").length, lastPart = (name) => name.slice(name.lastIndexOf("/") + 1);

// The library looks for a file in its folder first, then next to the model. Return the names of the
// first choices: those in the deepest folder.
function firstChoices(names) {
  const deepest = new Map();
  for (const name of names) deepest.set(lastPart(name), Math.max(depthOf(name), deepest.get(lastPart(name)) ?? 0));
  return names.filter((name) => depthOf(name) === deepest.get(lastPart(name)));
}

/** Return those of the missing names for which no second choice was found. */
export function withoutChoice(missing, found) {
  const shallowest = new Map();
  for (const name of found) shallowest.set(lastPart(name), Math.min(depthOf(name), shallowest.get(lastPart(name)) ?? Infinity));
  return missing.filter((name) => !(shallowest.get(lastPart(name)) < depthOf(name)));
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
    let found = [];
    for (;;) {
      const names = firstChoices(missing.filter((name) => !asked.has(name)));
      if (names.length === 0 || found.length > 0) break;
      for (const name of names) asked.add(name);
      const all = await Promise.all(names.map(async (name) => [name, bytesOfSibling(await sibling(name), name)]));
      found = all.filter(([, bytes]) => bytes);
    }
    if (found.length > 0) {
      add(found);
      continue;
    }
    if (fault) throw Object.assign(fault, { missing });
    return { result, missing };
  }
}
