/** What a document may hold at most. */
const MOST_ELEMENTS = 10_000;
const MOST_NESTED = 64;
const MOST_ATTRIBUTES = 2000;
const MOST_REFERENCES = 20_000;
/** Characters of one tag, and blanks in a row in one: patterns of the parser take the square of the latter. */
const LONGEST_TAG = 64 * 1024;
const MOST_BLANKS = 200;

/** Thrown for a document that is not well-formed, not namespace-well-formed, too large in its shape, or declares a DTD. */
export class XmlError extends Error {
  override readonly name = "XmlError";
}

/**
 * Looks at each character once, before a parser sees the text: no DTD, one root and nothing but blanks beside it, a bounded
 * number of elements, of elements within each other, and of characters in a tag.
 */
export function checkXmlShape(text: string): void {
  let depth = 0;
  let elements = 0;
  let between = 0;
  let attributes = 0;
  checkReferences(text);
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", between)) {
    if (depth === 0 && /[^\s\ufeff]/.test(text.slice(between, at)))
      throw new XmlError("There is text beside the root.");
    if (text.startsWith("<!--", at)) between = endOf(text, "-->", at + 4);
    else if (text.startsWith("<![CDATA[", at) && depth > 0) between = endOf(text, "]]>", at + 9);
    else if (text.startsWith("<?", at)) between = endOf(text, "?>", at + 2);
    else if (text.startsWith("<!", at)) throw new XmlError("A declaration is not allowed.");
    else {
      const tag = tagAt(text, at);
      between = tag.end;
      attributes += tag.attributes;
      if (text[at + 1] === "/") depth -= 1;
      else {
        if (depth === 0 && elements > 0) throw new XmlError("There is more than one root.");
        elements += 1;
        if (text[between - 2] !== "/") depth += 1;
      }
    }
    const isLong = elements > MOST_ELEMENTS || attributes > MOST_ATTRIBUTES;
    if (depth < 0 || depth > MOST_NESTED || isLong) throw new XmlError("It is too deep or too long.");
  }
  if (depth !== 0 || elements === 0 || /\S/.test(text.slice(between))) throw new XmlError("It does not end.");
}

/** Where what ends in a mark does so, behind it. */
export function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found < 0) throw new XmlError("It does not end.");
  return found + mark.length;
}

function checkReferences(text: string): void {
  let references = 0;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) {
    references += 1;
    if (references > MOST_REFERENCES) throw new XmlError("It has too many references.");
  }
}

/** Behind the `>` that ends a tag, which one in an attribute's value does not, and how many attributes there are. */
function tagAt(text: string, from: number): { end: number; attributes: number } {
  let attributes = 0;
  let quote = "";
  let blanks = 0;
  const most = Math.min(text.length, from + LONGEST_TAG);
  for (let at = from + 1; at < most; at++) {
    const character = text.charAt(at);
    if (quote !== "") {
      if (character === quote) quote = "";
      else if (character === "<") break;
      continue;
    }
    if (character === ">") return { end: at + 1, attributes };
    if (character === "=") attributes += 1;
    if (character === "<") break;
    if (character === '"' || character === "'") quote = character;
    blanks = character.trim() === "" ? blanks + 1 : 0;
    if (blanks > MOST_BLANKS) break;
  }
  throw new XmlError("A tag does not end.");
}
