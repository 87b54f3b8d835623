// Edit: change the value at a level, see the difference and whom it hits, then save it if the server allows.
import { get, post } from "../api.js";
import { to } from "../address.js";
import { card, chip, el, failure } from "../dom.js";
import { hasSecret } from "../values.js";
import { diff, impact } from "./changes.js";

export async function view({ node, key }, about) {
  const [answer, levels] = await Promise.all([get("lookup", { node, key }), get("layers", { node, key })]);
  const value = el("textarea", { id: "new-value", spellcheck: "false", rows: "4" });
  const isHidden = answer.found && hasSecret(answer.value);
  value.value = answer.found && !isHidden ? JSON.stringify(answer.value, null, 2) : "";
  value.rows = Math.min(24, Math.max(3, value.value.split("\n").length + 1));
  const own = levels.filter((level) => level.layer === "environment");
  const names = [...new Set(own.map((level) => level.level))];
  const label = (name) => {
    const some = own.filter((level) => level.level === name);
    const file = some.find((level) => level.has_key) || some.find((level) => level.exists) || some[0];
    return `${name} – ${file.location || "a function"}${file.has_key ? "" : file.exists ? " (adds the key)" : " (a new file)"}`;
  };
  const level = el("select", { id: "level" }, el("option", { value: "" }, "The highest level that has it now"), names.map((name) => el("option", { value: name }, label(name))));
  const shown = el("div", { id: "preview", "aria-live": "polite" });
  const button = el("button", { class: "main" }, "Preview");
  const body = () => ({ key, value: JSON.parse(value.value), node, ...(level.value && { level: level.value }) });
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
      el("label", { for: "new-value" }, "New value, as JSON"), value,
      isHidden && el("p", { class: "quiet" }, "The present value is secret and not shown. Where it is encrypted, the new one will be."),
      el("label", { for: "level" }, "Level to write it to"), level,
      el("div", { class: "buttons" }, button, el("span", { class: "quiet" }, about.may_edit ? "Nothing is written yet." : "This server shows what an edit would do; it writes none.")))),
    shown,
  ];
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
