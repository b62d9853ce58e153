// Convert options of a call to arguments of the command line.

import { FacetError } from "./error.js";
import { flags, notTaken, taken } from "./options.js";

// Number of letters to insert, delete or replace (Levenshtein distance).
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length];
}

function wrongOption(command, name) {
  const reason = notTaken[command][name];
  if (reason) return new FacetError(`${command}() has no option '${name}': ${reason}`, { status: 2 });
  const [near] = [...taken[command]].map((each) => [distance(name, each), each]).sort(([a], [b]) => a - b);
  const hint = near[0] <= 2 && 2 * near[0] <= name.length ? `; did you mean '${near[1]}'?` : "";
  return new FacetError(`${command}() has no option '${name}'${hint}`, { status: 2 });
}

function kindOf(value) {
  if (typeof value === "string") return `'${value}'`;
  return typeof value === "object" ? value.constructor?.name ?? "object" : String(value);
}

/**
 * Convert `{newNormals: true, scale: 2}` to `["--new-normals", "--scale=2"]`. An array repeats the
 * option. A value is joined to its option, because a value with a leading dash would be parsed as
 * an option.
 */
export function words(command, options) {
  const all = [];
  for (const [name, value] of Object.entries(options ?? {})) {
    if (!taken[command].has(name)) throw wrongOption(command, name);
    const isFlag = flags[command].has(name);
    const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null) continue;
      if (isFlag !== (typeof one === "boolean") || /^(object|function|symbol)$/.test(typeof one))
        throw new FacetError(`${command}(): ${name} takes ${isFlag ? "true or false" : "a value"}, not ${kindOf(one)}`, { status: 2 });
      if (one !== false) all.push(one === true ? option : `${option}=${one}`);
    }
  }
  return all;
}
