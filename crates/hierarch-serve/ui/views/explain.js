// Explain: the steps of the lookup, in the words of `puppet lookup --explain`.
import { getText } from "../api.js";
import { card, el } from "../dom.js";

export async function view({ node, key, query }) {
  const text = await getText("explain", { node, key, at: query.at });
  return card(el("h2", {}, "How it was found"), el("p", { class: "quiet" }, "As puppet lookup --explain tells it."), el("pre", { class: "explain", tabindex: "0", role: "group", "aria-label": "Explanation" }, text));
}
