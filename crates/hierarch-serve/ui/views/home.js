// The first page: what this is, where to begin, and the hierarchy as a ladder.
import { get } from "../api.js";
import { named, to } from "../address.js";
import { card, el, empty } from "../dom.js";

export async function view() {
  const [environments, nodes, keys] = await Promise.all([get("environments"), get("nodes", { limit: 1 }), get("keys", { limit: 500 })]);
  const node = nodes.nodes[0]?.name;
  const best = (entry) => (entry.strategy === "deep" ? 4 : 0) + Math.min(entry.files, 3) + (entry.key.includes("::") ? 1 : 0);
  const key = [...keys.keys].sort((a, b) => best(b) - best(a))[0]?.key;
  return [
    el("div", { class: "hero" },
      el("h1", {}, "Which value does a machine get, and why?"),
      el("p", { class: "sub" }, "Pick a node and a key on the left. You see the value, the file and line of every part of it, all levels side by side, who else gets it, and whom an edit would hit.")),
    node ? el("div", { class: "steps" },
      key && step("1", "See a value", key, `on ${node}`, to({ node, key: named(key) })),
      step("2", "See a machine", node, "all its keys and facts", to({ node })),
      key && step("3", "See who gets what", key, "on all nodes, grouped by value", to({ key: named(key) })))
      : empty("No nodes are known", "Start the server with --nodes: a folder of fact files, a list, or an answer of PuppetDB."),
    environments.map((environment) => hierarchy(environment, environments.length > 1)),
  ];
}

function step(number, title, first, second, href) {
  return el("a", { class: "card step", href }, el("span", { class: "step-number", "aria-hidden": "true" }, number),
    el("span", {}, el("strong", {}, title), el("span", { class: "mono" }, first), el("span", { class: "quiet" }, second)));
}

function hierarchy(environment, isOneOfMany) {
  // The global layer without a file is built in, and seldom has data.
  const own = environment.hierarchies.filter((one) => one.layer !== "module" && (one.layer !== "global" || one.file));
  const modules = environment.hierarchies.filter((one) => one.layer === "module");
  return card(
    el("h2", {}, isOneOfMany ? `The hierarchy of ${environment.name}` : "The hierarchy"),
    el("p", { class: "quiet" }, "What stands higher wins. Values below fill the gaps, or are merged where lookup_options say so."),
    own.map((one) => [own.length > 1 && el("h3", {}, `Layer ${one.layer}`), ladder(one)]),
    modules.length > 0 && el("details", {}, el("summary", {}, `${modules.length} modules have data of their own, below all of these`),
      modules.map((one) => [el("h3", {}, `Module ${one.name}`), ladder(one)])));
}

function ladder(one) {
  return el("ol", { class: "ladder" }, one.levels.map((level, index) => el("li", { class: `lv${index % 8}` },
    el("span", { class: "dot", "aria-hidden": "true" }),
    el("strong", {}, level.name),
    el("span", { class: "paths" }, level.paths.map((path) => el("code", {}, path))))));
}
