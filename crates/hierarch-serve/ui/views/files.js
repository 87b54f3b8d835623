// Files: the data files in the order of the hierarchy, with who loads each.
import { get } from "../api.js";
import { named, to } from "../address.js";
import { card, count, el, empty, windowed } from "../dom.js";

export async function view() {
  const { asked, files } = await get("files");
  if (!files.length) return [el("h1", {}, "Data files"), empty("No node loads a data file", "Either no nodes are known, or the hierarchy names no file that is there.")];
  const levels = [...new Set(files.map(levelOf))];
  return [
    el("h1", {}, "Data files"),
    el("p", { class: "sub" }, `${count(files.length, "file")}, in the order of the hierarchy, and how many of ${count(asked, "node")} load each.`),
    levels.map((name, index) => {
      const own = files.filter((file) => levelOf(file) === name);
      return el("section", { class: `card lv${index % 8}` }, el("h2", {}, el("span", { class: "dot", "aria-hidden": "true" }), name),
        windowed(own, (file) => drawFile(file, asked), name));
    }),
  ];
}

function levelOf(file) {
  return file.module ? `${file.level} of module ${file.module}` : file.level;
}

function drawFile(file, asked) {
  const meter = el("span", {});
  meter.style.width = `${Math.max(1, Math.round((file.nodes / Math.max(1, asked)) * 100))}%`;
  return el("details", { class: "file" },
    el("summary", {}, el("span", { class: "mono cut" }, file.file), el("span", { class: "quiet" }, count(file.keys.length, "key")),
      el("span", { class: "load" }, el("span", { class: "meter", "aria-hidden": "true" }, meter), count(file.nodes, "node"))),
    el("p", { class: "node-list mono" }, file.keys.map((key) => el("a", { href: to({ node: file.some[0], key: named(key), view: "layers" }) }, key))));
}
