import { lstatSync, realpathSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { stampOf } from "../stores/disk/attributes.ts";
import {
  createMoment,
  isWholeKey,
  type KnownFile,
  type Moment,
  openIfThere,
  walkFolders,
} from "../stores/disk/moment.ts";
import type { ArchiveWriter } from "./archive-writer.ts";
import { DESCRIBED, describedEntry, objectEntry } from "./format.ts";
import type { PlannedFile, PlanTable } from "./plan-table.ts";

/** What is copied of the built-in storage. */
export interface Copied {
  files: number;
  folders: number;
  bytes: number;
  /** Files that somebody took away past the server before they could be read. */
  gone: number;
}

interface ObjectsOptions {
  /** The folder of all buckets. */
  readonly folder: string;
  /** Where servers keep what they change meanwhile. */
  readonly kept: string;
  readonly plan: PlanTable;
  readonly signal?: AbortSignal | undefined;
}

/** Files whose names and stamps are compared at once. */
const COMPARED = 200;
/** Bytes that are read from a file at once. */
const CHUNK = 512 * 1024;
/** Letters of descriptions in one entry, about. */
const MOST_LETTERS = 4_000_000;

/** Copies the files of the built-in storage as they were at the moment of a snapshot. */
export function createObjectsCopy({ folder, kept, plan, signal }: ObjectsOptions) {
  const root = realpathSync(folder);
  const moment = createMoment({ folder: root, kept: realpathSync(kept) });

  /** All files of the plan, page by page. */
  async function* planned(): AsyncGenerator<PlannedFile> {
    let last = { bucket: "", key: "", stamp: "" };
    for (;;) {
      const page = await plan.after(last);
      yield* page;
      const end = page.at(-1);
      if (!end) return;
      last = end;
      signal?.throwIfAborted();
      await new Promise(setImmediate);
    }
  }

  return {
    /** Called right before the snapshot is taken. */
    begin: moment.begin,

    /**
     * Adds up the bytes of the files of the plan, and reports whether each was found. One that is nowhere may have been removed between the moment
     * when this backup began and the one when servers noticed; one that was nowhere before already is a record that a crash has left.
     */
    async examine(): Promise<{ readonly bytes: number; readonly isWhole: boolean }> {
      let bytes = 0;
      let isWhole = true;
      for await (const file of planned()) {
        const found = isWholeKey(file.key) ? moment.find(file) : undefined;
        if (found) bytes += Number(found.stat.size);
        else if (!(await plan.noteAbsent(file))) isWhole = false;
      }
      return { bytes, isWhole };
    },

    /** Writes all of them, and then the files that the database does not know and that were there at the moment (epoch milliseconds). */
    async copy(archive: ArchiveWriter, buckets: readonly string[], at: number, copied: Copied): Promise<void> {
      const descriptions = createDescriptions(archive);
      for await (const file of onePerKey(planned(), moment, plan)) {
        if (await addKnown(archive, moment, file, copied)) await descriptions.add(file);
        signal?.throwIfAborted();
      }
      await descriptions.flush();
      const unknown = { archive, plan, moment, at, copied, signal };
      for (const bucket of buckets) await addUnknown(unknown, join(root, bucket));
      for (const path of moment.removed()) await addUnknown(unknown, path);
      for (const path of moment.emptied()) await addFolder(unknown, path);
    },
  };
}

/**
 * Of several records of one key the one whose file is there. A file that has just moved may be on record at both keys; it counts where it is.
 */
async function* onePerKey(
  files: AsyncIterable<PlannedFile>,
  moment: Moment,
  plan: PlanTable,
): AsyncGenerator<PlannedFile> {
  let same: PlannedFile[] = [];
  for await (const file of files) {
    const [first] = same;
    if (first && (first.bucket !== file.bucket || first.key !== file.key)) {
      const one = await chosen(same, moment, plan);
      if (one) yield one;
      same = [];
    }
    same.push(file);
  }
  const one = await chosen(same, moment, plan);
  if (one) yield one;
}

async function chosen(
  files: readonly PlannedFile[],
  moment: Moment,
  plan: PlanTable,
): Promise<PlannedFile | undefined> {
  const found = files.flatMap((file) => {
    const place = isWholeKey(file.key) ? moment.find(file) : undefined;
    return place ? { file, ...place } : [];
  });
  const best = found.find(({ path, file }) => path.endsWith(`/${file.bucket}/${file.key}`)) ?? found[0];
  if (!best) return undefined;
  if (best.isMoved) {
    const [bucket = "", ...segments] = best.path.slice(moment.root.length + 1).split("/");
    if (await plan.has(bucket, segments.join("/"), best.file.stamp)) return undefined;
  }
  return best.file;
}

/** Adds a file that the database knows. Reports whether it was still anywhere. */
async function addKnown(archive: ArchiveWriter, moment: Moment, file: KnownFile, copied: Copied): Promise<boolean> {
  const opened = await moment.open(file);
  if (!opened) {
    copied.gone += 1;
    return false;
  }
  const { handle, stat } = opened;
  await addHandle(archive, { name: objectEntry(file.bucket, file.key), handle, ...stated(stat), copied });
  return true;
}

const stated = (stat: { readonly size: bigint; readonly mtimeNs: bigint }) => ({
  size: Number(stat.size),
  modified: Number(stat.mtimeNs / 1000n) / 1000,
});

interface HandledFile {
  readonly name: string;
  readonly handle: FileHandle;
  readonly size: number;
  readonly modified: number;
  readonly copied: Copied;
}

async function addHandle(archive: ArchiveWriter, { handle, copied, ...file }: HandledFile): Promise<void> {
  try {
    await archive.addFile(file, chunksOf(handle, file.size, file.name));
  } finally {
    await handle.close();
  }
  copied.files += 1;
  copied.bytes += file.size;
}

/** Exactly so many bytes of a file, each chunk in memory of its own. */
async function* chunksOf(handle: FileHandle, size: number, name: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const buffer = new Uint8Array(Math.min(CHUNK, size - at));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0)
      throw new Error(`${name} became shorter while it was read: something else than Satchel writes to it.`);
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Writes what is known of files close behind them. */
function createDescriptions(archive: ArchiveWriter) {
  let lines: string[] = [];
  let letters = 0;
  let entries = 0;

  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const text = lines.join("");
    [lines, letters] = [[], 0];
    entries += 1;
    await archive.add(describedEntry(entries), text);
  };

  return {
    async add({ bucket, key, known }: PlannedFile): Promise<void> {
      const line = `${JSON.stringify({ bucket, key, ...(JSON.parse(known) as object) })}\n`;
      lines.push(line);
      letters += line.length;
      if (lines.length >= DESCRIBED || letters >= MOST_LETTERS) await flush();
    },
    flush,
  };
}

