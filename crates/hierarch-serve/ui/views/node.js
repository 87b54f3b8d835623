// A machine: its values, filtered as one types, and its facts.
import { get, lines } from "../api.js";
import { named, to } from "../address.js";
import { card, chip, count, el, failure, windowed } from "../dom.js";
import { isBranch, write } from "../json.js";
import { shown, tree } from "../values.js";

export async function view({ node, query }) {
  const [rows, facts, nodes] = await Promise.all([
    lines("dump", { node, at: query.at }),
    get(`nodes/${encodeURIComponent(node)}/facts`).catch((problem) => problem),
    get("nodes", { search: node, limit: 1 }),
  ]);
  const labels = Object.entries(nodes.nodes.find((entry) => entry.name === node)?.facts || {});
  const list = el("div", {});
  const filter = el("input", { id: "filter", type: "search", placeholder: "Filter keys", spellcheck: "false", autocomplete: "off" });
  const draw = () => {
    const wanted = filter.value.trim().toLowerCase();
    const some = rows.filter((row) => row.key.toLowerCase().includes(wanted));
    list.replaceChildren(some.length ? windowed(some, (row) => drawRow(row, node), "Keys") : el("p", { class: "quiet" }, "No key is called so."));
  };
  filter.addEventListener("input", draw);
  draw();
  return [
    el("h1", {}, node),
    el("p", { class: "sub" }, labels.map(([name, value]) => chip(`${name} ${value}`))),
    card(el("div", { class: "card-head" }, el("h2", {}, count(rows.length, "key")), el("label", { class: "hidden", for: "filter" }, "Filter keys"), filter), list),
    facts instanceof Error ? (facts.status === 403 ? null : failure(facts)) : card(el("details", {}, el("summary", {}, el("h2", {}, "Facts")), el("pre", {}, tree(facts.facts)))),
  ];
}

function drawRow(row, node) {
  return [
    el("a", { class: "mono cut key-cell", href: to({ node, key: named(row.key) }) }, row.key),
    el("span", { class: "mono cut value-cell" }, row.problem ? el("span", { class: "wrong" }, row.problem) : short(row.value)),
  ];
}

/** The beginning of a value, which is whole in its own view. */
function short(value) {
  if (typeof value === "string" && value.length > 160) return shown(`${value.slice(0, 160)}…`);
  const text = isBranch(value) ? write(value) : "";
  return text.length > 160 ? `${text.slice(0, 160)}…` : shown(value);
}
