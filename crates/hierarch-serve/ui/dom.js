// Making elements. Data only ever become text nodes, so that no value can be taken for markup.

/** Makes an element: `el("a", { href, class }, "text", child, …)`; functions become listeners, false and null are left out. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function chip(text, kind = "") {
  return el("span", { class: `chip ${kind}`.trim() }, text);
}

export function card(...children) {
  return el("section", { class: "card" }, ...children);
}

/** Shows a failure in the words of the server, with its place. */
export function failure(problem) {
  const place = problem.file ? `${problem.file}:${problem.line ?? 1}${problem.column ? `:${problem.column}` : ""}` : null;
  return el("section", { class: "card failed", role: "alert" },
    el("h2", {}, problem.title || "This could not be answered"),
    place && el("p", { class: "mono" }, place),
    el("pre", {}, problem.detail || problem.message || String(problem)));
}

/** Says that there is nothing, and what to do. */
export function empty(title, ...more) {
  return el("section", { class: "card empty" }, el("h2", {}, title), el("p", { class: "quiet" }, ...more));
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** A list of which only the rows in sight are in the page, for lists of thousands. */
export function windowed(rows, draw, label) {
  const HEIGHT = 34;
  if (rows.length <= 500) return el("div", { class: "rows" }, rows.map((row) => el("div", { class: "row" }, draw(row))));
  const inner = el("div", { class: "inner" });
  inner.style.height = `${rows.length * HEIGHT}px`;
  const outer = el("div", { class: "window", tabindex: "0", role: "group", "aria-label": label || "Rows" }, inner);
  const show = () => {
    const first = Math.max(0, Math.floor(outer.scrollTop / HEIGHT) - 10);
    const last = Math.min(rows.length, first + Math.ceil((outer.clientHeight || 600) / HEIGHT) + 20);
    inner.replaceChildren(...rows.slice(first, last).map((row, index) => {
      const line = el("div", { class: "row" }, draw(row));
      line.style.top = `${(first + index) * HEIGHT}px`;
      return line;
    }));
  };
  outer.addEventListener("scroll", show, { passive: true });
  requestAnimationFrame(show);
  return outer;
}
