import { textBlocks } from "./blocks.ts";

/** A piece of a text with the number of its first line. */
export interface NumberedBlock {
  readonly text: string;
  /** Where it begins, in UTF-16 units. */
  readonly at: number;
  /** The number of the line that it begins with or in, from 1. */
  readonly line: number;
  readonly lines: number;
  /** Whether it begins within a line. */
  readonly continues: boolean;
  /** Whether it ends within a line. */
  readonly torn: boolean;
}

/** The blocks of a text as `textBlocks` cuts it, with the numbers of their lines. */
export function numberedBlocks(text: string): NumberedBlock[] {
  let at = 0;
  let line = 1;
  let continues = false;
  return textBlocks(text).map(({ text: piece, lines }) => {
    const ends = piece.endsWith("\n");
    const torn = !ends && at + piece.length < text.length;
    const block = { text: piece, at, line, lines, continues, torn };
    at += piece.length;
    // A torn block ends within its last line, which the next one goes on with.
    line += torn ? lines - 1 : lines;
    continues = torn;
    return block;
  });
}
