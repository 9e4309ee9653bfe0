import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** What a use writes down at most so often, in milliseconds: the order of the uses matters in days. */
const NOTED = 3_600_000;
const NAME = /^[0-9a-f]{64}$/;
/** What lies beside the thumbnails: what is known of their pictures (`known.ts`). */
export const KNOWN_FILE = "known.jsonl";

interface Kept {
  readonly bytes: number;
  /** When its last use was noted, in epoch milliseconds. */
  readonly noted: number;
}

interface KeptDeps {
  readonly folder: string;
  /** Bytes of all together. */
  readonly limit: number;
  readonly clock: () => number;
}

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/** A missing file is none; anything else is an error. */
function unlessMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}

/** The files of a folder in the order of their uses; what was left unfinished is removed. */
async function readFolder(folder: string): Promise<Map<string, Kept>> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found: [string, Kept][] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.startsWith(KNOWN_FILE)) continue;
    if (!NAME.test(name)) {
      await rm(path, { force: true, recursive: true });
      continue;
    }
    const there = await stat(path).catch(unlessMissing);
    if (there) found.push([name, { bytes: there.size, noted: there.mtimeMs }]);
  }
  return new Map(found.sort(([, one], [, other]) => one.noted - other.noted));
}

/** A thumbnail that was cut off by a crash of the machine is none. */
function isWhole(bytes: Uint8Array): boolean {
  if (bytes.length < 12) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.getUint32(0) === 0x52494646 && view.getUint32(4, true) + 8 === bytes.length;
}

/**
 * Thumbnails in a folder, by names. Those that were not used for longest go first when there is no room. A file gets its name by a rename, so
 * one that has a name is complete, and one without is removed by the next process.
 */
export function createKept({ folder, limit, clock }: KeptDeps) {
  let reading: Promise<Map<string, Kept>> | undefined;
  let held = 0;

  const open = (): Promise<Map<string, Kept>> => {
    reading ??= readFolder(folder).then(
      (files) => {
        for (const { bytes } of files.values()) held += bytes;
        return files;
      },
      (error: unknown) => {
        reading = undefined;
        throw error;
      },
    );
    return reading;
  };

  const forget = (files: Map<string, Kept>, name: string): void => {
    held -= files.get(name)?.bytes ?? 0;
    files.delete(name);
  };

  /** Puts it behind all others. */
  const touch = (files: Map<string, Kept>, name: string, { bytes, noted }: Kept): void => {
    const now = clock();
    const due = now - noted > NOTED;
    files.delete(name);
    files.set(name, { bytes, noted: due ? now : noted });
    if (due) utimes(join(folder, name), now / 1000, now / 1000).catch(unlessMissing);
  };

  return {
    /** Returns a thumbnail; undefined when it is not kept. */
    async get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const files = await open();
      const known = files.get(name);
      if (!known) return undefined;
      const bytes = await readFile(join(folder, name)).catch(unlessMissing);
      if (!bytes || !isWhole(bytes)) {
        forget(files, name);
        return undefined;
      }
      touch(files, name, known);
      return new Uint8Array(bytes);
    },

    /** Returns a name for a file that is not complete. */
    async temporary(): Promise<string> {
      await open();
      return join(folder, `${randomUUID()}.tmp`);
    },

    /** Keeps a complete file under a name, and removes others for its room. */
    async put(name: string, file: string): Promise<void> {
      const files = await open();
      const { size } = await stat(file);
      await rename(file, join(folder, name));
      forget(files, name);
      files.set(name, { bytes: size, noted: clock() });
      held += size;
      for (const oldest of files.keys()) {
        if (held <= limit || oldest === name) break;
        await rm(join(folder, oldest), { force: true });
        forget(files, oldest);
      }
    },

    /** Bytes of all that is kept. */
    held: () => held,
  };
}
