// What a tab keeps of its cluster when the page is loaded again.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LONG, click, close, enter, open, prompt, run, shows, text } from "./browser.mjs";

const key = (page) => page.evaluate(() => `drydock:${location.pathname.slice(0, location.pathname.lastIndexOf("/"))}:session`);
const kept = async (page) => page.evaluate((key) => sessionStorage.getItem(key), await key(page));
const again = async (page) => {
  await page.reload({ waitUntil: "load" });
  await page.waitForFunction(() => document.querySelector("main.panes") && !document.querySelector(".clock.seeking"), LONG);
  await prompt(page);
};
const uids = (page) => page.evaluate(() => [...document.querySelectorAll(".tile .name")].map((name) => name.textContent).sort());
const seconds = (page) => page.$eval(".clock time", (time) => {
  const [h, m, s] = time.innerText.split(":").map(Number);
  return h * 3600 + m * 60 + s;
});

test("a reload brings the cluster back as it was: Pods by name, files, terminal, steps and clock", async () => {
  const page = await open("", { draft: true });
  await page.waitForSelector(".cm-editor", LONG);
  await page.focus(".cm-content");
  await page.keyboard.down("Control");
  await page.keyboard.press("End");
  await page.keyboard.up("Control");
  await page.keyboard.type("# mine\n");
  await run(page, "kubectl get nodes");
  await run(page, "kubectl apply -f web.yaml; kubectl create deployment api --image=nginx --replicas=2");
  await page.waitForFunction(() => document.querySelectorAll(".tile.good").length === 3, LONG);
  await page.select(".speed select", "10");
  await run(page, "docker run -d --name one nginx; terraform version");
  await click(page, ".moves .main");
  await page.waitForSelector(".clock.paused", LONG);
  const look = async () => ({
    pods: await uids(page), clock: await seconds(page), output: await text(page, ".screen"),
    done: await page.$$eval(".pane-guide .done, .pane-guide li.is-done", (all) => all.length),
    story: await page.$$eval(".story li", (all) => all.map((line) => line.innerText)),
    speed: await page.$eval(".speed select", (select) => select.value),
    file: await text(page, ".cm-content"),
  });
  const before = await look();
  await again(page);
  await page.waitForSelector(".cm-editor", LONG);
  await shows(page, ".cm-content", "# mine");
  await page.waitForFunction((n) => document.querySelectorAll(".story li").length === n, LONG, before.story.length);
  assert.deepEqual(await look(), before);
  assert.ok(await page.$(".clock.paused"));
  await shows(page, ".notice.returned", "back as you left it");
  // And once more, with something added.
  await click(page, ".moves .main");
  await run(page, "docker ps --format '{{.Names}}'");
  assert.equal(await page.$(".notice.returned"), null);
  await again(page);
  await shows(page, ".output", "docker ps --format '{{.Names}}'\none");
  // The visible way to start afresh, and back from it.
  await click(page, ".notice.returned .button");
  await page.waitForFunction(() => !document.querySelector(".tile"), LONG);
  await click(page, ".notice.undo .button");
  await page.waitForFunction(() => document.querySelectorAll(".tile.good").length === 3, LONG);
  await click(page, ".scenario .button");
  await page.waitForFunction(() => !document.querySelector(".tile"), LONG);
  await again(page);
  assert.equal(await page.$(".notice.returned"), null);
  assert.doesNotMatch(await text(page, ".output"), /docker/);
  await close(page);
});

test("broken and foreign values are left alone, and a link or an embed begins as it says", async () => {
  const page = await open("");
  await run(page, "kubectl create deployment web --image=nginx");
  await page.waitForSelector(".tile", LONG);
  await again(page);
  await page.waitForSelector(".tile", LONG);
  const good = await page.evaluate(() => {
    dispatchEvent(new Event("pagehide"));
    return new Promise((resolve) => setTimeout(resolve, 50));
  }).then(() => kept(page));
  assert.match(good, /kubectl create deployment web/);
  for (const value of ["", "null", "{", good.slice(0, 200), good.replace('"version":1', '"version":9'), good.replace("inputs", "inpuds").replace("kubectl", "kubectl kubectl"), "x".repeat(2_000_000)]) {
    const other = await open("", { kept: value });
    assert.equal(await other.$(".tile"), null, value.slice(0, 40));
    await run(other, "kubectl get nodes");
    await shows(other, ".output", "Ready");
    await close(other);
  }
  const same = await open("", { kept: good });
  await same.waitForSelector(".tile", LONG);
  await close(same);
  // A link that asks for a scenario gets it, and what was there is offered.
  const link = await open("?scenario=missing-tag", { kept: good });
  assert.equal(await link.$(".tile"), null);
  assert.equal(await link.$eval(".scenario select", (select) => select.value), "missing-tag");
  await shows(link, ".notice.returned", "still kept");
  await click(link, ".notice.returned .button");
  await link.waitForSelector(".tile", LONG);
  await close(link);
  // An embed neither reads it nor writes it.
  const embed = await open("?embed=1", { kept: good });
  assert.equal(await embed.$(".tile"), null);
  assert.equal(await embed.$(".notice.returned"), null);
  await run(embed, "kubectl get nodes");
  await close(embed);
  await close(page);
});

test("what led to a fault is not played again", async () => {
  const page = await open("");
  await run(page, "kubectl create deployment web --image=nginx");
  await new Promise((resolve) => setTimeout(resolve, 2500));
  assert.match(await kept(page), /create deployment/);
  await page.evaluate(() => globalThis.__drydock_crashed("a fault"));
  assert.equal(await kept(page), null);
  await click(page, ".boot button");
  await page.waitForSelector("main.panes", LONG);
  await prompt(page);
  assert.equal(await page.$(".notice.returned"), null);
  assert.equal(await page.$(".tile"), null);
  await page.close();
});

test("an hour at full speed is back in seconds, and can be given up on the way", async () => {
  const page = await open("");
  await run(page, "kubectl create deployment web --image=nginx --replicas=3");
  await page.select(".speed select", "1000");
  await enter(page, "sleep 3600");
  await page.waitForFunction(() => document.querySelectorAll(".story .is-returned").length > 1, { timeout: 180_000 });
  const start = Date.now();
  await again(page);
  const took = Date.now() - start;
  console.log(`an hour played again, with the page's loading: ${took} ms`);
  assert.equal((await uids(page)).length, 3);
  await close(page);
});

test("what is too much is not kept, and that is said once", async () => {
  const page = await open("?editor=plain");
  await run(page, "kubectl get nodes");
  await page.focus("#command-line");
  const long = `: ${"x".repeat(200_000)}`;
  for (let n = 0; n < 6; n += 1) {
    await page.$eval("#command-line", (input, line) => { input.value = line; }, long);
    await page.keyboard.press("Enter");
    await prompt(page);
  }
  await shows(page, ".notice.returned", "too much");
  await click(page, ".notice.returned .button");
  await run(page, "kubectl get nodes");
  await new Promise((resolve) => setTimeout(resolve, 2000));
  assert.equal(await page.$(".notice.returned"), null);
  await again(page);
  assert.equal(await page.$(".notice.returned"), null);
  await close(page);
});
