// The page in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { LONG, chord, click, close, enter, load, open, run, shows, text, write } from "./browser.mjs";

const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

test("the page opens from any folder and asks for nothing but its own files", async () => {
  for (const folder of ["", "sub/path/"]) {
    const page = await open(folder);
    await page.waitForSelector(".cm-editor", LONG);
    await close(page);
  }
});

test("kubectl answers, and Ctrl+C ends a watch", async () => {
  const page = await open("");
  await enter(page, "kubectl get nodes");
  await shows(page, ".output", "kind-control-plane   Ready");
  await enter(page, "kubectl get pods -A -w");
  await shows(page, ".output", "kube-system");
  assert.equal((await text(page, ".line .prompt")).includes("#"), false);
  await chord(page, "Control", "c");
  await shows(page, ".line .prompt", "root@workstation");
  assert.match(await text(page, ".output"), /\^C/);
  await page.keyboard.press("ArrowUp");
  assert.equal(await page.$eval("#command-line", (input) => input.value), "kubectl get pods -A -w");
  await close(page);
});

test("apply returns before the Pod runs, and both are marked", async () => {
  const page = await open("");
  await page.waitForSelector(".cm-editor", LONG);
  await page.click(".pane-editor .button.main");
  await shows(page, ".output", "pod/web created");
  await page.waitForSelector(".tile.working, .tile.waiting, .tile.good", LONG);
  await click(page, ".moves .converge");
  await page.waitForSelector(".tile.good", LONG);
  await page.waitForSelector(".story .is-converged", LONG);
  const order = await page.$$eval(".story li", (lines) => lines.map((line) => line.className).join("|"));
  assert.ok(order.indexOf("is-converged") < order.indexOf("is-returned"), "newest first");
  assert.ok(await page.$(".lanes .band"));
  await page.click(".tile.good");
  await shows(page, ".pane-inspector", "observedGeneration");
  const letters = await page.$$eval(".pane-inspector .columns .chip > [aria-hidden]", (chips) =>
    [...new Set(chips.map((chip) => chip.textContent))].sort().join(""));
  for (const letter of "AKLS") assert.ok(letters.includes(letter), `${letter} in ${letters}`);
  await close(page);
});

test("a mistake in the YAML is shown where it is, and cannot be applied", async () => {
  const page = await open("?editor=plain");
  await page.waitForSelector("textarea.plain", LONG);
  await write(page, "kind: Pod\n  bad: [");
  await page.waitForSelector(".verdict.bad", LONG);
  assert.ok(await page.$eval(".pane-editor .button.main", (button) => button.disabled));
  await close(page);
});

test("both languages, and the choice is remembered", async () => {
  let page = await open("", { language: "ja-JP" });
  assert.match(await text(page, ".moves .main"), /一時停止/);
  await page.click(".settings .button");
  await shows(page, ".moves .main", "Pause");
  assert.equal(await page.evaluate(() => document.documentElement.lang), "en");
  await close(page);
  page = await open("", { language: "ja-JP" });
  assert.match(await text(page, ".moves .main"), /Pause/);
  await page.click(".settings .button");
  await shows(page, ".moves .main", "一時停止");
  await close(page);
});

test("narrow pages scroll in one direction only", async () => {
  for (const width of [320, 375, 768]) {
    const page = await open("?scenario=missing-tag", { width, height: 740 });
    for (const tab of ["editor", "terminal", "cluster", "inspector", "story", "guide"]) {
      await page.evaluate((name) => document.querySelector(`.tab-${name}`).click(), tab);
      await page.waitForFunction((name) => document.querySelector(`#pane-${name}`).offsetHeight > 0, LONG, tab);
      assert.ok((await overflow(page)) <= 0, `${tab} at ${width}`);
    }
    await close(page);
  }
});

