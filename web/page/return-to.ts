/** Where a sign-in leads back to: the state of a link to it. */
export interface ReturnTo {
  readonly returnTo: string;
  /** It is what the history has before the sign-in. */
  readonly isPrevious: boolean;
}

/** The way back to the address that links to the sign-in. */
export const backTo = (address: string): ReturnTo => ({ returnTo: address, isPrevious: true });

/** As `backTo`, for the holder of a key who signs in another way than by a key. */
export const anotherWayTo = (address: string) => ({ ...backTo(address), withoutKey: true });

/** Whether the state of an entry of the history asks for a sign-in without a key. */
export const isWithoutKey = (state: unknown): boolean =>
  typeof state === "object" && state !== null && "withoutKey" in state && state.withoutKey === true;

/** Where the state of an entry of the history leads back to; undefined when it leads nowhere. */
export const returnIn = (state: unknown): ReturnTo | undefined =>
  typeof state === "object" && state !== null && "returnTo" in state && typeof state.returnTo === "string"
    ? { returnTo: state.returnTo, isPrevious: "isPrevious" in state && state.isPrevious === true }
    : undefined;
