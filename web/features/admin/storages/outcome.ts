/** The result of the last action, and the storage that shows it; a new object for each. */
export interface Outcome {
  /** Undefined for one that is no more. */
  readonly id: string | undefined;
  readonly tone: "ok" | "error";
  readonly sentence: string;
  /** A test is the next thing to do. */
  readonly offersTest?: boolean;
}

/** What can be done with one storage. */
export type Verb = "test" | "cors" | "edit" | "remove";