interface Unknown {
  readonly archive: ArchiveWriter;
  readonly plan: PlanTable;
  readonly moment: Moment;
  readonly at: number;
  readonly copied: Copied;
  readonly signal: AbortSignal | undefined;
}

/** Adds what is below a folder and not in the plan: files that a person has put there, and empty folders. What has changed since the moment is left out. */
async function addUnknown(unknown: Unknown, top: string): Promise<void> {
  const { moment, plan, signal } = unknown;
  for await (const { path, files, isEmpty } of walkFolders(top)) {
    signal?.throwIfAborted();
    const names = moment.namesOf(path);
    if (!names.atMoment) continue;
    if (isEmpty && (lstatSync(path, { throwIfNoEntry: false })?.ctimeMs ?? unknown.at) < unknown.at)
      await addFolder(unknown, path);
    for (let from = 0; from < files.length; from += COMPARED) {
      const some = files.slice(from, from + COMPARED).flatMap((name) => {
        const stat = lstatSync(join(path, name), { bigint: true, throwIfNoEntry: false });
        return stat?.isFile() ? { path: join(path, name), name, stamp: stampOf(stat), stat } : [];
      });
      const { bucket, key } = names.atMoment;
      for (const file of await unknownOf(plan, names.all, some))
        await addUnknownFile(unknown, bucket, below(key, file.name), file);
    }
  }
}

const below = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`);

/** Those of some files that the database did not know, by whatever name their folder had. */
async function unknownOf(
  plan: PlanTable,
  folders: readonly { readonly bucket: string; readonly key: string }[],
  files: readonly UnknownFile[],
): Promise<readonly UnknownFile[]> {
  let left = files;
  for (const { bucket, key } of folders) {
    if (left.length === 0) break;
    const known = await plan.knownOf(
      bucket,
      left.map(({ name, stamp }) => ({ key: below(key, name), stamp })),
    );
    left = left.filter(({ name }) => !known.has(below(key, name)));
  }
  return left;
}

interface UnknownFile {
  readonly path: string;
  readonly name: string;
  readonly stamp: string;
  readonly stat: ReturnType<typeof lstatSync> & { readonly ctimeMs: bigint };
}

async function addUnknownFile(
  { archive, at, copied }: Unknown,
  bucket: string,
  key: string,
  { path, stat }: UnknownFile,
): Promise<void> {
  if (Number(stat.ctimeMs) >= at || !isWholeKey(key)) return;
  const handle = await openIfThere(path);
  if (!handle) return;
  const now = await handle.stat({ bigint: true });
  await addHandle(archive, { name: objectEntry(bucket, key), handle, ...stated(now), copied });
}

async function addFolder({ archive, moment, copied }: Unknown, path: string): Promise<void> {
  const place = moment.namesOf(path).atMoment;
  if (!place || place.key === "" || !isWholeKey(`${place.key}/`)) return;
  await archive.addFolder(objectEntry(place.bucket, `${place.key}/`));
  copied.folders += 1;
}
