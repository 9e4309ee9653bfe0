import { Failure } from "#contract/failures";
import { sizeText } from "#contract/limits";
import { sentence } from "#contract/messages/sentence";
import type { Manifest } from "../backup/format.ts";
import { isFull } from "../database/bounded.ts";

/** Waits for work on archives, and makes sentences of failures that storages and disks have. `full` is that of a full disk. */
export async function inSentences<Result>(full: string, working: Promise<Result>): Promise<Result> {
  try {
    return await working;
  } catch (error) {
    if (isFull(error)) throw new Error(full);
    throw error instanceof Failure ? new Error(sentence(error, "en")) : error;
  }
}

/** Bytes in words. */
export const sizeWords = sizeText;

/** A number and its noun: "1 file", "12 files". */
const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** What an archive holds: "33 rows and 1 file (2.86 MB)". */
export function contentWords({ tables, objects }: Pick<Manifest, "tables" | "objects">): string {
  const rows = Object.values(tables).reduce((sum, one) => sum + one, 0);
  return `${counted(rows, "row")} and ${counted(objects.files, "file")} (${sizeWords(objects.bytes)})`;
}

/** Milliseconds between two lines. */
const EVERY = 200;

/** Shows on a terminal how far something is, on one line of the error output; elsewhere nothing. */
export function createProgress() {
  const { stderr } = process;
  let shownAt = 0;
  let width = 0;
  return {
    show(line: string): void {
      const now = performance.now();
      if (!stderr.isTTY || now - shownAt < EVERY) return;
      shownAt = now;
      stderr.write(`\r${line.padEnd(width)}`);
      width = line.length;
    },
    end(): void {
      if (width > 0) stderr.write(`\r${" ".repeat(width)}\r`);
    },
  };
}