test("everything that can be used has a name, and texts stand out from what is behind them", async () => {
  for (const theme of ["light", "dark"]) {
    const page = await open("?scenario=missing-tag", { theme });
    await page.waitForSelector(".cm-editor", LONG);
    await click(page, ".pane-editor .button.main");
    await page.waitForSelector(".tile.bad", LONG);
    await click(page, ".tile.bad");
    await page.waitForSelector(".pane-inspector .chip", LONG);
    const found = await page.evaluate(() => {
      const wrong = [];
      const name = (element) =>
        element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent ?? "";
      for (const element of document.querySelectorAll("button, input, select, textarea, [tabindex='0']")) {
        const shown = element.offsetParent !== null;
        if (shown && !name(element).trim() && !element.getAttribute("aria-labelledby")) {
          wrong.push(`no name: ${element.outerHTML.slice(0, 90)}`);
        }
      }
      const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
      if (new Set(ids).size !== ids.length) wrong.push("an id is there twice");
      const parse = (colour) => colour.match(/[\d.]+/g).map(Number);
      const over = (top, below) => {
        const alpha = top[3] ?? 1;
        return [0, 1, 2].map((i) => top[i] * alpha + below[i] * (1 - alpha));
      };
      const light = (rgb) => {
        const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const backdrop = (element) => {
        const layers = [];
        for (let at = element; at; at = at.parentElement) {
          const colour = getComputedStyle(at).backgroundColor;
          // Mixed colours have another form; they are close to what is below them.
          if (colour.startsWith("rgb")) layers.push(parse(colour));
          if (layers.at(-1)?.[3] === undefined && layers.length) break;
        }
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255]);
      };
      const texts = document.createTreeWalker(document.querySelector(".drydock"), NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const element = texts.currentNode.parentElement;
        if (!texts.currentNode.data.trim() || element.offsetParent === null || element.closest("svg, .unseen, :disabled")) continue;
        const style = getComputedStyle(element);
        if (!style.color.startsWith("rgb")) continue;
        const below = backdrop(element);
        const [a, b] = [light(over(parse(style.color), below)), light(below)].sort((x, y) => y - x);
        const ratio = (a + 0.05) / (b + 0.05);
        if (ratio < 4.5) wrong.push(`${ratio.toFixed(2)}: ${texts.currentNode.data.trim().slice(0, 40)} (${element.className})`);
      }
      return [...new Set(wrong)];
    });
    assert.deepEqual(found, [], theme);
    await close(page);
  }
});

test("the bar keeps to one row, however long the clock has run", async () => {
  for (const [language, passed, state, real] of [
    ["en-US", "+23 h 59 min", "moving on", "now ×420"],
    ["ja-JP", "+23時間59分", "収束済み", "実際は ×420"],
  ]) {
    const page = await open("", { language });
    await click(page, ".moves .main");
    for (const width of [840, 1024, 1100, 1280, 1400, 1440, 1920]) {
      await page.setViewport({ width, height: 900 });
      const found = await page.evaluate((passed, state, real) => {
        document.querySelector(".face .passed").textContent = passed;
        document.querySelector(".face .state").textContent = state;
        const speed = document.createElement("span");
        Object.assign(speed, { className: "real", textContent: real });
        document.querySelector(".moves").append(speed);
        const boxes = [...document.querySelector(".bar").children].map((part) => part.getBoundingClientRect());
        const lies = boxes.some((box, at) => at && box.left < boxes[at - 1].right);
        const over = boxes.some((box) => box.right > innerWidth);
        speed.remove();
        return { height: document.querySelector(".bar").offsetHeight, lies, over };
      }, passed, state, real);
      assert.deepEqual({ ...found, height: found.height < 55 }, { height: true, lies: false, over: false }, `${language} ${width}`);
    }
    await close(page);
  }
});

