import { syntaxTree } from "@codemirror/language";
import { type EditorState, type Extension, Prec, StateField } from "@codemirror/state";
import { type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { liveDecorations, type Span } from "./decorations.ts";
import { askFor } from "./widgets.ts";

/** The column of the reading page, and its letters. */
const look = EditorView.theme({
  "&": { fontSize: "16px" },
  ".cm-scroller": { fontFamily: "var(--font-sans)", lineHeight: "28px" },
  ".cm-content": { width: "100%", maxWidth: "744px", margin: "0 auto" },
  ".live-h": {
    fontWeight: "650",
    lineHeight: "1.3",
    letterSpacing: "-0.01em",
    paddingTop: "14px",
    paddingBottom: "4px",
  },
  ".live-h1": { fontSize: "1.75em" },
  ".live-h2": { fontSize: "1.375em" },
  ".live-h3": { fontSize: "1.15em" },
  ".live-h6": { color: "var(--muted)" },
  ".live-thin": { lineHeight: "6px" },
  ".live-indent": { fontFamily: "var(--font-mono)", whiteSpace: "pre" },
  ".live-bullet, .live-number": { color: "var(--muted)" },
  ".live-bullet": { display: "inline-block", minWidth: "0.7em" },
  ".live-task": {
    width: "16px",
    height: "16px",
    margin: "0 2px 0 0",
    verticalAlign: "-2px",
    accentColor: "var(--accent)",
    cursor: "pointer",
  },
  "@media (pointer: coarse)": { ".live-task": { width: "22px", height: "22px", verticalAlign: "-5px" } },
  ".live-rule": {
    display: "inline-block",
    width: "100%",
    height: "1px",
    background: "var(--line)",
    verticalAlign: "middle",
  },
  ".live-marked": {
    padding: "0 3px",
    borderRadius: "4px",
    background: "color-mix(in srgb, var(--accent) 22%, transparent)",
  },
  ".live-sub, .live-sup": { fontSize: "0.75em", lineHeight: "1" },
  ".live-sub": { verticalAlign: "sub" },
  ".live-sup": { verticalAlign: "super" },
  ".live-code-words": {
    padding: "2px 5px",
    borderRadius: "5px",
    background: "var(--code-surface)",
    color: "var(--code-text)",
    fontFamily: "var(--font-mono)",
    fontSize: "0.875em",
  },
  ".live-code, .live-table": { fontFamily: "var(--font-mono)", fontSize: "13.5px", lineHeight: "24px" },
  ".live-code": { background: "var(--code-surface)", color: "var(--code-text)" },
  ".live-language": { color: "var(--muted)", fontFamily: "var(--font-sans)", fontSize: "12px" },
  // The colours of the language take every bracket for a link.
  ".live-plain, .live-plain *": { color: "var(--text)" },
  ".live-link": {
    color: "var(--accent)",
    textDecoration: "underline",
    textDecorationThickness: "1px",
    textUnderlineOffset: "3px",
  },
  ".live-picture": { maxWidth: "100%", maxHeight: "70vh", borderRadius: "8px", verticalAlign: "bottom" },
  ".md-image": { verticalAlign: "bottom" },
  // Bars of quotes are shadows, because the line's own padding is that of every other line.
  ".live-quote": { color: "var(--muted)" },
  ...Object.fromEntries([1, 2, 3].map((depth) => [`.cm-line.live-quote-${depth}`, bars(depth)])),
});

function bars(depth: number): Record<string, string> {
  const steps = Array.from({ length: depth }, (_, at) => at * 16);
  const bar = "linear-gradient(var(--line), var(--line))";
  return {
    paddingLeft: `calc(var(--live-edge) + ${depth * 16}px)`,
    backgroundImage: steps.map(() => bar).join(", "),
    backgroundSize: "3px 100%",
    backgroundRepeat: "no-repeat",
    backgroundPosition: steps.map((step) => `calc(var(--live-edge) + ${step}px) 0`).join(", "),
  };
}

/** The padding of lines, as the editor's own measures have it. */
const edge = EditorView.theme({
  "&": { "--live-edge": "16px" },
  "@media (min-width: 640px)": { "&": { "--live-edge": "32px" } },
});

/** Images of other hosts that somebody has asked for while this text is edited. */
const asked = StateField.define<ReadonlySet<string>>({
  create: () => new Set<string>(),
  update(before, { effects }) {
    const more = effects.flatMap((effect) => (effect.is(askFor) ? [effect.value] : []));
    return more.length > 0 ? new Set([...before, ...more]) : before;
  },
});

/** Whole lines of a part of the text. */
const linesOf = ({ doc }: EditorState, { from, to }: Span): Span => ({
  from: doc.lineAt(from).from,
  to: doc.lineAt(to).to,
});

class LiveView {
  decorations: DecorationSet;
  /** The lines that are shown as they are written: those of the caret. */
  private shown: readonly Span[] = [];
  /** Between press and release nothing moves, else the release would be at another letter. */
  private pressed = false;
  private readonly release: () => void;

  constructor(readonly view: EditorView) {
    this.release = () => {
      if (!this.pressed) return;
      this.pressed = false;
      view.dispatch({});
    };
    window.addEventListener("mouseup", this.release);
    window.addEventListener("dragend", this.release);
    this.shown = this.shownNow();
    this.decorations = this.draw();
  }

  press(): void {
    this.pressed = true;
  }

  update(update: ViewUpdate): void {
    const before = this.shown;
    this.shown = this.shownAfter(update);
    const { docChanged, viewportChanged, startState, state } = update;
    const isSame =
      before.length === this.shown.length &&
      before.every(({ from, to }, at) => from === this.shown[at]?.from && to === this.shown[at]?.to);
    if (
      !isSame ||
      docChanged ||
      viewportChanged ||
      syntaxTree(startState) !== syntaxTree(state) ||
      startState.field(asked, false) !== state.field(asked)
    )
      this.decorations = this.draw();
  }

  private shownAfter({ state, view, changes, docChanged, focusChanged, transactions }: ViewUpdate): readonly Span[] {
    // What was searched for must not stay hidden, though the search has the focus.
    if (transactions.some((one) => one.isUserEvent("select.search"))) return [linesOf(state, state.selection.main)];
    if (docChanged)
      this.shown = this.shown.map(({ from, to }) =>
        linesOf(state, { from: changes.mapPos(from, -1), to: changes.mapPos(to, 1) }),
      );
    if (this.pressed || (!view.hasFocus && !focusChanged)) return this.shown;
    return this.shownNow();
  }

  /** The caret's line. A selection of letters changes nothing: what moved under the finger would be selected wrongly. */
  private shownNow(): readonly Span[] {
    const { state, hasFocus } = this.view;
    const { main } = state.selection;
    if (!hasFocus) return [];
    return main.empty ? [linesOf(state, main)] : this.shown;
  }

  private draw(): DecorationSet {
    const { state, visibleRanges } = this.view;
    const { shown } = this;
    return liveDecorations(state, { ranges: visibleRanges, shown, origin: location.origin, asked: state.field(asked) });
  }

  destroy(): void {
    window.removeEventListener("mouseup", this.release);
    window.removeEventListener("dragend", this.release);
  }
}

const plugin = ViewPlugin.fromClass(LiveView, {
  decorations: ({ decorations }) => decorations,
  eventObservers: {
    mousedown(event) {
      if (event.button === 0) this.press();
    },
  },
  eventHandlers: {
    click(event) {
      const place = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-href]") : null;
      if (!place || !(event.ctrlKey || event.metaKey)) return false;
      window.open(place.dataset.href, "_blank", "noopener,noreferrer");
      return true;
    },
  },
});

/**
 * Shows Markdown as it will read while it is written: marks are hidden but on the line of the caret. Only what is in sight is looked
 * at. It needs the Markdown language beside it.
 */
export const liveView = (): Extension => [
  asked,
  plugin,
  // The caret stays as far from the edge as the padding puts the first line.
  EditorView.scrollMargins.of(() => ({ top: 20, bottom: 20 })),
  Prec.highest([look, edge]),
];
