import type { Format } from "./formats.ts";

/** A footnote: its number at the caret, its place at the end of the text. */
export const noted: Format = (text, { anchor, head }) => {
  const at = Math.max(anchor, head);
  const numbers = Array.from(text.matchAll(/\[\^(\d{1,6})\]/g), ([, number]) => Number(number));
  const number = numbers.reduce((most, one) => Math.max(most, one), 0) + 1;
  const rest = text.slice(at).trimEnd();
  const insert = `[^${number}]${rest}\n\n[^${number}]: `;
  return { from: at, to: text.length, insert, caret: { anchor: at + insert.length, head: at + insert.length } };
};
