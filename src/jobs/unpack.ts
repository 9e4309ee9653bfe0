import { Failure, type FailureCode } from "#contract/failures";
import { MAX_UNPACKED_ENTRIES } from "#contract/limits";
import { join, nameOf } from "#contract/paths";
import type { Archive, ArchiveEntry } from "../archives/archive.ts";
import { entryPath, shownName } from "../archives/names.ts";
import { openArchive } from "../archives/open.ts";
import type { ByteRange } from "../lib/conditional.ts";
import { bodyStream } from "../lib/open-file.ts";
import { createYielder, inOrder } from "../lib/turns.ts";
import type { MountedLocation } from "../vfs/entry.ts";
import type { Node } from "../vfs/node.ts";
import type { View } from "../vfs/view.ts";
import { until, type ViewOf } from "./steps.ts";
import type { Conditions, Intent, Step, Unpacking } from "./task.ts";
import { ENDS } from "./transfer.ts";

/** What ends the task, because no other file of the archive should be unpacked behind it. */
const STOPS: readonly FailureCode[] = [...ENDS, "archive.bomb", "archive.changed", "archive.tooMany"];

/** An archive that was opened, and the version of it. */
interface OpenArchive {
  readonly archive: Archive;
  readonly location: MountedLocation;
  readonly etag: string;
}

/** Opens an archive of the tree. 404 path.missing; 400 path.isFolder; 409 archive.changed; and the failures of `openArchive`. */
export async function archiveAt(view: View, path: string): Promise<OpenArchive> {
  const { location, head, read } = await view.at(path).open("read");
  const bytes = async function* (range?: ByteRange): AsyncGenerator<Uint8Array> {
    const body = await read(range);
    if (body === undefined) throw new Failure("archive.changed");
    yield* bodyStream(body);
  };
  const archive = await openArchive({ name: nameOf(path), size: head.size, read: bytes });
  return { archive, location, etag: head.etag };
}

/** Where an unpacking goes on, and in which version of the archive. */
interface Progress {
  readonly etag: string;
  /** Index of an entry. */
  readonly next: number;
}

/** What happens to one entry. */
interface Planned {
  readonly entry: ArchiveEntry;
  /** Where it goes; undefined when its name leads nowhere. */
  readonly path: string | undefined;
  /** Whether an entry before it has the same path; or one that differs only in small and large letters, and may be the same file. */
  readonly duplicate: "same" | "alike" | undefined;
}

/** The result for one entry. */
type Outcome = Pick<Step, "outcome" | "bytes" | "files" | "failure">;

const nothing: Outcome = { outcome: "done", bytes: 0, files: 0 };

/** Puts what is in an archive into a folder, entry by entry, each by the same way as an upload. */
export async function* unpack(viewOf: ViewOf, task: Unpacking, conditions: Conditions): AsyncGenerator<Step> {
  const { archive, location: source, etag } = await archiveAt(await viewOf(conditions), task.source);
  const before = conditions.after === undefined ? undefined : (JSON.parse(conditions.after) as Progress);
  if (before && before.etag !== etag) throw new Failure("archive.changed");
  const cursor = (next: number): string => JSON.stringify({ etag, next } satisfies Progress);
  // From here on the version is known, whenever this is broken off.
  if (!before) yield { path: task.source, ...nothing, cursor: cursor(0) };
  const planned = plan(archive, task.target, before?.next ?? 0);
  const work = createWork({ viewOf, task, conditions, source, etag });
  yield* inOrder(until(conditions.signal, planned), archive.width, async (one): Promise<Step> => {
    const at = { path: one.path ?? join(task.target, shownName(one.entry.name)), cursor: cursor(one.entry.index + 1) };
    try {
      return { ...at, ...(await work(one)) };
    } catch (error) {
      if (!(error instanceof Failure) || STOPS.includes(error.code)) throw error;
      return { ...at, outcome: "failed", bytes: 0, failure: error };
    }
  });
}

/** The entries that are left, in order, each with its path and whether one before it had that already. 413 archive.tooMany. */
async function* plan(archive: Archive, target: string, from: number): AsyncGenerator<Planned> {
  const same = new Set<bigint>();
  const alike = new Set<bigint>();
  const yielder = createYielder();
  for await (const entry of archive.entries()) {
    // Nothing waits for a disk where entry after entry is refused by its name, or was unpacked before.
    await yielder.yieldIfDue();
    if (entry.index >= MAX_UNPACKED_ENTRIES) throw new Failure("archive.tooMany", { limit: MAX_UNPACKED_ENTRIES });
    const below = entryPath(entry.name);
    const isFile = entry.kind === "file" && below !== undefined;
    const [exact, folded] = [hashOf(below ?? ""), hashOf((below ?? "").toLowerCase())];
    const alikeOr = isFile && alike.has(folded) ? "alike" : undefined;
    const duplicate = isFile && same.has(exact) ? "same" : alikeOr;
    if (isFile) {
      same.add(exact);
      alike.add(folded);
    }
    if (entry.index < from) continue;
    yield {
      entry,
      path: below === undefined ? undefined : below === "/" ? target : join(target, below.slice(1)),
      duplicate,
    };
  }
}

