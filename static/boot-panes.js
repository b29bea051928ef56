// The lines between panes can be moved: dragged, or with the arrow keys; a double click puts one back. What has been
// chosen is remembered. The page itself knows nothing of it: styles read --left and --split.
const root = document.documentElement;
// Name of the style, the least and the most (parts of the whole), and how it is written.
const LINES = {
  columns: { style: "--left", least: 0.25, most: 0.65, write: (part) => `${(part * 100).toFixed(2)}%` },
  rows: { style: "--split", least: 0.2, most: 0.8, write: (part) => part.toFixed(4) },
};

export function movable(stored, keep) {
  let chosen = {};
  try {
    chosen = JSON.parse(stored("panes") ?? "{}") ?? {};
  } catch {
    // Not ours, then.
  }
  const show = (name, part) => {
    const line = LINES[name];
    if (Number.isFinite(part)) {
      chosen[name] = Math.min(line.most, Math.max(line.least, part));
      root.style.setProperty(line.style, line.write(chosen[name]));
    } else {
      delete chosen[name];
      root.style.removeProperty(line.style);
    }
  };
  for (const name of Object.keys(LINES)) show(name, chosen[name]);
  const grip = (event) => event.target.closest?.("[role=separator][data-line]");
  const whole = (it) => it.parentElement.getBoundingClientRect();
  // Where the line is, as a part of the whole.
  const place = (it, x, y) => {
    const box = whole(it);
    return it.dataset.line === "columns" ? (x - box.left) / box.width : (y - box.top) / box.height;
  };
  const now = (it) => {
    const box = it.getBoundingClientRect();
    return place(it, box.left + box.width / 2, box.top + box.height / 2);
  };
  const told = (it) => it.setAttribute("aria-valuenow", Math.round(now(it) * 100));
  addEventListener("focusin", (event) => {
    const it = grip(event);
    if (it) told(it);
  });
  let held;
  addEventListener("pointerdown", (event) => {
    held = event.button === 0 ? grip(event) : undefined;
    held?.setPointerCapture(event.pointerId);
  });
  addEventListener("pointermove", (event) => {
    if (held) show(held.dataset.line, place(held, event.clientX, event.clientY));
  });
  for (const end of ["pointerup", "pointercancel"])
    addEventListener(end, () => {
      if (held) keep("panes", JSON.stringify(chosen));
      held = undefined;
    });
  addEventListener("dblclick", (event) => {
    const it = grip(event);
    if (!it) return;
    show(it.dataset.line);
    keep("panes", JSON.stringify(chosen));
  });
  addEventListener("keydown", (event) => {
    const it = grip(event);
    const steps = { ArrowLeft: -0.02, ArrowUp: -0.02, ArrowRight: 0.02, ArrowDown: 0.02 };
    if (!it || !(event.key in steps)) return;
    event.preventDefault();
    show(it.dataset.line, now(it) + steps[event.key]);
    told(it);
    keep("panes", JSON.stringify(chosen));
  });
}
