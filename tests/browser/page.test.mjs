// The page in a real browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { start } from "./browser.mjs";

let browser;
before(async () => {
  browser = await start();
});
after(async () => {
  await browser?.close();
});

const LONG = { timeout: 30_000 };

async function open(path, options) {
  const page = await browser.open(path, options);
  await page.waitForSelector("main.panes", LONG);
  await page.waitForFunction(() => document.querySelector(".line .prompt").textContent.includes("#"), LONG);
  return page;
}

async function enter(page, line) {
  await page.focus("#command-line");
  await page.keyboard.type(line);
  await page.keyboard.press("Enter");
}

const text = (page, selector) => page.$eval(selector, (element) => element.innerText);
const shows = (page, selector, words) =>
  page.waitForFunction((s, w) => document.querySelector(s)?.innerText.includes(w), LONG, selector, words);
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

async function close(page) {
  assert.deepEqual(page.faults, []);
  assert.deepEqual(page.foreign, []);
  await page.close();
}

test("the page opens from any folder and asks for nothing but its own files", async () => {
  for (const folder of ["", "sub/path/"]) {
    const page = await open(folder);
    await page.waitForSelector(".cm-editor", LONG);
    await close(page);
  }
});

test("kubectl answers, and Ctrl+C ends a watch", async () => {
  const page = await open("");
  await enter(page, "kubectl get nodes");
  await shows(page, ".output", "kind-control-plane   Ready");
  await enter(page, "kubectl get pods -A -w");
  await shows(page, ".output", "kube-system");
  assert.equal((await text(page, ".line .prompt")).includes("#"), false);
  await page.keyboard.down("Control");
  await page.keyboard.press("c");
  await page.keyboard.up("Control");
  await shows(page, ".line .prompt", "root@workstation");
  assert.match(await text(page, ".output"), /\^C/);
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.$eval("#command-line", (input) => input.value), "kubectl get pods -A -w");
  await close(page);
});

test("apply returns before the Pod runs, and both are marked", async () => {
  const page = await open("");
  await page.waitForSelector(".cm-editor", LONG);
  await page.click(".pane-editor .button.main");
  await shows(page, ".output", "pod/web created");
  await page.waitForSelector(".tile.working, .tile.waiting, .tile.good", LONG);
  await page.evaluate(() => document.querySelector(".moves .wordy:nth-of-type(4)").click());
  await page.waitForSelector(".tile.good", LONG);
  await page.waitForSelector(".story .is-converged", LONG);
  const order = await page.$$eval(".story li", (lines) => lines.map((line) => line.className).join("|"));
  assert.ok(order.indexOf("is-converged") < order.indexOf("is-returned"), "newest first");
  assert.ok(await page.$(".lanes .band"));
  await page.click(".tile.good");
  await shows(page, ".pane-inspector", "observedGeneration");
  const letters = await page.$$eval(".pane-inspector .columns .chip > [aria-hidden]", (chips) =>
    [...new Set(chips.map((chip) => chip.textContent))].sort().join(""));
  for (const letter of "AKLS") assert.ok(letters.includes(letter), `${letter} in ${letters}`);
  await close(page);
});

test("a mistake in the YAML is shown where it is, and cannot be applied", async () => {
  const page = await open("?editor=plain");
  await page.waitForSelector("textarea.plain", LONG);
  await page.$eval("textarea.plain", (area) => {
    area.value = "kind: Pod\n  bad: [";
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await page.waitForSelector(".verdict.bad", LONG);
  assert.ok(await page.$eval(".pane-editor .button.main", (button) => button.disabled));
  await close(page);
});

test("both languages, and the choice is remembered", async () => {
  let page = await open("", { language: "ja-JP" });
  assert.match(await text(page, ".moves .main"), /一時停止/);
  await page.click(".settings .button");
  await shows(page, ".moves .main", "Pause");
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
  await close(page);
  page = await open("", { language: "ja-JP" });
  assert.match(await text(page, ".moves .main"), /Pause/);
  await page.click(".settings .button");
  await shows(page, ".moves .main", "一時停止");
  await close(page);
});

test("narrow pages scroll in one direction only", async () => {
  for (const width of [320, 375, 768]) {
    const page = await open("?scenario=missing-tag", { width, height: 740 });
    for (const tab of ["editor", "terminal", "cluster", "inspector", "story", "guide"]) {
      await page.evaluate((name) => document.querySelector(`.tab-${name}`).click(), tab);
      await page.waitForFunction((name) => document.querySelector(`#pane-${name}`).offsetHeight > 0, LONG, tab);
      assert.ok((await overflow(page)) <= 0, `${tab} at ${width}`);
    }
    await close(page);
  }
});

test("a key that an input method uses does not run a command", async () => {
  const page = await open("");
  await page.focus("#command-line");
  await page.keyboard.type("echo no");
  await page.$eval("#command-line", (input) =>
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true })));
  assert.equal(await page.$eval("#command-line", (input) => input.value), "echo no");
  await close(page);
});
