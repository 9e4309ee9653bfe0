import { join } from "node:path";
import { armor, Encrypter } from "age-encryption";
import { CryptoHasher } from "bun";
import { BUILT_IN } from "#contract/providers";
import { version } from "../../package.json";
import { checkStep } from "../database/migrate.ts";
import type { Row, Snapshot } from "../database/snapshot.ts";
import { openSqlite } from "../database/sqlite/sqlite.ts";
import { holdForBackup } from "../stores/disk/keeping.ts";
import { zstd } from "./archive-reader.ts";
import { type ArchiveWriter, writeArchive } from "./archive-writer.ts";
import type { RemoteStorage } from "./bucket.ts";
import type { Destination } from "./destination.ts";
import { FIRST, type First, FORMAT, LAST, type Manifest, SEALED_KEY, tableEntry } from "./format.ts";
import { type Copied, createObjectsCopy } from "./objects.ts";
import { planTable } from "./plan-table.ts";
import { copyRemote } from "./remote.ts";

interface BackupOptions {
  readonly snapshot: () => Promise<Snapshot>;
  readonly engine: First["database"];
  /** The folder of all buckets. */
  readonly objects: string;
  readonly withObjects: boolean;
  /** Opens the storages on S3 whose objects are wanted too; none are unless said. */
  readonly remote?: ((storages: readonly Row[]) => readonly RemoteStorage[]) | undefined;
  readonly destination: (named: Named) => Promise<Destination>;
  /** The secret key, and for whom it is sealed into the backup. */
  readonly sealed?: { readonly secret: string; readonly recipient: string } | undefined;
  readonly keep?: number | undefined;
  readonly progress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a destination may need to know of what is backed up. */
export interface Named {
  /** Tells the backups of one installation from those of another. */
  readonly installation: string;
  readonly moment: Date;
  /** The storages, as the database has them. */
  readonly storages: readonly Row[];
}

/** How far a backup is. */
export interface Progress {
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
  /** Bytes of files that there are about. */
  readonly of: number;
}

/** What a backup has become. */
export interface BackupResult {
  readonly place: string;
  /** Bytes of the archive. */
  readonly size: number;
  readonly manifest: Manifest;
  /** Names of older backups that were removed. */
  readonly pruned: readonly string[];
}

/** How often another moment is taken because a file of this one went away before servers knew of the backup. */
const MOMENTS = 5;
/** Milliseconds that the times of files may be behind the clock (Linux, "coarse" clock: one tick). */
const FILE_CLOCK = 20;

/**
 * Writes a backup of one moment beside running servers, which go on reading and writing. Throws a sentence for the operator; then nothing stays of it. What a process
 * leaves that is killed meanwhile is removed by the next backup, or by a server.
 */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  using hold = holdForBackup(options.objects);
  const plan = openSqlite({ file: join(hold.folder, "plan.db"), synchronous: "NORMAL" });
  try {
    return await writeBackup(options, hold.folder, plan);
  } finally {
    await plan.close();
  }
}

async function writeBackup(
  options: BackupOptions,
  kept: string,
  scratch: ReturnType<typeof openSqlite>,
): Promise<BackupResult> {
  const { objects, withObjects, signal } = options;
  const plan = planTable(scratch);
  await plan.create();
  const copy = createObjectsCopy({ folder: objects, kept, plan, signal });
  const taken = await takeMoment(options, copy.begin, async (snapshot) => {
    if (!withObjects) return { bytes: 0, isWhole: true };
    await plan.clear();
    for await (const rows of snapshot.rows("disk_attributes")) {
      // Files in folders of the machine are not ours to keep.
      const own = rows.filter(({ bucket }) => !String(bucket).startsWith("folder:"));
      if (own.length > 0) await plan.add(own);
    }
    return await copy.examine();
  });
  const { snapshot, moment, bytes } = taken;
  const progress: { rows: number } & Copied = { rows: 0, files: 0, folders: 0, bytes: 0, gone: 0 };
  const tell = () => options.progress?.({ ...progress, of: bytes });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) await snapshot.close();
    isClosed = true;
  };
  try {
    const facts = await factsOf(snapshot);
    const storages = await allRows(snapshot, "storage_configs");
    const named = { installation: installationOf(facts), moment: new Date(moment), storages };
    const remote = options.remote?.(storages);
    const destination = await options.destination(named);
    destination.requireSpace(bytes + snapshot.size);
    const { archive, stream, fail } = writeArchive(moment);
    const first = firstOf(options, snapshot, moment, bytes);
    const writing = async (): Promise<Manifest> => {
      await archive.add(FIRST, JSON.stringify(first));
      if (options.sealed) await archive.add(SEALED_KEY, await sealKey(options.sealed));
      const tables = await addTables(archive, snapshot, withObjects, (rows) => {
        progress.rows += rows;
        tell();
        signal?.throwIfAborted();
      });
      const buckets = bucketsOf(storages);
      await close();
      const counted = watched(progress, tell);
      if (withObjects) await copy.copy(archive, buckets, moment, counted);
      if (remote) await copyRemote({ archive, storages: remote, copied: counted, signal });
      const { files, folders, gone } = counted;
      const manifest: Manifest = {
        ...{ format: FORMAT, satchel: version, step: first.step, moment: first.moment, tables },
        objects: { files, folders, bytes: counted.bytes, gone },
        ...(await archive.summary()),
      };
      await archive.end(LAST, JSON.stringify(manifest, null, 1));
      return manifest;
    };
    const { manifest, size } = await together({ writing, stream, fail }, destination, signal);
    const pruned = options.keep === undefined ? [] : ((await destination.prune?.(options.keep)) ?? []);
    return { place: destination.place, size, manifest, pruned };
  } finally {
    await close();
  }
}

