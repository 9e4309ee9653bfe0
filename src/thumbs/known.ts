import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
import * as z from "zod/mini";
import type { PictureFacts } from "#contract/files";
import { MAX_KNOWN_PICTURES } from "#contract/limits";
import { isMissing } from "./kept.ts";

/** A file as lists know it. */
export interface PicturePlace {
  readonly storage: string;
  readonly key: string;
  readonly etag: string;
}

interface KnownDeps {
  /** Where a line is written for each picture. */
  readonly file: string;
  /** Pictures that are known at most. */
  readonly limit?: number | undefined;
  /** Told of an error of the disk: what is known stays known until the server ends. */
  readonly onError: (error: unknown) => void;
}

/** Whether an ETag is the hash of its file's content; another may be that of a second file too. */
export const isHash = (etag: string): boolean => /^[0-9a-f]{32}$/.test(etag);

/** What is known of a content; or of the one file with this key, where its ETag is no hash or somebody has offered the picture. */
interface Known extends Omit<PicturePlace, "key"> {
  readonly key: string | null;
  readonly facts: PictureFacts;
}

const lineOf = ({ storage, etag, key, facts: { width, height, hash } }: Known): string =>
  `${JSON.stringify([storage, etag, key, width, height, hash])}\n`;

const line = z.tuple([z.string(), z.string(), z.nullable(z.string()), z.int(), z.int(), z.string()]);

/** A line as it was written; undefined where a crash has cut it off. */
function parseLine(text: string): Known | undefined {
  try {
    const [storage, etag, key, width, height, hash] = line.parse(JSON.parse(text));
    return { storage, etag, key, facts: { width, height, hash } };
  } catch {
    return undefined;
  }
}

/**
 * So many pictures, by storage, ETag and key: a list asks for ten thousand, whose ETags are texts that are there already, and all of which may
 * be copies of one picture. Those that came first go first.
 */
function createIndex(limit: number) {
  const inOrder = new Set<Known>();
  const storages = new Map<string, Map<string, Map<string | null, Known>>>();

  const remove = (known: Known): void => {
    inOrder.delete(known);
    const etags = storages.get(known.storage);
    const keys = etags?.get(known.etag);
    keys?.delete(known.key);
    if (keys?.size === 0) etags?.delete(known.etag);
    if (etags?.size === 0) storages.delete(known.storage);
  };

  return {
    all: (): readonly Known[] => [...inOrder],
    /** What was found in a content comes before what somebody says of one file that has it. */
    find({ storage, etag, key }: PicturePlace): Known | undefined {
      const keys = storages.get(storage)?.get(etag);
      return keys?.get(null) ?? keys?.get(key);
    },
    add(known: Known): void {
      const before = storages.get(known.storage)?.get(known.etag)?.get(known.key);
      if (before) remove(before);
      const etags = storages.get(known.storage) ?? new Map<string, Map<string | null, Known>>();
      const keys = etags.get(known.etag) ?? new Map<string | null, Known>();
      storages.set(known.storage, etags.set(known.etag, keys.set(known.key, known)));
      inOrder.add(known);
      const [oldest] = inOrder;
      if (inOrder.size > limit && oldest) remove(oldest);
    },
  };
}

/**
 * What is known of the pictures that were made small, for lists of files: their dimensions and colours. In memory, so that a list of ten
 * thousand waits for nothing, and in a file of lines that a start reads; those that became known first go first.
 */
export function createKnown({ file, limit = MAX_KNOWN_PICTURES, onError }: KnownDeps) {
  const pictures = createIndex(limit);
  let lines = 0;
  let unwritten = "";
  let writing: Promise<void> | undefined;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    const text = await readFile(file, "utf8").catch((error: unknown) => {
      if (!isMissing(error)) onError(error);
      return "";
    });
    const sinceStart = pictures.all();
    for (const one of text.split("\n")) {
      lines += 1;
      const parsed = parseLine(one);
      if (parsed) pictures.add(parsed);
    }
    for (const one of sinceStart) pictures.add(one);
    // A line that was cut off must not swallow the next one.
    if (text !== "" && !text.endsWith("\n")) unwritten = `\n${unwritten}`;
  };

  const open = (): Promise<void> => {
    reading ??= read();
    return reading;
  };

  /** Writes the file anew, with a line for each picture. */
  const rewrite = async (): Promise<void> => {
    const all = pictures.all().map(lineOf);
    await writeFile(`${file}.new`, all.join(""), { mode: 0o600 });
    await rename(`${file}.new`, file);
    lines = all.length;
  };

  const write = async (): Promise<void> => {
    try {
      await open();
      while (unwritten !== "") {
        const text = unwritten;
        unwritten = "";
        if (lines > 2 * limit) await rewrite();
        else await appendFile(file, text, { mode: 0o600 });
      }
    } catch (error) {
      onError(error);
    } finally {
      writing = undefined;
    }
  };

  return {
    /** Reads what was known before; without it less is known. */
    open,

    /** What is known of a file; undefined for most. */
    of: (place: PicturePlace): PictureFacts | undefined => pictures.find(place)?.facts,

    /** Notes what has become known, and writes it when there is time. What somebody has `offered` is said of this file only. */
    note(place: PicturePlace, facts: PictureFacts, isOffered: boolean): void {
      const { storage, etag } = place;
      const known = { storage, etag, key: isHash(etag) && !isOffered ? null : place.key, facts };
      pictures.add(known);
      unwritten += lineOf(known);
      lines += 1;
      writing ??= write();
    },

    /** Returns when all is written. */
    async written(): Promise<void> {
      await writing;
    },
  };
}
