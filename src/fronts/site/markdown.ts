import { alertKinds } from "#contract/text/markdown-alerts";
import type { ServedWords } from "./words.ts";

/** Markdown of strangers as HTML that stands in a page before its scripts do, and where none run. */

/** Letters of HTML that a page may carry: a few bytes of Markdown are a hundred of HTML. */
const MOST_HTML = 256 * 1024;
/** Cells of tables, by the widest line and the number of lines. */
const MOST_CELLS = 30_000;
/** Elements within each other. */
const DEEPEST = 100;

/** Code with more lines than this is folded, as web/preview/markdown does it. */
const FOLD_LINES = 30;

const options = {
  tables: true,
  strikethrough: true,
  tasklists: true,
  autolinks: true,
  noHtmlBlocks: true,
  noHtmlSpans: true,
} as const;

interface Heading {
  readonly id: string;
  /** HTML without elements. */
  readonly text: string;
}

export interface RenderedText {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** What a link may lead to: the web, mail, phone, or a place of our own. */
const safeAddress = /^(?:https?:|mailto:|tel:|#|\/|\.|[^:]*$)/i;

/** Of links that lead out of the text, as web/preview/markdown/rules/links.ts writes them. */
const OUTSIDE = 'target="_blank" rel="noopener noreferrer nofollow"';

/** The beginning of a callout as Bun writes it; text has no angle brackets. */
const ALERT = new RegExp(
  String.raw`<blockquote>\n<p>\[!(${alertKinds.join("|")})\][ \t]*(?:<br ?\/?>)?(?:\n|(<\/p>))`,
  "gi",
);

/** Elements as Bun writes them that may stay, and those that have no end; what is not named here or below is left out. */
const plainTags: ReadonlySet<string> = new Set(
  "h1 h2 h3 h4 h5 h6 p blockquote ul ol li table thead tbody tr th td strong em code s a".split(" "),
);
const alone: ReadonlySet<string> = new Set(["br", "hr"]);
/** Elements beside which a line end is no space in a sentence. */
const blocks = "h[1-6]|p|blockquote|ul|ol|li|table|thead|tbody|tr|t[hd]|hr|br|pre";
const isBlock = new RegExp(`^(?:${blocks})$`);

/** A block of code, any other tag, or a line end. Bun escapes all text, so that nothing else has an angle bracket. */
const PIECES = new RegExp(
  String.raw`<pre><code(?: class="language-([^"]*)")?>([^<]*)<\/code><\/pre>|<(\/?)(\w*)([^>]*)>?|\n(?=(<\/?(?:${blocks})\b|$)?)`,
  "g",
);

/** What has Bun's parser look through all that follows, each time anew: runs of backticks whose first one is escaped, and addresses behind `_`. */
const FAR_LOOK = /\\``|_www\./gi;
/** Of these a page bears so many: 6,000 in 32 KiB hold the server for a second. */
const MOST_FAR_LOOKS = 100;

/** Whether a text would hold the server for long, or be more than a page bears. */
export const isCostly = (text: string): boolean =>
  hasManyCells(text) || (text.match(FAR_LOOK)?.length ?? 0) > MOST_FAR_LOOKS;

/**
 * Whether tables of a text may have more cells than a page bears: each short line below a wide head is a row of as many cells, which makes
 * megabytes of HTML of a few kilobytes.
 */
function hasManyCells(text: string): boolean {
  const lines = text.split(/[\r\n]/);
  const widest = lines.reduce((most, line) => Math.max(most, line.split("|").length - 1), 0);
  return widest * lines.length > MOST_CELLS;
}

/**
 * Renders with Bun's parser, which takes 64 KiB of the worst Markdown in some 20 ms, and writes every tag anew: what a page has of it is
 * made of the elements and attributes below, whatever a text says. Undefined for what is too much or too deep: the script of the page
 * shows that, in slices. Formulas, footnotes and the like stay as written until the script comes.
 */
export function renderMarkdown(text: string, words: ServedWords): RenderedText | undefined {
  if (isCostly(text)) return undefined;
  const html = withAlerts(Bun.markdown.html(text.toWellFormed(), options), words);
  if (html.length > MOST_HTML) return undefined;
  const writer = new Writer(words);
  const replaced = html.replace(PIECES, (piece, language, code, close, name, attributes, next, at) => {
    if (name === undefined && code === undefined) return writer.lineEnd(at, next !== undefined);
    writer.ended(at + piece.length, name ?? "pre");
    if (code !== undefined) return writer.code(code, language);
    return close ? writer.close(name) : writer.open(name, attributes);
  });
  const written = replaced + writer.closeFrom();
  if (writer.isTooDeep || written.length > 2 * MOST_HTML) return undefined;
  return { html: written, headings: writer.headings(written) };
}

/** Marks callouts, whose look is that of web/preview/markdown/rules/alerts.ts. */
const withAlerts = (html: string, { alerts }: ServedWords): string =>
  html.replace(ALERT, (piece, name: string, alone: string | undefined) => {
    const kind = alertKinds.find((one) => one === name.toLowerCase());
    if (kind === undefined) return piece;
    return `<blockquote class="${kind}">\n<p class="title">${alerts[kind]}</p>${alone ? "" : "\n<p>"}`;
  });

/** Writes the tags of one text, in their order. */
class Writer {
  /** Whether more elements are within each other than a page may have. */
  isTooDeep = false;
  /** What is open, from the outside to the inside: Bun leaves some element open where an address ends within emphasis. */
  private readonly opened: string[] = [];
  /** Where the last block began or ended. */
  private block = 0;
  private count = 0;

  constructor(private readonly words: ServedWords) {}

  /** Told where a tag ends before it is written. */
  ended(at: number, name: string): void {
    if (isBlock.test(name)) this.block = at;
  }

  open(name: string, attributes: string): string {
    if (name === "img") return this.image(attributes);
    if (name === "input") return `<input type="checkbox" disabled${/\bchecked\b/.test(attributes) ? " checked" : ""}> `;
    if (alone.has(name)) return `<${name}>`;
    // As the page writes it.
    if (name === "del") return this.open("s", "");
    if (!plainTags.has(name) || this.isTooDeep || (name === "a" && this.opened.includes("a"))) return "";
    this.isTooDeep = this.opened.push(name) > DEEPEST;
    if (name === "a") return link(attributes);
    if (/^h\d$/.test(name)) return `<${name} id="h-${this.count++}">`;
    if (name === "table")
      return `<div class="md-table" tabindex="0" role="region" aria-label="${this.words.table}"><table>`;
    if (name === "blockquote" || name === "p") return classed(name, attributes);
    if (name === "li") return attributes.includes("task-list-item") ? '<li class="md-task">' : "<li>";
    if (name === "ol") return `<ol${/ start="\d{1,9}"/.exec(attributes)?.[0] ?? ""}>`;
    return `<${name}${/ align="(?:left|center|right)"/.exec(attributes)?.[0] ?? ""}>`;
  }

  /** Closes with an element what is open within it; the end of one that is not open is none. */
  close(name: string): string {
    if (name === "del") return this.close("s");
    const at = this.opened.lastIndexOf(name);
    return at < 0 ? "" : this.closeFrom(at);
  }

  /** Closes what is open from there on, the innermost first; all of it unless said. */
  closeFrom(at = 0): string {
    const ends = this.opened.splice(at).reverse();
    return ends.map((name) => (name === "table" ? "</table></div>" : `</${name}>`)).join("");
  }

  /** Beside blocks it says nothing; within a paragraph it is one, as on the page. */
  lineEnd(at: number, beforeBlock: boolean): string {
    return beforeBlock || at === this.block ? "" : "<br>";
  }

  /** The look of web/preview/markdown/rules/code.ts; its buttons are there for their room, until scripts make them work. */
  code(code: string, language = ""): string {
    if (language === "mermaid") return `<figure class="md-diagram"><pre>${code}</pre></figure>`;
    const lines = code.replace(/\n$/, "").split("\n");
    const long = lines.length > FOLD_LINES;
    const shown = lines.length > 1 ? `${lines.map((line) => `<span>${line}</span>`).join("\n")}\n` : code;
    const name = /^[\w+#-]{1,30}$/.exec(language)?.[0];
    const room = (act: string, more = "") =>
      `<button type="button" data-act="${act}"${more} style="visibility:hidden" tabindex="-1"></button>`;
    return (
      `<figure class="md-code"${long ? ' data-folded="1"' : ""}>` +
      `<figcaption><span>${language.slice(0, 30).replace(/&[^;]*$/, "") || this.words.code}</span><small>${this.words.lines(lines.length)}</small>${room("copy")}</figcaption>` +
      `<pre tabindex="0"${lines.length > 1 ? ' class="md-numbered"' : ""}><code${name ? ` data-language="${name}"` : ""}>${shown}</code></pre>` +
      `${long ? room("fold", ' class="md-fold"') : ""}</figure>`
    );
  }

  /** Headings with their text, for an outline. */
  headings(html: string): readonly Heading[] {
    return [...html.matchAll(/<h[1-6] id="(h-\d+)">(.*?)<\/h[1-6]>/gs)].map(([, id = "", inner = ""]) => ({
      id,
      text: inner.replace(/<[^>]*>/g, ""),
    }));
  }

  /** No picture is loaded by the page itself: one of another site would tell who reads, and one of ours may be larger than memory. */
  private image(attributes: string): string {
    const [address, alt] = [attributeOf("src", attributes), attributeOf("alt", attributes)];
    if (!safeAddress.test(address)) return alt;
    const host = URL.parse(address.replaceAll("&amp;", "&"), NOWHERE)?.host.replace(NOWHERE_HOST, "");
    const said = `${alt ? `<span>${alt}</span>` : ""}<small>${host ? this.words.imageFrom(Bun.escapeHTML(host)) : this.words.image}</small>`;
    if (this.opened.includes("a")) return `<span class="md-image">${said}</span>`;
    return `<a class="md-image" href="${address}" ${OUTSIDE}>${said}</a>`;
  }
}

/** A quote or a paragraph, of a callout or not. */
function classed(name: string, attributes: string): string {
  const kind = attributeOf("class", attributes);
  if (kind === "title") return `<${name} class="md-alert-title">`;
  return kind ? `<${name} class="md-alert md-alert-${kind}">` : `<${name}>`;
}

function link(attributes: string): string {
  const address = attributeOf("href", attributes);
  if (!safeAddress.test(address)) return "<a>";
  const away = address.startsWith("#") ? "" : ` ${OUTSIDE}`;
  return `<a href="${address}"${away}>`;
}

/** The base of addresses that name no host. */
const NOWHERE_HOST = "nowhere.invalid";
const NOWHERE = `https://${NOWHERE_HOST}/`;

/** The value of an attribute, escaped as it is; empty without one. */
const attributeOf = (name: string, attributes: string): string =>
  new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
