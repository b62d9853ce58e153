// Convert findings to diagnostics: location and severity.

const SEVERITIES = { error: 0, warning: 1, note: 2 }; // DiagnosticSeverity: Error, Warning, Information

/**
 * Range of a finding in a text: its line, or from its byte to the end of the line. Binary files
 * have no lines: the range is at the beginning, and the message has the offset.
 *
 * @param {{line?: number, offset?: number | null}} finding
 * @param {string | null} text text of the file; null for a binary file
 * @returns {[number, number, number, number]} first line and column, last line and column, from 0
 */
export function rangeOf({ line, offset }, text) {
  if (text === null) return [0, 0, 0, 0];
  const lines = text.split("\n");
  if (line === undefined && offset !== undefined && offset !== null) {
    // Offsets count bytes; columns count UTF-16 units.
    const before = new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, offset)).split("\n");
    return [before.length - 1, before.at(-1).length, before.length - 1, lines[before.length - 1].length];
  }
  const at = Math.min(Math.max((line ?? 1) - 1, 0), lines.length - 1);
  return [at, 0, at, lines[at].replace(/\r$/, "").length];
}

/** @returns {{file: string | null, range: number[], severity: number, message: string, code: string}} */
export function diagnosticOf(finding, text) {
  const isElsewhere = finding.file !== undefined;
  const place = text === null && typeof finding.offset === "number" ? `byte ${finding.offset}: ` : "";
  const times = finding.count > 1 ? ` (${finding.count} times)` : "";
  return {
    file: isElsewhere ? finding.file : null,
    range: rangeOf(finding, isElsewhere ? "" : text),
    line: finding.line,
    severity: SEVERITIES[finding.severity] ?? 1,
    message: `${place}${finding.message}${times}`,
    code: finding.rule,
  };
}

/** Decode UTF-8 text; null for binary data. */
export function textOf(bytes) {
  if (bytes.subarray(0, 4096).includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
