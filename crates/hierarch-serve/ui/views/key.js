// A key, on a node or on all: the tabs, each a file of its own.
import { here, to } from "../address.js";
import { el } from "../dom.js";
import * as value from "./value.js";
import * as layers from "./layers.js";
import * as who from "./who.js";
import * as edit from "./edit.js";
import * as history from "./history.js";
import * as explain from "./explain.js";

const TABS = [["Value", "value", value], ["Layers", "layers", layers], ["Who else", "who", who], ["Edit", "edit", edit], ["History", "history", history], ["Explain", "explain", explain]];

export async function view(place, about) {
  const tabs = place.node ? TABS.filter(([, name]) => name !== "history" || about.has_revisions) : TABS.filter(([, name]) => name === "who");
  const chosen = tabs.find(([, name]) => name === place.view) || tabs[0];
  const shown = await chosen[2].view(place, about);
  // In a narrow window the tabs scroll; the chosen one is in sight.
  requestAnimationFrame(() => document.querySelector(".tabs a[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }));
  return [
    el("h1", { class: "mono" }, place.key),
    el("p", { class: "sub" }, place.node ? ["on ", el("a", { href: to({ node: place.node }) }, place.node), at(place)] : "on all nodes"),
    place.node && el("nav", { class: "tabs", "aria-label": "Views of this key" }, tabs.map(([text, name]) =>
      el("a", { href: to({ node: place.node, key: place.key, view: name, query: place.query }), "aria-current": name === chosen[1] ? "page" : null }, text))),
    shown,
  ];
}

function at(place) {
  const { at: revision } = here().query;
  return revision ? [" at ", el("code", {}, revision), " · ", el("a", { href: to({ ...place, page: null, query: {} }) }, "now")] : null;
}