/** Counts that tell of themselves as they grow. */
const watched = (copied: Copied, tell: () => void): Copied =>
  new Proxy(copied, {
    set(target, name, value) {
      Object.assign(target, { [name]: value });
      if (name === "bytes") tell();
      return true;
    },
  });

interface Writing {
  readonly writing: () => Promise<Manifest>;
  readonly stream: ReadableStream<Uint8Array>;
  readonly fail: (error: unknown) => void;
}

/** Writes and stores at once. What breaks off one breaks off the other, and what was the reason is thrown. */
async function together(
  { writing, stream, fail }: Writing,
  destination: Destination,
  signal: AbortSignal | undefined,
): Promise<{ readonly manifest: Manifest; readonly size: number }> {
  const out = destination.isCompressed ? stream.pipeThrough(zstd("compress")) : stream;
  const stored = destination.write(out, signal);
  const written = writing().catch((error: unknown) => {
    fail(error);
    throw error;
  });
  // Nobody reads what is written any more.
  stored.catch(fail);
  const [one, other] = await Promise.allSettled([written, stored]);
  signal?.throwIfAborted();
  if (other.status === "rejected" && !isAbort(other.reason)) throw other.reason;
  if (one.status === "rejected") throw one.reason;
  if (other.status === "rejected") throw other.reason;
  return { manifest: one.value, size: other.value };
}

/** What one half says of the end of the other tells no reason. */
const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

interface Moment {
  readonly snapshot: Snapshot;
  /** Epoch milliseconds. */
  readonly moment: number;
  /** Of the files. */
  readonly bytes: number;
}

/** Takes a moment of which every file is at hand. */
async function takeMoment(
  { snapshot: open }: BackupOptions,
  begin: () => void,
  examine: (snapshot: Snapshot) => Promise<{ readonly bytes: number; readonly isWhole: boolean }>,
): Promise<Moment> {
  for (let tries = 1; ; tries++) {
    // Files whose names are younger are of later. The clock of files may be some milliseconds behind.
    const moment = Date.now() - FILE_CLOCK;
    begin();
    const snapshot = await open();
    try {
      checkStep(snapshot.step, "The database");
      const { bytes, isWhole } = await examine(snapshot);
      if (isWhole || tries === MOMENTS) return { snapshot, moment, bytes };
    } catch (error) {
      await snapshot.close();
      throw error;
    }
    await snapshot.close();
  }
}

const firstOf = (
  { engine, withObjects }: BackupOptions,
  { step, size }: Snapshot,
  moment: number,
  bytes: number,
): First => ({
  ...{ format: FORMAT, satchel: version, step, moment: new Date(moment).toISOString(), database: engine },
  objects: withObjects,
  bytes: { database: size, objects: bytes },
});

async function addTables(
  archive: ArchiveWriter,
  snapshot: Snapshot,
  withObjects: boolean,
  added: (rows: number) => void,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of snapshot.tables) {
    // What is known of files stands behind those, which get new inodes where they are restored.
    if (table === "disk_attributes" && withObjects) continue;
    counts[table] = 0;
    let entries = 0;
    for await (const rows of snapshot.rows(table)) {
      entries += 1;
      counts[table] += rows.length;
      await archive.add(tableEntry(table, entries), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
      added(rows.length);
    }
  }
  return counts;
}

async function allRows(snapshot: Snapshot, table: string): Promise<Row[]> {
  const all: Row[] = [];
  for await (const rows of snapshot.rows(table)) all.push(...rows);
  return all;
}

const factsOf = async (snapshot: Snapshot): Promise<ReadonlyMap<string, string>> =>
  new Map((await allRows(snapshot, "facts")).map(({ name, value }) => [String(name), String(value)]));

const bucketsOf = (storages: readonly Row[]): string[] =>
  storages.flatMap(({ provider_type, bucket_name }) => (provider_type === BUILT_IN ? String(bucket_name) : []));

/** What tells the backups of one installation from those of another: made of a text that tells nothing of its secret key. */
const installationOf = (facts: ReadonlyMap<string, string>): string =>
  new CryptoHasher("sha256")
    .update(`installation ${facts.get("secret check") ?? ""}`)
    .digest("hex")
    .slice(0, 8);

async function sealKey({ secret, recipient }: { secret: string; recipient: string }): Promise<string> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return armor.encode(await encrypter.encrypt(`${secret}\n`));
}
