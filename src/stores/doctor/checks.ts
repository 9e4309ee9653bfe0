import { PART_SIZE, sizeText } from "#contract/limits";
import { responseOf } from "../../lib/open-file.ts";
import type { ObjectStore, StoredObject } from "../store.ts";
import { failed, passed, type Result, type Word } from "./words.ts";

/** Checks of every storage: each ends with a result, or with a Failure of the store. */

/** The keys of the files that one test writes; `page` is uploaded as a page does it. */
export type TestFiles = Readonly<Record<"file" | "copy" | "parts" | "page", string>>;

/** A storage during one check. */
export interface Target {
  readonly store: ObjectStore;
  readonly files: TestFiles;
  readonly defaultFolder: string;
  /** Whether the check `write` has passed. */
  readonly wrote: boolean;
}

/** The content and type of a test file. */
export const SAMPLE = new TextEncoder().encode("Satchel tests this storage; this file may be removed.\n");
export const TYPE = "text/plain";
const RANGE = { start: 8, end: 12 };
const LAST_PART = 1024;
const LIST_PAGE = 1000;

/** The bytes read differ from those written, which no storage causes by itself. */
const wrong = (word: Word): Result => failed(word, {}, "adviceCache");

async function compare(object: StoredObject | undefined, expected: Uint8Array): Promise<Result> {
  if (!object) return wrong("fileMissing");
  const bytes = await responseOf(object.body).bytes();
  return Buffer.compare(bytes, expected) === 0 ? passed("readRight") : wrong("readWrong");
}

export async function write({ store, files }: Target): Promise<Result> {
  const { size } = await store.put(files.file, new Response(SAMPLE), { type: TYPE, length: SAMPLE.length });
  return passed("written", { size: sizeText(size) });
}

export async function head({ store, files }: Target): Promise<Result> {
  const found = await store.head(files.file);
  if (!found) return wrong("fileMissing");
  const right = found.size === SAMPLE.length && found.type.split(";")[0] === TYPE;
  return right ? passed("headRight") : wrong("headWrong");
}

export const read = async ({ store, files }: Target) => compare(await store.get(files.file), SAMPLE);

export const readRange = async ({ store, files }: Target) =>
  compare(await store.get(files.file, RANGE), SAMPLE.subarray(RANGE.start, RANGE.end + 1));

export async function list({ store, files, defaultFolder, wrote }: Target): Promise<Result> {
  const { objects, next } = await store.list({ prefix: defaultFolder, limit: LIST_PAGE });
  const own = wrote ? await store.list({ prefix: files.file, limit: 1 }) : undefined;
  if (own?.objects.length === 0) return wrong("listWrong");
  const count = objects.filter(({ key }) => key !== files.file).length;
  return { ...passed(next === undefined ? "listed" : "listedMany", { count }), count };
}

export async function copy({ store, files }: Target): Promise<Result> {
  const made = await store.copy(files.file, files.copy);
  if (!made) return wrong("fileMissing");
  return made.size === SAMPLE.length ? passed("copied") : wrong("headWrong");
}

export async function multipart({ store, files: { parts: key } }: Target): Promise<Result> {
  const upload = await store.createMultipart(key, { type: "application/octet-stream", partSize: PART_SIZE });
  const put = (number: number, length: number) =>
    store.putPart({ key, upload }, number, new Response(new Uint8Array(length)), { length });
  const parts = [await put(1, PART_SIZE), await put(2, LAST_PART)];
  const listed = await store.listParts({ key, upload });
  if (listed.length !== parts.length) return wrong("headWrong");
  const { size } = await store.completeMultipart({ key, upload }, parts);
  return size === PART_SIZE + LAST_PART ? passed("partsJoined", { size: sizeText(size) }) : wrong("headWrong");
}

export async function remove({ store, files }: Target): Promise<Result> {
  // One key and two keys are different requests of S3.
  for (const keys of [[files.copy], [files.file, files.parts]]) {
    await store.remove(keys);
    const left = await Promise.all(keys.map((key) => store.head(key)));
    if (left.some((one) => one)) return wrong("notRemoved");
  }
  return passed("removed");
}
