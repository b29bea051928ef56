// Starts the page: reads the names of its files, loads the program, and says kindly when that fails.
const assets = JSON.parse(document.getElementById("dd-assets").textContent);
const folder = location.pathname.slice(0, location.pathname.lastIndexOf("/"));
const stored = (name) => {
  try {
    return localStorage.getItem(`drydock:${folder}:${name}`);
  } catch {
    return null;
  }
};
const keep = (name, value) => {
  try {
    localStorage.setItem(`drydock:${folder}:${name}`, value);
  } catch {
    // Storage may be forbidden.
  }
};
const asked = new URLSearchParams(location.search).get("lang");
const japanese = (asked ?? stored("lang") ?? navigator.language ?? "").startsWith("ja");
const say = (english, other) => (japanese ? other : english);
const url = (name) => new URL(name, document.baseURI).href;
const app = document.getElementById("app");
document.documentElement.lang = japanese ? "ja" : "en";
document.documentElement.dataset.theme = stored("theme") ?? "auto";

function element(name, text, attributes = {}) {
  const it = document.createElement(name);
  it.textContent = text;
  for (const [key, value] of Object.entries(attributes)) it.setAttribute(key, value);
  return it;
}

function button(text, action) {
  const it = element("button", text, { type: "button" });
  it.onclick = () => action(it);
  return it;
}

// A card in place of the page.
function card(title, words, detail, ...buttons) {
  const box = element("section", "", { class: "boot", role: "alert" });
  box.append(element("h1", title), element("p", words));
  if (detail) box.append(element("pre", detail, { lang: "en" }));
  const row = element("p", "", { class: "choices" });
  row.append(...buttons);
  box.append(row);
  app.replaceChildren(box);
}

const again = () => button(say("Load again", "もう一度読み込む"), () => location.reload());

// A fault of the program ends its memory: nothing on the page can be trusted after that. Drafts are in the browser; the
// commands that led here would lead here again.
globalThis.__drydock_crashed = (message) => {
  try {
    sessionStorage.removeItem(`drydock:${folder}:session`);
  } catch {
    // Nothing was kept, then.
  }
  card(
    say("Drydock has stopped", "Drydock が止まりました"),
    say(
      "A fault in Drydock itself, not in what you typed. Your files are kept and open again after a restart.",
      "Drydock 自身の不具合です。ファイルは残っていて、再起動すると開きます。",
    ),
    message,
    button(say("Restart", "再起動"), () => location.reload()),
    button(say("Copy report", "報告をコピー"), async (it) => {
      try {
        await navigator.clipboard.writeText(`${message}\n${navigator.userAgent}\n${location.href}`);
        it.textContent = say("Copied", "コピーしました");
      } catch {
        it.textContent = say("Select the text above", "上の文を選択してください");
      }
    }),
    button(say("Restart with the original files", "元のファイルで再起動"), () => {
      try {
        for (const key of Object.keys(localStorage)) {
          if (key.startsWith(`drydock:${folder}:files:`)) localStorage.removeItem(key);
        }
      } catch {
        // Nothing was kept, then.
      }
      location.reload();
    }),
  );
};
// A trap carries no text of its own.
for (const kind of ["error", "unhandledrejection"])
  addEventListener(kind, (event) => {
    const fault = event.error || event.reason;
    if (fault instanceof WebAssembly.RuntimeError) globalThis.__drydock_crashed(String(fault.stack || fault));
  });
globalThis.__drydock_editor = () => import(url(assets.editor));
// The page's own parts that come after it share its memory and its table; each needs those before it.
const order = Object.keys(assets.parts);
const coming = {};
// The first of them is on its way from the beginning, behind the page.
const begun = {};
const functions = {};
globalThis.__drydock_part = (name) => {
  coming[name] ??= (async () => {
    Object.assign(functions, await page);
    const before = order[order.indexOf(name) - 1];
    const response = begun[name] ?? fetch(url(assets.parts[name]));
    delete begun[name];
    if (before) await globalThis.__drydock_part(before);
    const { instance } = await compiled(response, { m: functions });
    Object.assign(functions, instance.exports);
  })();
  coming[name].catch((error) => {
    delete coming[name];
    if (name === order[0]) unloadable(error);
  });
  return coming[name];
};
async function compiled(coming, imports) {
  const response = await coming;
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  // A host that serves wasm under another type has it compiled all the same.
  if (!response.headers.get("Content-Type")?.startsWith("application/wasm"))
    return WebAssembly.instantiate(await response.arrayBuffer(), imports);
  return WebAssembly.instantiateStreaming(response, imports);
}
const words = app.querySelector(".boot");
const bar = element("progress", "", { max: "1" });
if (words) {
  words.textContent = say("Loading…", "読み込んでいます…");
  bar.setAttribute("aria-label", words.textContent);
  words.append(bar);
}
const slow = setTimeout(() => {
  words?.append(element("span", say("Still loading.", "まだ読み込んでいます。")), again());
}, 10_000);

// How much of the program has arrived, read from a copy so that the browser may keep what it compiles.
async function follow(response) {
  if (!response.ok || !response.body || !assets.size) return;
  let got = 0;
  for (const reader = response.clone().body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    got += value.length;
    bar.value = Math.min(1, got / assets.size);
  }
}

function unloadable(error) {
  // A fault at the start has its own card.
  if (app.querySelector("[role=alert]")) return;
  card(
    say("Drydock could not be loaded", "読み込めませんでした"),
    say("One of its files did not arrive or could not be read.", "必要なファイルが届かないか、読めませんでした。"),
    String(error),
    again(),
  );
}

// What the page's program offers to its parts, once it runs.
let page;
try {
  if (typeof WebAssembly !== "object") throw new Error(say("This browser has no WebAssembly.", "このブラウザーには WebAssembly がありません。"));
  const wasm = fetch(url(assets.wasm));
  wasm.then(follow).catch(() => {});
  begun[order[0]] = fetch(url(assets.parts[order[0]]), { priority: "low" });
  begun[order[0]].catch(() => {});
  const glue = await import(url(assets.glue));
  page = glue.default({ module_or_path: wasm });
  await page;
} catch (error) {
  unloadable(error);
}
clearTimeout(slow);
import(url("./boot-panes.js")).then(({ movable }) => movable(stored, keep)).catch(() => {});
