import { session } from "../../api/session/session.ts";
import { LAST_LOCAL_INPUT, toLocalInput } from "../../lib/time.ts";
import { sharingHours } from "../../page/site.ts";

const HOUR = 3_600_000;

/** How many hours shares of this person last unless they say so, and at most; 0 is for ever, and without limit. */
export const allowedHours = () => sharingHours(session.state.get().authType === "none");

/** The last instant that this person may choose now, in epoch milliseconds; undefined without a limit. */
export function lastExpiry(now: number): number | undefined {
  const { longest } = allowedHours();
  return longest === 0 ? undefined : now + longest * HOUR;
}

/** The same as a datetime-local field has it, where it always needs one. */
export function lastInput(): string {
  const last = lastExpiry(Date.now());
  return last === undefined ? LAST_LOCAL_INPUT : toLocalInput(new Date(last).toISOString());
}
