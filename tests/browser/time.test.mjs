// The clock, the past and the causes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LONG, chord, click, close, enter, open, prompt, run, shows, text } from "./browser.mjs";

const clock = (page) =>
  page.$eval(".clock time", (time) => {
    const [hours, minutes, seconds] = time.innerText.split(":").map(Number);
    return hours * 3600 + minutes * 60 + seconds;
  });
const stands = (page) =>
  page.waitForFunction(() => /paused|past/.test(document.querySelector(".clock").className), LONG);
const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

test("pause, step, next event, speeds and convergence", async () => {
  const page = await open("?scenario=first-pod");
  await click(page, ".moves .main");
  await stands(page);
  const paused = await clock(page);
  await later(400);
  assert.equal(await clock(page), paused);
  await click(page, ".moves .forward");
  await page.waitForFunction(() => document.querySelector(".clock.paused"), LONG);
  await page.waitForFunction((from) => {
    const [h, m, s] = document.querySelector(".clock time").innerText.split(":").map(Number);
    return Math.abs(h * 3600 + m * 60 + s - from - 1) < 0.11;
  }, LONG, paused);
  await enter(page, "kubectl apply -f web.yaml");
  await prompt(page);
  const marks = () => page.$$eval(".story li", (lines) => lines.length);
  const before = await marks();
  await click(page, ".moves .next");
  await page.waitForFunction((n) => document.querySelectorAll(".story li").length > n, LONG, before);
  await stands(page);
  await click(page, ".moves .converge");
  await page.waitForSelector(".story .is-converged", LONG);
  assert.ok(await page.$(".tile.good"));
  await click(page, ".moves .main");
  await page.waitForSelector(".clock.settled", LONG);
  for (const speed of ["10", "60", "300", "1000"]) {
    const from = await clock(page);
    await page.select(".speed select", speed);
    await page.waitForFunction((from, least) => {
      const [h, m, s] = document.querySelector(".clock time").innerText.split(":").map(Number);
      return h * 3600 + m * 60 + s - from > least;
    }, LONG, from, Number(speed) / 8);
  }
  await close(page);
});

test("to convergence goes on until everything is true, or names what is in the way and when it is tried again", async () => {
  for (const [command, told] of [
    ["kubectl run crash --image=busybox -- sh -c 'sleep 5; exit 1'; sleep 60",
      /In the way: Pod crash \(\w+, exit code 1, restarted \d+ times\)/],
    ["kubectl create deployment web --image=nginx:nope",
      /In the way: Pod web-\S+ \((ErrImagePull|ImagePullBackOff), nginx:nope\); Kubernetes tries again at \d\d:\d\d:\d\d\./],
    ["docker run -d --name loop --restart=always busybox sh -c 'exit 4'; sleep 20",
      /In the way: container loop \(restarting, exit code 4, restarted \d+ times\); docker tries again at \d\d:\d\d:\d\d\./],
  ]) {
    const page = await open("");
    await page.select(".speed select", "60");
    await enter(page, command);
    await page.waitForSelector(".story .is-returned", LONG);
    await prompt(page);
    // Every press moves the clock, and ends in the same words.
    for (let press = 0; press < 2; press += 1) {
      const before = await clock(page);
      await click(page, ".moves .converge");
      await page.waitForFunction(() => document.querySelector(".notice.warn") && !document.querySelector(".clock.seeking"), LONG);
      assert.ok((await clock(page)) - before > 590, command);
      assert.match(await text(page, ".notice.warn"), told);
      assert.match(await text(page, ".unseen[aria-live]"), /In the way/);
      assert.equal(await page.$(".story .is-converged"), null, command);
      assert.equal(await page.$(".clock.settled"), null, command);
    }
    await close(page);
  }
  const page = await open("");
  await run(page, "kubectl run crash --image=busybox -- sh -c 'sleep 5; exit 1'");
  await run(page, "kubectl delete pod crash");
  await click(page, ".moves .converge");
  await shows(page, ".bar", "Nothing is left to converge");
  await close(page);
});

test("keys move the clock, and can be switched off", async () => {
  const page = await open("?scenario=first-pod");
  await enter(page, "kubectl apply -f web.yaml");
  await page.waitForSelector(".tile.good", LONG);
  await page.focus(".scrub input");
  await page.keyboard.press("Space");
  await stands(page);
  await page.keyboard.press("4");
  assert.equal(await page.$eval(".speed select", (select) => select.value), "10");
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector(".clock.past", LONG);
  const first = await clock(page);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((from) => {
    const [h, m, s] = document.querySelector(".clock time").innerText.split(":").map(Number);
    return h * 3600 + m * 60 + s < from;
  }, LONG, first);
  await page.keyboard.press("Home");
  await shows(page, ".pane-cluster", "No Pods");
  await page.keyboard.press("]");
  await page.keyboard.press("]");
  await page.keyboard.press("End");
  await page.waitForFunction(() => !document.querySelector(".clock.past"), LONG);
  await page.keyboard.type("?");
  await page.waitForSelector(".sheet", LONG);
  await click(page, ".sheet .check input");
  await page.keyboard.press("Escape");
  await page.focus(".lane-scroll");
  await page.keyboard.press("Home");
  await later(300);
  assert.equal(await page.$(".clock.past"), null);
  await page.keyboard.type("?");
  await page.waitForSelector(".sheet", LONG);
  await click(page, ".sheet .check input");
  await close(page);
});

