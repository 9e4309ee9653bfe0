import type { DigestName, Digests } from "./digests.ts";

/** Digests that the thread takes: those that the runtime has natively. */
const native = ["md5", "sha1", "sha256", "crc32"] as const satisfies readonly DigestName[];

export const isNative = (name: DigestName): boolean => native.some((one) => one === name);

/** As a text, because the executable holds no files of modules. */
const program = `
  import { createHash } from "node:crypto";
  import { closeSync, openSync, readSync } from "node:fs";
  import { crc32 } from "node:zlib";
  const files = new Map();
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  const crc = () => {
    let value = 0;
    return {
      update: (bytes) => { value = crc32(bytes, value); },
      digest: () => { const bytes = Buffer.alloc(4); bytes.writeUInt32BE(value >>> 0); return bytes; },
    };
  };
  const begin = ({ path, start, names }) =>
    ({ path, at: start, start, handle: -1, running: names.map((name) => [name, name === "crc32" ? crc() : createHash(name)]) });
  const read = (file, size) => {
    const end = file.start + size;
    if (file.at < end && file.handle < 0) file.handle = openSync(file.path, "r");
    while (file.at < end) {
      const length = readSync(file.handle, buffer, 0, Math.min(buffer.length, end - file.at), file.at);
      if (length === 0) throw new Error("A file is shorter than it was.");
      for (const [, digest] of file.running) digest.update(buffer.subarray(0, length));
      file.at += length;
    }
  };
  const forget = (id) => {
    const file = files.get(id);
    files.delete(id);
    if (file && file.handle >= 0) closeSync(file.handle);
  };
  self.onmessage = ({ data: { id, file, size, last } }) => {
    if (file) files.set(id, begin(file));
    const known = files.get(id);
    if (!known) return;
    try {
      if (size !== undefined) read(known, size);
      if (last) postMessage({ id, digests: Object.fromEntries(known.running.map(([name, one]) => [name, one.digest()])) });
    } catch (error) {
      postMessage({ id, failed: String(error?.code ?? error?.message) });
      last = true;
    }
    if (last) forget(id);
  };`;

interface Answer {
  readonly id: number;
  readonly digests?: Readonly<Partial<Record<DigestName, Uint8Array>>>;
  readonly failed?: string;
}

/** A file that is being written, whose bytes the thread reads behind the writer. */
interface FollowedFile {
  /** Says that so many bytes are there. */
  advance(size: number): void;
  /** Says that all bytes are there, and returns their digests. Throws when they cannot be read. */
  finish(size: number): Promise<Digests>;
  /** Gives it up. */
  drop(): void;
}

/** Milliseconds that an idle thread lives. */
const IDLE = 10_000;
/** Bytes that are worth a message. */
const STRIDE = 1024 * 1024;

/**
 * Takes digests of files on a thread of its own while they are written: it reads them from the system's cache, so that the bytes of
 * an upload need not pass through JavaScript, and hashing, which is slower than writing, holds up nobody. The thread begins with
 * the first file and ends when there has been none for a while.
 */
export function createDigestThread() {
  // Held for as long as threads may begin: what nobody holds may be gone before a thread has read it (Bun 1.4.5).
  const source = new Blob([program], { type: "text/javascript" });
  const url = URL.createObjectURL(source);
  const waiting = new Map<number, PromiseWithResolvers<Digests>>();
  let open = 0;
  let last = 0;
  let thread: Worker | undefined;
  let timer: Timer | undefined;

  const end = (error?: Error): void => {
    thread?.terminate();
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error ?? new Error("The thread of digests has ended."));
    waiting.clear();
  };

  const answered = ({ id, digests, failed }: Answer): void => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (digests)
      resolve?.(Object.fromEntries(Object.entries(digests).map(([name, bytes]) => [name, Buffer.from(bytes)])));
    else reject?.(new Error(`A file could not be read for its digests: ${failed}`));
  };

  const begin = (): Worker => {
    const made = new Worker(url, { smol: true });
    made.addEventListener("message", ({ data }: MessageEvent<Answer>) => answered(data));
    made.addEventListener("error", ({ message }) => end(new Error(message)));
    made.addEventListener("close", () => thread === made && end());

    return made;
  };

  const enter = (): Worker => {
    clearTimeout(timer);
    open += 1;
    thread ??= begin();
    return thread;
  };

  const leave = (): void => {
    open -= 1;
    if (open > 0) return;
    timer = setTimeout(() => end(), IDLE);
    timer.unref();
  };

  /** `start` is the offset at which the bytes of interest begin. */
  const follow = (path: string, start: number, names: readonly DigestName[]): FollowedFile => {
    const mine = enter();
    const id = ++last;
    let posted = 0;
    let over = false;
    mine.postMessage({ id, file: { path, start, names } });
    const close = (): void => {
      if (!over) leave();
      over = true;
    };
    return {
      advance(size) {
        if (over || size - posted < STRIDE) return;
        posted = size;
        mine.postMessage({ id, size });
      },
      async finish(size) {
        // Nobody would answer for one that has ended meanwhile.
        if (thread !== mine) throw new Error("The thread of digests has ended.");
        const answer = Promise.withResolvers<Digests>();
        waiting.set(id, answer);
        mine.postMessage({ id, size, last: true });
        return await answer.promise.finally(close);
      },
      drop() {
        if (!over) mine.postMessage({ id, last: true });
        close();
      },
    };
  };

  return { follow, stop: () => end() };
}

export type FollowFile = ReturnType<typeof createDigestThread>["follow"];
