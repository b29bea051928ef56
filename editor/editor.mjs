// The editor behind a narrow door: create(host, options, callbacks) → a handle. The editor owns the text.
import { EditorState, Compartment, Annotation, StateEffect, StateField } from "@codemirror/state";
import {
  EditorView, Decoration, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection,
  highlightSpecialChars,
} from "@codemirror/view";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { yaml } from "@codemirror/lang-yaml";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { tags } from "@lezer/highlight";

// A change that came from outside is not reported back.
const external = Annotation.define();
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

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: "var(--code-atom)" },
  { tag: [tags.comment, tags.meta], color: "var(--code-comment)", fontStyle: "italic" },
]);

const language = (name) => (name === "yaml" ? [yaml()] : []);

export function create(host, options, callbacks) {
  const lang = new Compartment();
  const readOnly = new Compartment();
  const phrases = new Compartment();
  const look = (value) => [EditorState.readOnly.of(value), EditorView.editable.of(!value)];
  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      doc: options.text ?? "",
      extensions: [
        lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history(), drawSelection(),
        indentOnInput(), indentUnit.of("  "), bracketMatching(), highlightActiveLine(), highlightSelectionMatches(),
        syntaxHighlighting(colours), lintGutter(), search({ top: true }), marks,
        keymap.of([
          { key: "Mod-Enter", run: () => (callbacks.apply?.(), true) },
          ...defaultKeymap, ...historyKeymap, ...searchKeymap,
        ]),
        lang.of(language(options.lang ?? "yaml")),
        readOnly.of(look(options.readOnly ?? false)),
        phrases.of(EditorState.phrases.of(options.phrases ?? {})),
        EditorView.contentAttributes.of({ "aria-label": options.label ?? "editor", spellcheck: "false" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((t) => t.annotation(external))) callbacks.change?.();
          if (update.selectionSet || update.docChanged) {
            const at = update.state.selection.main.head;
            const line = update.state.doc.lineAt(at);
            callbacks.cursor?.(line.number, at - line.from + 1);
          }
        }),
      ],
    }),
  });
  return {
    get: () => view.state.doc.toString(),
    set(text) {
      if (text === view.state.doc.toString()) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        annotations: external.of(true),
      });
    },
    lang: (name) => view.dispatch({ effects: lang.reconfigure(language(name)) }),
    readOnly: (value) => view.dispatch({ effects: readOnly.reconfigure(look(value)) }),
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
    marks: (lines) => view.dispatch({ effects: setMarks.of(lines) }),
    phrases: (table) => view.dispatch({ effects: phrases.reconfigure(EditorState.phrases.of(table)) }),
    go(line) {
      const at = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({ selection: { anchor: at.from }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
