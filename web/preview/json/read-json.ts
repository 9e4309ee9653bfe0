import { randomKey } from "../../lib/random-key.ts";

/** A JSON text that was read. */
export interface ReadJson {
  readonly value: unknown;
  /** What a value of it is written as, when it is a number that JavaScript would round. */
  numberOf(value: string): string | undefined;
}

/** Characters of a number; longer ones have more digits than JavaScript keeps. */
const LONGEST = 15;

/** What a JSON text says, or why it is none. In one pass each, because ten megabytes hold millions of values. */
export function readJson(text: string): ReadJson | { readonly problem: string } {
  try {
    const value: unknown = JSON.parse(text);
    const places = longNumbers(text);
    if (places.length === 0) return { value, numberOf: () => undefined };
    // Long numbers become texts that begin with what no text of the file begins with.
    const mark = randomKey();
    let from = 0;
    const pieces = places.map(({ at, end }) => {
      const piece = `${text.slice(from, at)}"${mark}${text.slice(at, end)}"`;
      from = end;
      return piece;
    });
    const marked = pieces.join("") + text.slice(from);
    return {
      value: JSON.parse(marked),
      numberOf: (written) => (written.startsWith(mark) ? written.slice(mark.length) : undefined),
    };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Where long numbers stand in a text that is known to be JSON. */
function longNumbers(text: string): { readonly at: number; readonly end: number }[] {
  const found: { at: number; end: number }[] = [];
  const numbers = /[-\d][\d.eE+-]*/y;
  let at = 0;
  while (at < text.length) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = behindText(text, at);
    else if (sign === MINUS || (sign >= ZERO && sign <= NINE)) {
      numbers.lastIndex = at;
      numbers.exec(text);
      const end = numbers.lastIndex;
      if (end - at > LONGEST) found.push({ at, end });
      at = end;
    } else at += 1;
  }
  return found;
}

const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x30, 0x39];

/** The place behind the text that begins at a quote. */
function behindText(text: string, from: number): number {
  for (let at = from + 1; ; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === BACKSLASH) at += 1;
    else if (sign === QUOTE) return at + 1;
  }
}
