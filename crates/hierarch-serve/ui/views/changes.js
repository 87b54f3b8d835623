// Drawing what changes: a unified diff, and groups of an impact with their causes. Used by Edit and Impact.
import { named, to } from "../address.js";
import { card, chip, count, el, empty } from "../dom.js";
import { isBranch } from "../json.js";
import { dotted, shown } from "../values.js";

export function diff(text) {
  const kinds = { "+": "added", "-": "taken", "@": "at" };
  return el("pre", { class: "diff", tabindex: "0", role: "group", "aria-label": "Difference" },
    text.trimEnd().split("\n").map((line) => el("span", { class: /^(---|\+\+\+)/.test(line) ? "at" : kinds[line[0]] || "" }, `${line}\n`)));
}

export function impact(answer) {
  if (!answer.groups.length) return [empty("No node gets another value", `All ${count(answer.asked, "node")} were asked for every key that it could reach.`), rest(answer)];
  const keys = new Set(answer.groups.map((group) => group.key)).size;
  return [
    el("p", { class: "lead" }, el("strong", {}, `${count(keys, "key")} ${keys === 1 ? "changes" : "change"} on ${count(answer.changed, "node")}`), ` of ${answer.asked.toLocaleString("en")}`),
    answer.groups.map(drawGroup),
    rest(answer),
  ];
}

function rest(answer) {
  return [
    answer.unanswered.length > 0 && card(el("h2", {}, "Could not be asked"), answer.unanswered.map((entry) => el("p", {}, el("strong", {}, entry.node), " ", entry.message))),
    answer.notes.map((note) => el("p", { class: "quiet" }, note)),
  ];
}

/** What changes of a value, where that is one leaf; else the whole. */
function part(value, group) {
  if (group.paths.length !== 1) return value;
  const found = group.paths[0].reduce((inner, word) => (isBranch(inner) ? inner[word] : undefined), value);
  return found === undefined ? null : found;
}

function drawGroup(group) {
  const because = Object.entries(group.because || {}).map(([name, value]) => chip(`${name.replace(/^facts\./, "")} is ${value}`, "accent"));
  const example = group.examples[0];
  return el("section", { class: "card group" },
    el("div", { class: "card-head" }, el("h2", { class: "mono" }, el("a", { href: example ? to({ node: example.node, key: named(group.key) }) : to({ key: named(group.key) }) }, group.key)), chip(count(group.count, "node"), "accent"), because, group.kind !== "changed" && chip(group.kind)),
    group.examples.map((one) => el("div", { class: "change" },
      group.paths.some((path) => path.length) && el("span", { class: "path" }, group.paths.map(dotted).filter(Boolean).join(", ")),
      el("s", { class: "old" }, shown(part(one.old, group))), el("span", { class: "arrow" }, "→"), el("span", { class: "new" }, one.failure ? one.failure : shown(part(one.new, group))),
      group.examples.length > 1 && el("span", { class: "quiet" }, count(one.count, "node")))),
    el("p", { class: "quiet" }, group.causes?.length
      ? ["because of ", group.causes.map((cause) => [el("code", {}, `${cause.file}${cause.line ? `:${cause.line}` : ""}`), " "]), group.through.length > 0 && ["through ", group.through.map((token) => [el("code", {}, token), " "])]]
      : "the cause was not found"),
    el("details", {}, el("summary", {}, "Nodes"), el("p", { class: "node-list" }, group.nodes.slice(0, 200).map((name) => el("a", { href: to({ node: name, key: named(group.key) }) }, name)), group.nodes.length > 200 && ` +${group.nodes.length - 200}`)));
}
