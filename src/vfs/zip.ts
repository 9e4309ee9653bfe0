import { Failure } from "#contract/failures";
import { treePath } from "#contract/paths";
import type { Clock } from "../lib/clock.ts";
import { bodyStream } from "../lib/open-file.ts";
import { inOrder } from "../lib/turns.ts";
import { type ZipEntry, type ZipPieces, zipOf } from "../lib/zip-format.ts";
import { isMissing } from "../stores/disk/paths.ts";
import type { ObjectHead, StoredObject } from "../stores/store.ts";
import type { ShownMountRow } from "./mounts-table.ts";
import type { Node } from "./node.ts";
import type { OpenFile, Walked } from "./read.ts";
import { createTopNames, safePath } from "./zip-names.ts";

/** What an archive needs of the tree. */
interface Tree {
  at(path: string): Node;
}

export interface ZipDeps {
  readonly view: Tree;
  /** As they were sent. */
  readonly paths: readonly string[];
  readonly clock: Clock;
  /** Throws where its caller may no longer read what is in a mount below a path that was chosen. */
  readonly recheck: (path: string, mount: ShownMountRow) => Promise<void>;
  /** Aborts when whoever wants it has gone. */
  readonly signal: AbortSignal;
}

/** An archive that may be made. */
export interface Zip {
  /** What it is called after its only path; undefined for several, and for the whole tree. */
  readonly name: string | undefined;
  /**
   * The archive, while it is made: one file at a time is read, and nothing more once it is cancelled. A file that has vanished
   * is named in a last entry; whatever else keeps one from being whole breaks the stream, as does a caller who has lost the right to it.
   */
  stream(watcher: ZipWatcher): ReadableStream<Uint8Array>;
}

interface ZipWatcher {
  /** Is told what broke it. */
  readonly broken: (error: unknown) => void;
  /** Is awaited before so many bytes more are held in memory until its end. */
  readonly keep: (bytes: number) => Promise<void>;
  /** Is called when nothing more is made of it, whole or not. */
  readonly ended: () => void;
  /** Is told of bytes that its reader takes. */
  readonly sent: (bytes: number) => void;
  /** Aborts where it is to break off, because others wait and its reader is slow. */
  readonly stopping: AbortSignal;
}

/** What was chosen. */
interface Chosen {
  readonly node: Node;
  readonly path: string;
  /** What it is called in the archive; empty for the whole tree. */
  readonly name: string;
}

/** Files that are looked at side by side before the archive begins: a storage elsewhere takes its time for each. */
const LOOKS = 16;
/** Files up to this size are read at once, in bytes. */
const SMALL = 1024 * 1024;
/** Bytes that are handed on together, unless one piece has more. */
const PIECE = 64 * 1024;
/** Files that are named one by one because they are not in the archive. */
const MOST_NAMED = 10_000;
/** How long its caller may have lost the right to it, in milliseconds: an archive may take hours. */
const ASKED_EVERY = 1000;

/** Looks whether all of it may be read, before a byte is sent. 400 path.invalid; 403; 404 path.missing, mount.none, zip.empty. */
export async function openZip({ view, paths, clock, recheck, signal }: ZipDeps): Promise<Zip> {
  const names = createTopNames();
  const chosen: Chosen[] = [];
  const look = async (path: string) => {
    const node = view.at(path);
    node.requireInBasePath("download");
    return { node, path, entry: (await node.stat()).entry };
  };
  for await (const { node, path, entry } of inOrder(distinct(paths), LOOKS, look)) {
    // Nobody reads what would come of it.
    if (signal.aborted) break;
    if (entry.path === "/") await requireContent(node);
    chosen.push({ node, path, name: entry.path === "/" ? "" : names.take(entry.name, entry.kind) });
  }
  const [first, second] = chosen;
  return {
    name: second === undefined ? first?.name || undefined : undefined,
    stream({ keep, ...watcher }) {
      const stopped = new AbortController();
      const entries = entriesOf(
        { view, chosen, clock, recheck, reportName: names.take("not-included.txt", "file") },
        stopped.signal,
      );
      return streamOf({ pieces: zipOf(entries, keep), stop: () => stopped.abort(), ...watcher });
    },
  };
}

/** The top of a tree is there whatever has become of all that it shows, and has no name of its own in an archive. 404 zip.empty. */
async function requireContent(top: Node): Promise<void> {
  for await (const _ of top.walk()) return;
  throw new Failure("zip.empty");
}

/** Each once; the whole tree has everything else in it. 400 path.invalid. */
async function* distinct(sent: readonly string[]): AsyncGenerator<string> {
  const paths = sent.map((path) => {
    const clean = treePath(path);
    if (clean === undefined) throw new Failure("path.invalid");
    // Only a slash at the end tells a folder from a file of the same name.
    return path.endsWith("/") && clean !== "/" ? `${clean}/` : clean;
  });
  yield* paths.includes("/") ? ["/"] : new Set(paths);
}

interface Contents extends Pick<ZipDeps, "view" | "clock" | "recheck"> {
  readonly chosen: readonly Chosen[];
  /** What the list of those that have vanished is called. */
  readonly reportName: string;
}

