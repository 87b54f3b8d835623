// Every view of the explorer in a real Chromium: what it shows, by keyboard alone, without a message on the console, without
// a request to another host, and without a serious fault that axe-core finds. Makes the pictures of the documentation.
import { createRequire } from "node:module";
import { spawn, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [binary, modules, chromiumPath, pictures] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const root = resolve(import.meta.dirname, "../..");
const NODE = "web01.berlin.example.com";
const failures = [];
let checks = 0;

function check(what, holds, more = "") {
  checks += 1;
  if (holds) return;
  failures.push(`${what} ${more}`.trim());
  console.log(`FAILED ${what} ${more}`);
}

/** A copy of the bundled control repository with two commits. */
function repository() {
  const folder = mkdtempSync(join(tmpdir(), "hierarch-browser-"));
  const repo = join(folder, "repo");
  cpSync(join(root, "examples/control-repo"), repo, { recursive: true });
  const common = join(repo, "data/common.yaml");
  const text = readFileSync(common, "utf8");
  const git = (...words) => execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...words], { cwd: repo, stdio: "ignore" });
  git("init", "--quiet", "--initial-branch=main");
  writeFileSync(common, text.replace("profile::web::port: 80\n", "profile::web::port: 8080\n"));
  git("add", "--all");
  git("commit", "--quiet", "-m", "All data");
  writeFileSync(common, text);
  git("commit", "--quiet", "--all", "-m", "Web servers listen on port 80 again");
  return { folder, repo, common };
}

async function serve(repo, ...flags) {
  const child = spawn(binary, ["serve", "--listen", "127.0.0.1:0", "--log", "off", ...flags], { cwd: repo, stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((done, fail) => {
    let text = "";
    child.stdout.on("data", (bytes) => { text += bytes; if (text.includes("\n")) done(text); });
    child.on("exit", () => fail(new Error("the server ended")));
  });
  return { child, url: line.match(/https?:\/\/[^ ]+/)[0] };
}

/** Opens a page that notes every message and every request to another host. */
async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  page.messages = [];
  page.on("console", (message) => { if (["error", "warning"].includes(message.type())) page.messages.push(message.text()); });
  page.on("pageerror", (error) => page.messages.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith(url) && !request.url().startsWith("data:")) failures.push(`a request to ${request.url()}`); });
  return page;
}

async function go(page, url, hash) {
  await page.goto(`${url}/${hash}`);
  await settled(page);
}

async function settled(page) {
  await page.waitForFunction(() => document.querySelector("main").children.length > 0 && !document.querySelector("main").hasAttribute("aria-busy") && document.querySelector("#found").childElementCount > 0);
}

async function faults(page, view) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  for (const one of violations.filter((fault) => ["serious", "critical"].includes(fault.impact))) {
    check(`axe on ${view}:`, false, `${one.id}: ${one.help} ${one.nodes.slice(0, 2).map((node) => node.html.slice(0, 160)).join(" | ")}`);
  }
  checks += 1;
}

/** The pictures that the documentation shows; HIERARCH_ALL_PICTURES=1 takes one of each view, for those who change the look. */
const SHOWN = ["value", "layers-dark", "edit-preview"];

async function shoot(page, name, options = {}) {
  if (!pictures || !(process.env.HIERARCH_ALL_PICTURES || SHOWN.includes(name))) return;
  mkdirSync(pictures, { recursive: true });
  const path = join(pictures, `${name}.png`);
  const size = page.viewportSize();
  const clip = options.fullPage || !SHOWN.includes(name) ? undefined : { x: 0, y: 0, width: size.width, height: Math.min(size.height, 720) };
  await page.screenshot({ path, clip, ...options });
  if (SHOWN.includes(name)) check(`${name}.png is small`, statSync(path).size < 150_000, `${statSync(path).size} bytes`);
}

const key = (name, view) => `#/node/${NODE}/key/${encodeURIComponent(name)}${view ? `/${view}` : ""}`;

