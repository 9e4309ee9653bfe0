import { withRoom } from "./copies.ts";
import type { OfflineDatabase } from "./database.ts";

/** Where the worker leaves it for the page. */
const KEY = "shared";

/** What somebody shared with the installed app. */
export interface Shared {
  readonly text: string;
  readonly files: readonly File[];
}

/** Reads the form of a share sheet: title, text and link become one text, each on a line of its own. */
export function readShared(form: FormData): Shared {
  const lines = ["title", "text", "url"].flatMap((name) => {
    const value = form.get(name);
    return typeof value === "string" && value.trim() !== "" ? [value.trim()] : [];
  });
  const files = form.getAll("files").filter((value): value is File => value instanceof File);
  return { text: [...new Set(lines)].join("\n\n"), files };
}

/** Leaves it for the page that opens next, behind what that has not taken yet. Rejects when there is no room, also not in place of copies. */
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

/** Takes what was left, once. */
export async function takeShared(database: OfflineDatabase): Promise<Shared | undefined> {
  const transaction = database.transaction("settings", "readwrite");
  const left = await transaction.store.get(KEY);
  if (left) await transaction.store.delete(KEY);
  await transaction.done;
  return left?.value as Shared | undefined;
}
