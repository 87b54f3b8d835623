// The explorer: reads the address, asks the server, draws one view.
import { get, hasToken, onChange, useToken } from "./api.js";
import { here, remember, to } from "./address.js";
import { card, count, el, failure } from "./dom.js";
import * as search from "./search.js";
import * as home from "./views/home.js";
import * as node from "./views/node.js";
import * as key from "./views/key.js";
import * as impact from "./views/impact.js";
import * as files from "./views/files.js";
import * as check from "./views/check.js";

/** The pages; a page is one file in `views` and one line here. */
const PAGES = { home, node, key, impact, files, check };
const SECTIONS = [["Explore", "home"], ["Impact", "impact"], ["Files", "files"], ["Check", "check"]];

const main = document.getElementById("main");
let turn = 0;
let about = null;

async function draw() {
  const place = here();
  turn += 1;
  const mine = turn;
  const page = PAGES[place.key ? "key" : place.page] || home;
  sections(place);
  main.setAttribute("aria-busy", "true");
  let view;
  try {
    about ??= await get("about");
    if (!about.roles.includes("read")) throw Object.assign(new Error("a token is needed"), { status: 401 });
    view = about.problem && place.page === "home" && !place.key
      ? [failure({ title: "The site cannot be read", detail: about.problem }), await page.view(place, about).catch(() => null)]
      : await page.view(place, about);
  } catch (problem) {
    view = problem.status === 401 ? askToken(problem) : failure(problem);
  }
  if (mine !== turn) return; // The reader has gone on.
  main.replaceChildren(...[view].flat(Infinity).filter(Boolean));
  main.removeAttribute("aria-busy");
  main.scrollTop = 0;
  document.title = [place.key, place.node, place.key || place.node ? null : SECTIONS.find(([, name]) => name === place.page)?.[0], "Hierarch"].filter(Boolean).join(" · ");
  if (place.node) remember(place);
}

function sections(place) {
  const page = place.key || place.node ? "home" : place.page;
  document.getElementById("sections").replaceChildren(...SECTIONS.map(([text, name]) =>
    el("a", { href: name === "home" ? "#/" : to({ page: name }), "aria-current": name === page ? "page" : null }, text)));
}

function askToken() {
  const input = el("input", { id: "token", type: "password", autocomplete: "off", required: true });
  const use = (event) => { event.preventDefault(); useToken(input.value); about = null; start(); };
  return card(
    el("h1", {}, "Who are you?"),
    el("p", { class: hasToken() ? "wrong" : "quiet", role: hasToken() ? "alert" : null }, hasToken() ? "This token is not known here, or it may not read. Try another one." : "This server answers those who have a token. It is kept until this tab is closed."),
    el("form", { class: "row", submit: use }, el("label", { for: "token" }, "Token", input), el("button", { class: "main" }, "Use it")));
}

function theme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  let chosen = null;
  try { chosen = localStorage.getItem("theme"); } catch { /* Then it is as the system says. */ }
  document.documentElement.dataset.theme = chosen || (dark ? "dark" : "light");
}

async function siteFacts() {
  const [nodes, keys] = await Promise.all([get("nodes", { limit: 0 }), get("keys", { limit: 0 })]);
  document.getElementById("site-facts").textContent = `${count(nodes.total, "node")} · ${count(keys.total, "key")}`;
}

/** Asks everything anew; what one reads is only replaced when one wants it. */
function start() {
  document.getElementById("changed").hidden = true;
  about = null;
  draw();
  search.show();
  siteFacts().catch(() => {});
}

document.getElementById("theme").addEventListener("click", () => {
  const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  try { localStorage.setItem("theme", next); } catch { /* Then for this page only. */ }
  document.documentElement.dataset.theme = next;
});
document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
document.getElementById("reload").addEventListener("click", start);
window.addEventListener("hashchange", () => { draw(); search.show(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme);
theme();
search.start();
draw();
siteFacts().catch(() => {});
onChange(() => { document.getElementById("changed").hidden = false; });
