import { appendFile, readFile, rename, writeFile } from "node:fs/promises";
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

/** The name of a content; and of a file, where the content is not known or something is said of this file only. */
const byContent = ({ storage, etag }: PicturePlace): string => `${storage} ${etag}`;
const byPlace = ({ storage, key, etag }: PicturePlace): string => `${storage} ${etag} ${key}`;

const lineOf = (name: string, { width, height, hash }: PictureFacts): string =>
  `${JSON.stringify([name, width, height, hash])}\n`;

/** A line as it was written; undefined where a crash has cut it off. */
function parseLine(line: string): [string, PictureFacts] | undefined {
  try {
    const [name, width, height, hash] = JSON.parse(line) as unknown[];
    const isWhole = typeof name === "string" && typeof hash === "string";
    if (!isWhole || typeof width !== "number" || typeof height !== "number") return undefined;
    return [name, { width, height, hash }];
  } catch {
    return undefined;
  }
}

/**
 * What is known of the pictures that were made small, for lists of files: their dimensions and colours. In memory, so that a list of ten
 * thousand waits for nothing, and in a file of lines that a start reads; those that became known first go first.
 */
export function createKnown({ file, limit = MAX_KNOWN_PICTURES, onError }: KnownDeps) {
  const pictures = new Map<string, PictureFacts>();
  let lines = 0;
  let unwritten = "";
  let writing: Promise<void> | undefined;
  let reading: Promise<void> | undefined;

  const remember = (name: string, facts: PictureFacts): void => {
    pictures.delete(name);
    pictures.set(name, facts);
    const [oldest] = pictures.keys();
    if (pictures.size > limit && oldest !== undefined) pictures.delete(oldest);
  };

  const read = async (): Promise<void> => {
    const text = await readFile(file, "utf8").catch((error: unknown) => {
      if (!isMissing(error)) onError(error);
      return "";
    });
    const known = [...pictures];
    for (const line of text.split("\n")) {
      lines += 1;
      const parsed = parseLine(line);
      if (parsed) remember(...parsed);
    }
    for (const one of known) remember(...one);
    // A line that was cut off must not swallow the next one.
    if (text !== "" && !text.endsWith("\n")) unwritten = `\n${unwritten}`;
  };

  const open = (): Promise<void> => {
    reading ??= read();
    return reading;
  };

  /** Writes the file anew, with a line for each picture. */
  const rewrite = async (): Promise<void> => {
    const all = [...pictures].map(([name, facts]) => lineOf(name, facts));
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
    of: (place: PicturePlace): PictureFacts | undefined =>
      pictures.get(byContent(place)) ?? pictures.get(byPlace(place)),

    /** Notes what has become known, and writes it when there is time. What somebody has `offered` is said of this file only. */
    note(place: PicturePlace, facts: PictureFacts, isOffered: boolean): void {
      const name = isHash(place.etag) && !isOffered ? byContent(place) : byPlace(place);
      remember(name, facts);
      unwritten += lineOf(name, facts);
      lines += 1;
      writing ??= write();
    },

    /** Returns when all is written. */
    async written(): Promise<void> {
      await writing;
    },
  };
}
