import { configure, type Entry, Uint8ArrayReader, ZipReader } from "@zip.js/zip.js";
import { MAX_ARCHIVE_ENTRIES, MAX_UNPACKED_DOCUMENT } from "#contract/viewer-limits";
import { WorkerFailure } from "../file/run-worker.ts";
import { answerQuestions } from "../file/worker-session.ts";
import type { EpubQuestion } from "./epub.ts";

configure({ useWebWorkers: false });

/** The files of the book by their paths, which are names and lead nowhere. */
const files = new Map<string, Entry>();
/** What may still be unpacked: a book whose chapters are read again and again is no bomb, so each file counts once. */
let left = MAX_UNPACKED_DOCUMENT;
const counted = new Set<string>();

/** Takes files out of a book (EPUB 3.3: a ZIP archive) when they are asked for. */
answerQuestions<EpubQuestion>((question) =>
  "open" in question ? list(question.open) : take(question.take, question.most),
);

async function list(bytes: Uint8Array): Promise<number> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes), { filenameValidation: "tolerant" });
  for await (const entry of reader.getEntriesGenerator()) {
    if (files.size === MAX_ARCHIVE_ENTRIES) throw new WorkerFailure("tooLarge");
    if (!entry.directory) files.set(entry.filename, entry);
  }
  return files.size;
}

async function take(path: string, most: number): Promise<Uint8Array | undefined> {
  const entry = files.get(path);
  if (!entry || entry.directory) return undefined;
  if (entry.encrypted) throw new WorkerFailure("encrypted");
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const room = Math.min(most, counted.has(path) ? most : left);
  let size = 0;
  // Whatever its header says of its size.
  const bounded = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(piece) {
      size += piece.length;
      if (size > room) throw new WorkerFailure("tooLarge");
      pieces.push(piece);
    },
  });
  try {
    await entry.getData(bounded);
  } catch (error) {
    if (size <= room) throw error;
    return undefined;
  }
  if (!counted.has(path)) left -= size;
  counted.add(path);
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
