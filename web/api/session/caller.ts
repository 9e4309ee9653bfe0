import { personOf, type SessionState } from "./credential.ts";

/** Returns the person of a session as in `created_by`: the one administrator, whatever their name, or a key. */
export function callerOf(state: SessionState): string | undefined {
  return state.authType === "admin" ? "admin" : personOf(state);
}
