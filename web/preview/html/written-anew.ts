/**
 * The tags of a page, written anew before a browser parses it. Parsers of HTML repair what is not closed: what stands open is made again behind
 * each end of a block, so that twelve kilobytes become millions of elements, and deep levels take the square of their number. What is written
 * here hides no tag from whoever counts: no comments, no quotes that end elsewhere, nothing that is text to one and tags to the other.
 */

/** Levels of elements within each other. */
const DEEPEST = 400;
/** Elements that a parser may make of what is left open. */
const MOST_AGAIN = 300_000;
/** Attributes of one element. */
const MOST_ATTRIBUTES = 300;

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "));
/** Elements without an end; within a drawing or a formula only the second ones are. */
const empty = names(
  "area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr",
);
const emptyAnywhere = names("br embed hr img meta");
/** Elements whose text has no tags, and those of them that show nothing. */
const raw = names("iframe noembed noframes plaintext script style textarea title xmp");
const unshown = names("iframe noembed noframes script");
/** What a parser makes again where a block has closed it. */
const formatting = names("a b big code em font i nobr s small strike strong tt u");
/** What the end of a block closes as well, and the blocks. */
const implied = names("dd dt li optgroup option p rp rt");
const blocks = names(
  "address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup listing main menu nav ol pre search section summary ul",
);
const rubies = names("rp rt");
const none: ReadonlySet<string> = new Set();
/** What the end of such an element closes as well, or leaves open behind it. */
const crossedBy = (name: string) =>
  formatting.has(name) ? formatting : blocks.has(name) || name === "select" ? implied : name === "ruby" ? rubies : none;
/** What closes the element of its group that is open just before. */
const closers: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...[...blocks, "p", "hr", "form"].map((name) => [name, names("p")] as const),
  ...["dd", "dt"].map((name) => [name, names("dd dt")] as const),
  ...["li", "option"].map((name) => [name, names(name)] as const),
  ...[...rubies].map((name) => [name, rubies] as const),
]);
const cells = names("td th");
const tableParts = names("td th tr tbody thead tfoot colgroup caption");
/** Parts of tables that are never within each other without a table, and what a page has once. */
const unnested = names("tr tbody thead tfoot colgroup html head body");

const PIECE =
  /<!--(?:-?>|[\s\S]*?(?:--!?>|$))|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<(?:[!?]|\/(?![a-z]))[^>]*>?|<(\/?)([a-z][^\s/>]*)|([^<]+|<)/giy;
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*))?)?/y;
const END_OF_TAG = /[\s/]*(?:>|$)/y;

/** What stands open, counted so that it is never less than what a parser has open. */
class Open {
  private readonly stack: string[] = [];
  private formats = 0;
  private again = 0;
  private deepest = 0;

  /** Whether all of it is less than what takes a browser long. */
  get isWithinBounds(): boolean {
    return this.deepest <= DEEPEST && this.again <= MOST_AGAIN;
  }

  /** Within a drawing or a formula, or what once was one for the parser. */
  get isForeign(): boolean {
    return this.stack.includes("svg") || this.stack.includes("math");
  }

  begin(name: string): void {
    if (!this.isForeign) {
      if (tableParts.has(name)) this.endCell();
      // Without a ruby around them these are within each other.
      const isAlone = rubies.has(name) && this.stack.at(-2) !== "ruby";
      if (!isAlone && closers.get(name)?.has(this.top ?? "")) this.cut(this.stack.length - 1);
      if (unnested.has(name)) return void this.note();
    }
    this.note();
    this.stack.push(name);
    if (formatting.has(name)) this.formats += 1;
    this.deepest = Math.max(this.deepest, this.stack.length);
  }

  end(name: string): void {
    if (!this.isForeign && (cells.has(name) || name === "table" || unnested.has(name))) this.endCell();
    let at = this.stack.length - 1;
    if (this.top !== name) {
      this.note();
      const crossed = this.isForeign ? none : crossedBy(name);
      while (crossed.has(this.stack[at] ?? "") && this.stack[at] !== name) at -= 1;
    }
    if (this.stack[at] === name) this.cut(at, formatting.has(name) ? 1 : undefined);
  }

  private get top(): string | undefined {
    return this.stack.at(-1);
  }

  /** What is open to be made again may be, once, behind this tag. */
  private note(): void {
    this.again += this.formats;
  }

