/** What came of the last action, and at which mount it is said; a new object for each. */
export interface Outcome {
  /** Undefined for one that is no more. */
  readonly id: string | undefined;
  readonly tone: "ok" | "error";
  readonly sentence: string;
  /** Takes it back. */
  readonly undo?: () => unknown;
}

/** What can be asked about one mount in a dialog of its own. */
export type Verb = "edit" | "remove";
