// The editor behind a narrow door: create(host, options, callbacks) → a handle. The editor owns the text.
import { EditorState, Compartment, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  EditorView, Decoration, ViewPlugin, WidgetType, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter,
  drawSelection, gutter, GutterMarker,
} from "@codemirror/view";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  HighlightStyle, StreamLanguage, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting,
} from "@codemirror/language";
import { yaml } from "@codemirror/lang-yaml";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { tags } from "@lezer/highlight";

const setMarks = StateEffect.define();
const marks = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    let next = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) {
        const lines = effect.value.filter((n) => n >= 1 && n <= transaction.state.doc.lines);
        next = Decoration.set(
          lines.sort((a, b) => a - b).map((n) =>
            Decoration.line({ class: "dd-mark" }).range(transaction.state.doc.line(n).from)),
        );
      }
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

// Who wrote a field: letters in the colour of their role, beside the line.
class Owner extends GutterMarker {
  constructor(owners) {
    super();
    this.owners = owners;
    this.words = JSON.stringify(owners);
  }
  eq(other) {
    return other.words === this.words;
  }
  toDOM() {
    const box = document.createElement("span");
    box.className = "dd-owner";
    for (const { letter, role, title } of this.owners) {
      const chip = document.createElement("span");
      chip.className = `chip role-${role}`;
      chip.textContent = letter;
      chip.title = title;
      box.append(chip);
    }
    return box;
  }
}
const setOwners = StateEffect.define();
const owners = StateField.define({
  create: () => RangeSet.empty,
  update(value, transaction) {
    let next = value.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setOwners)) continue;
      const { doc } = transaction.state;
      const known = effect.value.filter((one) => one.line >= 1 && one.line <= doc.lines);
      next = RangeSet.of(known.map((one) => new Owner(one.owners).range(doc.line(one.line).from)), true);
    }
    return next;
  },
});
const ownerGutter = gutter({ class: "dd-owners", markers: (view) => view.state.field(owners) });

// Characters one cannot see, or that turn others around, stand as their numbers; a run of them is one sign, since each
// sign costs the browser some time. So are runs of joiners and towers of accents.
const UNUSUAL =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffc]+|[\u200c\u200d]{2,}|(?<=\p{M}{6})\p{M}+/gu;
// Signs of one line; what follows the last of them is one sign more.
const MOST_SIGNS = 24;

class Sign extends WidgetType {
  constructor(words, title) {
    super();
    Object.assign(this, { words, title });
  }
  eq(other) {
    return other.words === this.words && other.title === this.title;
  }
  toDOM() {
    const sign = document.createElement("span");
    sign.className = "dd-sign";
    sign.textContent = this.words;
    sign.title = this.title;
    sign.setAttribute("aria-label", this.title);
    return sign;
  }
}

function signs(view) {
  const found = [];
  const put = (from, to, words, title) =>
    found.push(Decoration.replace({ widget: new Sign(words, title) }).range(from, to));
  const phrase = (text, ...more) => view.state.phrase(text, ...more);
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = view.state.doc.lineAt(at);
      const [start, end] = [Math.max(line.from, from), Math.min(line.to, to)];
      let count = 0;
      for (const match of line.text.slice(start - line.from, end - line.from).matchAll(UNUSUAL)) {
        const place = start + match.index;
        if ((count += 1) > MOST_SIGNS) {
          put(place, end, `… +${end - place}`, phrase("$ more characters, many of them invisible", end - place));
          break;
        }
        const code = match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
        const length = [...match[0]].length;
        const words = length > 1 ? `U+${code} ×${length}` : `U+${code}`;
        put(place, place + match[0].length, words, phrase("Invisible characters: $", words));
      }
      at = line.to + 1;
    }
  }
  return Decoration.set(found);
}
const unusual = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.signs = signs(view);
    }
    update(update) {
      if (update.docChanged || update.viewportChanged) this.signs = signs(update.view);
    }
  },
  {
    decorations: (plugin) => plugin.signs,
    provide: (plugin) =>
      EditorView.atomicRanges.of((view) => view.plugin(plugin)?.signs ?? Decoration.none),
  },
);

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: "var(--code-atom)" },
  { tag: [tags.comment, tags.meta], color: "var(--code-comment)", fontStyle: "italic" },
]);

