import { type BackupResult, backUp, type Progress } from "../backup/backup.ts";
import { openBucket } from "../backup/bucket.ts";
import { type Destination, isFolder, toBucket, toFile, toFolder, toOutput } from "../backup/destination.ts";
import type { Config } from "../config.ts";
import { openPostgresSnapshot, openSqliteSnapshot } from "../database/snapshot.ts";
import { databaseFile, readSecret } from "../lib/data-folder.ts";
import { objectsFolder } from "../serve.ts";
import { createProgress, inSentences, sizeWords } from "./progress.ts";
import { requireDatabase } from "./require-database.ts";

/** Writes a backup, and says what is in it and what is not. Throws a sentence for the operator. */
export async function backup(config: Config): Promise<void> {
  const { databaseUrl: url, backup: wanted } = config;
  if (url === undefined) requireDatabase(config);
  const isToOutput = wanted.to === "-";
  const progress = createProgress();
  const stop = new AbortController();
  const onSignal = () => stop.abort(new Error("The backup was stopped. Nothing of it stays."));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, onSignal);
  const result = await inSentences(
    FULL,
    backUp({
      snapshot: async () =>
        url === undefined ? openSqliteSnapshot(databaseFile(config)) : await openPostgresSnapshot(url),
      engine: url === undefined ? "sqlite" : "postgres",
      objects: objectsFolder(config),
      withObjects: !wanted.withoutObjects,
      destination: (installation, moment) => destinationOf(config, installation, moment),
      sealed:
        wanted.recipient === undefined
          ? undefined
          : { secret: readSecret(config.dataDir, config.secretKey, true), recipient: wanted.recipient },
      keep: wanted.keep,
      progress: (now) => progress.show(lineOf(now)),
      signal: stop.signal,
    }),
  ).finally(progress.end);
  // The standard output may be the archive.
  (isToOutput ? process.stderr : process.stdout).write(`${summaryOf(result, wanted.recipient).join("\n")}\n`);
}

const FULL =
  "The disk that the backup goes to, or that of the data folder, is full. Nothing of it stays. Free space, or name another place.";

const lineOf = ({ rows, files, bytes, of }: Progress): string =>
  files === 0 ? `${rows} rows` : `${files} files, ${sizeWords(bytes)} of ${sizeWords(of)}`;

function summaryOf({ place, size, manifest, pruned }: BackupResult, recipient: string | undefined): string[] {
  const { tables, objects, moment } = manifest;
  const rows = Object.values(tables).reduce((sum, one) => sum + one, 0);
  return [
    `The backup of ${moment} is whole: ${place}, ${sizeWords(size)}, with ${rows} rows and ${objects.files} files (${sizeWords(objects.bytes)}).`,
    ...(objects.gone > 0
      ? [`Somebody took ${objects.gone} files away past the server before they could be read; they are not in it.`]
      : []),
    ...(pruned.length > 0 ? [`Removed: ${pruned.join(", ")}.`] : []),
    recipient === undefined
      ? "The secret key is not in it. Keep SECRET_KEY, or secret.key of the data folder, apart from it: without that key nobody can sign in from a restored installation or reach its storages. Texts and files can be read by whoever has the archive."
      : `The secret key is in it, sealed for ${recipient}. Texts and files are not sealed: whoever has the archive can read them.`,
  ];
}

async function destinationOf(
  { backup: { to = "-", s3, keep } }: Config,
  installation: string,
  moment: Date,
): Promise<Destination> {
  if (to === "-") return toOutput(process.stdout);
  if (to.startsWith("s3://")) {
    const { store, prefix, place } = openBucket(to, s3);
    return toBucket(store, prefix, place, { installation, moment });
  }
  if (isFolder(to)) return await toFolder(to, installation, moment);
  if (keep !== undefined) throw new Error("--keep is for a folder or for s3://bucket/prefix, and --to names a file.");
  return toFile(to);
}
