import { TRANSFER_PATIENCE } from "#contract/limits";
import { isFailure } from "../../api/failure.ts";
import { failed, stopIfAborted } from "../failures.ts";
import { withTimeout } from "../network/with-timeout.ts";
import type { Sleep } from "../ports.ts";

/** How a page downloads a file from the web: from its source, or through the server if the source does not allow pages (CORS). */
export type Way = "direct" | "proxy";

/** Requests a URL. Rejects without an answer; throws ApiFailure if the answer is a refusal. */
export type OpenUrl = (url: string, signal: AbortSignal) => Promise<Response>;

interface DownloadPorts {
  readonly open: Readonly<Record<Way, OpenUrl>>;
  readonly sleep: Sleep;
}

interface Wanted {
  readonly url: string;
  /** The way to try first. */
  readonly way: Way;
  readonly signal: AbortSignal;
  /** Called with the way when the download begins on it. */
  readonly onWay: (way: Way) => void;
  /** Called with the number of bytes that have just come. */
  readonly onBytes: (bytes: number) => void;
}

/** How long a source may take to begin its answer, in milliseconds; then the server tries. */
const FIRST_PATIENCE = 15_000;

type Reader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

/** Downloads a file from the web in chunks, as fast as they are taken. */
export function createDownload({ open, sleep }: DownloadPorts, { url, way: first, signal, onWay, onBytes }: Wanted) {
  let way = first;
  let reader: Reader | undefined;
  let received = 0;
  /** Bytes to skip on the second way, because they came on the first. */
  let skip = 0;

  const begin = async (): Promise<Reader> => {
    onWay(way);
    const response = await withTimeout(sleep, way === "direct" ? FIRST_PATIENCE : TRANSFER_PATIENCE, (timedOut) =>
      open[way](url, AbortSignal.any([signal, timedOut])),
    );
    return (response.body ?? new Blob().stream()).getReader();
  };

  const readOnce = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    reader ??= await begin();
    const { done, value } = await withTimeout(sleep, TRANSFER_PATIENCE, () => (reader as Reader).read());
    return done ? undefined : value;
  };

  const turn = (): void => {
    reader?.cancel().catch(() => undefined);
    reader = undefined;
    skip = received;
    way = "proxy";
  };

  const read = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    try {
      return await readOnce();
    } catch (error) {
      stopIfAborted(signal);
      if (way === "proxy") throw isFailure(error) ? error : failed("network");
      turn();
      return await read();
    }
  };

  return {
    way: () => way,
    received: () => received,
    /** Returns the next bytes; undefined at the end. Throws ApiFailure: the server's, `network`, `timeout`, `sourceChanged`, `aborted`. */
    async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
      for (;;) {
        stopIfAborted(signal);
        const chunk = await read();
        if (!chunk && skip > 0) throw failed("sourceChanged");
        if (!chunk) return undefined;
        const fresh = chunk.subarray(Math.min(skip, chunk.byteLength));
        skip -= chunk.byteLength - fresh.byteLength;
        if (fresh.byteLength === 0) continue;
        received += fresh.byteLength;
        onBytes(fresh.byteLength);
        return fresh;
      }
    },
    /** Cancels the download. */
    leave(): void {
      reader?.cancel().catch(() => undefined);
    },
  };
}

export type Download = ReturnType<typeof createDownload>;
