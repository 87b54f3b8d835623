// Showing values: in the manner of YAML, secrets as dots, long texts folded.
import { el } from "./dom.js";
import { Exact, isBranch, write } from "./json.js";

const LONG = 300;
const HIDDEN = ["Sensitive [value redacted]", "[decrypted value hidden]"];

/** Tells whether the server hid a value. */
export function isSecret(value) {
  return HIDDEN.includes(value);
}

/** Tells whether the server hid something in a value. */
export function hasSecret(value) {
  return isSecret(value) || (isBranch(value) && Object.values(value).some(hasSecret));
}

/** A scalar, or a collection on one line, with the colour of its kind; long ones fold. */
export function shown(value) {
  if (isSecret(value)) return el("span", { class: "secret", title: "a secret", role: "img", "aria-label": "a secret" }, "••••••");
  if (typeof value === "string") return folded(isPlain(value) ? value : JSON.stringify(value), "string");
  if (typeof value === "number" || value instanceof Exact) return el("span", { class: "number" }, String(value));
  if (value === null || typeof value === "boolean") return el("span", { class: "constant" }, String(value));
  return folded(write(value), "");
}

/** Tells whether a text needs no quotes: nothing in it could be taken for something else. */
function isPlain(text) {
  return /^[A-Za-z/_.~][\w./:@%+=, -]*$/.test(text) && !/^(true|false|null|yes|no|on|off|~)$/i.test(text) && !/:\s|\s$/.test(text);
}

function folded(text, kind) {
  if (text.length <= LONG) return el("span", { class: kind }, text);
  const span = el("span", { class: kind }, `${text.slice(0, LONG)}…`);
  const more = el("button", { type: "button", class: "fold", click: () => { span.textContent = text; more.remove(); } },
    `all ${text.length.toLocaleString("en")} characters`);
  return el("span", {}, span, " ", more);
}

/** A value as indented lines in the manner of YAML. */
export function tree(value, indent = "") {
  if (isSecret(value)) return "••••••";
  if (Array.isArray(value)) {
    if (!value.length) return "[]";
    return value.map((item) => `${indent}- ${tree(item, `${indent}  `).trimStart()}`).join("\n");
  }
  if (isBranch(value)) {
    const keys = Object.keys(value);
    if (!keys.length) return "{}";
    return keys.map((key) => `${indent}${key}:${below(value[key], `${indent}  `)}`).join("\n");
  }
  return typeof value === "string" && isPlain(value) ? value : write(value);
}

function below(value, indent) {
  return isBranch(value) && Object.keys(value).length > 0 ? `\n${tree(value, indent)}` : ` ${tree(value)}`;
}

/** Rows of a tree of leaves: each with its depth and name; branches come before their leaves. */
export function rows(leaves) {
  const found = [];
  let before = [];
  for (const leaf of leaves) {
    const path = leaf.path;
    let same = 0;
    while (same < before.length && same < path.length - 1 && before[same] === path[same]) same += 1;
    for (let depth = same; depth < path.length - 1; depth += 1) found.push({ depth, name: path[depth] });
    found.push({ depth: Math.max(0, path.length - 1), name: path.at(-1), leaf });
    before = path;
  }
  return found;
}

/** The name in front of a row: a key, or a dash for an item of a list. */
export function rowName(name) {
  return typeof name === "number" ? el("span", { class: "dash" }, "-") : el("span", { class: "name" }, `${name}:`);
}

/** A path into a value, as `lookup` writes it. */
export function dotted(path) {
  return path.map((word) => (/[.\s]/.test(String(word)) ? `'${word}'` : String(word))).join(".");
}

/** `file:line`, a link where the server knows how to open files. */
export function place(origin, editUrl) {
  if (!origin || !origin.file) return el("span", { class: "quiet" }, origin?.function ? `function ${origin.function}` : "no file");
  const text = origin.line ? `${origin.file}:${origin.line}` : origin.file;
  if (!editUrl) return el("span", {}, text);
  const href = editUrl.replaceAll("{file}", encodeURI(origin.file)).replaceAll("{line}", String(origin.line ?? 1));
  return el("a", { href, rel: "noopener" }, text);
}