test("the clock says settled when the last Pod of what was deleted is gone, not before", async () => {
  const page = await open("");
  await run(page, "kubectl create deployment web --image=nginx:1.29 --replicas=3");
  await page.waitForSelector(".clock.settled", LONG);
  const early = page.evaluate(() => new Promise((resolve) => {
    let [seen, early] = [false, 0];
    const look = () => {
      const [tiles, settled] = [document.querySelectorAll(".tile").length, document.querySelector(".clock.settled")];
      const ended = [...document.querySelectorAll(".tile .word")].some((word) => word.textContent === "Terminating");
      seen ||= ended;
      if (settled && ended) early += 1;
      if (seen && !tiles && settled) resolve(early);
      else requestAnimationFrame(look);
    };
    look();
  }));
  await enter(page, "kubectl delete deployment web --wait=false");
  assert.equal(await early, 0);
  await close(page);
});

test("where one pane is shown, apply goes to the terminal, which answers", async () => {
  const page = await open("", { width: 375, height: 740, touch: true });
  await click(page, ".tab-editor");
  await page.waitForSelector(".cm-editor", LONG);
  await click(page, ".pane-editor .button.main");
  await shows(page, ".output", "pod/web created");
  assert.ok(await page.$eval("#pane-terminal", (pane) => pane.offsetHeight > 0));
  await close(page);
});

test("fingers find what they look for: 44 px", async () => {
  for (const [scenario, width] of [["missing-tag", 375], ["healthy", 768]]) {
    const page = await open(`?scenario=${scenario}&lang=ja`, { width, height: 740, touch: true });
    await click(page, ".tab-terminal");
    await enter(page, "kubectl apply -f shop.yaml; kubectl apply -f web.yaml");
    await page.waitForFunction(() => document.querySelectorAll(".story li").length > 8, LONG);
    for (const tab of ["cluster", "inspector", "guide", "editor", "terminal", "story", "timeline"]) {
      await click(page, `.tab-${tab}`);
      if (tab === "cluster") await page.evaluate(() => document.querySelector("button.tile")?.click());
      await page.evaluate(() => new Promise(requestAnimationFrame));
      const small = await page.evaluate(() => [...document.querySelectorAll("button, input, select, summary")]
        .filter((one) => one.offsetParent && !one.closest(".unseen"))
        .map((one) => [one, (one.closest(".check") ?? one).getBoundingClientRect()])
        .filter(([, box]) => box.height < 43.5 || box.width < 31)
        .map(([one, box]) => `${one.className} ${one.textContent.slice(0, 20)} ${box.width}×${box.height}`));
      assert.deepEqual(small, [], `${tab} at ${width}`);
    }
    await close(page);
  }
});

test("low windows (a phone on its side, 200 % and 400 % zoom) leave room for the pane", async () => {
  for (const [width, height] of [[720, 450], [667, 375], [320, 256]]) {
    const page = await open("", { width, height });
    await click(page, ".tab-terminal");
    await page.waitForFunction(() => document.querySelector("#pane-terminal").offsetHeight > 0, LONG);
    const room = await page.$eval("#pane-terminal", (pane) => pane.offsetHeight);
    assert.ok(room >= 130, `${room} px at ${width}×${height}`);
    assert.ok((await overflow(page)) <= 0);
    // What does not fit is reached by scrolling.
    const lost = await page.$eval(".tabs", (tabs) =>
      tabs.getBoundingClientRect().bottom + scrollY > document.scrollingElement.scrollHeight + 1);
    assert.equal(lost, false);
    await close(page);
  }
});

test("a sheet keeps the focus, and gives it back", async () => {
  const page = await open("");
  const at = () => page.evaluate(() => document.activeElement.closest(".sheet") ? "sheet" : document.activeElement.className);
  for (const leave of [() => page.keyboard.press("Escape"), () => page.click(".sheet header .button"), () => page.mouse.click(8, 400)]) {
    await page.focus(".settings .button:last-child");
    const before = await at();
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog.sheet[open]", LONG);
    for (let n = 0; n < 6; n += 1) {
      await page.keyboard.press("Tab");
      assert.ok(["sheet", ""].includes(await at()), "the page behind is out of reach");
    }
    await leave();
    await page.waitForFunction(() => !document.querySelector(".sheet"), LONG);
    assert.equal(await at(), before);
  }
  await close(page);
});

