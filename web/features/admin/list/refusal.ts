import { failureText, isSignedOut } from "../../../api/failure.ts";

/** What a form says about a save that failed; nothing when the session ended, which the sign-in card has said already. */
export const refusalText = (refused: unknown): string | undefined =>
  refused === undefined || isSignedOut(refused) ? undefined : failureText(refused);
