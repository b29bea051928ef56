// The terminal: completion, history, pasting, input methods.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LONG, chord, click, close, enter, open, prompt, run, shows } from "./browser.mjs";

const line = (page) => page.$eval("#command-line", (input) => input.value);

async function completed(page, typed, expected) {
  await page.$eval("#command-line", (input) => (input.value = ""));
  await page.focus("#command-line");
  await page.keyboard.type(typed);
  await page.keyboard.press("Tab");
  await page.waitForFunction((expected) => document.querySelector("#command-line").value === expected, LONG, expected);
}

test("Tab completes verbs, kinds, names and files", async () => {
  const page = await open("?scenario=first-pod");
  await enter(page, "kubectl apply -f web.yaml");
  await shows(page, ".output", "created");
  await prompt(page);
  await completed(page, "kubectl desc", "kubectl describe ");
  await completed(page, "kubectl get dep", "kubectl get deployments.apps ");
  await completed(page, "kubectl get pod w", "kubectl get pod web ");
  await completed(page, "kubectl logs w", "kubectl logs web ");
  await completed(page, "kubectl apply -f we", "kubectl apply -f web.yaml ");
  await completed(page, "kubectl get no kind-w", "kubectl get no kind-worker");
  await shows(page, ".candidates", "kind-worker2");
  await page.$eval("#command-line", (input) => (input.value = ""));
  await run(page, "alias k=kubectl kg='k get'");
  await completed(page, "k desc", "k describe ");
  await completed(page, "kg no kind-c", "kg no kind-control-plane ");
  await completed(page, "ls $HO", "ls $HOME ");
  // Nothing typed: the first Tab lists the commands, the second goes on to the next control.
  await page.$eval("#command-line", (input) => (input.value = ""));
  await page.keyboard.press("Tab");
  await shows(page, ".candidates", "kubectl");
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => document.activeElement.id), "command-line");
  await close(page);
});

test("the keys of a line editor work", async () => {
  const page = await open("");
  await page.focus("#command-line");
  await page.keyboard.type("one two 三");
  await chord(page, "Control", "w");
  assert.equal(await line(page), "one two ");
  await chord(page, "Control", "a");
  await page.keyboard.type("x ");
  assert.equal(await line(page), "x one two ");
  await chord(page, "Control", "k");
  assert.equal(await line(page), "x ");
  await chord(page, "Control", "u");
  await chord(page, "Control", "y");
  await chord(page, "Control", "e");
  await page.keyboard.type("!");
  assert.equal(await line(page), "x !");
  await close(page);
});

test("a here-document can be typed, and a block pasted", async () => {
  const page = await open("");
  for (const typed of ["cat > a.txt <<'EOF'", "one", "two", "EOF"]) {
    await page.waitForFunction(() => document.querySelector(".line .prompt").innerText.trim(), LONG);
    await enter(page, typed);
  }
  await prompt(page);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "cat a.txt\nkubectl apply -f - <<'EOF'\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: pasted\nEOF\necho left");
    document.querySelector("#command-line").dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await shows(page, ".output", "configmap/pasted created");
  const commands = await page.$$eval(".story .is-command .what", (all) => all.map((what) => what.innerText));
  assert.equal(commands.some((what) => /^(one|EOF|kind: ConfigMap)$/.test(what)), false, commands.join("|"));
  await shows(page, ".output", "one\ntwo");
  assert.equal(await line(page), "echo left");
  await close(page);
});