test("panes and dialogs are reached by the keyboard alone", async () => {
  const page = await open("");
  const pane = () => page.evaluate(() => document.activeElement.closest(".pane")?.id ?? document.activeElement.id);
  const seen = [];
  // Without something to inspect there are six.
  for (let n = 0; n < 6; n += 1) {
    await page.keyboard.press("F6");
    await page.waitForFunction((last) => (document.activeElement.closest(".pane")?.id ?? "") !== last, LONG, seen.at(-1) ?? "");
    seen.push(await pane());
  }
  assert.equal(new Set(seen).size, 6, seen.join(" "));
  await page.focus(".moves .main");
  await page.keyboard.type("?");
  await page.waitForSelector(".sheet", LONG);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !document.querySelector(".sheet"), LONG);
  await close(page);
});

test("what was typed survives a reload, and Restart brings the original back", async () => {
  let page = await open("?editor=plain");
  await page.waitForSelector("textarea.plain", LONG);
  await write(page, "kind: Mine\n");
  await page.waitForSelector(".verdict.bad", LONG);
  await close(page);
  page = await load("?editor=plain", { draft: true });
  await page.waitForSelector("textarea.plain", LONG);
  assert.equal(await page.$eval("textarea.plain", (area) => area.value), "kind: Mine\n");
  await page.evaluate(() => document.querySelector(".scenario .button").click());
  const plain = (words) =>
    page.waitForFunction((words) => document.querySelector("textarea.plain").value.includes(words), LONG, words);
  await plain("kind: Pod");
  // What Restart took away comes back: the text, and the world with the commands that were entered.
  await page.$$eval(".notice.undo .button", (buttons) => buttons[0].click());
  await plain("kind: Mine");
  await enter(page, "echo harbour > a.txt");
  await shows(page, ".output", "echo harbour");
  await page.evaluate(() => document.querySelector(".scenario .button").click());
  await plain("kind: Pod");
  assert.doesNotMatch(await text(page, ".output"), /harbour/);
  await page.$$eval(".notice.undo .button", (buttons) => buttons[0].click());
  await shows(page, ".output", "echo harbour");
  await enter(page, "cat a.txt");
  await shows(page, ".output", "harbour\n");
  assert.equal(await page.$(".notice.undo"), null);
  await close(page);
});

test("tabs follow the files: renamed, deleted and made here or in the terminal", async () => {
  const page = await open("?editor=plain&lang=en");
  await page.waitForSelector("textarea.plain", LONG);
  const names = () => page.$$eval(".file-tab .file", (tabs) => tabs.map((tab) => tab.textContent).join(" "));
  const becomes = (words) =>
    page.waitForFunction((words) =>
      [...document.querySelectorAll(".file-tab .file")].map((tab) => tab.textContent).join(" ") === words, LONG, words);
  const rename = async (name) => {
    await page.focus("#file-here");
    const old = await text(page, "#file-here");
    await page.keyboard.press("F2");
    await page.waitForFunction((old) => document.activeElement?.id === "file-name" && document.activeElement.value === old,
      LONG, old);
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
  };
  await rename("pod.yaml");
  await becomes("pod.yaml");
  await enter(page, "ls; cp pod.yaml two.yaml");
  await shows(page, ".output", "pod.yaml");
  assert.doesNotMatch(await text(page, ".output"), /web\.yaml/);
  await becomes("pod.yaml two.yaml");
  await enter(page, "mv pod.yaml one.yaml");
  await becomes("one.yaml two.yaml");
  await rename("two.yaml");
  await shows(page, ".verdict", "There is a file of this name already.");
  await page.keyboard.press("Escape");
  await page.click(".file-tab .rename");
  await page.click(".naming .danger");
  await becomes("two.yaml");
  await enter(page, "ls *.yaml");
  await shows(page, ".output", "ls *.yaml\ntwo.yaml");
  await page.click(".verdict .button");
  await becomes("two.yaml one.yaml");
  await enter(page, "grep kind one.yaml; rm two.yaml");
  await shows(page, ".output", "kind: Pod");
  await becomes("one.yaml");
  assert.equal(await names(), "one.yaml");
  await close(page);
});

