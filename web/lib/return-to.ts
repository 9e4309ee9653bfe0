/** Where a sign-in leads back to: the state of a link to it. */
export interface ReturnTo {
  readonly returnTo: string;
  /** It is what the history has before the sign-in. */
  readonly isPrevious: boolean;
}

/** The way back to the address that links to the sign-in. */
export const backTo = (address: string): ReturnTo => ({ returnTo: address, isPrevious: true });

/** Where the state of an entry of the history leads back to; undefined when it leads nowhere. */
export const returnIn = (state: unknown): ReturnTo | undefined =>
  typeof state === "object" && state !== null && "returnTo" in state && typeof state.returnTo === "string"
    ? { returnTo: state.returnTo, isPrevious: "isPrevious" in state && state.isPrevious === true }
    : undefined;
