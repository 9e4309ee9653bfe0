import type { OfflineDatabase } from "./database.ts";

/** Where the system's share sheet sends what it shares (Web Share Target, section 5); the worker answers it. */
export const SHARE_TARGET = "/share-target";

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

/** Leaves it for the page that opens next. */
export const leaveShared = async (database: OfflineDatabase, value: Shared, now: number): Promise<void> => {
  await database.put("settings", { key: KEY, value, updatedAt: now });
};

/** Takes what was left, once. */
export async function takeShared(database: OfflineDatabase): Promise<Shared | undefined> {
  const transaction = database.transaction("settings", "readwrite");
  const left = await transaction.store.get(KEY);
  if (left) await transaction.store.delete(KEY);
  await transaction.done;
  return left?.value as Shared | undefined;
}
