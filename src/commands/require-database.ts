import { existsSync } from "node:fs";
import type { Config } from "../config.ts";
import { databaseFile } from "../lib/data-folder.ts";

/** Throws a sentence when the data folder has no database: a command that works on one makes none. */
export const requireDatabase = (config: Config): void => {
  if (!existsSync(databaseFile(config))) throw new Error(`There is no Satchel in ${config.dataDir}.`);
};
