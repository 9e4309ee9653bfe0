type SealedCode =
  /** None of its stanzas is for this key, or the password is another. */
  | "wrongKey"
  /** It is an age file, and not what its writer wrote. */
  | "damaged"
  /** Its end is missing. */
  | "truncated"
  | "notAge"
  /** Its header is larger than anything that is shared here: nobody tries a key on each of ten thousand stanzas. */
  | "tooManyStanzas"
  /** Its password would take minutes and gigabytes to try. */
  | "tooMuchWork";

/** Why something sealed cannot be opened. */
export class SealedFailure extends Error {
  readonly code: SealedCode;
  constructor(code: SealedCode) {
    super(code);
    this.name = "SealedFailure";
    this.code = code;
  }
}
