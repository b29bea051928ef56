// axe finds nothing: in every state that this table leads to, in both languages, both themes, wide and narrow.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { LONG, click, close, open, prompt, run } from "./browser.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const tab = async (page, name) => {
  if (await page.$eval(`.tab-${name}`, (button) => button.offsetParent !== null)) await click(page, `.tab-${name}`);
};
const sight = async (page, number) => {
  await tab(page, "cluster");
  await page.$$eval(".sights .button", (all, number) => all[number].click(), number);
};
const past = (page) =>
  page.$eval(".scrub input", (input) => {
    const [min, max] = [Number(input.min), Number(input.max)];
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, String((min + max) / 2));
    input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });

const STATES = {
  empty: async () => {},
  "a sheet": (page) => click(page, ".settings .button:last-child"),
  objects: async (page) => {
    await tab(page, "terminal");
    await run(page, "kubectl create deployment web --image=nginx:nope; kubectl run a --image=nginx");
    await sight(page, 1);
    await page.waitForSelector(".objects .bad", LONG);
  },
  plan: async (page) => {
    await tab(page, "terminal");
    await run(page, "kubectl diff -f web.yaml");
    await sight(page, 2);
    await page.waitForSelector(".plan .add", LONG);
  },
  "something in the way": async (page) => {
    await tab(page, "terminal");
    await run(page, "kubectl create deployment web --image=nginx:nope");
    await click(page, ".moves .converge");
    await page.waitForSelector(".notice.warn", LONG);
  },
  "brought back": async (page) => {
    await tab(page, "terminal");
    await run(page, "kubectl create deployment web --image=nginx");
    await page.reload({ waitUntil: "load" });
    await page.waitForSelector(".notice.returned .quiet", LONG);
  },
  "the past, and what is gone": async (page) => {
    await tab(page, "terminal");
    await run(page, "kubectl run a --image=nginx");
    await page.waitForSelector(".tile", LONG);
    await tab(page, "cluster");
    await click(page, ".tile");
    await page.waitForSelector(".pane-inspector .chip", LONG);
    await tab(page, "terminal");
    await run(page, "kubectl delete pod a --now");
    await tab(page, "inspector");
    await page.waitForSelector(".pane-inspector .gone", LONG);
    await past(page);
    await page.waitForSelector(".notice.past", LONG);
  },
  "a mistake in the editor": async (page) => {
    await tab(page, "terminal");
    await run(page, "printf 'kind: Pod\\nspec: [\\n' > web.yaml");
    await tab(page, "editor");
    await page.waitForSelector(".verdict.bad", LONG);
  },
};

const LOOKS = [
  { width: 1440, height: 700, language: "en-US", theme: "light" },
  { width: 1024, height: 700, language: "ja-JP", theme: "dark" },
  { width: 320, height: 700, language: "en-US", theme: "dark" },
];

for (const [name, reach] of Object.entries(STATES)) {
  test(`axe: ${name}`, async () => {
    for (const look of LOOKS) {
      const page = await open("", look);
      await page.waitForSelector(".cm-editor", LONG);
      await page.select(".speed select", "10");
      await reach(page);
      await prompt(page);
      await page.evaluate(axe);
      const found = await page.evaluate(async () => (await globalThis.axe.run()).violations.map((one) =>
        `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 120)).join(" | ")}`));
      assert.deepEqual(found, [], JSON.stringify(look));
      await close(page);
    }
  });
}
