import { MAX_QUERY_CHARACTERS, MIN_QUERY_CHARACTERS } from "#contract/limits";

/**
 * Names as the index keeps and finds them: in lower case, composed (Unicode NFC), and cut into grams, which are two
 * and three neighbouring letters. A mark precedes the first letter and follows the last, so that grams also show how a
 * name begins and ends, and each pair of letters is a gram.
 */

const FIRST = "\ue080";
const LAST = "\ue081";

/** The Greek letter that is written otherwise at the end of a word is one letter. */
const fold = (text: string): string => text.toLowerCase().replaceAll("ς", "σ").normalize("NFC");

/** A name, with or without a folder's slash, as it is searched for. */
export const foldName = (name: string): string => fold(name.endsWith("/") ? name.slice(0, -1) : name);

/** Replaces letters that would split a token or have a meaning in a query, by letters that nobody uses. */
const replacements = Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return /[0-9a-z]/.test(letter) ? letter : String.fromCharCode(0xe000 + code);
});

const tokenLetter = (letter: string): string => replacements[letter.charCodeAt(0)] ?? letter;

const surrogates = /[\ud800-\udfff]/;

/** The grams of a folded name as tokens with spaces between. */
export function gramsOf(folded: string): string {
  // A string is as good as an array, and faster, when no letter takes two units.
  const letters = surrogates.test(folded) ? Array.from(folded) : folded;
  let [before, letter] = [FIRST, tokenLetter(letters[0] ?? LAST)];
  let grams = before + letter;
  for (let index = 1; index <= letters.length; index++) {
    const next = index < letters.length ? tokenLetter(letters[index] ?? "") : LAST;
    grams += ` ${before}${letter}${next} ${letter}${next}`;
    before = letter;
    letter = next;
  }
  return grams;
}

/** Grams that occur in every text that contains this one; none for a single letter. */
function gramsWithin(text: string): string[] {
  const letters = Array.from(text, tokenLetter);
  if (letters.length < 3) return letters.length === 2 ? [letters.join("")] : [];
  return letters.slice(2).map((letter, index) => `${letters[index]}${letters[index + 1]}${letter}`);
}

/** A parsed query. */
export interface Words {
  /** All of it, folded, with one space between words. */
  readonly text: string;
  /** All of them have to occur, in any order. */
  readonly words: readonly string[];
}

/** Returns undefined if it is too short to search for; a too long one is cut. */
export function parseWords(query: string): Words | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no name that can be shown has one.
  const plain = query.toWellFormed().replace(/[\s\u0000-\u001f\u007f]+/gu, " ");
  const text = fold(plain.trim().slice(0, MAX_QUERY_CHARACTERS).toWellFormed()).trim();
  if (text.length < MIN_QUERY_CHARACTERS) return undefined;
  return { text, words: [...new Set(text.split(" "))] };
}

/** How much of a name must be as the query says. */
export type Fit = "anywhere" | "beginning" | "whole";

/** The grams that occur in every name that fits; none when only single letters are searched for. */
export function gramsFor({ text, words }: Words, fit: Fit): string[] {
  const parts = { anywhere: words, beginning: [FIRST + text], whole: [FIRST + text + LAST] }[fit];
  return [...new Set(parts.flatMap(gramsWithin))];
}

/** A folded name as grams are cut from it. */
export const lettersWithMarks = (folded: string): string => FIRST + Array.from(folded, tokenLetter).join("") + LAST;

const letterOrNumber = /[\p{L}\p{N}]/u;

/** Reports whether a word occurs in a name at the beginning of a word. */
function beginsWord(folded: string, word: string): boolean {
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) {
    if (at === 0 || !letterOrNumber.test(folded.charAt(at - 1))) return true;
  }
  return false;
}

/** Returns 0 if the name equals the query, 1 if it begins with it, 2 if its words do, else 3. */
export function rankOf(folded: string, { text, words }: Words): number {
  if (folded === text) return 0;
  if (folded.startsWith(text)) return 1;
  return words.every((word) => beginsWord(folded, word)) ? 2 : 3;
}
