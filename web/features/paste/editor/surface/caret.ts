/** The position of the caret, in UTF-16 units from the start; anchor and head differ if something is selected. */
export interface Caret {
  readonly anchor: number;
  readonly head: number;
}
