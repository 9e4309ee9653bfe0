import type { Caret } from "./surface/caret.ts";

/** One change of a text, and where the caret is after it. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  readonly caret: Caret;
}

/** A change that a button of the toolbar makes of the text and its selection. */
export type Format = (text: string, caret: Caret) => Replacement;

const ends = ({ anchor, head }: Caret) => ({ from: Math.min(anchor, head), to: Math.max(anchor, head) });

const selecting = (anchor: number, head: number): Caret => ({ anchor, head });

/** Puts a text in place of what is selected; the caret stands behind it. */
export const inserted =
  (insert: string): Format =>
  (_text, caret) => {
    const { from, to } = ends(caret);
    return { from, to, insert, caret: selecting(from + insert.length, from + insert.length) };
  };

/** Puts a text in place of everything. */
export const whole =
  (insert: string): Format =>
  ({ length }) => ({ from: 0, to: length, insert, caret: selecting(0, 0) });

/** Puts marks around the selection, or takes them away when they are there already. */
export const wrapped =
  (open: string, close = open): Format =>
  (text, caret) => {
    const { from, to } = ends(caret);
    const inner = text.slice(from, to);
    if (
      text.slice(from - open.length, from) === open &&
      text.startsWith(close, to) &&
      !isPartOfLonger(text, from, open)
    ) {
      const start = from - open.length;
      return {
        from: start,
        to: to + close.length,
        insert: inner,
        caret: selecting(start, start + inner.length),
      };
    }
    const start = from + open.length;
    return { from, to, insert: open + inner + close, caret: selecting(start, start + inner.length) };
  };

/** Reports whether a single mark is half of a double one, as `*` is in `**`. */
const isPartOfLonger = (text: string, from: number, open: string): boolean =>
  open.length === 1 && text[from - 2] === open && text[from - 3] !== open;

/** A link around the selection, with the place for its address selected. */
export const linked: Format = (text, caret) => {
  const { from, to } = ends(caret);
  const label = text.slice(from, to);
  const isAddress = /^https?:\/\/\S+$/.test(label);
  const insert = isAddress ? `[](${label})` : `[${label}](https://)`;
  const at = isAddress || label === "" ? from + 1 : from + insert.length - 1;
  const back = isAddress || label === "" ? at : at - "https://".length;
  return { from, to, insert, caret: selecting(back, at) };
};

/** What a line may begin with, so that one kind of line becomes another. */
const beginning = /^(\s*)(#{1,6} |> |[-*+] \[[ xX]\] |[-*+] |\d{1,9}[.)] )?/;

type LineKind = "quote" | "bullet" | "number" | "task" | `h${1 | 2 | 3 | 4 | 5 | 6}`;

function markOf(kind: LineKind, index: number): string {
  if (kind === "quote") return "> ";
  if (kind === "bullet") return "- ";
  if (kind === "number") return `${index + 1}. `;
  if (kind === "task") return "- [ ] ";
  return `${"#".repeat(Number(kind[1]))} `;
}

const isOf = (kind: LineKind, mark: string): boolean =>
  kind === "number" ? /^\d/.test(mark) : kind === "task" ? mark.includes("[") : mark === markOf(kind, 0);

/** Makes the selected lines of one kind, or plain again when all of them are of it. */
export const lines =
  (kind: LineKind): Format =>
  (text, caret) =>
    eachLine(text, caret, (all) => {
      const full = all.filter((line) => line.trim() !== "");
      const undo = full.length > 0 && full.every((line) => isOf(kind, beginning.exec(line)?.[2] ?? ""));
      let index = 0;
      return (line) => {
        if (line.trim() === "" && all.length > 1) return line;
        const [whole = "", indent = ""] = beginning.exec(line) ?? [];
        return indent + (undo ? "" : markOf(kind, index++)) + line.slice(whole.length);
      };
    });

/** Moves the selected lines by two spaces, which is where the items within an item of a list begin. */
export const indented: Format = (text, caret) => eachLine(text, caret, () => (line) => `  ${line}`);
export const outdented: Format = (text, caret) =>
  eachLine(text, caret, () => (line) => line.replace(/^(?: {1,2}|\t)/, ""));

function eachLine(text: string, caret: Caret, plan: (lines: string[]) => (line: string) => string): Replacement {
  const { from: start, to: end } = ends(caret);
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const to = lineEnd < 0 ? text.length : lineEnd;
  const before = text.slice(from, to).split("\n");
  const insert = before.map(plan(before)).join("\n");
  if (start !== end) return { from, to, insert, caret: selecting(from, from + insert.length) };
  // The caret stays at its letter.
  const at = Math.max(from, from + insert.length - (to - start));
  return { from, to, insert, caret: selecting(at, at) };
}

/** An empty line before or after those of the selection, where the writing goes on. */
export const newLine =
  (where: "before" | "after"): Format =>
  (text, caret) => {
    const { from, to } = ends(caret);
    const lineEnd = text.indexOf("\n", to);
    const at = where === "before" ? text.lastIndexOf("\n", from - 1) + 1 : lineEnd < 0 ? text.length : lineEnd;
    const place = where === "before" ? at : at + 1;
    return { from: at, to: at, insert: "\n", caret: selecting(place, place) };
  };

/** A block of its own, with an empty line before and after it; of `select` in it the first is selected. */
export const block =
  (insert: string, select = ""): Format =>
  (text, caret) => {
    const { from, to } = ends(caret);
    const before = text.slice(0, from);
    const lead = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    const after = text.slice(to);
    const trail = after.startsWith("\n\n") ? "" : after.startsWith("\n") ? "\n" : "\n\n";
    const at = from + lead.length + (select ? insert.indexOf(select) : insert.length);
    return { from, to, insert: lead + insert + trail, caret: selecting(at, at + select.length) };
  };

/** A fence of its own around what is selected. */
export const fenced =
  (language: string, sample: string, fence = "```"): Format =>
  (text, caret) => {
    const { from, to } = ends(caret);
    const inner = text.slice(from, to) || sample;
    return block(`${fence}${language}\n${inner}\n${fence}`, inner)(text, caret);
  };
// x
