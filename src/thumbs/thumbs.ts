import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "#contract/failures";
import { KEPT_THUMB_BYTES, MAX_THUMB_PIXELS, MAX_THUMB_SOURCE, sizeText, type ThumbWidth } from "#contract/limits";
import type { Clock } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { bodyStream } from "../lib/open-file.ts";
import { createKept, isMissing, KNOWN_FILE } from "./kept.ts";
import { createKnown } from "./known.ts";
import { createLogoOf } from "./logo.ts";
import { createMaker } from "./maker.ts";
import { offeredName, placeOf, type ThumbSource, thumbName } from "./names.ts";
import { createOffers } from "./offers.ts";
import { type Asker, createQueues } from "./queue.ts";

interface ThumbsDeps {
  /** The data folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes that thumbnails may take; for tests. */
  readonly limit?: number | undefined;
}

/** Files of which is remembered that they have no thumbnail, and for how long in milliseconds: a machine under load may have been too slow. */
const [REMEMBERED, REMEMBERED_FOR] = [2000, 3_600_000];
/** What every browser draws is what is decoded: a drawing (SVG) is a program, and other formats are left to the system of a browser. */
const MADE_OF = { formats: ["jpeg", "png", "webp", "gif"], maxPixels: MAX_THUMB_PIXELS };
type Bytes = Uint8Array<ArrayBuffer>;
type Refusal = "picture.tooLarge" | "picture.unreadable";

/** One that is made now. */
interface Job {
  readonly done: Promise<Bytes | undefined>;
  readonly givenUp: AbortController;
  waiting: number;
}

/** The first bytes of what is decoded: JPEG, PNG, GIF, WebP. */
function isPicture(start: Uint8Array): boolean {
  const text = Buffer.from(start.subarray(0, 12)).toString("latin1");
  const begins = ["\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "GIF87a", "GIF89a"].some((magic) => text.startsWith(magic));
  return begins || (text.startsWith("RIFF") && text.endsWith("WEBP"));
}

/** The bytes as they arrive, but for the first ones, which come together: they say what the file is. */
async function* inChunks(body: NonNullable<Awaited<ReturnType<ThumbSource["read"]>>>): AsyncGenerator<Uint8Array> {
  const stream = bodyStream(body);
  let start: Uint8Array = new Uint8Array();
  let told = false;
  for await (const chunk of stream) {
    if (told) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < 12) continue;
    told = true;
    yield start;
  }
  if (!told) yield start;
}

/** Writes a file beside the thumbnails, for the process that decodes it; false when it has changed. */
async function fetchSource(source: ThumbSource, path: string, signal: AbortSignal): Promise<boolean> {
  const body = await source.read();
  if (body === undefined) return false;
  await using file = await open(path, "wx", 0o600);
  let size = 0;
  for await (const chunk of unlessGone(inChunks(body))) {
    if (chunk === undefined) return false;
    signal.throwIfAborted();
    if (size === 0 && !isPicture(chunk)) throw new Failure("picture.unreadable");
    size += chunk.length;
    if (size > MAX_THUMB_SOURCE) throw new Failure("picture.tooLarge", bounds);
    await file.writeFile(chunk);
  }
  return true;
}

