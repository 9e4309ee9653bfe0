import type { Opening } from "../file/use-worker-session.ts";

/** What the worker of a table of separated values is asked, and what it answers. */
export type CsvQuestion = Opening | { readonly from: number; readonly to: number };

export interface OpenedCsv {
  /** The first rows. */
  readonly sample: readonly (readonly string[])[];
}

/** How far it is. */
export interface CsvTold {
  readonly count: number;
  readonly cut: boolean;
  readonly finished: boolean;
}
