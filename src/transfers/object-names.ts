/** Names for objects, made of the names of files. */
import { randomToken } from "../lib/secret.ts";

const LONGEST_NAME = 255;
const SUFFIX_CHARACTERS = 6;

/**
 * Returns a name of at most 255 bytes that every system takes as a file name; each further attempt has another random suffix
 * before its ending.
 */
export function objectName(filename: string, attempt: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is replaced.
  const name = filename.toWellFormed().replace(/[\u0000-\u001f\u007f<>:"|?*\\/]/g, "_");
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  const suffix = attempt === 0 ? "" : `-${randomLetters()}`;
  const kept = Buffer.byteLength(ending) > LONGEST_NAME / 2 ? "" : ending;
  const left = LONGEST_NAME - Buffer.byteLength(suffix + kept);
  return `${cutToBytes(kept === ending ? stem : name, left)}${suffix}${kept}`;
}

/** The longest beginning of a text that fits, whole characters only. */
function cutToBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let cut = "";
  let used = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > bytes) break;
    cut += character;
  }
  return cut;
}

const randomLetters = (): string => randomToken(12).replace(/[-_]/g, "").slice(0, SUFFIX_CHARACTERS).padEnd(6, "0");
