// History: the commits in which the resolved value changed, newest first.
import { lines } from "../api.js";
import { to } from "../address.js";
import { card, el, empty } from "../dom.js";
import { shown } from "../values.js";

export async function view({ node, key }) {
  const changes = await lines("history", { node, key });
  if (!changes.length) return empty("The value never changed", "It is the same in all commits that were looked at, with the facts of today.");
  return card(
    el("h2", {}, "Commits that changed the value"),
    el("p", { class: "quiet" }, "Newest first; for all of them the facts of today count."),
    el("ol", { class: "timeline" }, changes.map((change) => drawChange(change, node, key))));
}

function drawChange(change, node, key) {
  return el("li", {},
    el("div", { class: "when" }, el("time", { datetime: change.date }, change.date.slice(0, 10)), " ", el("a", { class: "mono", href: to({ node, key, query: { at: change.commit.slice(0, 12) } }) }, change.commit.slice(0, 10)), " ", el("span", { class: "quiet" }, change.author)),
    el("div", { class: "subject" }, change.subject),
    change.failure
      ? el("div", { class: "wrong" }, change.failure)
      : change.first ? el("div", { class: "change" }, change.cut_off ? "older commits are not here; then it was " : "first seen ", el("span", { class: "new" }, shown(change.new)))
      : el("div", { class: "change" }, el("s", { class: "old" }, shown(change.old)), el("span", { class: "arrow" }, "→"), el("span", { class: "new" }, shown(change.new))),
    el("div", { class: "quiet mono" }, change.causes.map((cause) => `${cause.file}${cause.line ? `:${cause.line}` : ""}`).join("  ")));
}
