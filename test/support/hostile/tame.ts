import type { Draft, TestRoute } from "./draft.ts";
import type { Known } from "./known.ts";

/**
 * Bodies that would end the attack itself: they would lock its administrator out, by a change or by wrong guesses, or have
 * uploads go where no storage is.
 */
export function tame(draft: Draft, { name }: TestRoute, { passwords }: Known): void {
  if (draft.body === undefined) return;
  if (name.includes("/api/s3-configs"))
    draft.body = draft.body.replaceAll(/("is_default":\s*)("?true"?|"?1"?)/g, "$1false");
  if (name === "POST /api/admin/login" && !passwords.some((password) => draft.body?.includes(`"${password}"`)))
    draft.body = draft.body.replaceAll('"admin"', '"nobody"');
  if (name === "POST /api/admin/change-password" && locksOut(draft.body, passwords))
    for (const password of passwords) draft.body = draft.body.replaceAll(`"${password}"`, '"none of these"');
}

/** Reports whether a change of the account would leave it with a name or a password that nobody has written down. */
function locksOut(body: string, passwords: readonly string[]): boolean {
  const change = parsed(body);
  const { newUsername = "", newPassword = "" } = (change ?? {}) as Record<string, unknown>;
  return !["", "admin"].includes(newUsername as string) || !["", ...passwords].includes(newPassword as string);
}

function parsed(text: string): unknown {
  try {
    // As the server reads it: a byte order mark is no part of the text.
    return JSON.parse(new TextDecoder().decode(Buffer.from(text, "latin1")));
  } catch {
    // What is no JSON changes nothing.
    return undefined;
  }
}