async function* entriesOf(
  { view, chosen, clock, recheck, reportName }: Contents,
  signal: AbortSignal,
): AsyncGenerator<ZipEntry> {
  const now = clock();
  const gone: string[] = [];
  let [more, asked] = [0, now];
  const leaveOut = (path: string) => {
    if (gone.length < MOST_NAMED) gone.push(path);
    else more += 1;
  };
  for (const one of chosen) {
    let empty = true;
    for await (const walked of walkOf(one, leaveOut)) {
      empty = false;
      if (clock() - asked >= ASKED_EVERY) {
        await recheck(one.path, walked.mount);
        asked = clock();
      }
      const name = safePath(one.name, walked.below);
      const entry = walked.head.key.endsWith("/")
        ? { name: `${name}/`, modified: walked.head.modified, content: nothing }
        : await fileOf({ view, walked, name }, signal);
      if (entry) yield entry;
      else leaveOut(walked.path);
    }
    if (empty && one.name !== "" && !gone.includes(treePath(one.path) ?? ""))
      yield { name: `${safePath(one.name, "")}/`, modified: now, content: nothing };
  }
  if (gone.length > 0) yield { name: reportName, modified: now, content: Buffer.from(report(gone, more)) };
}

const nothing = new Uint8Array();

/** What is below a chosen path, which itself may have vanished. */
async function* walkOf({ node, path }: Chosen, leaveOut: (path: string) => void): AsyncGenerator<Walked> {
  try {
    yield* node.walk();
  } catch (error) {
    if (!isGone(error)) throw error;
    leaveOut(treePath(path) ?? path);
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Failure && (error.code === "path.missing" || error.code === "path.isFolder");

interface ReadingOptions {
  readonly view: Tree;
  readonly walked: Walked;
  readonly name: string;
}

/** A file with its first bytes at hand, as it is now; undefined when it has vanished since the walk. */
async function fileOf({ view, walked, name }: ReadingOptions, signal: AbortSignal): Promise<ZipEntry | undefined> {
  const { path, head } = walked;
  const content = await begin(walked, signal).catch(orUndefined);
  if (content) return { name, modified: head.modified, content };
  // Changed, perhaps: then what is there now will do.
  try {
    const file = await view.at(path).open();
    const now = await begin(file, signal);
    return now && { name, modified: file.head.modified, content: now };
  } catch (error) {
    if (isGone(error) || isMissing(error)) return undefined;
    throw error;
  }
}

/** What goes wrong once may go wrong because the file has changed; the second time tells. */
const orUndefined = (error: unknown): undefined => {
  if (!(error instanceof Failure) && !isMissing(error)) throw error;
};

type Readable = Pick<OpenFile, "head" | "read">;

async function begin({ head, read }: Readable, signal: AbortSignal): Promise<Uint8Array | ZipPieces | undefined> {
  const body = await read();
  if (body === undefined) return undefined;
  const size = sizeOf(body, head);
  if (body instanceof Blob && size <= SMALL) return await body.bytes();
  const reader = readerOf(streamIn(body, size), signal);
  return { size, pieces: piecesOf(reader, await reader.read()) };
}

/** A reader that stops when the signal says so, whether anybody is reading or not. */
function readerOf(stream: ReadableStream<Uint8Array>, signal: AbortSignal): Reader {
  const reader = stream.getReader();
  const stop = () => {
    signal.removeEventListener("abort", stop);
    void reader.cancel().catch(() => undefined);
  };
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  return { read: () => reader.read(), stop };
}

/** What is in memory has the bytes that it has; a file that is open, as many as were found. */
const sizeOf = (body: StoredObject["body"], head: ObjectHead): number => (body instanceof Blob ? body.size : head.size);

const streamIn = (body: StoredObject["body"], size: number): ReadableStream<Uint8Array> =>
  body instanceof Blob ? body.slice(0, size).stream() : bodyStream(body);

type Next = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>>;

interface Reader {
  read(): Promise<Next>;
  stop(): void;
}

async function* piecesOf(reader: Reader, first: Next): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; !next.done; next = await reader.read()) yield next.value;
  } finally {
    reader.stop();
  }
}

/** In both languages, because nobody knows who will open the archive. */
const report = (gone: readonly string[], more: number): string =>
  [
    "These were deleted while the archive was made, and are not in it:",
    "以下内容在打包过程中被删除，未包含在压缩包内：",
    "",
    ...gone,
    ...(more > 0 ? [`… (+${more})`] : []),
    "",
  ].join("\n");

interface Source extends Omit<ZipWatcher, "keep"> {
  readonly pieces: AsyncGenerator<Uint8Array>;
  readonly stop: () => void;
}

/** Pieces of a useful size, made as they are asked for. */
function streamOf({ pieces, stop, broken, ended, sent, stopping }: Source): ReadableStream<Uint8Array> {
  let gone = false;
  const leave = async (): Promise<void> => {
    gone = true;
    ended();
    stop();
    await pieces.return(undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = () => {
          if (gone) return;
          void leave().catch(() => undefined);
          broken(new Failure("server.busy"));
          controller.error();
        };
        stopping.addEventListener("abort", end, { once: true });
        if (stopping.aborted) end();
      },
      async pull(controller) {
        try {
          const { bytes, last } = await gather(pieces);
          if (gone) return;
          if (bytes.byteLength > 0) controller.enqueue(bytes);
          sent(bytes.byteLength);
          if (!last) return;
          gone = true;
          controller.close();
          ended();
        } catch (error) {
          if (gone) return;
          gone = true;
          ended();
          broken(error);
          // Whatever is said here is printed beside the log, with paths of the disk in it.
          controller.error();
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

async function gather(pieces: AsyncGenerator<Uint8Array>): Promise<{ bytes: Uint8Array; last: boolean }> {
  const gathered: Uint8Array[] = [];
  let size = 0;
  while (size < PIECE) {
    const { done, value } = await pieces.next();
    if (done) return { bytes: Buffer.concat(gathered), last: true };
    gathered.push(value);
    size += value.byteLength;
  }
  return { bytes: gathered.length === 1 && gathered[0] ? gathered[0] : Buffer.concat(gathered), last: false };
}
