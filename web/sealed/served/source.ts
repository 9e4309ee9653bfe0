import { sleep } from "../../lib/sleep.ts";
import type { SealedSource } from "../read-opened.ts";
import { type BodyReader, readBody } from "./body.ts";

/** The server has refused the sealed bytes. */
class SourceRefused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`The server answered ${status}.`);
    this.name = "SourceRefused";
    this.status = status;
  }
}

/** How long is waited before bytes that did not arrive are asked for again, in milliseconds. */
const PAUSES = [500, 1000, 2000, 4000];

type Bytes = Uint8Array<ArrayBuffer>;

/** One answer, read from front to back. */
interface Run extends BodyReader {
  /** Where the next byte of it stands in the file. */
  at: number;
}

interface Span {
  readonly url: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /** The end of what will be read, so that no more is asked for. */
  readonly end?: number;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  readonly pauses?: readonly number[];
}

/**
 * The sealed bytes at an address, by ranges. What is read from front to back is one request, however many pieces it is read in; after a broken
 * connection it goes on where it stopped.
 */
export function sourceAt({ url, size, end = size, fetch: ask = fetch, pauses = PAUSES }: Span): SealedSource {
  let run: Run | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const stop = async () => {
    const stopped = run;
    run = undefined;
    await stopped?.cancel().catch(() => undefined);
  };
  const start = async (from: number, to: number, signal?: AbortSignal): Promise<Run> => {
    const headers = { range: `bytes=${from}-${Math.max(to, end) - 1}` };
    const answer = await ask(url, { headers, cache: "no-store", ...(signal && { signal }) });
    if (answer.status !== 206 && !(answer.ok && from === 0)) {
      await answer.body?.cancel();
      throw new SourceRefused(answer.status);
    }
    return { ...readBody(answer.body ?? new Blob().stream()), at: from };
  };
  const readOnce = async (from: number, to: number, signal?: AbortSignal, spare?: Bytes): Promise<Bytes> => {
    if (run?.at !== from) {
      await stop();
      run = await start(from, to, signal);
    }
    const bytes = await run.fill(spare?.length === to - from ? spare : new Uint8Array(to - from));
    run.at += bytes.length;
    return bytes;
  };
  const read = async (from: number, to: number, signal?: AbortSignal, spare?: Bytes): Promise<Bytes> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await readOnce(from, to, signal, attempt === 0 ? spare : undefined);
      } catch (error) {
        await stop();
        const pause = pauses[attempt];
        if (signal?.aborted || error instanceof SourceRefused || pause === undefined) throw error;
        await sleep(pause, signal);
      }
    }
  };

  return {
    size,
    read(from, to, signal, spare) {
      const next = last.then(() => (from < to ? read(from, to, signal, spare) : new Uint8Array()));
      last = next.catch(() => undefined);
      return next;
    },
  };
}
