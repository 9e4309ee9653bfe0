import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isFilename } from "#contract/paths";
import { type ForeignFile, openForeignFile } from "../../database/foreign-file.ts";
import type { Rooms } from "../context.ts";
import type { Reason } from "../words.ts";
import type { FileRow, ShareRow } from "./rows.ts";

/** What Pingvin Share calls its database, unless its operator says otherwise. */
const DATABASE = "pingvin-share.db";

/** With what SQLite keeps beside a database: what is not in it yet, and what has to go back into it. */
const BESIDE = ["-wal", "-journal"] as const;

/** The first bytes of every SQLite database. */
const SIGNATURE = Buffer.from("SQLite format 3\0");

/** The last bytes of a journal that names another file, which SQLite would look into and may delete. */
const NAMES_ANOTHER = Buffer.from("d9d505f920a163d7", "hex");

/** Bytes that are read of a file at once. */
const CHUNK = 256 * 1024;

/** Whether what the operator has named is a folder or a database, which no backup of CloudPaste is. */
export async function isPingvin(path: string): Promise<boolean> {
  if ((await stat(path)).isDirectory()) return true;
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(SIGNATURE.length), 0, SIGNATURE.length, 0);
  return bytesRead === SIGNATURE.length && buffer.equals(SIGNATURE);
}

/** Where the database is that the operator has named, or whose folder. Throws a sentence for the operator. */
export async function databaseAt(path: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return path;
  const file = join(path, DATABASE);
  if ((await stat(file).catch(() => undefined))?.isFile()) return file;
  throw new Error(`There is no ${DATABASE} in ${path}. Name the data folder of Pingvin Share, or its database.`);
}

/** A copy of a database, which goes with it. */
interface Copied extends AsyncDisposable {
  readonly file: ForeignFile;
}

/**
 * Copies a database with what is beside it, and opens the copy: nothing is written where the original is. Throws a sentence for the operator, also when
 * somebody writes to it meanwhile.
 */
export async function openCopy(path: string, { temporary }: Pick<Rooms["transfers"], "temporary">): Promise<Copied> {
  const before = await stateOf(path);
  const kept = async (part: string) =>
    (await temporary(new Response(Bun.file(part).stream()), { length: undefined, limit: Number.MAX_SAFE_INTEGER }))
      .path;
  const parts: string[] = [];
  const forget = async (): Promise<void> => {
    for (const part of parts) await rm(part, { force: true });
  };
  try {
    const copy = await kept(path);
    parts.push(copy, ...[...BESIDE, "-shm"].map((ending) => copy + ending));
    for (const ending of BESIDE) {
      if ((await sizeOf(path + ending)) > 0) await rename(await kept(path + ending), copy + ending);
    }
    if (await namesAnother(`${copy}-journal`))
      throw new Error(`The journal beside ${path} is one of several databases, which Pingvin Share never writes.`);
    if ((await stateOf(path)) !== before)
      throw new Error(`Somebody is writing to ${path}: stop Pingvin Share, and run this again.`);
    const file = openForeignFile(copy, path);
    const close = async (): Promise<void> => {
      file.close();
      await forget();
    };
    return { file, [Symbol.asyncDispose]: close };
  } catch (error) {
    await forget();
    throw error;
  }
}

/** Whether a journal is one of a transaction over several databases: it ends with the name of the file that binds them. */
async function namesAnother(journal: string): Promise<boolean> {
  const size = await sizeOf(journal);
  if (size === 0) return false;
  const end = await Bun.file(journal)
    .slice(Math.max(size - NAMES_ANOTHER.length, 0), size)
    .bytes();
  return NAMES_ANOTHER.equals(end);
}

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;

/** What changes with every write to a database. */
async function stateOf(path: string): Promise<string> {
  const parts = ["", ...BESIDE].map((ending) => stat(path + ending, { bigint: true }).catch(() => undefined));
  return (await Promise.all(parts)).map((part) => part && `${part.ino} ${part.size} ${part.mtimeNs}`).join();
}

/** A file of a share, which is as large as it should be. */
export interface SharedFile {
  readonly path: string;
  readonly size: number;
}

/** Why a file of a share is not there as it should be. */
type Missing = Extract<
  Reason,
  "file.key" | "file.missing" | "file.link" | "file.size" | "file.denied" | "file.unreadable"
>;

/** What the system says of one file, after which the others are looked for. */
const missingBy: ReadonlyMap<string, Missing> = new Map([
  ["ENOENT", "file.missing"],
  ["ENOTDIR", "file.missing"],
  ["EACCES", "file.denied"],
  ["EPERM", "file.denied"],
  ["ENAMETOOLONG", "file.key"],
  ["ELOOP", "file.link"],
  ["EIO", "file.unreadable"],
]);

/** Finds the files of shares below the folder in which the database is. */
export function sharedFilesBeside(database: string) {
  const uploads = join(dirname(database), "uploads");

  return async (share: ShareRow, { id, size, storageName }: FileRow): Promise<SharedFile | Missing> => {
    const [root, folder] =
      share.storagePath === null ? [join(uploads, "shares"), share.id] : [uploads, share.storagePath];
    const names = `${folder}/${storageName ?? id}`.split("/").filter((name) => name !== "");
    if (!names.every(isFilename)) return "file.key";
    try {
      // The folder of all may lie on another disk; in it nothing leads elsewhere.
      const path = join(await realpath(root), ...names);
      const found = await lstat(path);
      if (!found.isFile() || (await realpath(path)) !== path) return "file.link";
      return found.size === size ? { path, size } : "file.size";
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      const missing = missingBy.get(code);
      if (missing === undefined) throw error;
      return missing;
    }
  };
}

/** Who follows how a file is read. */
export interface Reading {
  /** Bytes of it that were read. */
  read(bytes: number): void;
  /** It could not be read, or is shorter by now. */
  failed(): void;
}

/** The bytes of a file, of which as many are read as it had when it was found. */
export function streamOf({ path, size }: SharedFile, reading: Reading): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined;
  let at = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    try {
      // It was no link and no pipe a moment ago.
      file ??= await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      if (at >= size) return undefined;
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK), 0, Math.min(CHUNK, size - at), at);
      if (bytesRead === 0) throw new Error(`The file ${path} is shorter than it was.`);
      at += bytesRead;
      return buffer.subarray(0, bytesRead);
    } catch (error) {
      reading.failed();
      throw error;
    }
  };
  const end = async (): Promise<void> => {
    const opened = file;
    file = undefined;
    await opened?.close();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = await next();
          if (chunk) {
            controller.enqueue(chunk);
            reading.read(chunk.length);
          } else {
            await end();
            controller.close();
          }
        } catch (error) {
          await end();
          controller.error(error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
