import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { armor, Decrypter } from "age-encryption";
import { BUILT_IN } from "#contract/providers";
import { BACKUPS_FACT } from "../database/facts.ts";
import type { Load } from "../database/load.ts";
import { checkStep } from "../database/migrate.ts";
import { checkValue } from "../database/secret-check.ts";
import type { Row } from "../database/snapshot.ts";
import { databaseFile, holdsFiles } from "../lib/data-folder.ts";
import { stampOf } from "../stores/disk/attributes.ts";
import { isBucketName, pathOfKey, statNow } from "../stores/disk/paths.ts";
import { flushFolders } from "../stores/disk/rename.ts";
import { Damaged, linesOf, type ReadEntry, readArchive, readFirst, shown } from "./archive-reader.ts";
import { requireSpace } from "./destination.ts";
import { describedSchema, type First, type Manifest } from "./format.ts";
import { type AskFact, interruptedAt, MARKS, RESTORE_FACT, stageOf } from "./interrupted.ts";
import { createRemoteRestore } from "./remote.ts";
import { createCounts, rowSchema } from "./verify.ts";

interface RestoreOptions {
  /** The folder, which the caller holds. */
  readonly dataDir: string;
  readonly source: ReadableStream<Uint8Array>;
  /** Opens the empty database for tables of a step: the file of this path, or the one elsewhere. */
  readonly load: (file: string, step: number) => Promise<Load>;
  /** Asks a database elsewhere; undefined for one in the data folder. */
  readonly askFact: AskFact;
  /** The configured secret key. */
  readonly secret?: string | undefined;
  /** An identity of age, which opens the secret key in the backup. */
  readonly identity?: string | undefined;
  /** Whether objects of storages on S3 are written to their buckets; they are passed over otherwise. */
  readonly withS3?: boolean | undefined;
  readonly progress?: ((files: number, bytes: number) => void) | undefined;
}

/** What has been restored. */
export interface Restored {
  readonly first: First;
  readonly manifest: Manifest;
  /** Whether the secret key is known, is sealed in the data folder, or has to come from elsewhere. */
  readonly secretKey: "known" | "sealed" | "wanted";
  /** Objects of storages on S3 that were in the archive and not wanted. */
  readonly passedOver: number;
}

/** Facts that are of a place, and not of the installation. */
const OF_A_PLACE: ReadonlySet<string> = new Set([RESTORE_FACT, BACKUPS_FACT]);

/**
 * Tables whose rows are counted and left behind: whoever has signed out since, or used up a one-time link, must not be let in again by
 * the rows of before.
 */
const ENDED: ReadonlySet<string> = new Set(["sessions", "sign_in_links"]);

/** What a data folder may have in it before; `objects` when there are no files in it. */
const HARMLESS: ReadonlySet<string> = new Set(["objects", "secret.key", "satchel.lock", "lost+found"]);

/**
 * Makes the installation of a backup anew, in an empty data folder and an empty database. Nothing of it is visible before all of it was read and compared with its
 * checksums; whenever the process ends, there is nothing, or everything, and the same command can be run again. Throws a sentence for the operator, and then
 * everything is as it was. Undefined when an earlier run had got to the end but for clearing up.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored | undefined> {
  const { dataDir, askFact } = options;
  const stage = stageOf(dataDir);
  const state = await interruptedAt(dataDir, askFact);
  if (state === "after") return void rmSync(stage, { recursive: true, force: true });
  requireEmpty(dataDir, stage);
  if (state === "before") removeInterrupted(dataDir, stage);
  mkdirSync(stage, { mode: 0o700 });
  try {
    return await restoreStaged(options, stage);
  } catch (error) {
    removeInterrupted(dataDir, stage);
    throw error;
  }
}

function requireEmpty(dataDir: string, stage: string): void {
  const [some] = readdirSync(dataDir).filter((name) => !HARMLESS.has(name) && join(dataDir, name) !== stage);
  if (some === undefined) return;
  throw new Error(
    `The data folder ${dataDir} is not empty: ${some} is in it. Nothing was changed. Restore into an empty one.`,
  );
}

/** Removes what an interrupted restore has left. Its marks tell what of it was put in place; the database never was. */
function removeInterrupted(dataDir: string, stage: string): void {
  if (existsSync(join(stage, MARKS.objects))) rmSync(join(dataDir, "objects"), { recursive: true, force: true });
  if (existsSync(join(stage, MARKS.secret))) rmSync(join(dataDir, "secret.key"), { force: true });
  rmSync(stage, { recursive: true, force: true });
}

