// Starts the page: reads the names of its files, loads the program, and says kindly when that fails.
const assets = JSON.parse(document.getElementById("dd-assets").textContent);
const japanese = (navigator.language || "").startsWith("ja");
const url = (name) => new URL(name, document.baseURI).href;

function card(title, detail) {
  const app = document.getElementById("app");
  app.replaceChildren();
  const box = document.createElement("section");
  box.className = "boot";
  box.setAttribute("role", "alert");
  const head = document.createElement("h1");
  head.textContent = title;
  const text = document.createElement("pre");
  text.textContent = detail;
  const again = document.createElement("button");
  again.textContent = japanese ? "もう一度読み込む" : "Load again";
  again.onclick = () => location.reload();
  box.append(head, text, again);
  app.append(box);
}

if (japanese) {
  const wait = document.querySelector("#app .boot");
  if (wait) wait.textContent = wait.dataset.ja;
}

// A fault of the program ends its memory: nothing on the page can be trusted after that.
globalThis.__drydock_crashed = (message) => {
  card(japanese ? "Drydock が止まりました" : "Drydock has stopped", message);
};
// A trap carries no text of its own.
for (const kind of ["error", "unhandledrejection"])
  addEventListener(kind, (event) => {
    const fault = event.error || event.reason;
    if (fault instanceof WebAssembly.RuntimeError) globalThis.__drydock_crashed(String(fault.stack || fault));
  });
globalThis.__drydock_editor = () => import(url(assets.editor));

try {
  const glue = await import(url(assets.glue));
  await glue.default({ module_or_path: fetch(url(assets.wasm)) });
} catch (error) {
  card(japanese ? "読み込めませんでした" : "Drydock could not be loaded", String(error));
}
