// Errors of the library, and functions that parse them from the program's output.

/** An invalid file, or a failed call. */
export class FacetError extends Error {
  /**
   * @param {string} message
   * @param {{rule?: string, file?: string, offset?: number | null, line?: number | null, status?: number}} [place]
   */
  constructor(message, place = {}) {
    super(message);
    this.name = "FacetError";
    /** Id of the broken rule, for example "BSM-MAGIC", or "". */
    this.rule = place.rule ?? "";
    /** Name of the file with the error, or "". */
    this.file = place.file ?? "";
    /** Byte offset of the error, or null. */
    this.offset = place.offset ?? null;
    /** Line of a text file, from 1, or null. */
    this.line = place.line ?? null;
    /** Exit status of the program: 1 error in the input, 2 wrong call, 3 system error. */
    this.status = place.status ?? 1;
  }

  /** File and line or offset: "model.obj:12" or "model.bsm:0x10"; "" if unknown. */
  get place() {
    const at = this.line !== null ? `:${this.line}` : this.offset !== null ? `:0x${this.offset.toString(16).toUpperCase()}` : "";
    return this.file + at;
  }

  /** A plain object that a worker can post. */
  toObject() {
    const { message, rule, file, offset, line, status } = this;
    return { message, rule, file, offset, line, status };
  }
}

// Messages of the program about commands and formats that it lacks, and those for the core module.
// A message ends with its line. In an object of --json it ends before a quote without a backslash.
const lacks = [
  [/unknown (command|format) '([^']*)'; '[^']*' lists them/, "the core module has no $1 '$2'; load() without core has all"],
  [/the extension of '([^']*)' is unknown; (?:[^\n"\\]|\\.)*/, "the core module has no format for '$1'; load() without core has all"],
  [/no known format begins like this file(?:, with "[^\n]*|(?:[^\n"\\]|\\.)*)/, "no format of the core module begins like this file; load() without core has all"],
];

/** In the text that a module printed, name the core module as the reason if it is one. */
export function explainCore(text, facet) {
  const found = lacks.find(([pattern]) => pattern.test(text));
  if (!found || facet.formats().some(({ name }) => name === "obj")) return text;
  return text.replace(...found);
}

const decoder = new TextDecoder();

/** Parse output with one JSON object per line. */
export function jsonLines(bytes) {
  return decoder.decode(bytes).split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

// If no rule is broken, `rule` is a description of the failure.
function errorOf({ rule, message, offset, line, file }, status, input) {
  return new FacetError(message, { status, rule: /^[A-Z]/.test(rule) ? rule : "", offset, line, file: file ?? input });
}

/**
 * Parse the error that the program printed: "facet: model.bsm:0x10: error [BSM-MAGIC]: sentence".
 * extract and pack have no --json. For a wrong call (status 2), no command prints an object.
 */
export function printedError(text, status, input) {
  const line = text.split("\n").find((each) => each && !/^facet: .*?: (?:warning|note)(?: \[[^\]]+\])?: /.test(each)) ??
    "the program ended without a message";
  const found = /^facet: (?:(.*?)(?::0x([0-9A-F]+)|:(\d+))?: error(?: \[([^\]]+)\])?: )?(.*)$/s.exec(line);
  if (!found) return new FacetError(line, { status, file: input });
  const [, file, offset, number, rule, message] = found;
  return new FacetError(message, {
    status, rule, file: file ?? input,
    offset: offset === undefined ? null : parseInt(offset, 16),
    line: number === undefined ? null : Number(number),
  });
}

/** The object that a command with --json printed. Throws if it is an error. */
export function objectOf({ output, errors, status }, input) {
  if (output.length === 0) throw printedError(errors, status, input);
  const [object] = jsonLines(output);
  if (object.error) throw errorOf(object.error, status, input);
  return object;
}