test("the past is read only, with a way back and a way from there", async () => {
  const page = await open("?scenario=first-pod");
  await enter(page, "kubectl apply -f web.yaml");
  await page.waitForSelector(".tile.good", LONG);
  await enter(page, "kubectl delete pod web --wait=false");
  await shows(page, ".output", "deleted");
  const live = await clock(page);
  const scrub = (part) =>
    page.$eval(".scrub input", (input, part) => {
      const [min, max] = [Number(input.min), Number(input.max)];
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, String(min + (max - min) * part));
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }, part);
  await scrub(0);
  await page.waitForSelector(".notice.past", LONG);
  await shows(page, ".pane-cluster", "No Pods");
  assert.ok(await page.$eval(".pane-editor .button.main", (button) => button.disabled));
  assert.ok(await page.$eval(".line", (line) => line.hidden));
  assert.ok(await page.$(".story .later"));
  await scrub(0.5);
  await page.waitForSelector(".tile", LONG);
  const chosen = await clock(page);
  assert.ok(chosen < live);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector(".notice.past"), LONG);
  assert.ok((await clock(page)) >= live);
  await scrub(0.5);
  await page.waitForSelector(".notice.past", LONG);
  await page.evaluate(() => document.querySelector(".notice.past .button:not(.main)").click());
  await page.waitForFunction(() => document.querySelector(".clock.paused") && !document.querySelector(".notice.past"), LONG);
  assert.ok(Math.abs((await clock(page)) - chosen) < 1.1);
  assert.doesNotMatch(await text(page, ".output"), /deleted/);
  assert.match(await text(page, ".output"), /pod\/web created/);
  // What came after that instant is not lost by the way taken.
  await shows(page, ".notice.undo", "another way");
  await page.click(".notice.undo .button");
  await shows(page, ".output", "deleted");
  assert.ok((await clock(page)) >= live);
  assert.equal(await page.$(".notice.undo"), null);
  await close(page);
});

test("who wrote what, which generation was seen, and why: back to the command", async () => {
  const page = await open("?scenario=missing-tag");
  await enter(page, "kubectl apply -f shop.yaml");
  await page.waitForSelector(".tile.bad", LONG);
  await page.click(".workload");
  await shows(page, ".pane-inspector .generation", "generation 1");
  const letters = await page.$$eval(".pane-inspector .columns .chip > [aria-hidden]", (chips) =>
    [...new Set(chips.map((chip) => chip.textContent))].sort().join(""));
  for (const letter of "ADK") assert.ok(letters.includes(letter), `${letter} in ${letters}`);
  const title = await page.$eval(".pane-inspector .column.seen .chip", (chip) => chip.title);
  assert.match(title, /kube-controller-manager \(deployment-controller\) · Update · status · 20/);
  await page.click(".tile.bad");
  await page.waitForSelector(".row .ask", LONG);
  await page.click(".row .ask");
  await page.waitForSelector(".why li", LONG);
  const actors = await page.$$eval(".why .who", (all) => all.map((who) => who.innerText.split(" ")[0]));
  assert.equal(actors.at(-1), "workstation");
  for (const who of ["kubelet", "kube-scheduler", "replicaset", "deployment"]) assert.ok(actors.includes(who), actors.join());
  assert.match(await page.$$eval(".why li", (all) => all.at(-1).innerText), /kubectl apply -f shop.yaml/);
  await page.evaluate(() => [...document.querySelectorAll(".why .what")].at(-1).click());
  await page.waitForSelector(".notice.past", LONG);
  assert.equal(await page.$$eval(".why li", (all) => all.length), actors.length);
  await page.keyboard.press("Escape");
  await page.evaluate(() => document.querySelectorAll(".pane-inspector .switch .button")[1].click());
  await shows(page, ".pane-inspector .yaml", "kind: Pod");
  await page.evaluate(() => document.querySelectorAll(".pane-inspector .switch .button")[2].click());
  await shows(page, ".pane-inspector .events", "Failed");
  await page.click(".pane-inspector .events .ask");
  await page.waitForSelector(".why li", LONG);
  await chord(page, "Shift", "F6");
  await close(page);
});
