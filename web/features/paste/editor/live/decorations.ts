import { syntaxTree } from "@codemirror/language";
import type { EditorState, Range } from "@codemirror/state";
import { Decoration, type DecorationSet } from "@codemirror/view";
import { foreignHost, safeAddress } from "../../../../preview/markdown/addresses.ts";
import { PictureWidget, RuleWidget, TaskWidget, WordWidget } from "./widgets.ts";

type Tree = ReturnType<typeof syntaxTree>;
type SyntaxNodeRef = Parameters<Parameters<Tree["iterate"]>[0]["enter"]>[0];
type SyntaxNode = SyntaxNodeRef["node"];

/** A part of the text, in UTF-16 units. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Seen {
  /** Parts of the text to decorate; what lies outside is not looked at. */
  readonly ranges: readonly Span[];
  /** Whole lines that are shown as they are written. */
  readonly shown: readonly Span[];
  readonly origin: string;
  /** Addresses on other hosts whose images somebody asked for. */
  readonly asked: ReadonlySet<string>;
}

const hidden = Decoration.replace({});
const rule = Decoration.replace({ widget: new RuleWidget() });
const bullet = Decoration.replace({ widget: new WordWidget("•", "live-bullet") });

/** How deep quotes and their bars go. */
const DEEPEST_QUOTE = 3;

/** What a text in Markdown looks like with its marks hidden, except on the lines that are shown as they are written. */
export function liveDecorations(state: EditorState, { ranges, shown, origin, asked }: Seen): DecorationSet {
  const found = new Map<string, Range<Decoration>>();
  const add = (decoration: Decoration, from: number, to: number) => {
    // What reaches over two of the ranges is met twice.
    found.set(
      `${from} ${to} ${decoration.spec.class ?? decoration.spec.widget?.constructor.name ?? ""}`,
      decoration.range(from, to),
    );
  };
  let known: ReadonlySet<string> | undefined;
  const notes = () => {
    known ??= new Set([...state.doc.toString().matchAll(noteBegins)].map(([, label = ""]) => label));
    return known;
  };
  const isShown = ({ from, to }: Span) => shown.some((lines) => lines.from <= to && lines.to >= from);
  const hide = (from: number, to: number, decoration = hidden) => {
    // A view may not replace the ends of lines.
    if (from < to && state.doc.lineAt(from).to >= to) add(decoration, from, to);
  };
  const style = (from: number, to: number, name: string, attributes?: Record<string, string>) => {
    if (from < to) add(Decoration.mark({ class: name, ...(attributes ? { attributes } : {}) }), from, to);
  };
  for (const range of ranges) {
    const lines = ({ from, to }: Span, name: string) => {
      const last = Math.min(to, range.to);
      for (let at = Math.max(from, range.from); at <= last; ) {
        const line = state.doc.lineAt(at);
        add(Decoration.line({ class: name }), line.from, line.from);
        at = line.to + 1;
      }
    };
    const page: Page = { state, notes, origin, asked, isShown, hide, style, lines };
    syntaxTree(state).iterate({ ...range, enter: (node) => draw[node.name]?.(node, page) });
  }
  return Decoration.set([...found.values()], true);
}

/** What drawing one node of the text needs. */
interface Page extends Pick<Seen, "origin" | "asked"> {
  readonly state: EditorState;
  /** The labels of the text's footnotes. */
  notes(): ReadonlySet<string>;
  isShown(span: Span): boolean;
  /** Leaves out a part of a line, or shows something in its place. */
  hide(from: number, to: number, decoration?: Decoration): void;
  style(from: number, to: number, name: string, attributes?: Record<string, string>): void;
  /** Names the lines of a part. */
  lines(span: Span, name: string): void;
}

type Draw = (node: SyntaxNodeRef, page: Page) => void;

/** Hides a mark while what it marks is not shown as written. */
const mark: Draw = ({ node, from, to }, { isShown, hide }) => {
  if (node.parent && !isShown(node.parent)) hide(from, to);
};

const styled =
  (name: string): Draw =>
  ({ from, to }, { style }) =>
    style(from, to, name);

