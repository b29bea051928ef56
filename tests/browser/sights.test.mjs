// What else is to be seen: the table of objects, plans and differences, owners beside the text, lanes as one wants them,
// and the last state of what is gone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LONG, click, close, enter, open, prompt, run, shows, text } from "./browser.mjs";

const sight = (page, number) => page.$$eval(".sights .button", (all, number) => all[number].click(), number);
const scrub = (page, part) =>
  page.$eval(".scrub input", (input, part) => {
    const [min, max] = [Number(input.min), Number(input.max)];
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, String(min + (max - min) * part));
    input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, part);

test("the table of objects: owners above what they own, generations and conditions; a row opens the inspector", async () => {
  for (const width of [1440, 375]) {
    const page = await open("", { width, height: 800 });
    if (width < 840) await click(page, ".tab-cluster");
    await sight(page, 1);
    await shows(page, ".pane-cluster", "No objects of yours yet");
    if (width < 840) await click(page, ".tab-terminal");
    await run(page, "kubectl create deployment web --image=nginx:nope");
    if (width < 840) await click(page, ".tab-cluster");
    await page.waitForFunction(() => /ErrImagePull|ImagePullBackOff/.test(document.querySelector(".objects")?.innerText), LONG);
    const rows = await page.$$eval(".objects tbody tr", (all) => all.map((row) =>
      `${row.querySelector("th").className} ${row.querySelector(".kind").textContent}`));
    assert.deepEqual(rows, ["depth-0 Deployment", "depth-1 ReplicaSet", "depth-2 Pod"]);
    assert.match(await text(page, ".objects tbody tr"), /1 ✓/);
    assert.match(await text(page, ".objects tbody tr"), /✕ Available=False/);
    await click(page, ".objects tr:last-child .what");
    await shows(page, ".pane-inspector", "nginx:nope");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await close(page);
  }
});

test("plans and differences, by their signs; the commands run in the terminal", async () => {
  const page = await open("?scenario=no-such-tag");
  await page.waitForSelector(".pane-compare", LONG);
  await click(page, ".pane-compare .compare");
  await sight(page, 2);
  await shows(page, ".pane-cluster", "before it does");
  await page.select(".speed select", "10");
  const names = () => page.$$eval(".plan-tools .button", (all) => all.map((button) => button.textContent));
  assert.deepEqual(await names(), ["kubectl diff", "terraform plan"]);
  await page.$$eval(".plan-tools .button", (all) => all[1].click());
  await shows(page, ".plan .title", "will be created");
  assert.match(await page.$eval(".plan .add", (line) => line.textContent), /^\s*\+ /);
  await prompt(page);
  await page.$$eval(".plan-tools .button", (all) => all[0].click());
  await shows(page, ".plan", "+  replicas:");
  await shows(page, ".output", "kubectl diff -f");
  await prompt(page);
  await run(page, "kubectl apply -f web.yaml 2>/dev/null || kubectl apply -f shop.yaml 2>/dev/null || kubectl apply -f .");
  await page.$$eval(".plan-tools .button", (all) => all[0].click());
  await page.waitForFunction(() => document.querySelector(".plan") && !document.querySelector(".plan .add"), LONG);
  await close(page);
});

test("owners stand beside the lines of an applied manifest, and move with the text", async () => {
  const page = await open("?scenario=missing-tag");
  await page.waitForSelector(".cm-editor", LONG);
  assert.equal(await page.$(".dd-owner"), null);
  await click(page, ".pane-editor .button.main");
  await page.waitForSelector(".dd-owner .chip", LONG);
  const first = () => page.$eval(".dd-owner .chip", (chip) => `${chip.textContent} ${chip.title}`);
  assert.match(await first(), /^K kubectl-client-side-apply · Update/);
  const places = () => page.$$eval(".dd-owner", (all) => all.map((chip) => Math.round(chip.getBoundingClientRect().top)));
  const before = await places();
  await page.focus(".cm-content");
  await page.keyboard.press("Enter");
  const after = await places();
  assert.ok(after[0] > before[0]);
  await prompt(page);
  await run(page, "kubectl scale deployment/shop --replicas=5");
  await page.waitForFunction(() => [...document.querySelectorAll(".dd-owner .chip")].some((chip) => /scale/.test(chip.title) || chip.title.startsWith("kubectl ·")), LONG);
  await close(page);
});

