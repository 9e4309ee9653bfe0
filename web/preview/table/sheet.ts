/** A table as its text. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
  /** Whether rows were left out. */
  readonly cut: boolean;
}
