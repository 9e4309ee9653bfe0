import { TRANSFER_PATIENCE } from "#contract/limits";
import { failed } from "../failures.ts";
import type { Sleep } from "../ports.ts";
import { createBlobBuilder } from "./blob-builder.ts";
import { withTimeout } from "./with-timeout.ts";

/** Requests an address; rejects with anything but ApiFailure when no answer came. */
export type Fetch = (address: string, signal: AbortSignal) => Promise<Response>;

interface FetchPorts {
  readonly fetch: Fetch;
  readonly sleep: Sleep;
}

interface Fetching {
  readonly address: string;
  readonly signal: AbortSignal;
  /** Called with the number of bytes received so far. */
  readonly onProgress: (bytes: number) => void;
}

/**
 * Downloads a file as a Blob. It may take any time, as long as bytes keep coming. Throws ApiFailure: `getRefused` with the status,
 * `network`, `timeout` or `aborted`.
 */
export async function fetchFile(
  { fetch, sleep }: FetchPorts,
  { address, signal, onProgress }: Fetching,
): Promise<Blob> {
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  const timed = <T>(act: (timedOut: AbortSignal) => Promise<T>): Promise<T> =>
    withTimeout(sleep, TRANSFER_PATIENCE, act);
  try {
    const response = await timed((timedOut) => fetch(address, AbortSignal.any([signal, timedOut])));
    reader = response.body?.getReader();
    if (!response.ok) throw failed("getRefused", response.status);
    const builder = createBlobBuilder();
    let came = 0;
    for (;;) {
      const chunk = await timed(async () => (await reader?.read())?.value);
      if (!chunk) break;
      builder.add(chunk);
      came += chunk.byteLength;
      onProgress(came);
    }
    const declared = Number(response.headers.get("content-length") ?? came);
    // A connection that breaks in the middle can look like the end of the body.
    if (!response.headers.has("content-encoding") && declared !== came) throw failed("network");
    return new Blob([...builder.pieces()]);
  } catch (error) {
    // Cancelling a stream that has failed rejects with the same error.
    reader?.cancel().catch(() => undefined);
    if (signal.aborted) throw failed("aborted");
    throw error instanceof TypeError || error instanceof DOMException ? failed("network") : error;
  }
}