async function restoreStaged(options: RestoreOptions, stage: string): Promise<Restored> {
  const { dataDir, askFact } = options;
  const damaged = (name: string) => {
    throw new Damaged(`The archive is damaged: ${shown(name)} is not what was backed up.`);
  };
  const reading = readArchive(options.source, damaged);
  const begun = await begin(options, stage, reading);
  const { first, load } = begun;
  const intake = createIntake(options, stage, load);
  try {
    let next = await reading.next();
    for (; !next.done; next = await reading.next()) await intake.take(next.value);
    const manifest = next.value;
    intake.counts.check(manifest);
    await intake.files.end();
    const sealed = intake.sealed();
    const secret = await secretOf(options, sealed, load);
    const id = crypto.randomUUID();
    writeFileSync(join(stage, MARKS.id), id, { flush: true });
    if (askFact) await load.add("facts", [{ name: RESTORE_FACT, value: id }]);
    const secretKey = placeKey({ dataDir, stage, sealed, ...secret });
    if (first.objects) placeObjects(dataDir, stage);
    await flushFolders([stage, dataDir]);
    await load.commit();
    await load.close();
    if (!askFact) renameSync(join(stage, "satchel.db"), databaseFile({ dataDir }));
    await flushFolders([dataDir]);
    rmSync(stage, { recursive: true, force: true });
    return { first, manifest, secretKey, passedOver: intake.passedOver() };
  } finally {
    await load.close();
  }
}

/** Puts each entry behind the first where it belongs, and counts them. */
function createIntake(options: RestoreOptions, stage: string, load: Load) {
  const { withS3, progress } = options;
  const counts = createCounts();
  const files = createFiles(join(stage, "objects"), load);
  const storages: Row[] = [];
  let sealed: string | undefined;
  const remote = createRemoteRestore(storages, () => requireSecret(options, sealed, load));
  let [done, bytes, passedOver] = [0, 0, 0];

  const addRows = async (read: ReadEntry, table: string): Promise<void> => {
    const rows = [...linesOf(rowSchema, await read.whole(), read.name)];
    // An installation that was restored itself says by which restore, and where its backups are.
    const own = table === "facts" ? rows.filter((row) => !OF_A_PLACE.has(String(row.name))) : rows;
    await added(read.name, () => load.add(table, ENDED.has(table) ? [] : own));
    counts.rows(table, rows.length);
    if (table === "storage_configs") storages.push(...rows.map(checkStorage));
  };

  return {
    counts,
    files,
    sealed: () => sealed,
    passedOver: () => passedOver,

    async take(read: ReadEntry): Promise<void> {
      const { entry, size, isFolder } = read;
      if (entry.kind === "sealed key") sealed = await sealedKeyOf(read);
      if (entry.kind === "table") await addRows(read, entry.table);
      if (entry.kind === "attributes") await files.describe(read);
      if (entry.kind === "object") await files.add(read, entry.bucket, entry.key);
      if (entry.kind === "remote" && withS3) await remote.add(read, entry.storage, entry.key);
      if (entry.kind === "remote" && !withS3) passedOver += 1;
      if (entry.kind === "object" || entry.kind === "remote") {
        counts.object(isFolder, size);
        done += 1;
      }
      bytes += size;
      progress?.(done, bytes);
    },
  };
}

/** Reads the first entry, and refuses what cannot be restored here before anything is written. */
async function begin(
  { dataDir, load }: RestoreOptions,
  stage: string,
  reading: AsyncGenerator<ReadEntry, Manifest>,
): Promise<{ readonly first: First; readonly load: Load }> {
  const next = await reading.next();
  if (next.done || next.value.entry.kind !== "first") throw new Damaged("This is no backup of Satchel.");
  const first = readFirst(await next.value.whole());
  checkStep(first.step, "The backup");
  const objects = join(dataDir, "objects");
  if (first.objects && holdsFiles(objects))
    throw new Error(`There are files in ${objects}. Nothing was changed. Restore into an empty data folder.`);
  requireSpace(dataDir, first.bytes.objects + 2 * first.bytes.database);
  return { first, load: await load(join(stage, "satchel.db"), first.step) };
}

/** What a database refuses is damaged, unless the disk or the connection is why. */
async function added(name: string, add: () => Promise<void>): Promise<void> {
  try {
    await add();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (/^SQLITE_(CONSTRAINT|MISMATCH|ERROR)/.test(code) || /^(22|23|42)/.test(codeOfPostgres(error)))
      throw new Damaged(`The archive is damaged: the database refuses ${shown(name)}.`);
    throw error;
  }
}

const codeOfPostgres = (error: unknown): string =>
  error instanceof Error && "errno" in error && typeof error.errno === "string" ? error.errno : "";

/** Whoever changes an archive must not reach beyond the folders of the built-in storage. */
function checkStorage(row: Row): Row {
  const { provider_type, bucket_name } = row;
  if (provider_type === BUILT_IN && !isBucketName(String(bucket_name)))
    throw new Damaged(`The archive has a storage in the folder ${shown(String(bucket_name))}, which no backup has.`);
  return row;
}

/** Bytes of a secret key that was sealed, at most. */
const MOST_SEALED = 65_536;

async function sealedKeyOf(read: ReadEntry): Promise<string> {
  if (read.size > MOST_SEALED) throw new Damaged("The archive is damaged: its secret key is too long.");
  return new TextDecoder().decode(await read.whole());
}

