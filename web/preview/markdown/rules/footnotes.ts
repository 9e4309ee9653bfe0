import type MarkdownIt from "markdown-it";
import type { RuleBlock } from "markdown-it/lib/parser_block.mjs";
import type { RuleInline } from "markdown-it/lib/parser_inline.mjs";
import type { Part } from "../parts.ts";

interface Note {
  readonly number: number;
  readonly text: string;
}

/** What one rendering knows of its footnotes; lives in markdown-it's env. */
export interface NotesEnv {
  noteTexts?: Map<string, string>;
  notes?: Map<string, Note>;
}

const definition = /^\[\^([^\]\s]{1,60})\]:(.*)$/;

/** `[^1]: text`, up to the next empty line. */
const define: RuleBlock = (state, startLine, endLine, silent) => {
  const at = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  const match = definition.exec(at(startLine));
  if (!match) return false;
  if (silent) return true;
  const lines = [(match[2] ?? "").trimStart()];
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
  if (!silent) state.push("note_ref", "", 0).meta = { label, text };
  state.pos += match[0].length;
  return true;
};

/** Adds footnotes of one paragraph each; they are numbered in the order of reading. */
export function footnoteRules(md: MarkdownIt): void {
  md.block.ruler.before("reference", "notes", define, { alt: ["paragraph", "reference"] });
  md.inline.ruler.before("link", "note_ref", refer);
  md.renderer.rules.note_ref = (tokens, index, _options, env: NotesEnv) => {
    const { label, text } = tokens[index]?.meta ?? {};
    env.notes ??= new Map();
    const known = env.notes.get(label);
    const { number } = known ?? { number: env.notes.size + 1 };
    if (!known) env.notes.set(label, { number, text });
    return `<sup><a class="md-note-ref" href="#note-${number}"${known ? "" : ` id="ref-${number}"`}>${number}</a></sup>`;
  };
}

/** Letters of HTML that footnotes come in. */
const TOGETHER = 16_000;

/** The list of footnotes for the end of the page, in parts; nothing where there are none. */
export function* renderNotes(md: MarkdownIt, env: NotesEnv, title: string): Generator<Part> {
  const begin = `<section class="md-notes" aria-label="${md.utils.escapeHtml(title)}"><ol>`;
  let [within, html] = ["", begin];
  // A footnote may mention another one, which then joins the map while it is walked.
  for (const { number, text } of env.notes?.values() ?? []) {
    // The variation selector makes the arrow a letter: fonts with emoji show it as a picture of a button else.
    const back = `<a href="#ref-${number}" aria-label="↩ ${number}">↩\ufe0e</a>`;
    html += `<li id="note-${number}">${md.renderInline(text, env)} ${back}</li>`;
    if (html.length < TOGETHER) continue;
    yield { html, within };
    [within, html] = [begin, ""];
  }
  if (html !== "" && env.notes?.size) yield { html, within };
}
