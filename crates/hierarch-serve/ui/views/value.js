// The value: every leaf with its place, what filled its tokens, what it hides; what was removed; which options chose the strategy.
import { get } from "../api.js";
import { card, chip, el, empty } from "../dom.js";
import { to } from "../address.js";
import { dotted, place, rowName, rows, shown } from "../values.js";
import { levelStrip } from "./layers.js";

export async function view({ node, key, query }, about) {
  const asked = { node, key, at: query.at };
  const [answer, levels] = await Promise.all([get("lookup", asked), get("layers", asked)]);
  if (!answer.found) {
    return [doubts(answer), levelStrip(levels), empty("No level has this key for this node", "The layers show which files were looked into. ", el("a", { href: to({ key }) }, "Other nodes"), " may have it.")];
  }
  const origin = await get("origin", asked);
  const colours = new Map();
  levelNumbers(levels).forEach(([file, number]) => { if (!colours.has(file)) colours.set(file, number); });
  return [
    doubts(answer),
    el("div", { class: "legend" }, levelStrip(levels), strategy(answer, origin, about.edit_url)),
    card(el("div", { class: "tree" }, rows(origin.leaves).map((row) => drawRow(row, colours, about.edit_url)))),
    origin.collections.length > 0 && card(el("h2", {}, "As a whole"), origin.collections.map((part) => el("div", { class: "removed" },
      el("div", { class: "path" }, part.path.length ? dotted(part.path) : key), notes(part, about.edit_url)))),
    origin.removed.length > 0 && card(el("h2", {}, "Removed on the way"), origin.removed.map((entry) => removed(entry, about.edit_url))),
  ];
}

/** What may make the answer another one in the catalog. */
function doubts(answer) {
  return (answer.warnings ?? []).map((warning) => el("p", { class: "warning" }, warning));
}

/** The number of the level that each file belongs to, for its colour. */
function levelNumbers(levels) {
  const names = [...new Set(levels.map((level) => `${level.layer} ${level.module ?? ""} ${level.level}`))];
  return levels.map((level) => [level.location, names.indexOf(`${level.layer} ${level.module ?? ""} ${level.level}`) % 8]);
}

function strategy(answer, origin, editUrl) {
  const options = origin.lookup_options;
  const words = { first: "The highest level that has the key gives the whole value.", unique: "Lists of all levels are joined, each item once.", hash: "Hashes of all levels are joined, higher keys win.", deep: "All levels are merged, deep into hashes and lists." };
  return el("p", { class: "strategy" }, chip(answer.strategy, "accent"), el("span", { class: "quiet" }, words[answer.strategy] || "", options && [" Chosen by lookup_options ", el("code", {}, options.name), " in ", place(options.origin, editUrl), "."]));
}

function drawRow({ depth, name, leaf }, colours, editUrl) {
  const line = el("div", { class: leaf ? "line leaf" : "line" });
  line.style.setProperty("--depth", depth);
  const colour = leaf && leaf.origin && colours.has(leaf.origin.file) ? `lv${colours.get(leaf.origin.file)}` : "";
  const more = leaf && (leaf.hides.length > 0 || leaf.interpolations.length > 0);
  line.append(
    el("div", { class: "what" }, name !== undefined && rowName(name), leaf && el("span", { class: "value" }, shown(leaf.value))),
    leaf ? el("div", { class: `from ${colour}` }, el("span", { class: "dot", "aria-hidden": "true" }), place(leaf.origin, editUrl)) : "",
    more ? notes(leaf, editUrl) : "");
  return line;
}

function notes(part, editUrl) {
  return el("div", { class: "notes" },
    part.interpolations.map((token) => el("div", {}, el("code", {}, `%{${token.expression}}`), " is ", shown(token.value), token.origins.map((origin) => [" ", place(origin, editUrl)]))),
    part.hides.map((hidden) => el("div", {}, "hides ", el("s", {}, shown(hidden.value)), " ", place(hidden.origin, editUrl))));
}

function removed(entry, editUrl) {
  return el("div", { class: "removed" },
    el("div", { class: "path" }, dotted(entry.path), " ", el("s", {}, shown(entry.removed.value)), " ", place(entry.removed.origin, editUrl)),
    el("div", { class: "quiet" }, "removed by ", place(entry.by, editUrl)));
}
