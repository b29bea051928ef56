// The page arrives in parts: what draws it, the world, the commands.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LONG, close, enter, load, open, prompt, shows, text } from "./browser.mjs";

for (const [language, words] of [["en-US", "on its way"], ["ja-JP", "読み込んでいます"]])
  test(`the guide can be read before the world is there (${language})`, async () => {
    const page = await load("?scenario=no-such-tag", { hold: "world-", language, width: 375, height: 760 });
    await shows(page, "[role=status]", words);
    assert.ok((await text(page, ".scenario-title")).length > 3);
    assert.ok((await page.$$(".steps li")).length > 1);
    assert.equal(await page.$("main.panes"), null);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)) <= 0);
    page.release();
    await page.waitForSelector("main.panes", LONG);
    await prompt(page);
    assert.equal(await page.$(".coming"), null);
    await close(page);
  });

test("a command typed before it is there holds the clock, and its answer is that of any other time", async () => {
  const told = [];
  for (const hold of [undefined, "commands-"]) {
    const page = await load("", { hold });
    await page.waitForSelector("main.panes", LONG);
    await prompt(page);
    await page.keyboard.press("Tab");
    await enter(page, "kubectl get nodes; docker ps; echo both");
    if (hold) {
      await shows(page, ".bar .notice[role=status]", "Fetching the program");
      const before = await text(page, ".hands");
      await new Promise((done) => setTimeout(done, 700));
      assert.equal(await text(page, ".hands"), before);
      page.release();
    }
    await shows(page, ".output", "both");
    told.push((await text(page, ".output")).replaceAll(/\d+m\d+s|\d+s/g, "AGE"));
    await close(page);
  }
  assert.equal(told[0], told[1]);
});

test("without the world a card says so; without the commands they do, and the page goes on", async () => {
  const none = await load("", { without: "world-" });
  await shows(none, "[role=alert]", "could not be loaded");
  none.faults.length = 0;
  await close(none);
  const page = await open("", { without: "commands-" });
  await enter(page, "kubectl version");
  await shows(page, ".output", "kubectl: the program could not be loaded; try again");
  await enter(page, "echo still here");
  await shows(page, ".output", "still here");
  page.faults.length = 0;
  await close(page);
});
