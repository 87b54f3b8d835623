// Who else: the different values of a key over all nodes, largest group first, with the exact reason where there is one.
import { get } from "../api.js";
import { to } from "../address.js";
import { card, chip, count, el, empty, windowed } from "../dom.js";
import { tree } from "../values.js";

export async function view({ node, key, query }) {
  const answer = await get("values", { key, at: query.at });
  if (!answer.groups.length && !answer.unanswered.length) return empty("No node has this key", "It may stand in a file that none of them loads.");
  return [
    el("p", { class: "lead" }, el("strong", {}, count(answer.groups.length, "different value")), ` on ${count(answer.asked, "node")}`),
    answer.groups.map((group) => drawGroup(group, answer.asked, key, node)),
    answer.missing.count > 0 && card(el("h2", {}, `No value on ${count(answer.missing.count, "node")}`), nodes(answer.missing.nodes, key, node)),
    answer.unanswered.length > 0 && card(el("h2", {}, `${count(answer.unanswered.length, "node")} could not be asked`),
      answer.unanswered.map((entry) => el("p", {}, el("strong", {}, entry.node), " ", entry.message))),
  ];
}

function drawGroup(group, asked, key, node) {
  const because = Object.entries(group.because || {}).map(([name, value]) => chip(`${name.replace(/^facts\./, "")} is ${value}`, "accent"));
  const meter = el("span", {});
  meter.style.width = `${Math.max(1, Math.round((group.count / asked) * 100))}%`;
  return el("section", { class: group.nodes.includes(node) ? "card group mine" : "card group" },
    el("div", { class: "card-head" }, el("h2", {}, count(group.count, "node")), group.nodes.includes(node) && chip("this node", "good"), because),
    el("div", { class: "meter", "aria-hidden": "true" }, meter),
    el("pre", {}, tree(group.value)),
    el("p", { class: "quiet mono origins" }, origins(group.origins)),
    nodes(group.nodes, key, node));
}

function origins(lists) {
  const different = [...new Set(lists.flat().map((origin) => (origin.file ? `${origin.file}:${origin.line}` : `function ${origin.function}`)))];
  return different.slice(0, 6).join(" · ") + (different.length > 6 ? ` · ${different.length - 6} more` : "");
}

function nodes(names, key, here) {
  const link = (name) => el("a", { href: to({ node: name, key }), "aria-current": name === here ? "true" : null }, name);
  if (names.length <= 8) return el("p", { class: "node-list" }, names.map(link));
  return el("details", {}, el("summary", {}, `${names.slice(0, 3).join(", ")} and ${(names.length - 3).toLocaleString("en")} more`), windowed(names, link, "Nodes"));
}
