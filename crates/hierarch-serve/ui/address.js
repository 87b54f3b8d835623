// Where you are is the address: `#/node/web01/key/profile::web::port/layers?at=HEAD~3`.

/** Reads the address. */
export function here() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const words = path.split("/").filter(Boolean).map(decoded);
  const place = { page: words[0] || "home", query: Object.fromEntries(new URLSearchParams(query)) };
  if (words[0] === "node") {
    place.node = words[1];
    if (words[2] === "key" && words[3]) { place.key = words[3]; place.view = words[4] || "value"; }
  } else if (words[0] === "key" && words[1]) {
    place.key = words[1];
    place.view = "who";
  }
  return place;
}

function decoded(word) {
  try { return decodeURIComponent(word); } catch { return word; }
}

/** Writes the address of a node, a key of a node with a view, or a key alone. */
export function to({ node, key, view, page, query } = {}) {
  const words = [];
  if (page) words.push(page);
  if (node) words.push("node", node);
  if (key) words.push("key", key);
  if (node && key && view && view !== "value") words.push(view);
  const given = Object.entries(query || {}).filter(([, value]) => value);
  const tail = given.length ? `?${new URLSearchParams(given)}` : "";
  return `#/${words.map(encodeURIComponent).join("/")}${tail}`;
}

/** The name of a key as `lookup` takes it: a dot in it leads nowhere. */
export function named(key) {
  if (!key || !key.includes(".")) return key;
  return key.includes("'") ? `"${key}"` : `'${key}'`;
}

const RECENT = "recent";

/** The places visited last, newest first. */
export function recent() {
  try { return JSON.parse(localStorage.getItem(RECENT)) || []; } catch { return []; }
}

export function remember({ node, key }) {
  const same = (other) => other.node === node && other.key === key;
  const list = [{ node, key }, ...recent().filter((other) => !same(other))].slice(0, 8);
  try { localStorage.setItem(RECENT, JSON.stringify(list)); } catch { /* A full or closed store only forgets. */ }
}
