import { MAX_TABLE_ROWS } from "#contract/viewer-limits";
import { LONGEST_CELL, MAX_COLUMNS } from "./sheet.ts";

const [QUOTE, LF, CR, SPACE] = [0x22, 0x0a, 0x0d, 0x20];
/** Characters that are read before others have their turn. */
const SLICE = 1_000_000;

/**
 * Where the rows of a text of separated values begin (RFC 4180), with any line ends: of a million rows that is 4 MB, and their cells are cut out
 * when they are seen. Lines without a letter are no rows. A quote that is not followed by what ends its cell is a letter of it, and a
 * cell that is never closed ends with the text.
 */
export class CsvIndex {
  /** Rows that are known so far. */
  count = 0;
  /** Whether there are more than MAX_TABLE_ROWS. */
  cut = false;
  private starts = new Uint32Array(1024);
  private readonly separator: number;

  constructor(
    readonly text: string,
    separator: string,
  ) {
    this.separator = separator.charCodeAt(0);
  }

  /** Finds the rows, in steps. */
  *scan(): Generator<undefined, void> {
    const { text } = this;
    let next = SLICE;
    for (let at = 0; at < text.length; ) {
      if (isLineEnd(text.charCodeAt(at))) {
        at += 1;
        continue;
      }
      this.cut = this.count === MAX_TABLE_ROWS;
      if (this.cut) return;
      this.note(at);
      at = this.behindCell(at);
      while (text.charCodeAt(at) === this.separator) at = this.behindCell(at + 1);
      if (at < next) continue;
      next = at + SLICE;
      yield;
    }
  }

  /** The cells of the rows from one up to another, which is not among them; their beginning where they are long. */
  rows(from: number, to: number): string[][] {
    const length = Math.max(0, Math.min(to, this.count) - from);
    return Array.from({ length }, (_, index) => this.cells(this.starts[from + index] ?? 0));
  }

  private cells(from: number): string[] {
    const cells: string[] = [];
    for (let at = from; ; ) {
      const end = this.behindCell(at);
      cells.push(this.cell(at, end));
      if (this.text.charCodeAt(end) !== this.separator || cells.length > MAX_COLUMNS) return cells;
      at = end + 1;
    }
  }

  private note(at: number): void {
    if (this.count === this.starts.length) {
      const longer = new Uint32Array(2 * this.count);
      longer.set(this.starts);
      this.starts = longer;
    }
    this.starts[this.count] = at;
    this.count += 1;
  }

  private cell(from: number, end: number): string {
    const isQuoted = this.text.charCodeAt(from) === QUOTE;
    // Two quotes are one letter.
    const raw = this.text.slice(from, Math.min(end, from + 2 * LONGEST_CELL + 3));
    const shown = isQuoted ? raw.slice(1).replace(closingQuote, "$1").replaceAll('""', '"') : raw;
    return shown.length > LONGEST_CELL ? `${shown.slice(0, LONGEST_CELL)}…` : shown;
  }

  private endsCell(at: number): boolean {
    const sign = this.text.charCodeAt(at);
    return at >= this.text.length || sign === this.separator || isLineEnd(sign);
  }

  private behindCell(from: number): number {
    if (this.text.charCodeAt(from) === QUOTE) return this.behindQuote(from + 1);
    let at = from;
    while (!this.endsCell(at)) at += 1;
    return at;
  }

  /** The end of a cell behind the quote that closes it; blanks may stand between them. */
  private behindQuote(from: number): number {
    const { text } = this;
    for (let at = from; ; ) {
      const quote = text.indexOf('"', at);
      if (quote === -1) return text.length;
      at = quote + 1;
      if (text.charCodeAt(at) === QUOTE) {
        at += 1;
        continue;
      }
      while (text.charCodeAt(at) === SPACE && this.separator !== SPACE) at += 1;
      if (this.endsCell(at)) return at;
    }
  }
}

const isLineEnd = (sign: number): boolean => sign === LF || sign === CR;
/** The last one, before which all others are doubled. */
const closingQuote = /(?<!")((?:"")*)"\s*$/;