/** Each view: its address, and what must stand in it. */
const VIEWS = [
  ["home", "#/", ["Which value does a machine get, and why?", "The hierarchy", "nodes/%{trusted.certname}.yaml", "12 nodes"]],
  ["value", key("profile::base::users"), ["data/common.yaml:", "alice", "uid", "deep"]],
  ["value-scalar", key("profile::web::port"), ["8443", `data/nodes/${NODE}.yaml:`, "hides"]],
  ["value-tokens", key("motd::message"), ["%{trusted.certname}", "is"]],
  ["value-missing", key("no::such::key"), ["No level has this key for this node"]],
  ["layers", key("profile::base::users", "layers"), ["gives parts", "Looked into, and not found", "Common"]],
  ["who", key("ntp::servers", "who"), ["2 different values", "7 nodes", "location is berlin", "this node"]],
  ["edit", key("profile::web::port", "edit"), ["New value, as JSON", "Level to write it to"]],
  ["history", `#/node/db01.berlin.example.com/key/${encodeURIComponent("profile::web::port")}/history`, ["Web servers listen on port 80 again", "8080", "data/common.yaml:"]],
  ["explain", key("profile::web::port", "explain"), ["Hierarchy entry", "Found key"]],
  ["node", `#/node/${NODE}`, ["profile::web::port", "8443", "Facts", "role web"]],
  ["key", `#/key/${encodeURIComponent("profile::web::port")}`, ["on all nodes", "different value"]],
  ["impact", "#/impact?from=HEAD~1&to=HEAD", ["change", "profile::web::port", "8080", "because of"]],
  ["files", "#/files", ["Data files", "data/common.yaml", "12 nodes"]],
  ["check", "#/check", ["Do the data fit the code?", "12 nodes"]],
];

