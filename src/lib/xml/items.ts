import { createYielder } from "../turns.ts";
import { endOf, XmlError } from "./shape.ts";
import { FORBIDDEN, references } from "./xml.ts";

/** Texts of elements by their names, the first of each. */
export type XmlTexts = ReadonlyMap<string, string>;

/** A root that has texts, and items that have texts. */
interface XmlItems {
  readonly texts: XmlTexts;
  readonly items: readonly XmlTexts[];
}

interface Wanted {
  /** The name of the root. */
  readonly root: string;
  /** The name of its items. */
  readonly item: string;
  /** How many there may be. */
  readonly most: number;
}

/** A tag, and the text between the one before and it. */
interface Tag {
  readonly name: string;
  readonly opens: boolean;
  readonly closes: boolean;
  readonly before: string;
}

/** Characters between two tags, and comments and sections there. */
const LONGEST_TEXT = 16_384;
const MOST_PIECES = 100;
const MOST_NESTED = 8;
/** Tags between two looks at the clock, and characters that are worth one. */
const [TAGS_AT_ONCE, MUCH_TEXT] = [256, 1000];
/** The prefix and the attributes of a tag mean nothing here. */
const TAG = /<(\/)?(?:[\w.-]{1,100}:)?([\w.-]{1,100})(?:\s[^<>]{0,1000}?)?(\/)?>/y;
const DECLARATION = /^\ufeff?(?:<\?xml\s[^<>]{0,200}\?>)?/;

/**
 * Reads a document that is nothing but a long row of items, in UTF-8: in one pass and with pauses, where a parser for any document
 * takes fifty times as long and makes no pause. What is nested otherwise is passed over. Its size is for the caller to bound. Throws
 * XmlError.
 */
export async function readXmlItems(bytes: Uint8Array, { root, item, most }: Wanted): Promise<XmlItems> {
  const yielder = createYielder();
  const texts = new Map<string, string>();
  const items: Map<string, string>[] = [];
  const open: string[] = [];
  let [tags, isLeaf] = [0, false];
  for (const { name, opens, closes, before } of tagsOf(decode(bytes))) {
    tags += 1;
    if (tags % TAGS_AT_ONCE === 0 || before.length > MUCH_TEXT) await yielder.yieldIfDue();
    const ends = closes && !opens && isLeaf;
    if (!ends && before.trim() !== "") throw new XmlError("There is text beside elements.");
    if (opens) {
      if (open.length === 0 ? tags > 1 || name !== root : open.length === MOST_NESTED)
        throw new XmlError("An element is where none can be.");
      if (open.length === 1 && name === item && items.push(new Map()) > most)
        throw new XmlError("It has too many items.");
      open.push(name);
    }
    isLeaf = opens;
    if (!closes) continue;
    if (open.pop() !== name) throw new XmlError("A tag does not end what began.");
    const isOfItem = open.length === 2 && open[1] === item;
    const into = isOfItem ? items.at(-1) : open.length === 1 && name !== item ? texts : undefined;
    if ((ends || opens) && into && !into.has(name)) into.set(name, ends ? before : "");
    isLeaf = false;
  }
  if (tags === 0 || open.length > 0) throw new XmlError("It does not end.");
  return { texts, items };
}

function decode(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new XmlError("The text is not in its encoding.");
  }
  if (FORBIDDEN.test(text)) throw new XmlError("A character is not allowed.");
  return text;
}

function* tagsOf(text: string): Generator<Tag> {
  let [before, pieces] = ["", 0];
  let from = DECLARATION.exec(text)?.[0].length ?? 0;
  const add = (end: number, isRaw = false): void => {
    pieces += 1;
    if (before.length + end - from > LONGEST_TEXT || pieces > MOST_PIECES) throw new XmlError("A text is too long.");
    const piece = text.slice(from, end).replaceAll(/\r\n?/g, "\n");
    before += isRaw ? piece : references(piece);
  };
  for (let at = text.indexOf("<", from); at >= 0; at = text.indexOf("<", from)) {
    add(at);
    if (text.startsWith("<!--", at)) {
      from = endOf(text, "-->", at + "<!--".length);
    } else if (text.startsWith("<![CDATA[", at)) {
      from = at + "<![CDATA[".length;
      const end = endOf(text, "]]>", from);
      add(end - "]]>".length, true);
      from = end;
    } else {
      TAG.lastIndex = at;
      const [, slash, name = "", own] = TAG.exec(text) ?? [];
      if (name === "" || (slash && own)) throw new XmlError("A tag does not end.");
      from = TAG.lastIndex;
      yield { name, opens: !slash, closes: slash !== undefined || own !== undefined, before };
      before = "";
      pieces = 0;
    }
  }
  add(text.length);
  if (before.trim() !== "") throw new XmlError("There is text beside the root.");
}
