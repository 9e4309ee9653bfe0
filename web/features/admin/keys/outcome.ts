/** What came of the last action. */
export interface Outcome {
  readonly tone: "ok" | "error";
  readonly sentence: string;
  /** Keys that are still there, for another try. */
  readonly left?: readonly string[];
}