async function views(browser, url) {
  const page = await open(browser, url);
  for (const [name, hash, texts] of VIEWS) {
    await go(page, url, hash);
    const text = await page.innerText("body");
    for (const wanted of texts) check(`${name} shows`, text.includes(wanted), wanted);
    await faults(page, name);
    await shoot(page, name);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  for (const [name, hash] of VIEWS) {
    await go(page, url, hash);
    await page.reload();
    await settled(page);
    await faults(page, `${name}, dark`);
    await shoot(page, `${name}-dark`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [name, hash] of VIEWS) {
    await go(page, url, hash);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1);
    check(`${name} fits a narrow window`, !wide);
    await shoot(page, `${name}-narrow`, { fullPage: name === "value" });
  }
  check("no message on the console", page.messages.length === 0, page.messages.join(" | "));
  await page.context().close();
}

async function keyboard(browser, url) {
  const page = await open(browser, url);
  await go(page, url, "#/");
  const press = async (...keys) => { for (const one of keys) await page.keyboard.press(one); };
  await press("/");
  await page.keyboard.type("web02");
  await page.waitForFunction(() => document.querySelectorAll("#found a.hit").length === 1);
  await press("ArrowDown", "Enter");
  await page.waitForFunction(() => location.hash.includes("web02"));
  await settled(page);
  await press("/");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("web::port");
  await page.waitForFunction(() => [...document.querySelectorAll("#found a.hit")].some((hit) => hit.textContent.includes("profile::web::port")));
  await press("Enter");
  await page.waitForFunction(() => location.hash.includes(encodeURIComponent("profile::web::port")));
  await settled(page);
  // From the skip link on, Tab reaches the tabs of the view.
  await page.reload();
  await settled(page);
  await press("Tab", "Enter");
  check("the skip link leads to the answer", await page.evaluate(() => document.activeElement.id === "main"));
  const reached = [];
  for (let step = 0; step < 14; step += 1) {
    await press("Tab");
    reached.push(await page.evaluate(() => document.activeElement.textContent.trim()));
    if (reached.at(-1) === "Layers") { await press("Enter"); break; }
  }
  await page.waitForFunction(() => location.hash.endsWith("/layers"));
  check("Tab reaches the tabs", reached.includes("Layers"), reached.join(", "));
  await settled(page);
  check("focus is seen", await page.evaluate(() => { const style = getComputedStyle(document.activeElement); return document.activeElement === document.body || style.outlineStyle !== "none" || style.boxShadow !== "none"; }));
  check("no message on the console (keyboard)", page.messages.length === 0, page.messages.join(" | "));
  await page.context().close();
}

/** What a mouse can use in a view, Tab reaches, and one sees where one is. */
async function tabs(browser, url) {
  const page = await open(browser, url);
  for (const [name, hash] of VIEWS) {
    await go(page, url, hash);
    await page.reload();
    await settled(page);
    const wanted = await page.evaluate(() => {
      const usable = "a[href], button, input, select, textarea, summary, [tabindex]";
      const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && one.tabIndex >= 0;
      const all = [...document.querySelectorAll(usable)].filter(shown);
      all.forEach((one, index) => { one.dataset.tab = String(index); });
      const only = [...document.querySelectorAll("body *")].filter((one) => getComputedStyle(one).cursor === "pointer" && !one.closest(`${usable}, label`));
      return { count: all.length, mouse: only.map((one) => one.outerHTML.slice(0, 120)) };
    });
    check(`${name}: nothing is for the mouse alone`, wanted.mouse.length === 0, wanted.mouse.slice(0, 2).join(" | "));
    check(`${name}: something is there to be used`, wanted.count > 8, `${wanted.count}`);
    const reached = new Set();
    const unseen = [];
    for (let step = 0; step < wanted.count + 5 && reached.size < wanted.count; step += 1) {
      await page.keyboard.press("Tab");
      const [index, seen, html] = await page.evaluate(() => {
        const one = document.activeElement;
        const style = getComputedStyle(one);
        return [one.dataset.tab, one === document.body || style.outlineStyle !== "none" || style.boxShadow !== "none", one.outerHTML.slice(0, 120)];
      });
      if (index !== undefined) reached.add(index);
      if (!seen) unseen.push(html);
    }
    const missed = await page.evaluate((found) => [...document.querySelectorAll("[data-tab]")].filter((one) => !found.includes(one.dataset.tab)).map((one) => one.outerHTML.slice(0, 120)), [...reached]);
    check(`${name}: Tab reaches everything`, missed.length === 0, `${missed.length} missed: ${missed.slice(0, 2).join(" | ")}`);
    check(`${name}: focus is seen everywhere`, unseen.length === 0, unseen.slice(0, 2).join(" | "));
  }
  check("no message on the console (tabs)", page.messages.length === 0, page.messages.join(" | "));
  await page.context().close();
}

/** Presses Tab until something that fits is in focus. */
async function tabTo(page, selector) {
  for (let step = 0; step < 120; step += 1) {
    if (await page.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** Changes a value, sees whom it hits, and saves it, without a mouse. */
async function typed(browser, { repo, common }) {
  const { child, url } = await serve(repo, "--allow-edit");
  const page = await open(browser, url);
  const before = readFileSync(common, "utf8");
  await go(page, url, `#/node/db01.berlin.example.com/key/${encodeURIComponent("profile::web::port")}/edit`);
  await tabTo(page, "#new-value");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("8001");
  await tabTo(page, "#level");
  await page.keyboard.type("Common");
  await page.keyboard.press("Tab");
  await tabTo(page, "button");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".diff");
  await page.evaluate(() => { for (const button of document.querySelectorAll("button")) if (button.textContent.startsWith("Save to")) button.dataset.save = ""; });
  await tabTo(page, "[data-save]");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=was written");
  check("an edit by keyboard alone is written", readFileSync(common, "utf8").includes("profile::web::port: 8001\n"));
  check("no message on the console (typed)", page.messages.length === 0, page.messages.join(" | "));
  await page.context().close();
  child.kill();
  writeFileSync(common, before);
}

async function edits(browser, { repo, common }, readonly) {
  const { child, url } = await serve(repo, "--allow-edit", "--edit-url", "https://git.example.com/site/blob/main/{file}#L{line}");
  const page = await open(browser, url);
  await go(page, url, `#/node/db01.berlin.example.com/key/${encodeURIComponent("profile::web::port")}/edit`);
  await page.fill("#new-value", "not json");
  await page.click("text=Preview");
  await page.waitForSelector("text=The new value is not JSON");
  await page.fill("#new-value", "8000");
  await page.selectOption("#level", "Common");
  await page.click("text=Preview");
  await page.waitForSelector(".diff");
  const text = await page.innerText("main");
  for (const wanted of ["-profile::web::port: 80", "+profile::web::port: 8000", "on 8 nodes", "through"]) check("the preview shows", text.includes(wanted), wanted);
  check("nothing is written by a preview", readFileSync(common, "utf8").includes("profile::web::port: 80\n"));
  await faults(page, "edit preview");
  await page.evaluate(() => document.querySelector("#preview").scrollIntoView());
  await shoot(page, "edit-preview");
  await page.click("text=Save to data/common.yaml");
  await page.waitForSelector("text=was written");
  check("an edit is written", readFileSync(common, "utf8").includes("profile::web::port: 8000\n"));
  await page.click("text=See the value");
  await page.waitForFunction(() => document.querySelector("main").innerText.includes("8000"));
  check("places are links where files can be opened", await page.evaluate(() => document.querySelector(".from a")?.href.startsWith("https://git.example.com/site/blob/main/data/common.yaml#L")));
  check("no message on the console (edit)", page.messages.length === 0, page.messages.join(" | "));
  // The other server, which only reads, tells of the change and moves nothing by itself.
  await readonly.page.waitForSelector("#changed:not([hidden])");
  check("what one reads stays", (await readonly.page.innerText("main")).includes("80"));
  await shoot(readonly.page, "reload-bar");
  await tabTo(readonly.page, "#reload");
  await readonly.page.keyboard.press("Enter");
  await readonly.page.waitForFunction(() => document.querySelector("main").innerText.includes("8000"));
  await page.context().close();
  child.kill();
}

async function tokens(browser, { folder, repo }) {
  const made = spawnToken(repo);
  writeFileSync(join(folder, "tokens"), made.line);
  const { child, url } = await serve(repo, "--tokens", join(folder, "tokens"));
  const page = await open(browser, url);
  await page.goto(`${url}/${key("profile::web::port")}`);
  await page.waitForSelector("#token");
  await faults(page, "token");
  await shoot(page, "token");
  await page.fill("#token", "wrong");
  await page.click("text=Use it");
  await page.waitForSelector("text=This token is not known here");
  await tabTo(page, "#token");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(made.token);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("main").innerText.includes("8443"));
  const foreign = page.messages.filter((text) => !/401/.test(text));
  check("no message on the console but refused questions", foreign.length === 0, foreign.join(" | "));
  await page.context().close();
  child.kill();
}

function spawnToken(repo) {
  const made = execFileSync("sh", ["-c", `"${binary}" serve token ci read 2>&1`], { cwd: repo, encoding: "utf8" });
  return { token: made.match(/[0-9a-f]{48}/)[0], line: made.split("\n").find((line) => line.startsWith("ci ")) };
}

/** Ten thousand nodes, long values: the page stays quick and never asks for all of them. */
async function large(browser, folder) {
  const site = join(folder, "large");
  execFileSync(join(root, "scripts/generate-fleet"), [site, "10000", "2000"]);
  const file = join(site, "data/common.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace(/\}\s*$/, `,"profile::long": ${JSON.stringify("long ".repeat(4000))}}`));
  const { child, url } = await serve(site, "--nodes", "nodes.json");
  const page = await open(browser, url);
  let most = 0;
  page.on("response", async (response) => { try { most = Math.max(most, (await response.body()).length); } catch { /* It was not kept. */ } });
  const begin = Date.now();
  await go(page, url, `#/node/node77.example.com/key/${encodeURIComponent("profile::p5")}`);
  console.log(`first value on screen with 10,000 nodes: ${Date.now() - begin} ms`);
  await shoot(page, "large");
  await go(page, url, `#/key/${encodeURIComponent("profile::p1")}`);
  await shoot(page, "large-who");
  await go(page, url, `#/node/node77.example.com/key/${encodeURIComponent("profile::long")}`);
  check("a long value folds", (await page.innerText("main")).includes("characters"));
  await shoot(page, "large-long");
  await go(page, url, "#/node/node77.example.com");
  check("a long list is windowed", await page.evaluate(() => document.querySelectorAll(".window .row").length < 200));
  await faults(page, "node with 2,000 keys");
  await shoot(page, "large-node");
  check("no message on the console (large)", page.messages.length === 0, page.messages.join(" | "));
  await page.context().close();
  child.kill();
}

/** Values that JavaScript or a page could spoil: long numbers, names with dots, tokens, deep ones in a small window. */
async function exactness(browser, folder) {
  const repo = join(folder, "exact");
  for (const name of ["data/roles", "facts"]) mkdirSync(join(repo, name), { recursive: true });
  const common = join(repo, "data/common.yaml");
  const deep = `${"{a: ".repeat(40)}1${"}".repeat(40)}`;
  writeFileSync(join(repo, "hiera.yaml"), "version: 5\nhierarchy:\n- {name: Roles, path: 'roles/%{facts.role}.yaml'}\n- {name: Common, path: common.yaml}\n");
  writeFileSync(common, `big: 123456789012345678901234567890\n'a.dotted.key': here\nids:\n  serial: 9007199254740993\n  ratio: 1.0\n  n: 1\n  host: "www.%{facts.role}.example.com"\ndeep: ${deep}\n`);
  writeFileSync(join(repo, "data/roles/web.yaml"), "other: 1\n");
  writeFileSync(join(repo, "facts/a.yaml"), "{clientcert: a, role: web}\n");
  writeFileSync(join(repo, "facts/b.yaml"), "{clientcert: b, role: db}\n");
  const { child, url } = await serve(repo, "--allow-edit");
  const page = await open(browser, url);
  const shows = async (hash, ...wanted) => {
    await go(page, url, hash);
    const text = await page.innerText("main");
    for (const one of wanted) check(`${hash} shows`, text.includes(one), one);
  };
  await shows("#/node/a/key/big", "123456789012345678901234567890");
  await shows("#/node/a/key/ids", "9007199254740993", "1.0", "www.web.example.com");
  await shows("#/node/a", "9007199254740993", "a.dotted.key");
  await page.click("main a:has-text('a.dotted.key')");
  await page.waitForFunction(() => document.querySelector("main").innerText.includes("data/common.yaml:2"));
  await go(page, url, "#/node/a/key/ids/edit");
  const begun = await page.inputValue("#new-value");
  check("an edit begins with what the file has", begun.includes("9007199254740993") && begun.includes("www.%{facts.role}.example.com"), begun);
  await page.selectOption("#level", "Roles");
  check("a level without the key says that it is a copy", (await page.innerText("#told")).includes("copy") && (await page.inputValue("#new-value")).includes("9007199254740993"));
  await page.selectOption("#level", "Common");
  await page.fill("#new-value", begun.replace('"n": 1', '"n": 2'));
  await page.click("text=Preview");
  await page.waitForSelector(".diff");
  await page.click("text=Save to data/common.yaml");
  await page.waitForSelector("text=was written");
  const written = readFileSync(common, "utf8");
  check("an edit changes what was changed alone", written.includes("  serial: 9007199254740993\n  ratio: 1.0\n  n: 2\n  host: \"www.%{facts.role}.example.com\"\n"), written);
  await page.setViewportSize({ width: 360, height: 640 });
  await go(page, url, "#/node/a/key/deep");
  check("a deep value does not widen a small window", await page.evaluate(() => document.documentElement.scrollWidth <= 360));
  check("no message on the console (exactness)", page.messages.length === 0, page.messages.join(" | "));
  await page.context().close();
  child.kill();
}

const copy = repository();
// Some containers have a Chromium that their rules do not let start; that says nothing about the explorer.
const browser = await chromium
  .launch({ executablePath: chromiumPath, args: ["--no-sandbox", "--disable-dev-shm-usage"] })
  .catch((error) => {
    rmSync(copy.folder, { recursive: true, force: true });
    console.log(`test-browser: NOT RUN: Chromium could not be started: ${String(error).split("\n")[0]}`);
    process.exit(process.env.HIERARCH_BROWSER === "present" ? 0 : 1);
  });
try {
  const { child, url } = await serve(copy.repo);
  await views(browser, url);
  await keyboard(browser, url);
  await tabs(browser, url);
  const page = await open(browser, url);
  await go(page, url, `#/node/db01.berlin.example.com/key/${encodeURIComponent("profile::web::port")}`);
  await edits(browser, copy, { page });
  child.kill();
  await typed(browser, copy);
  await tokens(browser, copy);
  await large(browser, copy.folder);
  await exactness(browser, copy.folder);
} catch (error) {
  failures.push(String(error.stack || error));
  console.log(error);
} finally {
  await browser.close();
  rmSync(copy.folder, { recursive: true, force: true });
}
console.log(failures.length ? `${failures.length} of ${checks} checks failed` : `${checks} checks hold`);
process.exit(failures.length ? 1 : 0);