/** The chunks of a file, and undefined in place of those of one that was removed since it was found: a store may open it only now. */
async function* unlessGone(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | undefined> {
  try {
    yield* chunks;
  } catch (error) {
    if (!isMissing(error)) throw error;
    yield undefined;
  }
}

/** What the sentence of a refusal says. */
const bounds = { limit: sizeText(MAX_THUMB_SOURCE), megapixels: MAX_THUMB_PIXELS / 1e6 };

const refused = (code: Refusal): Failure => new Failure(code, code === "picture.tooLarge" ? bounds : {});

/** Remembers for a while which files have no thumbnail, and why. */
function createRefusals(clock: Clock) {
  const refusals = new Map<string, { readonly code: Refusal; readonly until: number }>();
  return {
    /** Throws where the file of this name was refused before. */
    check(name: string): void {
      const refusal = refusals.get(name);
      if (refusal && refusal.until > clock()) throw refused(refusal.code);
    },
    /** Notes a refusal, and throws it. */
    refuse(name: string, code: Refusal): never {
      refusals.set(name, { code, until: clock() + REMEMBERED_FOR });
      const [oldest] = refusals.keys();
      if (refusals.size > REMEMBERED && oldest !== undefined) refusals.delete(oldest);
      throw refused(code);
    },
  };
}

/** Waits for one that is made; when nobody waits any longer, it is given up. */
async function waitFor(job: Job, signal: AbortSignal): Promise<Bytes | undefined> {
  job.waiting += 1;
  const { promise, reject } = Promise.withResolvers<never>();
  const leave = (): void => {
    job.waiting -= 1;
    if (job.waiting === 0) job.givenUp.abort();
    reject(signal.reason);
  };
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([job.done, promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

interface MakeDeps extends Pick<ThumbsDeps, "log"> {
  readonly kept: ReturnType<typeof createKept>;
  readonly known: ReturnType<typeof createKnown>;
  readonly maker: ReturnType<typeof createMaker>;
  readonly refuse: ReturnType<typeof createRefusals>["refuse"];
}

/** Returns what fetches, decodes and keeps one; undefined when the file has changed. */
function createMake({ kept, known, maker, refuse, log }: MakeDeps) {
  return async (
    name: string,
    source: ThumbSource,
    width: ThumbWidth,
    signal: AbortSignal,
  ): Promise<Bytes | undefined> => {
    const [original, target] = [await kept.temporary(), await kept.temporary()];
    try {
      if (!(await fetchSource(source, original, signal))) return undefined;
      const outcome = await maker.make({ source: original, target, width, ...MADE_OF }, signal);
      // A process that was ended because nobody waits says nothing of the picture.
      if (typeof outcome === "string") signal.throwIfAborted();
      if (outcome === "tooLarge" || outcome === "unreadable") return refuse(name, `picture.${outcome}`);
      if (outcome === "failed") throw new Error("The process that makes thumbnails did not.");
      await kept.put(name, target);
      known.note(placeOf(source), outcome, false);
    } catch (error) {
      if (error instanceof Failure && error.code === "picture.unreadable") return refuse(name, error.code);
      if (error instanceof Failure || signal.aborted) throw error;
      log.warn("thumbnail not made", unforeseen(error));
      throw new Failure("server.busy");
    } finally {
      await Promise.all([rm(original, { force: true }), rm(target, { force: true })]);
    }
    const bytes = await kept.get(name);
    if (!bytes) throw new Failure("server.busy");
    return bytes;
  };
}

/** Makes thumbnails once for all who ask, and keeps them. Who asks has to have shown that they may see the file. */
export function createThumbs({ folder, clock, log, limit = KEPT_THUMB_BYTES }: ThumbsDeps) {
  const kept = createKept({ folder: join(folder, "thumbs"), limit, clock });
  const known = createKnown({
    file: join(folder, "thumbs", KNOWN_FILE),
    onError: (error) => log.warn("known pictures not kept", unforeseen(error)),
  });
  const maker = createMaker();
  const queue = createQueues();
  const jobs = new Map<string, Job>();
  const { check, refuse } = createRefusals(clock);
  const make = createMake({ kept, known, maker, refuse, log });

  const begin = (name: string, source: ThumbSource, width: ThumbWidth, asker: Asker): Job => {
    if (queue.isFull(asker)) throw new Failure("server.busy");
    const givenUp = new AbortController();
    const { signal } = givenUp;
    const done = queue
      .run({ ...asker, signal }, () => make(name, source, width, signal))
      .finally(() => jobs.delete(name));
    // Whoever waits has it; when all have gone, nobody does.
    done.catch(() => undefined);
    const job = { done, givenUp, waiting: 0 };
    jobs.set(name, job);
    return job;
  };

  const of = async (source: ThumbSource, width: ThumbWidth, asker: Asker): Promise<Bytes | undefined> => {
    const { signal } = asker;
    signal.throwIfAborted();
    const name = thumbName(source, width);
    const there = (await kept.get(name)) ?? (await kept.get(offeredName(source, width)));
    if (there) return there;
    if (source.head.size > MAX_THUMB_SOURCE) throw refused("picture.tooLarge");
    check(name);
    signal.throwIfAborted();
    const running = jobs.get(name);
    // One that was given up ends on its own.
    const job = running && !running.givenUp.signal.aborted ? running : begin(name, source, width, asker);
    return await waitFor(job, signal);
  };

  return {
    /**
     * The thumbnail of a file, as WebP; undefined when the file has changed since it was found. 413 picture.tooLarge, 415
     * picture.unreadable; 503 server.busy while too many wait. Rejects with the reason of the asker's signal when it is given up.
     */
    of,

    offer: createOffers({ of, kept, known, maker, queue }),

    logoOf: createLogoOf({ kept, maker }),

    /** Dimensions and colours of pictures, as far as they are known, once that was read. */
    async known() {
      await known.open();
      return known.of;
    },

    /** Ends the processes that decode. */
    async close(): Promise<void> {
      maker.close();
      await known.written();
    },
  };
}
