import type { OfflineDatabase } from "./database.ts";
import type { Sender } from "./replay.ts";

/** The key of the setting in which the worker finds who is signed in: it cannot read localStorage. */
const KEY = "sender";

const nobody: Sender = { authorization: undefined, person: undefined, language: "en" };

/**
 * Stores the current credential for the worker, in place of the one before, with no moment without one in between. Rejects if there is no room;
 * the one before is deleted all the same.
 */
export async function writeSender(database: OfflineDatabase, value: Sender, now: number): Promise<void> {
  try {
    await database.put("settings", { key: KEY, value, updatedAt: now });
  } catch (error) {
    await forgetSender(database);
    throw error;
  }
}

/** Deletes the credential, so that the worker acts for nobody. */
export const forgetSender = (database: OfflineDatabase): Promise<void> => database.delete("settings", KEY);

/** Returns who is signed in, as a page stored it last. */
export async function readSender(database: OfflineDatabase): Promise<Sender> {
  const kept = await database.get("settings", KEY);
  return (kept?.value as Sender | undefined) ?? nobody;
}