test("each problem of a file has its line, and a click goes there", async () => {
  const page = await open("");
  await page.waitForSelector(".cm-content", LONG);
  await page.focus(".cm-content");
  await chord(page, "Control", "End");
  await page.keyboard.type("nope: 1\nspce: 2\n");
  await page.waitForFunction(() => document.querySelectorAll(".verdict.bad .place").length >= 2, LONG);
  const places = await page.$$eval(".verdict .place b", (all) => all.map((place) => place.textContent));
  assert.equal(new Set(places).size, places.length, `${places}`);
  await chord(page, "Control", "Home");
  await page.$$eval(".verdict .place", (all) => all.at(-1).click());
  await page.waitForFunction((line) => document.querySelector(".cm-activeLineGutter")?.textContent === line, LONG,
    places.at(-1).split(":")[0]);
  assert.ok(await page.evaluate(() => document.activeElement.classList.contains("cm-content")));
  await close(page);
});

test("the editor and the terminal have room on every wide page", async () => {
  for (const [width, height] of [[1440, 900], [1280, 720], [1024, 768]]) {
    const page = await open("?scenario=missing-tag", { width, height });
    await page.waitForSelector(".cm-editor", LONG);
    await enter(page, "kubectl apply -f shop.yaml");
    await page.waitForSelector(".tile.bad", LONG);
    const room = (selector, line) =>
      page.$eval(selector, (element, line) => Math.floor(element.clientHeight / line), line);
    const at = `${width}×${height}`;
    assert.ok((await room(".cm-scroller", 19.5)) >= 12, `lines of the editor at ${at}`);
    assert.ok((await room(".screen", 19.5)) >= 12, `lines of the terminal at ${at}`);
    for (const chosen of [false, true]) {
      if (chosen) await click(page, ".tile.bad");
      const lost = await page.$$eval(".panes > .pane", (panes) => panes.filter((pane) => pane.offsetHeight)
        .filter((pane) => pane.offsetHeight < 150 || pane.getBoundingClientRect().bottom > innerHeight)
        .map((pane) => `${pane.id} ${pane.offsetHeight}`));
      assert.deepEqual(lost, [], at);
      assert.equal(await page.$eval("#pane-inspector", (pane) => pane.offsetHeight > 0), chosen, at);
    }
    assert.ok((await overflow(page)) <= 0, at);
    await close(page);
  }
});

test("the lines between panes are moved by mouse and keyboard, stay so, and go back", async () => {
  const page = await open("", { width: 1280, height: 720 });
  const size = () => page.$eval("#pane-editor", (pane) => [pane.offsetWidth, pane.offsetHeight]);
  const becomes = (words, ...more) => page.waitForFunction(words, LONG, ...more);
  const first = await size();
  const grip = async (line) => {
    const box = await (await page.$(`[data-line=${line}]`)).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  for (const [line, x, y] of [["columns", -120, 0], ["rows", 0, 90]]) {
    const from = await grip(line);
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0] + x, from[1] + y, { steps: 3 });
    await page.mouse.up();
  }
  const moved = await size();
  assert.ok(Math.abs(moved[0] - first[0] + 120) < 12 && Math.abs(moved[1] - first[1] - 90) < 12, `${first} ${moved}`);
  await page.focus("[data-line=columns]");
  await page.keyboard.press("ArrowRight");
  await becomes((old) => document.querySelector("#pane-editor").offsetWidth > old, moved[0]);
  const kept = await size();
  await page.reload();
  await becomes((kept) => document.querySelector("#pane-editor")?.offsetWidth === kept, kept[0]);
  for (const line of ["columns", "rows"]) await page.mouse.click(...(await grip(line)), { count: 2 });
  await becomes((first) => `${[document.querySelector("#pane-editor").offsetWidth, document.querySelector("#pane-editor").offsetHeight]}` === `${first}`, first);
  await close(page);
});

