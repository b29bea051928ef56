// Terraform in the page, and both tools side by side.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LONG, click, close, enter, load, open, run, shows, text, write } from "./browser.mjs";

const fetched = (page) => page.evaluate(() =>
  performance.getEntriesByType("resource").filter((entry) => /terraform-.*wasm/.test(entry.name)).length);

test("Terraform is fetched when it is first typed, once, and not before", async () => {
  const page = await open("");
  await enter(page, "kubectl get nodes");
  await shows(page, ".output", "kind-control-plane");
  assert.equal(await fetched(page), 0);
  await enter(page, "printf 'resource \"terraform_data\" \"a\" {\\n  input = 1\\n}\\n' > main.tf; terraform apply -auto-approve");
  await shows(page, ".output", "Apply complete! Resources: 1 added, 0 changed, 0 destroyed.");
  await enter(page, "terraform state list");
  await shows(page, ".output", "terraform_data.a");
  assert.equal(await fetched(page), 1);
  await close(page);
});

test("the clock stands while Terraform is on its way, and what is typed meanwhile waits", async () => {
  const page = await load("", { hold: "terraform-" });
  await page.waitForSelector("main.panes", LONG);
  await enter(page, "terraform version");
  await page.waitForSelector(".bar .notice[role=status]", LONG);
  const clock = () => text(page, ".hands");
  const before = await clock();
  await new Promise((done) => setTimeout(done, 700));
  assert.equal(await clock(), before);
  page.release();
  await shows(page, ".output", "Terraform v1.16");
  await page.waitForFunction((old) => document.querySelector(".hands").innerText !== old, LONG, before);
  await close(page);
});

test("without its module Terraform says so, and the page goes on", async () => {
  const page = await open("", { without: "terraform-" });
  await enter(page, "terraform version");
  await shows(page, ".output", "terraform: the program could not be loaded; try again");
  await enter(page, "kubectl get nodes");
  await shows(page, ".output", "kind-control-plane");
  page.faults.length = 0;
  await close(page);
});

test("Terraform's lines end where the terminal ends", async () => {
  for (const width of [1440, 375]) {
    const page = await open("", { width, height: 800 });
    await click(page, ".tab-terminal");
    await run(page, "printf 'resource \"terraform_data\" \"a\" {\\n  input = 1\\n}\\n' > main.tf; terraform plan");
    // In characters: fonts differ in how wide they draw it.
    const rule = await page.$eval(".output", (output) => {
      const all = output.clientWidth / (document.querySelector(".ruler").getBoundingClientRect().width / 10);
      return /─+/.exec(output.innerText)[0].length / all;
    });
    assert.ok(rule > 0.8 && rule <= 1, `${width}: ${rule}`);
    await close(page);
  }
});

test("a mistake in main.tf is shown where it is", async () => {
  const page = await open("?scenario=no-such-tag&editor=plain");
  await page.$$eval(".file", (tabs) => tabs.find((tab) => tab.textContent === "main.tf").click());
  await page.waitForSelector(".verdict.good", LONG);
  await write(page, "resource \"terraform_data\" \"a\" {\n  inptu = 1\n}\n");
  await shows(page, ".verdict.bad", "2:3 Unsupported argument");
  assert.ok(await page.$eval(".pane-editor .button.main", (button) => button.disabled));
  await write(page, "resource \"terraform_data\" \"a\" {\n  input = 1\n}\n");
  await page.waitForSelector(".verdict.good", LONG);
  await page.click(".pane-editor .button.main");
  await shows(page, ".output", "Apply complete! Resources: 1 added");
  await close(page);
});

test("applied together, the two tools come back and come true in different order", async () => {
  const page = await open("?scenario=healthy");
  await page.waitForSelector(".pane-compare", LONG);
  await page.select(".speed select", "5");
  await page.click(".pane-compare .tools .main");
  await shows(page, ".of-kubernetes .sayings", "true");
  await shows(page, ".of-kubernetes .sayings", "after that");
  await shows(page, ".of-terraform .sayings", "before that");
  for (const side of [".of-kubernetes", ".of-terraform"])
    await page.waitForFunction((side) => /1\s*\S+\s*1\s*\S+\s*1/.test(document.querySelector(`${side} .counts`).innerText), LONG, side);
  const lanes = await page.$$eval(".lane-names li", (names) => names.map((name) => name.textContent));
  assert.ok(lanes.includes("controllers") && lanes.includes("terraform.tfstate") && lanes.includes("nobody compares"), `${lanes}`);
  await close(page);
});

test("a container killed on both: the kubelet notices by itself, Terraform at the next plan", async () => {
  const page = await open("?scenario=healthy");
  await page.select(".speed select", "5");
  await page.click(".pane-compare .tools .main");
  await shows(page, ".of-terraform .sayings", "before that");
  await shows(page, ".of-kubernetes .sayings", "after that");
  await page.$$eval(".pane-compare .tools .button", (buttons) => buttons[1].click());
  await shows(page, ".of-kubernetes .sayings", "noticed after");
  await shows(page, ".of-kubernetes .sayings", "running again");
  await shows(page, ".of-terraform .sayings", "nobody has looked");
  await shows(page, ".of-terraform .pods", "Exited (137)");
  await page.$$eval(".pane-compare .tools .button", (buttons) => buttons[2].click());
  await shows(page, ".of-terraform .sayings", "by terraform plan");
  await shows(page, ".output", "must_run");
  await close(page);
});

test("side by side in Japanese, on narrow pages, and off again", async () => {
  const page = await open("?scenario=exits-at-once", { language: "ja-JP", width: 375, height: 760 });
  await click(page, ".tab-cluster");
  await page.waitForSelector("#pane-compare", LONG);
  assert.match(await text(page, "#pane-compare h2"), /並べて見る/);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)) <= 0);
  await click(page, ".button.compare");
  await page.waitForSelector("#pane-cluster", LONG);
  await close(page);
});
