import { withRoom } from "./copies.ts";
import type { OfflineDatabase } from "./database.ts";

/** The key of the setting in which the worker leaves it for the page. */
const KEY = "shared";

/** What a person shared with the installed app by the system's share sheet. */
export interface Shared {
  readonly text: string;
  readonly files: readonly File[];
}

/**
 * Reads the form of a share sheet: title, text and link become one text, each on a line of its own. Beside files a title only says what
 * they are, as their names do.
 */
export function readShared(form: FormData): Shared {
  const files = form.getAll("files").filter((value): value is File => value instanceof File);
  const name = form.get("title");
  const named = new Set(files.length === 0 ? [] : [...files.map((file) => file.name), name]);
  const lines = [name, form.get("text"), form.get("url")].flatMap((value) =>
    typeof value === "string" && value.trim() !== "" && !named.has(value) ? [value.trim()] : [],
  );
  return { text: [...new Set(lines)].join("\n\n"), files };
}

/** Stores it for the page that opens next, after anything that no page has taken yet. Rejects if there is no room, even without the copies. */
export async function leaveShared(database: OfflineDatabase, shared: Shared, now: number): Promise<void> {
  await withRoom(database, async () => {
    const transaction = database.transaction("settings", "readwrite");
    const before = (await transaction.store.get(KEY))?.value as Shared | undefined;
    await transaction.store.put({ key: KEY, value: before ? both(before, shared) : shared, updatedAt: now });
    await transaction.done;
  });
}

const both = (one: Shared, other: Shared): Shared => ({
  text: [one.text, other.text].filter((text) => text !== "").join("\n\n"),
  files: [...one.files, ...other.files],
});

/** Returns what the worker left and deletes it; undefined if there is nothing. */
export async function takeShared(database: OfflineDatabase): Promise<Shared | undefined> {
  const transaction = database.transaction("settings", "readwrite");
  const left = await transaction.store.get(KEY);
  if (left) await transaction.store.delete(KEY);
  await transaction.done;
  return left?.value as Shared | undefined;
}
