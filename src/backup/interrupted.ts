import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { databaseFile } from "../lib/data-folder.ts";

/** The folder in a data folder with all that is restored, until everything is in its place. As long as it is there, a restore was interrupted. */
const STAGE = ".restore";

/** Files of that folder: which say that something was moved out of it, or is about to be, and the id of the restore. */
export const MARKS = { objects: "objects.moved", secret: "secret.moved", id: "id" } as const;

/** The name of the fact by which a database elsewhere tells that it was filled by the restore of this id. */
export const RESTORE_FACT = "restore";

export const stageOf = (dataDir: string): string => join(dataDir, STAGE);

/** Asks the database elsewhere for a fact; undefined for a database in the data folder. */
export type AskFact = ((name: string) => Promise<string | undefined>) | undefined;

/**
 * How far the last restore into a data folder came: none was interrupted, or it was before everything was in its place, or after that. The database comes
 * last, so where it is, everything is.
 */
export async function interruptedAt(dataDir: string, askFact: AskFact): Promise<"no" | "before" | "after"> {
  const stage = stageOf(dataDir);
  if (!existsSync(stage)) return "no";
  if (!askFact) return existsSync(databaseFile({ dataDir })) ? "after" : "before";
  const id = join(stage, MARKS.id);
  return existsSync(id) && (await askFact(RESTORE_FACT)) === readFileSync(id, "utf8") ? "after" : "before";
}

/** For a server that starts: refuses a data folder whose restore is not whole, and clears away what is left of one that is. Throws a sentence. */
export async function checkRestored(dataDir: string, askFact: AskFact): Promise<void> {
  const state = await interruptedAt(dataDir, askFact);
  if (state === "before")
    throw new Error(`The restore into ${dataDir} was interrupted. Run satchel restore again, with the same backup.`);
  if (state === "after") rmSync(stageOf(dataDir), { recursive: true, force: true });
}