test("lanes are put on top or hidden, by keyboard too", async () => {
  const page = await open("");
  await run(page, "kubectl create deployment web --image=nginx");
  await page.waitForSelector(".tile.good", LONG);
  const names = () => page.$$eval(".lane-names li", (all) => all.map((name) => name.textContent));
  const before = await names();
  assert.ok(before.length > 3);
  await page.focus(".lanes-button");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".lane-wishes select", LONG);
  const selects = await page.$$(".lane-wishes select");
  await selects.at(-1).select("top");
  await selects[1].select("hidden");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector(".sheet"), LONG);
  assert.deepEqual(await names(), [before.at(-1), before[0], ...before.slice(2, -1)]);
  await close(page);
});

test("what is gone is shown as it was last, with the words that it is gone", async () => {
  const page = await open("");
  await run(page, "kubectl create deployment web --image=nginx");
  await page.waitForSelector(".tile.good", LONG);
  await click(page, ".tile.good");
  await shows(page, ".pane-inspector .columns", "podIP");
  await run(page, "kubectl delete deployment web");
  await shows(page, ".pane-inspector .gone", "no longer exists");
  await shows(page, ".pane-inspector .columns", "podIP");
  await scrub(page, 0);
  await shows(page, ".pane-inspector", "did not exist yet");
  await close(page);
});

test("the terminal of a past view is set back, and what was entered later is told apart", async () => {
  const page = await open("");
  await run(page, "kubectl create deployment web --image=nginx");
  await page.waitForSelector(".tile.good", LONG);
  const colour = () => page.$eval(".output", (output) => getComputedStyle(output).color);
  const live = await colour();
  await run(page, "kubectl get pods");
  assert.equal(await page.$(".output .later"), null);
  await scrub(page, 0.5);
  await page.waitForSelector(".notice.past", LONG);
  assert.notEqual(await colour(), live);
  const later = await page.$$eval(".output .later", (all) => all.map((block) => block.innerText.split("\n")[0]));
  assert.equal(later.length, 1);
  assert.match(later[0], /kubectl get pods/);
  await close(page);
});

test("the caption of a band is in view as long as the band is", async () => {
  const page = await open("?scenario=missing-tag", { width: 1024, height: 768 });
  await page.select(".speed select", "10");
  await enter(page, "kubectl apply -f shop.yaml");
  await page.waitForFunction(() => document.querySelector(".lane-scroll")?.scrollWidth > document.querySelector(".lane-scroll")?.clientWidth * 1.6, LONG);
  await click(page, ".moves .main");
  for (const part of [0, 0.3, 0.6, 1]) {
    const seen = await page.$eval(".lane-scroll", (scroll, part) => {
      scroll.scrollLeft = (scroll.scrollWidth - scroll.clientWidth) * part;
      const [view, band, name] = [scroll, scroll.querySelector("rect.band"), scroll.querySelector(".band-name span")]
        .map((one) => one.getBoundingClientRect());
      const room = Math.min(view.right, band.right) - Math.max(view.left, band.left);
      return { fits: room > name.width + 12, inside: name.left >= view.left && name.right <= view.right };
    }, part);
    assert.ok(!seen.fits || seen.inside, `${part} ${JSON.stringify(seen)}`);
    if (part > 0) assert.ok(seen.fits, `${part}: nothing was tested`);
  }
  await close(page);
});

test("Terraform's side lists what Terraform knows, and nothing else", async () => {
  const page = await open("?scenario=no-such-tag&view=compare");
  await page.select(".speed select", "10");
  await run(page, "docker run -d --name stranger nginx:1.29");
  const side = () => page.$$eval(".of-terraform .tile .name", (all) => all.map((name) => name.textContent));
  assert.deepEqual(await side(), []);
  await run(page, "printf 'terraform {\\n  required_providers {\\n    docker = { source = \"kreuzwerker/docker\" }\\n  }\\n}\\nresource \"docker_image\" \"i\" {\\n  name = \"nginx:1.29\"\\n}\\nresource \"docker_container\" \"own\" {\\n  name  = \"own\"\\n  image = docker_image.i.image_id\\n}\\n' > main.tf");
  await run(page, "terraform init && terraform apply -auto-approve");
  await page.waitForFunction(() => document.querySelector(".of-terraform .tile"), LONG);
  assert.deepEqual(await side(), ["own"]);
  await run(page, "terraform state rm docker_container.own");
  await page.waitForFunction(() => !document.querySelector(".of-terraform .tile"), LONG);
  await close(page);
});