/** The place behind the spaces that follow. */
function afterSpaces(state: EditorState, at: number): number {
  const { to, text, from } = state.doc.lineAt(at);
  return Math.min(to, at + (/^[ \t]*/.exec(text.slice(at - from))?.[0].length ?? 0));
}

const heading =
  (level: number): Draw =>
  (node, { lines }) => {
    // Of a heading above a line of `===` that line is no part.
    const underline = node.name.startsWith("Setext") ? node.node.lastChild : null;
    lines(underline ? { from: node.from, to: underline.from - 1 } : node, `live-h live-h${level}`);
  };

const headingMark: Draw = ({ node, from, to }, { state, isShown, hide, lines }) => {
  const { parent } = node;
  if (!parent) return;
  const { from: begin, to: end, text } = state.doc.lineAt(from);
  if (isShown(parent)) return;
  if (parent.name.startsWith("Setext")) {
    hide(from, to);
    lines({ from, to }, "live-thin");
  } else if (node.prevSibling) {
    const before = text.slice(0, from - begin);
    const spaces = before.length - before.trimEnd().length;
    hide(from - spaces, end);
  } else hide(from, afterSpaces(state, to));
};

const quote: Draw = ({ node, from, to }, { lines }) => {
  let depth = 1;
  for (let outer = node.parent; outer && depth < DEEPEST_QUOTE; outer = outer.parent)
    if (outer.name === "Blockquote") depth += 1;
  lines({ from, to }, `live-quote live-quote-${depth}`);
};

const quoteMark: Draw = ({ from, to }, { state, isShown, hide }) => {
  if (!isShown({ from, to })) hide(from, Math.min(to + 1, afterSpaces(state, to)));
};

const listMark: Draw = ({ node, from, to }, { state, isShown, hide, style }) => {
  const { from: begin, text } = state.doc.lineAt(from);
  if (/^\s*$/.test(text.slice(0, from - begin))) style(begin, from, "live-indent");
  const item = node.parent;
  if (item?.parent?.name !== "BulletList") return style(from, to, "live-number");
  if (isShown({ from, to })) return;
  if (item.getChild("Task")) hide(from, afterSpaces(state, to));
  else hide(from, to, bullet);
};

const taskMark: Draw = ({ node, from, to }, { state, isShown, hide }) => {
  if (isShown({ from, to })) return;
  const task = state.sliceDoc(to, Math.min(node.parent?.to ?? to, state.doc.lineAt(to).to)).trim();
  hide(from, to, Decoration.replace({ widget: new TaskWidget(/x/i.test(state.sliceDoc(from, to)), task) }));
};

