import { personOf, type SessionState } from "./credential.ts";

/** Whom the server takes a session for, as records name their maker: the one administrator, under whatever name, or a key. */
export function callerOf(state: SessionState): string | undefined {
  return state.authType === "admin" ? "admin" : personOf(state);
}
