import { existsSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { databaseFile } from "../lib/data-folder.ts";
import { builtFor, releaseKey } from "../upgrade/built.ts";
import { upgrade } from "../upgrade/upgrade.ts";
import { backup } from "./backup.ts";
import { inSentences } from "./progress.ts";

/** Bytes that a file with a public key may have. */
const MAX_KEY = 4096;

/** Replaces this executable with that of a release, after a backup. Throws a sentence for the operator, and then everything is as it was. */
export async function upgradeExecutable(config: Config, version: string, print: (text: string) => void): Promise<void> {
  const { from, check, publicKey, allowDowngrade, withoutBackup } = config.upgrade;
  if (builtFor === undefined)
    throw new Error("This runs from its sources. Upgrade those: git pull. Only an executable replaces itself.");
  if (!check && !withoutBackup) requireBackup(config);
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Error("The upgrade was stopped. Nothing was changed."));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, onSignal);
  await inSentences(
    FULL,
    upgrade({
      own: { path: realpathSync(process.execPath), isLocked: process.platform === "win32" },
      version,
      system: builtFor,
      publicKey: publicKey === undefined ? embeddedKey() : readKey(publicKey),
      from,
      check,
      allowDowngrade,
      signal: stop.signal,
      print: (line) => print(`${line}\n`),
      backUp: async () => {
        if (!withoutBackup) await backUpFirst(config);
      },
    }),
  );
}

const FULL =
  "The disk is full: that of the executable, or that of the backup. Nothing was changed. Free space and run this again.";

function embeddedKey(): string {
  if (releaseKey !== undefined) return releaseKey;
  throw new Error(
    "This executable was built without the key that releases are signed with. Name its file with --public-key FILE.",
  );
}

function readKey(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new Error(`There is no file ${file}.`);
  if (stat.size > MAX_KEY) throw new Error(`${file} is no public key of minisign.`);
  return readFileSync(file, "utf8");
}

/** Throws a sentence when there is nothing to back up, because another folder is meant more likely than none. */
function requireBackup(config: Config): void {
  if (config.databaseUrl === undefined && !existsSync(databaseFile(config)))
    throw new Error(
      `There is no Satchel in ${config.dataDir} to back up first. Name its folder with --data DIR, or say --no-backup.`,
    );
}

/** An upgrade changes tables and no files, so these are left out: a backup is small, and made at once. */
async function backUpFirst(config: Config): Promise<void> {
  const folder = join(config.dataDir, "backups/");
  if (config.backup.to === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const to = config.backup.to ?? folder;
  await backup({ ...config, backup: { ...config.backup, to, withoutObjects: true } });
}
