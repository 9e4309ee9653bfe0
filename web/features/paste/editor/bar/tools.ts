import LineAfter from "lucide-react/icons/arrow-down-to-line";
import LineBefore from "lucide-react/icons/arrow-up-to-line";
import Bold from "lucide-react/icons/bold";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import Code from "lucide-react/icons/code";
import Heading from "lucide-react/icons/heading";
import Highlighter from "lucide-react/icons/highlighter";
import Image from "lucide-react/icons/image";
import Italic from "lucide-react/icons/italic";
import Link from "lucide-react/icons/link";
import List from "lucide-react/icons/list";
import Outdent from "lucide-react/icons/list-indent-decrease";
import Indent from "lucide-react/icons/list-indent-increase";
import ListOrdered from "lucide-react/icons/list-ordered";
import ListTodo from "lucide-react/icons/list-todo";
import Minus from "lucide-react/icons/minus";
import Quote from "lucide-react/icons/quote";
import Redo from "lucide-react/icons/redo-2";
import Sigma from "lucide-react/icons/sigma";
import Smile from "lucide-react/icons/smile";
import SquareCode from "lucide-react/icons/square-code";
import Strikethrough from "lucide-react/icons/strikethrough";
import Superscript from "lucide-react/icons/superscript";
import Table from "lucide-react/icons/table";
import Undo from "lucide-react/icons/undo-2";
import Workflow from "lucide-react/icons/workflow";
import type { ComponentType, KeyboardEvent } from "react";
import type { WordKey } from "../../../../i18n/i18n.ts";
import { block, type Format, fenced, indented, lines, linked, newLine, outdented, wrapped } from "../formats.ts";

/** A footnote: its number at the caret, its place at the end of the text. */
export const noted: Format = (text, { anchor, head }) => {
  const at = Math.max(anchor, head);
  const numbers = Array.from(text.matchAll(/\[\^(\d{1,6})\]/g), ([, number]) => Number(number));
  const number = numbers.reduce((most, one) => Math.max(most, one), 0) + 1;
  const rest = text.slice(at).trimEnd();
  const insert = `[^${number}]${rest}\n\n[^${number}]: `;
  return { from: at, to: text.length, insert, caret: { anchor: at + insert.length, head: at + insert.length } };
};

export type Tool = {
  readonly id: Exclude<Extract<WordKey, `editing.tool.${string}`>, "editing.tool.headingOf">;
  readonly Icon: ComponentType<{ "aria-hidden": true }>;
  /** With the system's main modifier. */
  readonly key?: string;
} & ({ readonly format: Format } | { readonly act: "undo" | "redo" | "picture" | "heading" | "emoji" | "help" });

const sampleTable = "| A | B |\n| --- | --- |\n|  |  |";

/** What the toolbar has a button for, in groups. */
export const tools: readonly (readonly Tool[])[] = [
  [
    { id: "editing.tool.undo", Icon: Undo, key: "Z", act: "undo" },
    { id: "editing.tool.redo", Icon: Redo, act: "redo" },
  ],
  [
    { id: "editing.tool.heading", Icon: Heading, act: "heading" },
    { id: "editing.tool.bold", Icon: Bold, key: "B", format: wrapped("**") },
    { id: "editing.tool.italic", Icon: Italic, key: "I", format: wrapped("*") },
  ],
  [
    { id: "editing.tool.bullets", Icon: List, format: lines("bullet") },
    { id: "editing.tool.tasks", Icon: ListTodo, format: lines("task") },
    { id: "editing.tool.quote", Icon: Quote, format: lines("quote") },
  ],
  [
    { id: "editing.tool.emoji", Icon: Smile, act: "emoji" },
    { id: "editing.tool.link", Icon: Link, key: "K", format: linked },
    { id: "editing.tool.picture", Icon: Image, act: "picture" },
    { id: "editing.tool.code", Icon: SquareCode, format: fenced("", "code") },
  ],
];

/** What is wanted less often and stands in the menu behind them, in groups. */
export const moreTools: readonly (readonly Tool[])[] = [
  [
    { id: "editing.tool.strike", Icon: Strikethrough, format: wrapped("~~") },
    { id: "editing.tool.mark", Icon: Highlighter, format: wrapped("==") },
    { id: "editing.tool.inlineCode", Icon: Code, key: "E", format: wrapped("`") },
  ],
  [
    { id: "editing.tool.numbers", Icon: ListOrdered, format: lines("number") },
    { id: "editing.tool.outdent", Icon: Outdent, format: outdented },
    { id: "editing.tool.indent", Icon: Indent, format: indented },
  ],
  [
    { id: "editing.tool.table", Icon: Table, format: block(sampleTable, "A") },
    { id: "editing.tool.formula", Icon: Sigma, format: fenced("", "E = mc^2", "$$") },
    { id: "editing.tool.diagram", Icon: Workflow, format: fenced("mermaid", "graph LR\n  A --> B") },
    { id: "editing.tool.footnote", Icon: Superscript, format: noted },
    { id: "editing.tool.line", Icon: Minus, format: block("---") },
    { id: "editing.tool.lineBefore", Icon: LineBefore, format: newLine("before") },
    { id: "editing.tool.lineAfter", Icon: LineAfter, format: newLine("after") },
  ],
  [{ id: "editing.tool.help", Icon: CircleHelp, key: "/", act: "help" }],
];

/** All of them, whose keys work wherever they stand. */
export const flat = [...tools, ...moreTools].flat();

/** What a key together with the main modifier stands for; undo and redo are the editor's own. */
export function toolOfKey({
  key,
  altKey,
  shiftKey,
}: Pick<KeyboardEvent, "key" | "altKey" | "shiftKey">): Tool | undefined {
  // On some keyboards a sign like / wants the shift key.
  if (altKey || (shiftKey && /^[a-z]$/i.test(key))) return undefined;
  const tool = flat.find((one) => one.key?.toLowerCase() === key.toLowerCase());
  return tool && ("format" in tool || tool.act === "help") ? tool : undefined;
}
