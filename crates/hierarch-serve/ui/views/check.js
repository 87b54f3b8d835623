// Check: what does not fit the code or is likely not meant, by file.
import { get } from "../api.js";
import { chip, count, el, empty } from "../dom.js";
import { place } from "../values.js";

const KINDS = { error: "bad", warning: "warn", note: "" };

export async function view(_, about) {
  const { findings, asked, left_out: leftOut } = await get("check");
  const files = [...new Set(findings.map((finding) => finding.file))];
  const totals = Object.keys(KINDS).map((kind) => [kind, findings.filter((finding) => finding.severity === kind).length]).filter(([, number]) => number);
  return [
    el("h1", {}, "Do the data fit the code?"),
    el("p", { class: "sub" }, `Types of class parameters, names, tokens, options and files, with the values of ${count(asked, "node")}.`),
    totals.length > 0 && el("p", { class: "lead chips" }, totals.map(([kind, number]) => chip(count(number, kind), KINDS[kind]))),
    findings.length === 0 && empty("Nothing was found", "Every value fits the type of its parameter, and every file is read."),
    files.map((file) => el("section", { class: "card" }, el("h2", { class: "mono" }, file),
      findings.filter((finding) => finding.file === file).map((finding) => el("div", { class: "finding" },
        chip(finding.severity, KINDS[finding.severity]), el("span", {}, finding.message), el("span", { class: "quiet mono" }, place(finding, about.edit_url), ` ${finding.code}`))))),
    leftOut.length > 0 && el("p", { class: "quiet" }, `Not looked for here: ${leftOut.join(", ")}.`),
  ];
}