/** Writes files of the built-in storage, and tells the database what is known of them. */
function createFiles(folder: string, load: Load) {
  /** Inodes and times by bucket and key, until what is known of the files comes. */
  let stamps = new Map<string, string>();
  const placeOf = (bucket: string, key: string) => `${bucket}/${key}`;

  const pathOf = (bucket: string, key: string): string => {
    if (!isBucketName(bucket)) throw new Damaged(`The archive has a folder ${shown(bucket)}, which no backup has.`);
    try {
      return pathOfKey(join(folder, bucket), key);
    } catch {
      throw new Damaged(`The archive has a file ${shown(key)}, which no backup has.`);
    }
  };

  const writeFile = async (read: ReadEntry, path: string): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    const handle = await open(path, "wx", 0o600);
    try {
      for await (const chunk of read.chunks())
        for (let at = 0; at < chunk.byteLength; )
          at += (await handle.write(chunk, at, chunk.byteLength - at)).bytesWritten;
      await handle.utimes(read.modified / 1000, read.modified / 1000);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  };

  return {
    async add(read: ReadEntry, bucket: string, key: string): Promise<void> {
      const path = pathOf(bucket, key);
      try {
        if (read.isFolder) return void (await mkdir(path, { recursive: true }));
        await writeFile(read, path);
      } catch (error) {
        if (isInTheWay(error)) throw new Damaged(`The archive has two entries in one place: ${shown(read.name)}.`);
        throw error;
      }
      const stat = statNow(path);
      if (stat) stamps.set(placeOf(bucket, key), stampOf(stat));
      // Files that the database does not know have nothing behind them.
      if (stamps.size > MOST_STAMPS) stamps = new Map([...stamps].slice(-MOST_STAMPS / 2));
    },

    async describe(read: ReadEntry): Promise<void> {
      const rows = [...linesOf(describedSchema, await read.whole(), read.name)].map((known) => {
        const place = placeOf(known.bucket, known.key);
        const stamp = stamps.get(place);
        if (stamp === undefined)
          throw new Damaged(`The archive is damaged: ${shown(place)} is described, and is not in it.`);
        stamps.delete(place);
        return { ...known, stamp };
      });
      await added(read.name, () => load.add("disk_attributes", rows));
    },

    end: async (): Promise<void> => void (await mkdir(folder, { recursive: true })),
  };
}

/** Files that wait for what is known of them, at most; a backup has fewer between two lists. */
const MOST_STAMPS = 10_000;

const isInTheWay = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  ["EEXIST", "EISDIR", "ENOTDIR", "ENOTEMPTY"].includes(String(error.code));

/** The secret key, from where it is; and whether it came out of the backup. Throws a sentence for one that the backup was not made with. */
async function secretOf({ dataDir, secret, identity }: RestoreOptions, sealed: string | undefined, load: Load) {
  const file = join(dataDir, "secret.key");
  const given = secret ?? (existsSync(file) ? readFileSync(file, "utf8").trim() : undefined);
  const opened = given === undefined && identity !== undefined ? await openKey(sealed, identity) : undefined;
  const known = given ?? opened;
  const check = await load.fact("secret check");
  if (known !== undefined && check !== undefined && check !== checkValue(known))
    throw new Error("The secret key is not the one that the backup was made with. Nothing was changed.");
  return { given, opened };
}

/** The secret key, without which no storage can be reached. */
async function requireSecret(options: RestoreOptions, sealed: string | undefined, load: Load): Promise<string> {
  const { given, opened } = await secretOf(options, sealed, load);
  const secret = given ?? opened;
  if (secret !== undefined) return secret;
  throw new Error(
    "The storages on S3 cannot be reached without the secret key. Set SECRET_KEY, put secret.key into the data folder, or give --identity. Nothing was changed.",
  );
}

async function openKey(sealed: string | undefined, identity: string): Promise<string> {
  if (sealed === undefined) throw new Error("There is no secret key in this backup. Nothing was changed.");
  const decrypter = new Decrypter();
  try {
    decrypter.addIdentity(identity);
    return (await decrypter.decrypt(armor.decode(sealed), "text")).trim();
  } catch {
    throw new Error("The identity does not open the secret key in this backup. Nothing was changed.");
  }
}

interface PlacedKey {
  readonly dataDir: string;
  readonly stage: string;
  readonly sealed: string | undefined;
  readonly given: string | undefined;
  readonly opened: string | undefined;
}

/** Puts the secret key in its place, or the sealed one beside it. */
function placeKey({ dataDir, stage, sealed, given, opened }: PlacedKey): Restored["secretKey"] {
  if (given !== undefined) return "known";
  if (opened !== undefined) {
    const file = join(stage, "secret.key");
    writeFileSync(file, `${opened}\n`, { mode: 0o600, flush: true });
    writeFileSync(join(stage, MARKS.secret), "", { flush: true });
    renameSync(file, join(dataDir, "secret.key"));
    return "known";
  }
  return sealed === undefined ? "wanted" : "sealed";
}

/** Puts the files in their place, where at most empty folders were. */
function placeObjects(dataDir: string, stage: string): void {
  const target = join(dataDir, "objects");
  writeFileSync(join(stage, MARKS.objects), "", { flush: true });
  rmSync(target, { recursive: true, force: true });
  renameSync(join(stage, "objects"), target);
}