const code: Draw = ({ from, to }, { state, style }) => {
  const ticks = /^`*/.exec(state.sliceDoc(from, to))?.[0].length ?? 1;
  style(from + ticks, to - ticks, "live-code-words");
};

const codeMark: Draw = (node, page) => {
  const block = node.node.parent;
  if (block?.name !== "FencedCode") return mark(node, page);
  if (page.isShown(block)) return;
  const { state, hide } = page;
  const end = state.doc.lineAt(node.from).to;
  if (node.from !== block.from) return hide(node.from, end);
  const language = block.getChild("CodeInfo");
  const name = language ? state.sliceDoc(language.from, language.to) : "";
  hide(node.from, end, name ? Decoration.replace({ widget: new WordWidget(name, "live-language") }) : hidden);
};

const addressOf = (state: EditorState, node: SyntaxNode): string | undefined => {
  const url = node.getChild("URL");
  // CommonMark 6.3: an address within angle brackets may have spaces.
  return url ? state.sliceDoc(url.from, url.to).replace(/^<(.*)>$/, "$1") : undefined;
};

const link: Draw = (whole, page) => {
  const { node, from, to } = whole;
  const { state, isShown, hide, style } = page;
  const address = addressOf(state, node);
  if (address === undefined) return note(whole, page);
  // The reader gets it as it is written, and so it looks here.
  if (!safeAddress.test(address)) return style(from, to, "live-plain");
  const [open, close] = node.getChildren("LinkMark");
  if (!open || !close || open.to === close.from) return;
  style(open.to, close.from, "live-link", { "data-href": address });
  if (isShown(node)) return;
  hide(open.from, open.to);
  hide(close.from, to);
};

/** Lines that begin a footnote. */
const noteBegins = /^ {0,3}\[\^([^\]\s]{1,60})\]:/gm;

/** `[^1]` as a small sign, and where it begins the footnote itself as its number; in brackets of no footnote nothing is changed. */
const note: Draw = ({ node, from, to }, { state, notes, isShown, hide, style }) => {
  const label = /^\[\^([^\]\s]{1,60})\]/.exec(state.sliceDoc(from, Math.min(to, from + 64)))?.[1];
  if (label === undefined || !notes().has(label)) return;
  const close = from + 2 + label.length;
  if (node.name === "LinkReference") style(close + 2, to, "live-plain");
  if (isShown({ from, to })) return;
  const { from: begin, text } = state.doc.lineAt(from);
  if (text.slice(0, from - begin).trim() === "" && text[close + 1 - begin] === ":")
    return hide(from, close + 2, Decoration.replace({ widget: new WordWidget(`${label}.`, "live-number") }));
  hide(from, from + 2);
  style(from + 2, close, "live-sup");
  hide(close, close + 1);
};

/** Where a press with the main modifier leads. */
const leading = (address: string): Record<string, string> | undefined =>
  safeAddress.test(address) ? { "data-href": address } : undefined;

const bareAddress: Draw = ({ node, from, to }, { state, style }) => {
  if (/^(?:Link|Image|LinkReference)$/.test(node.parent?.name ?? "")) return;
  const text = state.sliceDoc(from, to);
  const isMail = text.includes("@") && !text.includes(":");
  style(from, to, "live-link", leading(isMail ? `mailto:${text}` : /^www\./i.test(text) ? `http://${text}` : text));
};

const picture: Draw = ({ node, from, to }, { state, isShown, hide, origin, asked }) => {
  const address = addressOf(state, node);
  const [open, close] = node.getChildren("LinkMark");
  // What begins with # stands for a picture that is on its way.
  if (!address || address.startsWith("#") || !safeAddress.test(address) || !open || !close || isShown(node)) return;
  const host = asked.has(address) ? undefined : foreignHost(address, origin);
  const widget = new PictureWidget(address, state.sliceDoc(open.to, close.from), host);
  hide(from, to, Decoration.replace({ widget }));
};

const draw: Readonly<Record<string, Draw>> = {
  ATXHeading1: heading(1),
  ATXHeading2: heading(2),
  ATXHeading3: heading(3),
  ATXHeading4: heading(4),
  ATXHeading5: heading(5),
  ATXHeading6: heading(6),
  SetextHeading1: heading(1),
  SetextHeading2: heading(2),
  HeaderMark: headingMark,
  EmphasisMark: mark,
  StrikethroughMark: mark,
  SubscriptMark: mark,
  SuperscriptMark: mark,
  MarkedMark: mark,
  Subscript: styled("live-sub"),
  Superscript: styled("live-sup"),
  Marked: styled("live-marked"),
  InlineCode: code,
  CodeMark: codeMark,
  FencedCode: (node, { lines }) => lines(node, "live-code"),
  CodeBlock: (node, { lines }) => lines(node, "live-code"),
  Table: (node, { lines }) => lines(node, "live-table"),
  Blockquote: quote,
  QuoteMark: quoteMark,
  ListMark: listMark,
  TaskMarker: taskMark,
  Link: link,
  LinkReference: note,
  Image: picture,
  URL: bareAddress,
  Autolink: ({ node, from, to }, { isShown, hide }) => {
    if (isShown(node)) return;
    hide(from, from + 1);
    hide(to - 1, to);
  },
  Escape: ({ from, to }, { isShown, hide }) => {
    if (!isShown({ from, to })) hide(from, from + 1);
  },
  HorizontalRule: ({ from, to }, { isShown, hide }) => {
    if (!isShown({ from, to })) hide(from, to, rule);
  },
};
