// Edit: change the value at a level, see the difference and whom it hits, then save it if the server allows.
import { get, post } from "../api.js";
import { to } from "../address.js";
import { card, chip, el, failure } from "../dom.js";
import { write } from "../json.js";
import { hasSecret } from "../values.js";
import { diff, impact } from "./changes.js";

export async function view({ node, key }, about) {
  const [answer, levels] = await Promise.all([get("lookup", { node, key }), get("layers", { node, key })]);
  const value = el("textarea", { id: "new-value", spellcheck: "false", rows: "4", "aria-describedby": "told" });
  const told = el("p", { id: "told", class: "quiet" });
  const own = levels.filter((level) => level.layer === "environment");
  const level = el("select", { id: "level" }, el("option", { value: "" }, "The highest level that has it now"), levelNames(own).map((name) => el("option", { value: name }, label(own, name))));
  const fill = filler(value, told, (name) => begin(own, name, answer));
  level.addEventListener("change", () => fill(level.value));
  fill("");
  const shown = el("div", { id: "preview", "aria-live": "polite" });
  const button = el("button", { class: "main" }, "Preview");
  // The value is sent as it was typed: nothing of it is read and written anew.
  const body = () => {
    JSON.parse(value.value);
    const rest = JSON.stringify({ key, node, ...(level.value && { level: level.value }) });
    return `${rest.slice(0, -1)},"value":${value.value}}`;
  };
  const preview = async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const sent = body();
      draw(shown, await post("preview", sent), sent, node, key);
    } catch (problem) {
      shown.replaceChildren(failure(problem instanceof SyntaxError ? { title: "The new value is not JSON", detail: `${problem.message}\nA text stands in double quotes: "like this".` } : problem));
    }
    button.disabled = false;
  };
  return [
    card(el("form", { class: "edit", submit: preview },
      el("label", { for: "new-value" }, "New value, as JSON"), value, told,
      el("label", { for: "level" }, "Level to write it to"), level,
      el("div", { class: "buttons" }, button, el("span", { class: "quiet" }, about.may_edit ? "Nothing is written yet." : "This server shows what an edit would do; it writes none.")))),
    shown,
  ];
}

function levelNames(own) {
  return [...new Set(own.map((level) => level.level))];
}

function label(own, name) {
  const some = own.filter((level) => level.level === name);
  const file = some.find((level) => level.has_key) || some.find((level) => level.exists) || some[0];
  return `${name} – ${file.location || "a function"}${file.has_key ? "" : file.exists ? " (adds the key)" : " (a new file)"}`;
}

/** What an edit begins with: the value as the file of the level has it, tokens and all, and words about it. */
function begin(own, name, answer) {
  const from = own.find((level) => level.has_key && (!name || level.level === name));
  if (from && from.written !== null) return [from.written, `As it stands in ${from.location}.`];
  if (from || (answer.found && hasSecret(answer.value))) return ["", "The present value is secret, or no file has it as data, and it is not shown. Where it is encrypted, the new one will be."];
  if (!answer.found) return ["", "No level has this key for this node yet."];
  return [write(answer.value, 2), "This level does not have the key: what you see is a copy of this node's value, tokens filled in and levels merged."];
}

/** Fills the field anew, unless something was typed into it. */
function filler(field, told, beginning) {
  let filled = "";
  return (name) => {
    if (field.value !== filled) return;
    const [text, words] = beginning(name);
    field.value = text;
    filled = field.value;
    told.textContent = words;
    field.rows = Math.min(24, Math.max(3, text.split("\n").length + 1));
  };
}

function draw(shown, answered, sent, node, key) {
  const parts = [
    card(el("div", { class: "card-head" }, el("h2", { class: "mono" }, answered.file), chip(`level ${answered.level}`)),
      answered.warnings.map((warning) => el("p", { class: "warning" }, warning)),
      answered.diff ? diff(answered.diff) : el("p", {}, "The file stays as it is.")),
    el("h2", {}, "Whom it hits"), impact(answered.impact), answered.may_edit && answered.diff && saveButton(answered, sent, shown, node, key),
  ];
  shown.replaceChildren(...parts.flat(Infinity).filter(Boolean));
}

function saveButton(answered, sent, shown, node, key) {
  const save = async () => {
    try {
      const saved = await post("edit", sent, { "If-Match": answered.etag });
      shown.replaceChildren(el("section", { class: "card saved", role: "status" }, el("h2", {}, "Saved"),
        el("p", {}, `${saved.file} was written. `, el("a", { href: to({ node, key }) }, "See the value")),
        saved.warnings.map((warning) => el("p", { class: "warning" }, warning))));
    } catch (problem) {
      shown.append(failure(problem));
    }
  };
  return el("p", {}, el("button", { type: "button", class: "main", click: save }, `Save to ${answered.file}`));
}
