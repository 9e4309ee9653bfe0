import { MAX_KEY_CHARACTERS, MIN_KEY_CHARACTERS } from "./limits.ts";
import { cleanPath } from "./paths.ts";

/** What an API key and its base path may be, for the form and the server alike. */

/** Returns the problem of a key that was chosen; undefined if it may be used. */
export function keyProblem(key: string): "key.characters" | "key.length" | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(key)) return "key.characters";
  return key.length >= MIN_KEY_CHARACTERS && key.length <= MAX_KEY_CHARACTERS ? undefined : "key.length";
}

/** A space at the end of a folder's name is invisible, and one left by mistake would lock the key out. */
const outerSpace = /\/\s|\s(\/|$)/;

/** A base path as it is kept; undefined for a path that leads nowhere. */
export function basePathOf(path: string): string | undefined {
  const clean = cleanPath(path);
  return clean === undefined || outerSpace.test(clean) ? undefined : clean;
}