/** In place of paths, of which a large archive has as many bytes as its list. */
const hashOf = (path: string): bigint => BigInt(Bun.hash(path));

interface WorkDeps {
  readonly viewOf: ViewOf;
  readonly task: Unpacking;
  readonly conditions: Conditions;
  /** Where the archive is, and in which version. */
  readonly source: MountedLocation;
  readonly etag: string;
}

/** Returns what unpacks one entry. */
function createWork({ viewOf, task, conditions, source, etag }: WorkDeps) {
  const left = new Map(conditions.intents?.before);

  /** Asked before each file becomes visible: by then the archive may be another, and its reader one who may no longer read it. */
  const isStillArchive = async (): Promise<void> => {
    const found = await (await viewOf(conditions)).at(task.source).find("read");
    if (found?.entry.kind !== "file" || found.entry.etag !== etag) throw new Failure("archive.changed");
  };

  /** The bytes of the file if an interrupted run had written it before it could say so. */
  const written = async (view: View, entry: ArchiveEntry, begun: Intent | undefined): Promise<number | undefined> => {
    if (!begun?.target || task.onConflict === "overwrite") return undefined;
    const found = await view.at(begun.target).find("write");
    if (found?.entry.kind !== "file" || (entry.size !== undefined && found.entry.size !== entry.size)) return undefined;
    const { read } = await view.at(begun.target).open("read");
    const body = await read();
    if (body === undefined) return undefined;
    const isSame = (await digestOf(bodyStream(body))) === (await digestOf(entry.bytes()));
    return isSame ? found.entry.size : undefined;
  };

  const write = async (target: Node, { entry, duplicate }: Planned, path: string): Promise<Outcome> => {
    const keeps = task.onConflict !== "overwrite" || duplicate !== undefined;
    await conditions.intents?.record([
      { path, target: target.location.path, files: 1, bytes: entry.size ?? 0, whole: false },
    ]);
    const content = contentOf(entry);
    try {
      const written = await target.put({
        body: new Response(content.stream),
        length: entry.size,
        ifNone: keeps,
        condition: isStillArchive,
        inParts: true,
      });
      return { outcome: "done", bytes: written.entry.kind === "file" ? written.entry.size : 0 };
    } catch (error) {
      if (content.broken()) throw content.broken();
      if (!keeps || !(error instanceof Failure && error.code === "path.changed")) throw error;
      // Somebody else's file got there first.
      if (duplicate) throw new Failure("archive.twice");
      if (task.onConflict === "skip") return { outcome: "skipped", bytes: 0 };
      throw new Failure("path.taken");
    }
  };

  return async ({ entry, path, duplicate }: Planned): Promise<Outcome> => {
    if (path === undefined) throw new Failure("archive.name");
    if (entry.kind === "link") return { outcome: "skipped", bytes: 0, failure: new Failure("archive.link") };
    if (entry.problem) throw new Failure(entry.problem);
    if (duplicate === "same") throw new Failure("archive.twice");
    if (entry.kind === "file" && path === task.target) throw new Failure("archive.name");
    const view = await viewOf(conditions);
    const requested = view.at(path);
    // What replaced the archive would end it, and be all that is left of it.
    if (task.onConflict === "overwrite" && (await isArchive(requested, source, etag))) throw new Failure("path.taken");
    if (entry.kind === "folder") {
      if (path !== task.target || (await requested.find("write")) === undefined) await requested.mkdir();
      return nothing;
    }
    const begun = left.get(path);
    const bytes = await written(view, entry, begun);
    if (bytes !== undefined) return { outcome: "done", bytes };
    const isTaken = task.onConflict !== "overwrite" && (await requested.find("write")) !== undefined;
    if (isTaken && !duplicate && task.onConflict === "skip") return { outcome: "skipped", bytes: 0 };
    const isBeside = isTaken && !duplicate && task.onConflict === "rename";
    return await write(
      isBeside ? view.at(await requested.numberedPath("write")) : requested,
      { entry, path, duplicate },
      path,
    );
  };
}

/**
 * Whether the archive is at a path, under whatever path it was opened: another mount may show its storage, and letters that differ in their
 * case or their form of Unicode may name one file.
 */
async function isArchive(requested: Node, { mount, key }: MountedLocation, etag: string): Promise<boolean> {
  const { location } = requested;
  if (location.mount?.bucket !== mount.bucket || folded(location.key) !== folded(key)) return false;
  const found = await requested.find("write");
  return found?.entry.kind === "file" && found.entry.etag === etag;
}

const folded = (key: string): string => key.normalize("NFC").toLowerCase();

async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const piece of bytes) hash.update(piece);
  return hash.digest("hex");
}

/** The bytes of an entry as they are asked for, and the error that broke them: those who write them tell of one of their own. */
function contentOf(entry: ArchiveEntry) {
  const pieces = entry.bytes()[Symbol.asyncIterator]();
  let broken: unknown;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          broken = error;
          controller.error(error);
        }
      },
      async cancel() {
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, broken: () => broken };
}