test("the legend explains every mark that is used", async () => {
  for (const language of ["en", "ja"]) {
    const page = await open(`?scenario=missing-tag&lang=${language}`);
    await enter(page, "kubectl apply -f shop.yaml; kubectl get pods nope");
    await page.waitForSelector(".tile.bad", LONG);
    await enter(page, "kubectl delete deployment shop");
    await page.waitForSelector(".story .is-converged", LONG);
    const used = await page.$$eval(".story .glyph, .why .glyph", (all) => [...new Set(all.map((one) => one.textContent))]);
    assert.ok(used.length > 7, used.join(" "));
    await click(page, ".legend-button");
    const told = await page.$$eval(".samples div", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    for (const sign of used) assert.ok(told.some((row) => row[0] === sign && row[1]), `${sign} in ${language}`);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => !document.querySelector(".sheet"), LONG);
    await close(page);
  }
});

test("at the end of a scenario stands what has been seen, and the next one", async () => {
  const page = await open("?scenario=first-pod&lang=en");
  await page.select(".speed select", "10");
  assert.equal(await page.$(".closing"), null);
  for (const line of ["kubectl get nodes", "kubectl apply -f web.yaml", "kubectl wait --for=condition=Ready pod/web",
    "kubectl describe pod web", "kubectl delete pod web"]) {
    await run(page, line);
  }
  await shows(page, ".closing", "Try next:");
  await click(page, ".closing .button");
  await page.waitForFunction(() => document.querySelector(".scenario select").value === "missing-tag", LONG);
  await close(page);
});

test("several files, and what the API server would say of them", async () => {
  const page = await open("");
  await page.waitForSelector(".cm-editor", LONG);
  await page.click(".file.plus");
  await page.waitForFunction(() => document.activeElement?.id === "file-name", LONG);
  await page.keyboard.type("two.yaml");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".file-tab").length === 2, LONG);
  await page.focus(".cm-content");
  await page.keyboard.type("apiVersion: v1");
  await page.keyboard.press("Enter");
  await page.keyboard.type("kind: ConfigMap");
  await page.keyboard.press("Enter");
  await page.keyboard.type("metadata: {name: two}");
  await page.keyboard.press("Enter");
  await page.keyboard.type("dada: {a: b}");
  await shows(page, ".verdict", 'unknown field "dada"');
  await page.waitForSelector(".cm-lint-marker-error", LONG);
  await page.keyboard.press("Home");
  await page.keyboard.press("Delete");
  await page.keyboard.type("d");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Delete");
  await page.keyboard.type("t");
  await page.waitForSelector(".verdict.good", LONG);
  await chord(page, "Control", "Enter");
  await shows(page, ".output", "configmap/two created");
  // The first file kept its text, and commands see what is in the editor.
  await page.click(".file-tab .file");
  await shows(page, ".cm-content", "kind: Pod");
  await enter(page, "cat two.yaml && echo '# more' >> two.yaml");
  await shows(page, ".output", "data: {a: b}");
  await page.evaluate(() => document.querySelectorAll(".file-tab .file")[1].click());
  await shows(page, ".cm-content", "# more");
  await close(page);
});

test("a fault and a missing file have their cards, in the reader's language", async () => {
  let page = await open("");
  await page.evaluate(() => globalThis.__drydock_crashed("a <b>fault</b>"));
  await shows(page, ".boot", "a <b>fault</b>");
  assert.equal(await page.$$eval(".boot button", (all) => all.length), 3);
  await page.click(".boot button");
  await page.waitForSelector("main.panes", LONG);
  await page.close();
  page = await load("?lang=ja", { without: "_bg.wasm" });
  await shows(page, ".boot[role=alert]", "読み込めませんでした");
  await page.close();
});
