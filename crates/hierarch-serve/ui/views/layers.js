// The levels side by side, highest first: which one gives what, which files are not there and why.
import { get } from "../api.js";
import { card, chip, el, empty } from "../dom.js";
import { rowName, rows, shown } from "../values.js";

const USED = {
  whole: ["wins", "good"],
  parts: ["gives parts", "good"],
  hidden: ["hidden", ""],
  removed: ["removed", "bad"],
};

export async function view({ node, key, query }) {
  const levels = await get("layers", { node, key, at: query.at });
  const having = levels.filter((level) => level.has_key);
  const without = levels.filter((level) => !level.has_key);
  return [
    levelStrip(levels),
    having.length === 0 && empty("No level has this key", "Below are the files that were looked into."),
    having.length > 0 && el("div", { class: "levels", tabindex: "0", role: "group", "aria-label": "Levels that have the key, highest first" },
      having.map((level) => drawLevel(level, numberOf(levels, level)))),
    without.length > 0 && card(el("h2", {}, "Looked into, and not found"),
      el("table", {},
        el("thead", {}, el("tr", {}, ["Level", "File", "Why not"].map((text) => el("th", { scope: "col" }, text)))),
        el("tbody", {}, without.map((level) => el("tr", { class: level.exists ? "" : "absent" },
          el("td", {}, level.level, level.module && el("span", { class: "quiet" }, ` of module ${level.module}`)),
          el("td", { class: "mono" }, level.location || level.declared || "–"),
          el("td", {}, why(level))))))),
  ];
}

function why(level) {
  if (level.problem) return el("span", { class: "wrong" }, level.problem);
  if (level.undefined.length) return el("span", {}, level.undefined.map((name) => [el("code", {}, name), " "]), level.undefined.length > 1 ? "have no value" : "has no value");
  return level.exists ? "the file has no such key" : el("span", { class: "quiet" }, "there is no such file");
}

function nameOf(level) {
  return `${level.layer} ${level.module ?? ""} ${level.level}`;
}

function numberOf(levels, level) {
  return [...new Set(levels.map(nameOf))].indexOf(nameOf(level)) % 8;
}

/** All levels in one line, highest first: filled where they give something. */
export function levelStrip(levels) {
  const names = [...new Set(levels.map(nameOf))];
  const one = (name, index) => {
    const own = levels.filter((level) => nameOf(level) === name);
    const used = own.map((level) => level.used).find((word) => word === "whole" || word === "parts") || own.map((level) => level.used).find(Boolean);
    const word = used ? USED[used][0] : own.some((level) => level.exists) ? "has no such key" : "no file";
    return el("li", { class: `pill lv${index % 8} ${used === "whole" || used === "parts" ? "gives" : used ? "loses" : "lacks"}`, title: `${own[0].level}: ${word}` },
      el("span", { class: "dot", "aria-hidden": "true" }), own[0].module && el("span", { class: "quiet" }, `${own[0].module}:`), own[0].level, el("span", { class: "hidden" }, `: ${word}`));
  };
  return el("ol", { class: "strip", "aria-label": "Levels, highest first" }, names.map(one));
}

function drawLevel(level, number) {
  const [word, kind] = USED[level.used] || ["", ""];
  return el("article", { class: `level lv${number} used-${level.used}` },
    el("header", {}, el("h3", {}, el("span", { class: "dot", "aria-hidden": "true" }), level.module && el("span", { class: "quiet" }, `${level.module}:`), level.level), chip(word, kind)),
    el("div", { class: "location" }, level.location || "a function", level.line ? `:${level.line}` : ""),
    el("div", { class: "tree small" }, rows(level.leaves).map((row) => drawRow(row))));
}

function drawRow({ depth, name, leaf }) {
  const value = leaf && (leaf.wins ? el("span", { class: "value" }, shown(leaf.value)) : el("s", { class: "value" }, shown(leaf.value)));
  const line = el("div", { class: leaf && !leaf.wins ? "line lost" : "line" }, el("div", { class: "what" }, name !== undefined && rowName(name), value));
  line.style.setProperty("--depth", depth);
  return line;
}
