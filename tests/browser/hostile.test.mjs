// Input that asks for too much: there is an answer, and the page stays alive.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LONG, chord, close, enter, open, prompt, shows, write } from "./browser.mjs";

const opened = async () => {
  const page = await open("?editor=plain");
  await page.waitForSelector("textarea.plain", LONG);
  return page;
};
// The longest time between two frames while something goes on.
const frames = (page, ms) =>
  page.evaluate((ms) => new Promise((resolve) => {
    let [worst, last, from] = [0, performance.now(), performance.now()];
    const look = (now) => {
      worst = Math.max(worst, now - last);
      last = now;
      if (now - from > ms) resolve(Math.round(worst));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }), ms);
const alive = async (page) => {
  await enter(page, "echo still $((40+2))");
  await shows(page, ".output", "still 42");
};
const stop = async (page) => {
  await page.focus("#command-line");
  await chord(page, "Control", "c");
  await prompt(page);
};

const garbage = () => {
  let [text, seed] = ["", 7];
  while (text.length < 1 << 20) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    text += String.fromCharCode(32 + (seed % 95)) + (seed % 61 === 0 ? "\n" : "");
  }
  return text;
};
const deep = `a: ${"[".repeat(10_000)}${"]".repeat(10_000)}\n`;
const many = `apiVersion: apps/v1
kind: Deployment
metadata: {name: many}
spec:
  replicas: 1000000000
  selector: {matchLabels: {app: many}}
  template:
    metadata: {labels: {app: many}}
    spec: {containers: [{name: c, image: nginx:1.29}]}
`;

async function typesGarbage(page) {
  await write(page, garbage());
  await page.waitForSelector(".verdict.bad", LONG);
}
async function typesDeep(page) {
  await write(page, deep);
  await shows(page, ".verdict.bad", "nesting deeper");
}
async function asksForMany(page) {
  await write(page, many);
  await page.waitForSelector(".verdict.good", LONG);
  await page.click(".pane-editor .button.main");
  await shows(page, ".output", "deployment.apps/many created");
  await page.waitForSelector(".tally-bar", LONG);
  return frames(page, 4000);
}
async function loops(page, line) {
  await enter(page, line);
  const worst = await frames(page, 3000);
  await stop(page);
  return worst;
}

test("a megabyte of garbage in the editor", async () => {
  const page = await opened();
  await typesGarbage(page);
  await alive(page);
  await close(page);
});

test("YAML 10,000 levels deep", async () => {
  const page = await opened();
  await typesDeep(page);
  await alive(page);
  await close(page);
});

test("a thousand million replicas", async () => {
  const page = await opened();
  const worst = await asksForMany(page);
  console.log(`replicas: 1000000000: longest frame ${worst} ms`);
  await alive(page);
  await enter(page, "kubectl delete deployment many --wait=false");
  await shows(page, ".output", "deleted");
  await close(page);
});

for (const line of ["while true; do :; done", "yes", "seq 1 1000000000 | tail -1"]) {
  test(line, async () => {
    const page = await opened();
    const worst = await loops(page, line);
    console.log(`${line}: longest frame ${worst} ms`);
    await alive(page);
    await close(page);
  });
}

test("a container that spins", async () => {
  const page = await opened();
  await enter(page, "kubectl run p --image=busybox --restart=Never -- sh -c 'while true; do echo hi; done'");
  await shows(page, ".pane-cluster", "Running");
  console.log(`a spinning container: longest frame ${await frames(page, 3000)} ms`);
  await alive(page);
  await close(page);
});

test("yes | head", async () => {
  const page = await opened();
  await enter(page, "yes | head -3; echo ended");
  await shows(page, ".output", "y\ny\ny\nended");
  await alive(page);
  await close(page);
});

// Lines no editor can lay out as they are. Each is put into the code editor, and then a letter behind it.
const STRANGE = {
  "8,000 marks of direction in one line": `a: ${"\u202e\u2066\u202a\u2069".repeat(2000)}`,
  "2,000 of them in each of 40 lines": `${"\u202e".repeat(2000)}\n`.repeat(40),
  "one after each letter": `${"\u2067a".repeat(3000)}\n`.repeat(40),
  "control characters": `a: ${"\u0000\u0007".repeat(4000)}`,
  "20,000 joiners": `a: ${"\u200d".repeat(20_000)}`,
  "a tower of 20,000 accents": `a: e${"\u0301".repeat(20_000)}`,
  "a megabyte in one line": `a: ${"xy ".repeat(350_000)}`,
  "100,000 lines": "a: b\n".repeat(100_000),
};

test("strange lines do not stop the code editor", async () => {
  const page = await open("");
  await page.waitForSelector(".cm-content", LONG);
  const slow = [];
  for (const [name, words] of Object.entries(STRANGE)) {
    const start = Date.now();
    await page.focus(".cm-content");
    await chord(page, "Control", "a");
    const worst = frames(page, 1500);
    await page.evaluate((words) => {
      const data = new DataTransfer();
      data.setData("text/plain", words);
      const paste = { clipboardData: data, bubbles: true, cancelable: true };
      document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", paste));
    }, words);
    await page.keyboard.type("z");
    const longest = await worst;
    console.log(`${name}: longest frame ${longest} ms`);
    if (longest > 3000 || Date.now() - start > 20_000) slow.push(`${name}: ${longest} ms`);
    const count = await page.evaluate(() => document.querySelectorAll(".cm-content *").length);
    if (count > 5000) slow.push(`${name}: ${count} elements`);
  }
  assert.deepEqual(slow, []);
  await close(page);
});

test("what one cannot see is shown, and a run of it is one sign", async () => {
  const page = await open("");
  await page.waitForSelector(".cm-content", LONG);
  await page.focus(".cm-content");
  await chord(page, "Control", "a");
  await page.keyboard.sendCharacter(`a: ${"\u202e".repeat(300)}b \u200b c\u00ad`);
  await shows(page, ".cm-content", "U+202E ×300");
  const signs = await page.$$eval(".dd-sign", (all) => all.map((sign) => sign.textContent));
  assert.deepEqual(signs, ["U+202E ×300", "U+200B", "U+00AD"]);
  await close(page);
});

test("a tower of accents in the terminal", async () => {
  const page = await opened();
  await write(page, `e${"\u0301".repeat(20_000)} top\n`);
  const worst = frames(page, 4000);
  await enter(page, "cat web.yaml");
  await shows(page, ".output", "top");
  assert.ok((await worst) < 3000);
  await alive(page);
  await close(page);
});

test("all of it, one after the other", async () => {
  const page = await opened();
  await typesGarbage(page);
  await typesDeep(page);
  await asksForMany(page);
  await loops(page, "while true; do :; done");
  await loops(page, "yes");
  await enter(page, "yes | head -2");
  await shows(page, ".output", "y\ny");
  await alive(page);
  assert.ok(await page.$(".workload"));
  await close(page);
});