  /** The end of a cell ends what was to be made again within it, where it is one of a table. */
  private endCell(): void {
    let at = this.stack.length - 1;
    while (at >= 0 && (formatting.has(this.stack[at] ?? "") || this.stack[at] === "p")) at -= 1;
    const isCell = cells.has(this.stack[at] ?? "") && this.stack[at - 1] === "table";
    if (isCell && !this.stack.includes("select")) this.cut(at);
    else if (this.top !== undefined && cells.has(this.top)) this.cut(this.stack.length - 1);
  }

  private cut(at: number, count = this.stack.length): void {
    for (const name of this.stack.splice(at, count)) if (formatting.has(name)) this.formats -= 1;
  }
}

/** The same page, whose tags a parser reads as they stand there; undefined for one that takes a browser too long. */
export function writtenAnew(html: string): string | undefined {
  const written: string[] = [];
  const open = new Open();
  PIECE.lastIndex = 0;
  for (let found = PIECE.exec(html); found; found = PIECE.exec(html)) {
    const [piece, data, closing, said, text] = found;
    if (data !== undefined || text !== undefined) written.push(asText(data ?? text ?? ""));
    else if (said === undefined) written.push(/^<!doctype/i.test(piece) ? "<!DOCTYPE html>" : "");
    else {
      const name = said.toLowerCase();
      const { attributes, end, isClosed } = restOfTag(html, PIECE.lastIndex);
      PIECE.lastIndex = end;
      if (closing === "/") {
        open.end(name);
        written.push(`</${name}>`);
      } else PIECE.lastIndex = begun(html, { name, attributes, isClosed, end }, { open, written });
    }
    if (!open.isWithinBounds) return undefined;
  }
  return written.join("");
}

interface Tag {
  readonly name: string;
  readonly attributes: string;
  readonly isClosed: boolean;
  /** Where the tag ends. */
  readonly end: number;
}

/** Writes an element's begin, and all of one whose text has no tags; answers where it goes on. */
function begun(html: string, tag: Tag, { open, written }: { readonly open: Open; readonly written: string[] }): number {
  const { name, attributes, isClosed, end } = tag;
  const { isForeign } = open;
  if (raw.has(name) && (!isForeign || name === "style" || name === "script")) {
    const closing = new RegExp(name === "plaintext" ? "$" : `</${name}(?=[\\s/>])|$`, "gi");
    closing.lastIndex = end;
    const at = isClosed && isForeign ? end : (closing.exec(html)?.index ?? html.length);
    if (!unshown.has(name)) written.push(rawElement(name, attributes, html.slice(end, at)));
    return at === end && isClosed ? end : restOfTag(html, at + name.length + 2).end;
  }
  written.push(`<${name}${attributes}>`);
  if ((isForeign ? emptyAnywhere : empty).has(name)) return end;
  // In a drawing a slash ends an element; written so, it does everywhere.
  if (isClosed && isForeign) written.push(`</${name}>`);
  else open.begin(name);
  return end;
}

function rawElement(name: string, attributes: string, text: string): string {
  if (name === "style")
    return `<style${attributes}>${text.replace(/<!\[CDATA\[|\]\]>|<!--|-->/g, "").replace(/<(?=[a-z/!?])/gi, "< ")}</style>`;
  const shown = name === "xmp" || name === "plaintext" ? "pre" : name;
  const escaped = shown === "pre" ? text.replaceAll("&", "&amp;") : text;
  return `<${shown}${attributes}>${asText(escaped)}</${shown}>`;
}

const asText = (text: string): string => text.replaceAll("<", "&lt;");

/** The attributes of a tag from behind its name, written with quotes. */
function restOfTag(html: string, from: number): Omit<Tag, "name"> {
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const [piece, name = "", double, single, bare] = ATTRIBUTE.exec(html) ?? [];
    if (piece === undefined) break;
    at += piece.length;
    if (/["'<\0]/.test(name) || attributes.size >= MOST_ATTRIBUTES || attributes.has(name)) continue;
    attributes.set(name, (double ?? single ?? bare ?? "").replaceAll('"', "&quot;").replaceAll("<", "&lt;"));
  }
  END_OF_TAG.lastIndex = at;
  const ending = END_OF_TAG.exec(html)?.[0] ?? "";
  return {
    attributes: Array.from(attributes, ([name, value]) => ` ${name}="${value}"`).join(""),
    end: at + ending.length,
    isClosed: ending.endsWith("/>"),
  };
}
