/** A table as its text. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
  /** Whether rows were left out. */
  readonly cut: boolean;
}

/** Columns of a table, and characters of a cell, that reach the page: it would lay out a line of megabytes for seconds. */
export const MAX_COLUMNS = 1000;
export const LONGEST_CELL = 1000;

/** The beginning of a row whose end nobody would read. */
export const fitted = <Cell>(row: readonly Cell[], textOf: (cell: Cell) => string): string[] =>
  Array.from(row.slice(0, MAX_COLUMNS), (cell) => {
    const text = textOf(cell);
    return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL)}…` : text;
  });