// Terraform's language, a line at a time: enough to tell names, texts, numbers and remarks apart.
const hcl = StreamLanguage.define({
  name: "hcl",
  startState: () => ({ inside: [] }),
  copyState: (state) => ({ inside: [...state.inside] }),
  token(stream, state) {
    const inside = state.inside.at(-1);
    if (inside === "remark") {
      if (stream.skipTo("*/")) stream.pos += 2, state.inside.pop();
      else stream.skipToEnd();
      return "comment";
    }
    if (inside === "text") {
      while (!stream.eol()) {
        if (stream.match("${") || stream.match("%{")) return state.inside.push("value"), "string";
        const sign = stream.next();
        if (sign === "\\") stream.next();
        if (sign === '"') return state.inside.pop(), "string";
      }
      state.inside.pop();
      return "string";
    }
    if (inside?.end) {
      const line = stream.string.trim();
      stream.skipToEnd();
      if (line === inside.end) state.inside.pop();
      return "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^(#|\/\/)/)) return stream.skipToEnd(), "comment";
    if (stream.match("/*")) return state.inside.push("remark"), "comment";
    const heredoc = stream.match(/^<<-?([A-Za-z_]\w*)$/);
    if (heredoc) return state.inside.push({ end: heredoc[1] }), "string";
    if (stream.eat('"')) return state.inside.push("text"), "string";
    if (stream.eat("{")) return inside && state.inside.push("value"), null;
    if (stream.eat("}")) return inside && state.inside.pop(), inside && state.inside.at(-1) === "text" ? "string" : null;
    if (stream.match(/^\d+(\.\d+)?/)) return "number";
    if (stream.match(/^(true|false|null)\b/)) return "atom";
    if (stream.match(/^(for|in|if)\b/) && !stream.match(/^\s*=[^=]/, false)) return "keyword";
    if (stream.match(/^[\p{L}_][\p{L}\p{N}_-]*/u)) {
      const first = /^\s*$/.test(stream.string.slice(0, stream.start));
      return first || stream.match(/^\s*=[^=>]/, false) ? "propertyName" : "variableName";
    }
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "#" } },
});

const language = (path) => (/\.(ya?ml|json)$/.test(path) ? [yaml()] : /\.(tf|hcl)$/.test(path) ? [hcl] : []);

const japanese = {
  "Find": "検索", "Replace": "置換", "next": "次", "previous": "前", "all": "すべて", "match case": "大小文字を区別",
  "by word": "単語単位", "regexp": "正規表現", "replace": "置換", "replace all": "すべて置換", "close": "閉じる",
  "current match": "一致", "on line": "行", "replaced match on line $": "$ 行目を置換", "replaced $ matches": "$ 件を置換",
  "Go to line": "行へ移動", "go": "移動", "Diagnostics": "問題", "No diagnostics": "問題なし",
  "Invisible characters: $": "見えない文字: $", "$ more characters, many of them invisible": "ほか $ 文字（見えない文字を多く含む）",
};

export function create(host, options, callbacks) {
  const phrases = new Compartment();
  let spoken = options.language;
  const words = () => EditorState.phrases.of(spoken === "ja" ? japanese : {});
  const fresh = (path, text) => EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(), owners, ownerGutter, highlightActiveLineGutter(), unusual, history(), drawSelection(),
      indentOnInput(), indentUnit.of("  "), bracketMatching(), highlightActiveLine(), highlightSelectionMatches(),
      syntaxHighlighting(colours), lintGutter(), search({ top: true }), marks,
      keymap.of([
        { key: "Mod-Enter", run: () => (callbacks.apply?.(), true) },
        ...defaultKeymap, ...historyKeymap, ...searchKeymap,
      ]),
      language(path),
      phrases.of(words()),
      EditorView.contentAttributes.of({ "aria-label": options.label ?? "editor", spellcheck: "false" }),
      EditorView.updateListener.of((update) => update.docChanged && callbacks.change?.()),
    ],
  });
  let open = options.path;
  // Files that are not shown keep their history.
  const states = new Map();
  const view = new EditorView({ parent: host, state: fresh(open, options.text ?? "") });
  // The text is what takes the focus; a scroller that refuses it would be no way to it.
  view.scrollDOM.removeAttribute("tabindex");
  return {
    get: () => view.state.doc.toString(),
    open(path, text) {
      states.set(open, view.state);
      open = path;
      const known = states.get(path);
      view.setState(known?.doc.toString() === text ? known : fresh(path, text));
      view.dispatch({ effects: phrases.reconfigure(words()) });
    },
    reset: () => states.clear(),
    language(tag) {
      spoken = tag;
      view.dispatch({ effects: phrases.reconfigure(words()) });
    },
    // [{line, column, severity, message}], from 1.
    diagnostics(list) {
      const doc = view.state.doc;
      const found = list.map((one) => {
        const line = doc.line(Math.min(Math.max(one.line, 1), doc.lines));
        const from = Math.min(line.from + Math.max(one.column - 1, 0), line.to);
        const word = /^[\w.\/-]+/.exec(line.text.slice(from - line.from));
        const to = Math.min(from + (word ? word[0].length : 1), line.to);
        return { from: Math.min(from, to), to: Math.max(from, to), severity: one.severity, message: one.message };
      });
      view.dispatch(setDiagnostics(view.state, found));
    },
    // [{line, owners: [{letter, role, title}]}], from 1.
    owners: (list) => view.dispatch({ effects: setOwners.of(list) }),
    marks: (lines) => view.dispatch({ effects: setMarks.of(lines) }),
    go(number, column) {
      const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
      const at = Math.min(line.from + Math.max(column - 1, 0), line.to);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
