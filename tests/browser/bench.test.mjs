// Tells how long a Deployment takes from apply to all Ready in this browser; nothing is timed out.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./browser.mjs";

for (const size of ["300x10", "1000x10", "10000x100"]) {
  test(`replicas: ${size}`, async () => {
    const page = await load(`?bench=${size}`);
    await page.waitForFunction(() => document.querySelector("#app").innerText.includes("virtual ms"), { timeout: 600_000 });
    const told = await page.$eval("#app", (app) => app.innerText);
    console.log(told);
    assert.doesNotMatch(told, /not all Ready/);
    await page.close();
  });
}
