import { existsSync, realpathSync, statSync } from "node:fs";
import { type FileHandle, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { readVolume } from "../lib/data-folder.ts";
import { flushFolders } from "../stores/disk/rename.ts";
import type { ListPage, ObjectStore } from "../stores/store.ts";

/** Where a backup goes. */
export interface Destination {
  /** In a sentence for the operator. */
  readonly place: string;
  readonly isCompressed: boolean;
  /** Throws a sentence when there is certainly no room for so many bytes. */
  requireSpace(bytes: number): void;
  /** Writes all of it, or nothing that stays. Returns its bytes. */
  write(stream: ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<number>;
  /** Removes all but so many of the newest backups of the same installation, and returns the names of those. */
  prune?(keep: number): Promise<string[]>;
}

/** The names of backups that are made without one being given: of an installation, and of a moment. */
const backupName = (installation: string, moment: Date): string =>
  `satchel-${installation}-${moment.toISOString().replace(/[-:]/g, "").slice(0, 15)}Z.tar.zst`;

/** Which names of a list are backups of this installation, the newest first. */
const backupsIn = (names: readonly string[], installation: string): string[] =>
  names
    .filter((name) => new RegExp(`^satchel-${installation}-\\d{8}T\\d{6}Z\\.tar\\.zst$`).test(name))
    .sort()
    .reverse();

const PARTIAL = ".partial";

/** Whether a key is one of a backup, or of one that is being made. */
export const isBackupName = (key: string): boolean =>
  /^satchel-[0-9a-f]{8}-\d{8}T\d{6}Z\.tar\.zst(\.partial)?$/.test(key.slice(key.lastIndexOf("/") + 1));

/** Milliseconds after which nobody can still be writing what was last written then. */
const ABANDONED = 60 * 60_000;

/** The standard output, which takes a plain tar. */
export function toOutput(output: NodeJS.WriteStream): Destination {
  return {
    place: "the standard output",
    isCompressed: false,
    requireSpace: () => undefined,
    async write(stream) {
      let bytes = 0;
      const failed = Promise.withResolvers<never>();
      output.once("error", failed.reject);
      for await (const chunk of stream) {
        bytes += chunk.byteLength;
        const sent = new Promise<void>((sent, refused) =>
          output.write(chunk, (error) => (error ? refused(error) : sent())),
        );
        await Promise.race([sent, failed.promise]);
      }
      return bytes;
    },
  };
}

/** Whether a path means a folder, in which backups get names of their own. */
export const isFolder = (path: string): boolean =>
  path.endsWith("/") || (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);

/** Whether a path is a folder, or in one, wherever links lead. */
export function isWithinFolder(path: string, folder: string): boolean {
  const real = (one: string): string =>
    existsSync(one) || dirname(one) === one ? realpathSync(one) : join(real(dirname(one)), basename(one));
  const way = relative(real(resolve(folder)), real(resolve(path)));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A file of the disk, which is there when all of it is. It is compressed when its name ends in .zst. */
export function toFile(path: string): Destination {
  const file = resolve(path);
  const partial = `${file}${PARTIAL}`;
  return {
    place: path,
    isCompressed: path.endsWith(".zst"),
    requireSpace: (bytes) => requireSpace(dirname(file), bytes),
    async write(stream, signal) {
      // What a killed backup has left goes, and so does what somebody has put there: it may lead elsewhere, or be for all to read.
      await rm(partial, { force: true });
      const handle = await open(partial, "wx", 0o600);
      const { ino } = await handle.stat();
      const isOurs = async () => (await stat(partial).catch(() => undefined))?.ino === ino;
      try {
        const bytes = await writeAll(handle, stream, signal);
        await handle.sync();
        if (!(await isOurs()))
          throw new Error(`Another backup was begun that goes to ${path}. Nothing of this one stays.`);
        await rename(partial, file);
        await flushFolders([dirname(file)]);
        return bytes;
      } catch (error) {
        if (await isOurs()) await rm(partial, { force: true });
        throw error;
      } finally {
        // Only now, because the number of a file that is open is no other one's.
        await handle.close().catch(() => undefined);
      }
    },
  };
}

/** A folder in which the backups of an installation are kept. */
export async function toFolder(folder: string, installation: string, moment: Date): Promise<Destination> {
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  await removeAbandoned(folder, installation);
  return {
    ...toFile(join(folder, backupName(installation, moment))),
    async prune(keep) {
      const old = backupsIn(await readdir(folder), installation).slice(keep);
      for (const name of old) await rm(join(folder, name), { force: true });
      return old;
    },
  };
}

/** Removes what killed backups of an installation have left. */
async function removeAbandoned(folder: string, installation: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(PARTIAL) || backupsIn([basename(name, PARTIAL)], installation).length === 0) continue;
    const { mtimeMs } = await stat(join(folder, name));
    if (Date.now() - mtimeMs > ABANDONED) await rm(join(folder, name), { force: true });
  }
}

async function writeAll(handle: FileHandle, stream: ReadableStream<Uint8Array>, signal?: AbortSignal): Promise<number> {
  let size = 0;
  for await (const chunk of stream) {
    signal?.throwIfAborted();
    for (let written = 0; written < chunk.byteLength; )
      written += (await handle.write(chunk, written, chunk.byteLength - written)).bytesWritten;
    size += chunk.byteLength;
  }
  return size;
}

/** Throws a sentence when a folder's disk has less room than this. */
export function requireSpace(folder: string, bytes: number): void {
  const { free } = readVolume(folder);
  if (bytes <= free) return;
  throw new Error(
    `There may be too little room: it takes up to ${bytes} bytes, and ${free} are free in ${folder}. Nothing was written.`,
  );
}

/** The folder of a prefix in a bucket: empty, or ending in a slash. */
export const folderOf = (prefix: string): string => (prefix === "" ? "" : `${prefix.replace(/\/+$/, "")}/`);

/** A prefix in a bucket of S3, where an object is there when all of it is. */
export function toBucket(
  store: ObjectStore,
  prefix: string,
  place: string,
  name: { installation: string; moment: Date },
): Destination {
  const folder = folderOf(prefix);
  const key = folder + backupName(name.installation, name.moment);
  return {
    place: `${place}/${key}`,
    isCompressed: true,
    requireSpace: () => undefined,
    async write(stream, signal) {
      await abortAbandoned(store, folder, name.installation);
      using _ = await markUpload(store, key);
      const head = await store.put(key, new Response(stream), { type: "application/zstd", inParts: true, signal });
      await store.remove([key + PARTIAL]);
      return head.size;
    },
    async prune(keep) {
      const names = (await objectsBelow(store, folder)).map((one) => one.key.slice(folder.length));
      const old = backupsIn(names, name.installation).slice(keep);
      await store.remove(old.map((one) => folder + one));
      return old;
    },
  };
}

async function objectsBelow(store: ObjectStore, folder: string) {
  const all: ListPage["objects"][number][] = [];
  for (let after: string | undefined; ; ) {
    const page = await store.list({ prefix: folder, delimiter: "/", after, limit: 1000 });
    all.push(...page.objects);
    after = page.next;
    if (after === undefined) return all;
  }
}

/**
 * Notes beside an upload that it is under way, and again and again until it is disposed of: what a killed process has sent of it can be seen nowhere, and is
 * paid for until somebody aborts it.
 */
async function markUpload(store: ObjectStore, key: string): Promise<Disposable> {
  const mark = () => store.put(key + PARTIAL, new Response(""), { type: "text/plain", length: 0 });
  await mark();
  // One that fails is made up for by the next; what keeps the storage from answering breaks the upload off as well.
  const timer = setInterval(() => mark().catch(() => undefined), ABANDONED / 6);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Aborts what killed backups of an installation have uploaded. */
async function abortAbandoned(store: ObjectStore, folder: string, installation: string): Promise<void> {
  for (const { key, modified } of await objectsBelow(store, folder)) {
    const name = key.slice(folder.length);
    if (!name.endsWith(PARTIAL) || backupsIn([basename(name, PARTIAL)], installation).length === 0) continue;
    if (Date.now() - modified < ABANDONED) continue;
    await store.abortMultiparts(key.slice(0, -PARTIAL.length));
    await store.remove([key]);
  }
}