test("keys that an input method uses do not run a command", async () => {
  const page = await open("");
  await page.focus("#command-line");
  await page.keyboard.type("echo ");
  const session = await page.createCDPSession();
  await session.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
  assert.equal(await line(page), "echo にほ");
  const key = (type) => session.send("Input.dispatchKeyEvent", {
    type, key: "Enter", code: "Enter", windowsVirtualKeyCode: 229, nativeVirtualKeyCode: 13,
  });
  await key("rawKeyDown");
  await key("keyUp");
  await session.send("Input.imeSetComposition", { text: "日本", selectionStart: 2, selectionEnd: 2 });
  await session.send("Input.insertText", { text: "日本" });
  // The Enter that ends a composition belongs to it, too.
  await page.$eval("#command-line", (input) => {
    for (const more of [{ isComposing: true }, { keyCode: 229 }]) {
      input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...more }));
    }
  });
  assert.equal(await line(page), "echo 日本");
  await page.keyboard.press("Enter");
  await shows(page, ".output", "echo 日本\n日本");
  await close(page);
});

test("history, interrupts and exit codes", async () => {
  const page = await open("");
  await enter(page, "kubectl get pods nope");
  await shows(page, ".story .is-returned", "returned with 1");
  await prompt(page);
  for (const word of ["one", "two"]) {
    await enter(page, `echo ${word}`);
    await prompt(page);
  }
  await page.keyboard.type("typed");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await line(page), "echo one");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await line(page), "typed");
  await chord(page, "Control", "c");
  assert.equal(await line(page), "");
  await shows(page, ".output", "# typed^C");
  await enter(page, "sleep 100");
  await page.waitForFunction(() => !document.querySelector(".line .prompt").innerText.includes("#"), LONG);
  await click(page, ".pane-terminal .tools .button");
  await prompt(page);
  await close(page);
});

test("a touch screen has the keys it lacks, and the line keeps the focus", async () => {
  const page = await open("?scenario=first-pod", { width: 375, height: 740 });
  await click(page, ".tab-terminal");
  const tap = async (name) => (await page.$(`.touch[aria-label^="${name}"]`)).click();
  await page.waitForSelector(".touch", { visible: true, ...LONG });
  const low = await page.$$eval(".touch", (keys) => keys.filter((key) => key.offsetHeight < 44 || key.offsetWidth < 44).length);
  assert.equal(low, 0);
  await page.focus("#command-line");
  await page.keyboard.type("kubectl get no kind-c");
  await tap("Tab");
  assert.equal(await line(page), "kubectl get no kind-control-plane ");
  assert.equal(await page.evaluate(() => document.activeElement.id), "command-line");
  await page.keyboard.press("Enter");
  await shows(page, ".output", "Ready");
  await prompt(page);
  await tap("Earlier");
  assert.equal(await line(page), "kubectl get no kind-control-plane ");
  await tap("Later");
  assert.equal(await line(page), "");
  await enter(page, "cat > a.txt");
  await page.waitForFunction(() => !document.querySelector(".line .prompt").innerText.includes("#"), LONG);
  await enter(page, "one");
  await tap("Ctrl+D");
  await prompt(page);
  await enter(page, "cat a.txt; sleep 100");
  await page.waitForFunction(() => !document.querySelector(".line .prompt").innerText.includes("#"), LONG);
  await tap("Ctrl+C");
  await prompt(page);
  assert.match(await page.$eval(".output", (output) => output.innerText), /\none\n\^C/);
  await close(page);
});

test("programs know how wide the terminal is", async () => {
  const names = Array.from({ length: 12 }, (_, n) => `a-rather-long-name-${n}`).join(" ");
  for (const width of [1440, 375]) {
    const page = await open("", { width, height: 800 });
    await click(page, ".tab-terminal");
    await enter(page, `touch ${names}; ls`);
    await shows(page, ".output", "web.yaml");
    await prompt(page);
    const found = await page.$eval(".output", (output) => ({
      over: [...output.querySelectorAll("pre")].at(-1).scrollWidth - output.clientWidth,
      lines: [...output.querySelectorAll("pre")].at(-1).innerText.trim().split("\n").length,
    }));
    assert.ok(found.over <= 0, `${width}: ${JSON.stringify(found)}`);
    assert.ok(width === 375 ? found.lines > 5 : found.lines < 5, `${width}: ${JSON.stringify(found)}`);
    await close(page);
  }
});
