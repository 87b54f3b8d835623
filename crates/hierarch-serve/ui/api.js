// Questions to the server, all of them to its public API.
import { parse } from "./json.js";

/** What the server says when it cannot answer: the fields of RFC 9457. */
export class Problem extends Error {
  constructor(body, status) {
    super(body.detail || body.title || `the server answered ${status}`);
    Object.assign(this, body, { status });
  }
}

let token = null;
try { token = sessionStorage.getItem("token"); } catch { /* Without a store, it is asked for each time. */ }

/** Remembers a token for this tab. */
export function useToken(text) {
  token = text;
  try { sessionStorage.setItem("token", text); } catch { /* As above. */ }
}

export function hasToken() {
  return Boolean(token);
}

function headers(more = {}) {
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

function address(route, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const query = new URLSearchParams(given).toString();
  return `api/v1/${route}${query ? `?${query}` : ""}`;
}

async function text(response) {
  const answered = await response.text();
  if (response.ok) return answered;
  let body = {};
  try { body = JSON.parse(answered); } catch { body = { title: response.statusText, detail: answered }; }
  throw new Problem(body, response.status);
}

async function asked(url, options) {
  try {
    return await fetch(url, options);
  } catch (problem) {
    if (problem.name === "AbortError") throw problem;
    throw new Problem({ title: "The server does not answer", detail: "It may have been stopped. This page asks again when you reload it." }, 0);
  }
}

/** Asks for text: `getText("explain", { node, key })`; parameters without a value are left out. */
export async function getText(route, parameters, signal) {
  return text(await asked(address(route, parameters), { headers: headers(), signal }));
}

/** Asks for JSON. */
export async function get(route, parameters, signal) {
  return parse(await getText(route, parameters, signal));
}

/** Asks for JSON lines. */
export async function lines(route, parameters, signal) {
  const answered = await getText(route, parameters, signal);
  return answered.split("\n").filter(Boolean).map(parse);
}

/** Sends JSON, which is a text already. */
export async function post(route, body, more = {}) {
  const sent = headers({ "Content-Type": "application/json", ...more });
  return parse(await text(await asked(address(route), { method: "POST", headers: sent, body })));
}

/** Calls back with the number of the new state whenever the data changed. */
export async function onChange(callback) {
  let known = null;
  for (;;) {
    try {
      const response = await fetch(address("events"), { headers: headers() });
      if (response.status === 401 || response.status === 403) return;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const events = (rest + value).split("\n\n");
        rest = events.pop();
        for (const event of events) {
          const data = event.split("\n").find((line) => line.startsWith("data: "));
          if (!data) continue;
          const { generation } = JSON.parse(data.slice(6));
          if (known !== null && generation !== known) callback(generation);
          known = generation;
        }
      }
    } catch { /* The server may be away for a moment. */ }
    await new Promise((resolve) => { setTimeout(resolve, 3000); });
  }
}
