import type MarkdownIt from "markdown-it";
import type { RuleBlock } from "markdown-it/lib/parser_block.mjs";
import type { RuleInline } from "markdown-it/lib/parser_inline.mjs";

interface Note {
  readonly number: number;
  readonly text: string;
}

/** What one rendering knows of its footnotes; lives in markdown-it's env. */
export interface NotesEnv {
  noteTexts?: Map<string, string>;
  notes?: Map<string, Note>;
}

const definition = /^\[\^([^\]\s]{1,60})\]:[ \t]*(.*)$/;

/** `[^1]: text`, up to the next empty line. */
const define: RuleBlock = (state, startLine, endLine, silent) => {
  const at = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  const match = definition.exec(at(startLine));
  if (!match) return false;
  if (silent) return true;
  const lines = [match[2] ?? ""];
  let line = startLine + 1;
  for (; line < endLine && !state.isEmpty(line) && !definition.test(at(line)); line++) lines.push(at(line).trim());
  const env: NotesEnv = state.env;
  env.noteTexts ??= new Map();
  env.noteTexts.set(match[1] ?? "", lines.join("\n"));
  state.line = line;
  return true;
};

const refer: RuleInline = (state, silent) => {
  const match = /^\[\^([^\]\s]{1,60})\]/.exec(state.src.slice(state.pos, state.pos + 64));
  const env: NotesEnv = state.env;
  const label = match?.[1] ?? "";
  const text = env.noteTexts?.get(label);
  if (!match || text === undefined) return false;
  if (!silent) {
    env.notes ??= new Map();
    const known = env.notes.get(label);
    const note = known ?? { number: env.notes.size + 1, text };
    env.notes.set(label, note);
    const token = state.push("note_ref", "", 0);
    token.meta = { number: note.number, first: known === undefined };
  }
  state.pos += match[0].length;
  return true;
};

/** Adds footnotes of one paragraph each; they are numbered in the order of reading. */
export function footnoteRules(md: MarkdownIt): void {
  md.block.ruler.before("reference", "notes", define, { alt: ["paragraph", "reference"] });
  md.inline.ruler.before("link", "note_ref", refer);
  md.renderer.rules.note_ref = (tokens, index) => {
    const { number, first } = tokens[index]?.meta ?? {};
    return `<sup><a class="md-note-ref" href="#note-${number}"${first ? ` id="ref-${number}"` : ""}>${number}</a></sup>`;
  };
}

/** The list of footnotes for the end of the page, or an empty text. */
export function renderNotes(md: MarkdownIt, env: NotesEnv, title: string): string {
  const items: string[] = [];
  // A footnote may mention another one, which then joins the map while it is walked.
  for (const note of env.notes?.values() ?? []) {
    // As a letter: fonts with emoji show it as a picture of a button else.
    const back = `<a href="#ref-${note.number}" aria-label="↩ ${note.number}">↩\ufe0e</a>`;
    items.push(`<li id="note-${note.number}">${md.renderInline(note.text, env)} ${back}</li>`);
  }
  if (items.length === 0) return "";
  return `<section class="md-notes" aria-label="${md.utils.escapeHtml(title)}"><ol>${items.join("")}</ol></section>`;
}
