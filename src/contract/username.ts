import { MAX_USERNAME_CHARACTERS } from "./limits.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const refused = /[:\u0000-\u001f\u007f]/;

/** Whether a text may be a username: not blank, no outer spaces, and no colon, which HTTP Basic needs for itself (RFC 7617). */
export const isUsername = (text: string): boolean =>
  text !== "" && text === text.trim() && text.length <= MAX_USERNAME_CHARACTERS && !refused.test(text);
