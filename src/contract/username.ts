import { MAX_USERNAME_CHARACTERS } from "./limits.ts";
import { isName } from "./names.ts";

/** Whether a text may be a username: a name without outer spaces and colons, which HTTP Basic needs for itself (RFC 7617). */
export const isUsername = (text: string): boolean =>
  isName(text) && text === text.trim() && text.length <= MAX_USERNAME_CHARACTERS && !text.includes(":");
