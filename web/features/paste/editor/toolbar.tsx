import LineAfter from "lucide-react/icons/arrow-down-to-line";
import LineBefore from "lucide-react/icons/arrow-up-to-line";
import Bold from "lucide-react/icons/bold";
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
import { type ComponentType, type KeyboardEvent, type MouseEvent, type RefObject, useState } from "react";
import { t, useLanguage, type WordKey } from "../../../i18n/i18n.ts";
import { keyName } from "../../../lib/keys.ts";
import { IconButton } from "../../../ui/button.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { EmojiButton } from "./emoji/emoji-button.tsx";
import {
  block,
  type Format,
  fenced,
  indented,
  inserted,
  lines,
  linked,
  newLine,
  outdented,
  wrapped,
} from "./formats.ts";
import { noted } from "./note.ts";
import type { EditorSurface } from "./surface.ts";

type Tool = {
  readonly id: Exclude<Extract<WordKey, `editing.tool.${string}`>, "editing.tool.headingOf">;
  readonly Icon: ComponentType<{ "aria-hidden": true }>;
  /** With the system's main modifier. */
  readonly key?: string;
} & ({ readonly format: Format } | { readonly act: "undo" | "redo" | "picture" | "heading" | "emoji" });

const sampleTable = "| A | B |\n| --- | --- |\n|  |  |";

/** What the toolbar offers, in groups. */
const tools: readonly (readonly Tool[])[] = [
  [
    { id: "editing.tool.undo", Icon: Undo, key: "Z", act: "undo" },
    { id: "editing.tool.redo", Icon: Redo, act: "redo" },
  ],
  [
    { id: "editing.tool.heading", Icon: Heading, act: "heading" },
    { id: "editing.tool.bold", Icon: Bold, key: "B", format: wrapped("**") },
    { id: "editing.tool.italic", Icon: Italic, key: "I", format: wrapped("*") },
    { id: "editing.tool.strike", Icon: Strikethrough, format: wrapped("~~") },
    { id: "editing.tool.mark", Icon: Highlighter, format: wrapped("==") },
    { id: "editing.tool.inlineCode", Icon: Code, key: "E", format: wrapped("`") },
  ],
  [
    { id: "editing.tool.bullets", Icon: List, format: lines("bullet") },
    { id: "editing.tool.numbers", Icon: ListOrdered, format: lines("number") },
    { id: "editing.tool.tasks", Icon: ListTodo, format: lines("task") },
    { id: "editing.tool.outdent", Icon: Outdent, format: outdented },
    { id: "editing.tool.indent", Icon: Indent, format: indented },
    { id: "editing.tool.quote", Icon: Quote, format: lines("quote") },
  ],
  [
    { id: "editing.tool.emoji", Icon: Smile, act: "emoji" },
    { id: "editing.tool.link", Icon: Link, key: "K", format: linked },
    { id: "editing.tool.picture", Icon: Image, act: "picture" },
    { id: "editing.tool.table", Icon: Table, format: block(sampleTable, "A") },
    { id: "editing.tool.code", Icon: SquareCode, format: fenced("", "code") },
    { id: "editing.tool.formula", Icon: Sigma, format: fenced("", "E = mc^2", "$$") },
    { id: "editing.tool.diagram", Icon: Workflow, format: fenced("mermaid", "graph LR\n  A --> B") },
    { id: "editing.tool.footnote", Icon: Superscript, format: noted },
    { id: "editing.tool.line", Icon: Minus, format: block("---") },
    { id: "editing.tool.lineBefore", Icon: LineBefore, format: newLine("before") },
    { id: "editing.tool.lineAfter", Icon: LineAfter, format: newLine("after") },
  ],
];

const flat = tools.flat();

/** The format that a key together with the main modifier stands for. */
export function formatOfKey({ key, altKey, shiftKey }: Pick<KeyboardEvent, "key" | "altKey" | "shiftKey">) {
  if (altKey || shiftKey) return undefined;
  const tool = flat.find((one) => one.key?.toLowerCase() === key.toLowerCase());
  return tool && "format" in tool ? tool.format : undefined;
}

interface ToolbarProps {
  readonly surface: RefObject<EditorSurface | null>;
  readonly onPicture: () => void;
}

/** The buttons that write Markdown. One of them is in the tab order; arrows lead to the others. */
export function Toolbar({ surface, onPicture }: ToolbarProps) {
  useLanguage();
  const [current, setCurrent] = useState(0);
  const [headings, setHeadings] = useState<DOMRect>();
  const use = (tool: Tool, button: HTMLElement) => {
    if ("format" in tool) surface.current?.edit(tool.format);
    else if (tool.act === "picture") onPicture();
    else if (tool.act === "heading") setHeadings(button.getBoundingClientRect());
    else if (tool.act !== "emoji") surface.current?.[tool.act]();
  };
  return (
    <div
      role="toolbar"
      aria-label={t("editing.tools")}
      className="flex min-h-11 shrink-0 items-center border-line border-b px-2 [scrollbar-width:none] max-sm:overflow-x-auto sm:flex-wrap sm:px-5"
      onKeyDown={(event) => walk(event, current, setCurrent)}
    >
      {tools.map((group) => (
        <div
          key={group[0]?.id}
          className="flex items-center not-first:ml-1 not-first:border-line not-first:border-l not-first:pl-1"
        >
          {group.map((tool) => {
            const index = flat.indexOf(tool);
            const keys = tool.key ? ` (${keyName(tool.key)})` : "";
            const button = {
              label: t(tool.id),
              title: t(tool.id) + keys,
              tabIndex: index === current ? 0 : -1,
              // The text keeps the focus, and a phone its keyboard.
              onMouseDown: (event: MouseEvent) => event.preventDefault(),
              onFocus: () => setCurrent(index),
              className: "size-8",
            };
            if ("act" in tool && tool.act === "emoji")
              return <EmojiButton key={tool.id} {...button} onPick={(sign) => surface.current?.edit(inserted(sign))} />;
            return (
              <IconButton
                key={tool.id}
                {...button}
                aria-haspopup={"act" in tool && tool.act === "heading" ? "menu" : undefined}
                onClick={(event) => use(tool, event.currentTarget)}
              >
                <tool.Icon aria-hidden />
              </IconButton>
            );
          })}
        </div>
      ))}
      {headings ? (
        <HeadingMenu
          at={headings}
          onChoose={(format) => surface.current?.edit(format)}
          onClose={() => setHeadings(undefined)}
        />
      ) : null}
    </div>
  );
}

interface HeadingMenuProps {
  readonly at: DOMRect;
  readonly onChoose: (format: Format) => void;
  readonly onClose: () => void;
}

function HeadingMenu({ at, onChoose, onClose }: HeadingMenuProps) {
  useLanguage();
  const items = ([1, 2, 3, 4, 5, 6] as const).map((level) => ({
    id: String(level),
    label: t("editing.tool.headingOf", { level }),
    icon: <span className="w-6 font-mono text-muted text-xs">H{level}</span>,
    group: 0,
    run: () => onChoose(lines(`h${level}`)),
  }));
  return (
    <Menu label={t("editing.tool.heading")} title={t("editing.tool.heading")} items={items} at={at} onClose={onClose} />
  );
}

/** Arrows, Home and End lead through the buttons. */
function walk(event: KeyboardEvent<HTMLElement>, at: number, go: (index: number) => void): void {
  const last = flat.length - 1;
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last }[event.key];
  if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const index = Math.max(0, Math.min(last, to));
  go(index);
  event.currentTarget.querySelectorAll("button")[index]?.focus();
}
