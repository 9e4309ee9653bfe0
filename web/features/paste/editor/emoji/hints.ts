import {
  acceptCompletion,
  autocompletion,
  type CompletionSource,
  closeCompletion,
  completionKeymap,
  currentCompletions,
  startCompletion,
} from "@codemirror/autocomplete";
import { language, syntaxTree } from "@codemirror/language";
import { type Extension, Prec } from "@codemirror/state";
import { type Command, EditorView, keymap } from "@codemirror/view";
import { loadWords } from "../../../../i18n/i18n.ts";
import { matching, signGroups } from "./signs.ts";

/**
 * The name that is being typed at the end of a line, without its colon. It is not within a word, an address or a time, and has two
 * letters, so that `:D` and a colon at the end of a line stay what they are; one sign is enough where words have no letters.
 */
export const nameBegun = (before: string): string | undefined =>
  /(?<![\p{Script=Latin}\d:/]):([\p{Script=Latin}\p{M}\d]{2,}|[^\s\x20-\x7e\p{Script=Latin}]+)$/u.exec(before)?.[1];

/** Where a colon is code or part of an address. */
const verbatim = /Code|URL|Link|Image|HTML/;

/** Letters before the caret that are looked at. */
const LONGEST = 40;

/** The most signs that are offered: all of them are in sight. */
const MOST = 6;

const source: CompletionSource = async ({ state, pos, aborted }) => {
  // Plain text has no language.
  if (!state.facet(language)) return null;
  const line = state.doc.lineAt(pos);
  const wanted = nameBegun(state.sliceDoc(Math.max(line.from, pos - LONGEST), pos));
  if (!wanted || verbatim.test(syntaxTree(state).resolveInner(pos, -1).name)) return null;
  try {
    await loadWords("emoji");
  } catch {
    // Offline, or a new version is out: whoever asks for emoji by the toolbar is told, and what is typed stays as it is.
    return null;
  }
  const found = matching(signGroups(), wanted).flatMap(({ signs }) => signs);
  if (aborted || found.length === 0) return null;
  return {
    from: pos - wanted.length - 1,
    filter: false,
    options: found
      .slice(0, MOST)
      .map(({ sign, name }) => ({ label: name, displayLabel: `${sign}  ${name}`, apply: sign })),
  };
};

const look = EditorView.theme({
  ".cm-tooltip.cm-tooltip-autocomplete": {
    border: "1px solid var(--line)",
    borderRadius: "10px",
    backgroundColor: "var(--raised)",
    boxShadow: "var(--shadow-large)",
    padding: "4px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-sans)", maxHeight: "304px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    padding: "6px 10px",
    borderRadius: "6px",
    lineHeight: "24px",
    fontSize: "14px",
    color: "var(--text)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--sunken)",
    color: "var(--text)",
  },
  "@media (pointer: coarse)": { ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "10px 12px" } },
});

/** Closes the list. Where none is shown yet Escape stays what it is: Tab after it leaves the text. */
const close: Command = (view) => {
  const isShown = currentCompletions(view.state).length > 0;
  closeCompletion(view);
  return isShown;
};

const isOurs = (run: Command | undefined) => run === closeCompletion || run === startCompletion;

/**
 * Offers emoji in Markdown while their name is typed behind a colon: Enter and Tab take one, Escape closes the list. It stays with an editor for
 * good, because what it has begun ends after the text has lost its focus.
 */
export const emojiHints = (): Extension => [
  autocompletion({ override: [source], icons: false, interactionDelay: 0, defaultKeymap: false }),
  // Before Tab indents and Enter begins a line.
  Prec.highest(
    keymap.of([
      { key: "Escape", run: close },
      { key: "Tab", run: acceptCompletion },
      ...completionKeymap.filter(({ run }) => !isOurs(run)),
    ]),
  ),
  look,
];
