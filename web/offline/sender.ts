import type { OfflineDatabase } from "./database.ts";
import type { Sender } from "./replay.ts";

/** Where the worker finds who is signed in: it sees nothing of the page's own storage. */
const KEY = "sender";

const nobody: Sender = { authorization: undefined, person: undefined, language: "en" };

/**
 * Mirrors the credential of the moment for the worker, which never meets a moment without one. Rejects when there is no room; the one before is
 * gone all the same.
 */
export async function writeSender(database: OfflineDatabase, value: Sender, now: number): Promise<void> {
  try {
    await database.put("settings", { key: KEY, value, updatedAt: now });
  } catch (error) {
    await forgetSender(database);
    throw error;
  }
}

/** Has the worker act in nobody's name. */
export const forgetSender = (database: OfflineDatabase): Promise<void> => database.delete("settings", KEY);

/** Who is signed in, as a page has said last. */
export async function readSender(database: OfflineDatabase): Promise<Sender> {
  const kept = await database.get("settings", KEY);
  return (kept?.value as Sender | undefined) ?? nobody;
}
