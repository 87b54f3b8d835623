// JSON whose numbers stay as they are written: those of JavaScript lose digits beyond 2^53 and after the point.

/** Stands for a number in a text that JavaScript can read. */
const MARK = "\u0000number";

/** A number that JavaScript would spell otherwise. */
export class Exact {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** Tells whether a value is a list or an object. */
export function isBranch(value) {
  return value !== null && typeof value === "object" && !(value instanceof Exact);
}

export function parse(text) {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    (token[0] === '"' || String(Number(token)) === token ? token : `{${JSON.stringify(MARK)}:"${token}"}`));
  // What is not JSON is told in the words about the text itself.
  if (marked === text) return JSON.parse(text);
  try { return JSON.parse(marked, exact); } catch { return JSON.parse(text); }
}

function exact(_, value) {
  return value !== null && typeof value === "object" && typeof value[MARK] === "string" ? new Exact(value[MARK]) : value;
}

export function write(value, indent) {
  const marked = JSON.stringify(value, (_, one) => (one instanceof Exact ? `${MARK}${one.text}` : one), indent);
  return marked.replace(/"\\u0000number(-?\d[\d.eE+-]*)"/g, "$1");
}
