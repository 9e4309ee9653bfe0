import { existsSync, readFileSync } from "node:fs";
import { type Restored, restoreBackup } from "../backup/restore.ts";
import { openArchive } from "../backup/source.ts";
import type { Config } from "../config.ts";
import { factOf } from "../database/facts.ts";
import { loadPostgres, loadSqlite } from "../database/load.ts";
import { lockDataFolder, openDataFolder } from "../lib/data-folder.ts";
import { contentWords, createProgress, inSentences, sizeWords } from "./progress.ts";

/** Makes the installation of a backup anew. Throws a sentence for the operator. */
export async function restore(config: Config, archive: string, print: (text: string) => void): Promise<void> {
  const { databaseSessionUrl: url, dataDir, secretKey: secret, backup } = config;
  const identity = backup.identity === undefined ? undefined : identityIn(backup.identity);
  const progress = createProgress();
  const source = await openArchive(archive, backup.s3);
  openDataFolder(dataDir);
  const lock = lockDataFolder(dataDir);
  try {
    const restored = await inSentences(
      "The disk of the data folder is full. Nothing was restored, and everything is as it was.",
      restoreBackup({
        dataDir,
        source,
        load: (file, step) => (url === undefined ? loadSqlite(file, step) : loadPostgres(url, step)),
        askFact: url === undefined ? undefined : (name) => factOf(url, name),
        secret,
        identity,
        withS3: backup.withS3,
        progress: (files, bytes) => progress.show(`${files} files, ${sizeWords(bytes)}`),
      }),
    ).finally(progress.end);
    print(`${restored ? wordsOf(restored, dataDir) : `The restore into ${dataDir} was whole already.`}\n`);
  } finally {
    lock.release();
  }
}

function wordsOf({ first, manifest, secretKey, passedOver }: Restored, dataDir: string): string {
  const left = `Passed over, because they are of storages on S3: ${passedOver}. --with s3 writes them to their buckets.`;
  const what = `Restored the backup of ${first.moment}: ${contentWords(manifest)}, all of them as they were.${passedOver === 0 ? "" : ` ${left}`}`;
  const keys = {
    known: "Start the server.",
    sealed: `The secret key is in the backup, sealed. Before the server starts, open it (tar -xOf FILE secret.key.age | age -d -i KEY > ${dataDir}/secret.key), or set SECRET_KEY.`,
    wanted: `The secret key is not in the backup. Before the server starts, put secret.key into ${dataDir}, or set SECRET_KEY to what it was.`,
  };
  return `${what}\n${keys[secretKey]}`;
}

/** The first identity in a file as age-keygen writes it. */
function identityIn(file: string): string {
  const found = existsSync(file) ? /^AGE-SECRET-KEY-1[0-9A-Z]+$/m.exec(readFileSync(file, "utf8"))?.[0] : undefined;
  if (found === undefined) throw new Error(`There is no identity of age in ${file}.`);
  return found;
}
