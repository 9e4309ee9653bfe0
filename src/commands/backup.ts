import { type BackupResult, backUp, type Named, type Progress } from "../backup/backup.ts";
import { accessTo, openBucket, remoteOf } from "../backup/bucket.ts";
import {
  type Destination,
  isFolder,
  isWithinFolder,
  toBucket,
  toFile,
  toFolder,
  toOutput,
} from "../backup/destination.ts";
import type { Config } from "../config.ts";
import { openPostgresSnapshot, openSqliteSnapshot } from "../database/snapshot.ts";
import { objectsFolder } from "../dependencies.ts";
import { databaseFile, readSecret } from "../lib/data-folder.ts";
import { contentWords, createProgress, inSentences, sizeWords } from "./progress.ts";
import { requireDatabase } from "./require-database.ts";

/** Writes a backup, and says what is in it and what is not. Throws a sentence for the operator. */
export async function backup(config: Config): Promise<void> {
  const { databaseSessionUrl: url, backup: wanted } = config;
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
      remote: wanted.withS3
        ? (storages) => remoteOf(storages, readSecret(config.dataDir, config.secretKey, true))
        : undefined,
      destination: (named) => destinationOf(config, named),
      sealed:
        wanted.recipient === undefined
          ? undefined
          : { secret: readSecret(config.dataDir, config.secretKey, true), recipient: wanted.recipient },
      keep: wanted.keep,
      progress: (now) => progress.show(lineOf(now)),
      signal: stop.signal,
    }),
  ).finally(progress.end);
  const said = wanted.json ? JSON.stringify(factsOf(result)) : summaryOf(result, wanted.recipient).join("\n");
  // The standard output may be the archive.
  (isToOutput ? process.stderr : process.stdout).write(`${said}\n`);
}

const FULL =
  "The disk that the backup goes to, or that of the data folder, is full. Nothing of it stays. Free space, or name another place.";

const lineOf = ({ rows, files, bytes, of }: Progress): string =>
  files === 0 ? `${rows} rows` : `${files} files, ${sizeWords(bytes)} of ${sizeWords(of)}`;

/** What programs want to know of a backup that is whole. */
const factsOf = ({ place, size, manifest: { moment, tables, objects }, pruned }: BackupResult) => ({
  ...{
    place,
    size,
    moment,
    rows: sumOf(tables),
    files: objects.files,
    bytes: objects.bytes,
    gone: objects.gone,
    pruned,
  },
});

const sumOf = (tables: Readonly<Record<string, number>>): number =>
  Object.values(tables).reduce((sum, one) => sum + one, 0);

function summaryOf({ place, size, manifest, pruned }: BackupResult, recipient: string | undefined): string[] {
  const { objects, moment } = manifest;
  return [
    `The backup of ${moment} is whole: ${place}, ${sizeWords(size)}, with ${contentWords(manifest)}.`,
    ...(objects.gone > 0
      ? [`Somebody took ${objects.gone} files away past the server before they could be read; they are not in it.`]
      : []),
    ...(pruned.length > 0 ? [`Removed: ${pruned.join(", ")}.`] : []),
    recipient === undefined
      ? "The secret key is not in it. Keep SECRET_KEY, or secret.key of the data folder, apart from it: without that key nobody can sign in from a restored installation or reach its storages. Texts and files can be read by whoever has the archive."
      : `The secret key is in it, sealed for ${recipient}. Texts and files are not sealed: whoever has the archive can read them.`,
  ];
}

async function destinationOf(config: Config, { installation, moment, storages }: Named): Promise<Destination> {
  const { to = "-", s3, keep } = config.backup;
  if (to === "-") return toOutput(process.stdout);
  if (to.startsWith("s3://")) {
    const secretKey = () => readSecret(config.dataDir, config.secretKey, true);
    const { store, prefix, place } = openBucket(to, accessTo(to, s3, storages, secretKey));
    return toBucket(store, prefix, place, { installation, moment });
  }
  if (isWithinFolder(to, objectsFolder(config)))
    throw new Error(`${to} is among the files that are backed up. Name another place.`);
  if (isFolder(to)) return await toFolder(to, installation, moment);
  if (keep !== undefined) throw new Error("--keep is for a folder or for s3://bucket/prefix, and --to names a file.");
  return toFile(to);
}
