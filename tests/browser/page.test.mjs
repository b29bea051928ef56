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

test("the page opens from any folder and asks for nothing but its own files", async () => {
  for (const folder of ["", "sub/path/"]) {
    const page = await browser.open(folder);
    await page.waitForSelector("main h1");
    assert.deepEqual(page.faults, []);
    assert.deepEqual(page.foreign, []);
    await page.close();
  }
});
