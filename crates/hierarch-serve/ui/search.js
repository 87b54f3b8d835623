// The left column: search over nodes and keys, asked of the server, and the places visited last.
import { get } from "./api.js";
import { el, count } from "./dom.js";
import { here, named, recent, to } from "./address.js";

const LIMIT = 60;
const FIRST = 6;
const input = document.getElementById("search");
const found = document.getElementById("found");
let asked = null;
let timer = null;

/** Starts listening: `/` focuses, arrows move, Enter opens, Escape goes back and empties. */
export function start() {
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(show, 90); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { event.preventDefault(); hits()[0]?.focus(); }
    else if (event.key === "Enter") hits()[0]?.click();
    else if (event.key === "Escape" && input.value) { event.preventDefault(); input.value = ""; show(); }
  });
  found.addEventListener("keydown", onKey);
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) { event.preventDefault(); input.focus(); input.select(); }
  });
  show();
}

function hits() {
  return [...found.querySelectorAll("a.hit")];
}

function onKey(event) {
  const all = hits();
  const at = all.indexOf(document.activeElement);
  if (at < 0) return;
  if (event.key === "ArrowDown") { event.preventDefault(); all[Math.min(at + 1, all.length - 1)].focus(); }
  else if (event.key === "ArrowUp") { event.preventDefault(); (at ? all[at - 1] : input).focus(); }
  else if (event.key === "Escape") { event.preventDefault(); input.focus(); }
}

/** Asks anew and draws what was found. */
export async function show() {
  asked?.abort();
  asked = new AbortController();
  const place = here();
  const search = input.value.trim();
  try {
    const [nodes, keys] = await Promise.all([
      get("nodes", { search, limit: LIMIT }, asked.signal),
      get("keys", { search, node: place.node, limit: LIMIT }, asked.signal).catch((problem) => {
        if (problem.name === "AbortError") throw problem;
        return { total: 0, keys: [] };
      }),
    ]);
    draw(search, nodes, keys, place);
  } catch (problem) {
    if (problem.name !== "AbortError") found.replaceChildren(el("p", { class: "quiet note" }, problem.status === 401 ? "" : problem.message));
  }
}

function draw(search, nodes, keys, place) {
  const focused = document.activeElement?.getAttribute?.("href");
  const visited = search ? [] : recent();
  // Who has chosen no node yet is shown some; the search finds the others.
  const some = search || place.node || place.key ? nodes.nodes : nodes.nodes.slice(0, FIRST);
  const keyGroup = group(heading("key", keys, place.node ? "on this node" : "", LIMIT), keys.keys.map((entry) =>
    hit(to({ node: place.node, key: named(entry.key), view: place.view }), entry.key, null, named(entry.key) === place.key, entry.strategy)));
  const nodeGroup = group(heading("node", nodes, "", some.length), some.map((entry) =>
    hit(to({ node: entry.name, key: place.key, view: place.view }), entry.name, labels(entry.facts), entry.name === place.node)));
  found.replaceChildren(
    group("Recent", visited.map((entry) => hit(to(entry), entry.key || entry.node, entry.key ? entry.node : null, false))),
    ...(place.node ? [keyGroup, nodeGroup] : [nodeGroup, keyGroup]));
  if (!nodes.nodes.length && !keys.keys.length) found.append(el("p", { class: "quiet note" }, search ? `Nothing is called “${search}”.` : "There are no nodes and no keys."));
  if (focused) found.querySelector(`a.hit[href="${CSS.escape(focused)}"]`)?.focus();
}

function heading(word, answer, more, most) {
  const part = answer.total > most ? `, first ${most}` : "";
  return `${count(answer.total, word)} ${more}`.trim() + part;
}

function labels(facts) {
  return Object.entries(facts || {}).filter(([name]) => !/certname/.test(name)).map(([, value]) => value).slice(0, 4).join(" · ") || null;
}

function group(name, all) {
  return all.length ? el("section", { "aria-label": name }, el("h2", { class: "group-name" }, name), el("ul", {}, all.map((one) => el("li", {}, one)))) : "";
}

function hit(href, text, more, isHere, strategy) {
  return el("a", { href, class: isHere ? "hit here" : "hit", title: text, "aria-current": isHere ? "true" : null },
    el("span", { class: "hit-name" }, text),
    strategy && strategy !== "first" && el("span", { class: "tag" }, strategy),
    more && el("small", {}, more));
}
