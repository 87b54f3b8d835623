// Impact: what changes between two revisions, grouped, with causes.
import { get } from "../api.js";
import { to } from "../address.js";
import { el, empty, failure } from "../dom.js";
import { impact } from "./changes.js";

export async function view({ query }, about) {
  if (!about.has_revisions) return [el("h1", {}, "What does a change hit?"), empty("There are no revisions here", "The files that are served lie in no git repository. The tab Edit of a key shows whom an edit would hit.")];
  const from = el("input", { id: "from", value: query.from || "HEAD", spellcheck: "false", required: true });
  const until = el("input", { id: "to", value: query.to || "", placeholder: "the files as they are", spellcheck: "false" });
  const ask = (event) => { event.preventDefault(); location.hash = to({ page: "impact", query: { from: from.value, to: until.value } }); };
  const answer = query.from ? await get("impact", { from: query.from, to: query.to }).then(impact, failure) : null;
  return [
    el("h1", {}, "What does a change hit?"),
    el("p", { class: "sub" }, "Every key of every node is asked at both revisions. Equal changes are one group, each with the line that causes it, proved by undoing it."),
    el("form", { class: "row", submit: ask },
      el("label", { for: "from" }, "From revision", from), el("label", { for: "to" }, "To revision", until), el("button", { class: "main" }, "Compare")),
    answer,
  ];
}
