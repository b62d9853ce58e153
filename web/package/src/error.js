// Errors of the library, and how they are read from the output of the program.

/** A file that cannot be used, or a call that cannot be carried out. */
export class FacetError extends Error {
  /**
   * @param {string} message
   * @param {{rule?: string, file?: string, offset?: number | null, line?: number | null, status?: number}} [place]
   */
  constructor(message, place = {}) {
    super(message);
    this.name = "FacetError";
    /** Id of the rule that is broken, for example "BSM-MAGIC"; "" when there is none. */
    this.rule = place.rule ?? "";
    /** Name of the file that is at fault; "" when it is none. */
    this.file = place.file ?? "";
    /** Byte of the file that is at fault, or null. */
    this.offset = place.offset ?? null;
    /** Line of a text file, from 1, or null. */
    this.line = place.line ?? null;
    /** Exit status of the program: 1 the input is at fault, 2 the call, 3 the system. */
    this.status = place.status ?? 1;
  }

  /** File and line or byte in one text, "model.obj:12" or "model.bsm:0x10"; "" when nothing is known. */
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

const decoder = new TextDecoder();

/** The objects of an output in JSON, one per line. */
export function jsonLines(bytes) {
  return decoder.decode(bytes).split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

// Where no rule is broken, `rule` describes in words what failed.
function errorOf({ rule, message, offset, line, file }, status, input) {
  return new FacetError(message, { status, rule: /^[A-Z]/.test(rule) ? rule : "", offset, line, file: file ?? input });
}

/**
 * The error that the program wrote to standard error, "facet: model.bsm:0x10: error [BSM-MAGIC]: sentence".
 * extract and pack have no --json, and no command prints an object for a wrong call (status 2).
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

/** The object that a command with --json printed; an error is thrown. */
export function objectOf({ output, errors, status }, input) {
  if (output.length === 0) throw printedError(errors, status, input);
  const [object] = jsonLines(output);
  if (object.error) throw errorOf(object.error, status, input);
  return object;
}
