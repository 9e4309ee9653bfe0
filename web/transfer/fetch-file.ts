import { TRANSFER_PATIENCE } from "#contract/limits";
import { failed } from "./failures.ts";
import type { Sleep } from "./ports.ts";

/** Requests an address; rejects with anything but ApiFailure when no answer came. */
export type Fetch = (address: string, signal: AbortSignal) => Promise<Response>;

interface FetchPorts {
  readonly fetch: Fetch;
  readonly sleep: Sleep;
}

interface Fetching {
  readonly address: string;
  readonly signal: AbortSignal;
  /** Told now and then how many bytes have come. */
  readonly onProgress: (bytes: number) => void;
}

/** Bytes that are kept as an array until the browser takes them over as a Blob, which it may keep on its disk. */
const HELD = 8 * 1024 * 1024;

/**
 * Fetches a file as a Blob: as long as bytes keep coming, however long that takes. Throws ApiFailure: `getRefused` with the status,
 * `network`, `timeout` or `aborted`.
 */
export async function fetchFile({ fetch, sleep }: FetchPorts, fetching: Fetching): Promise<Blob> {
  const { address, signal, onProgress } = fetching;
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  /** Something has to come of this before the patience ends. */
  const patiently = async <T>(act: Promise<T>): Promise<T> => {
    const heard = new AbortController();
    void sleep(TRANSFER_PATIENCE, heard.signal).then(() => !heard.signal.aborted && silence.abort());
    return act.finally(() => heard.abort());
  };
  try {
    const response = await patiently(fetch(address, either));
    if (!response.ok) {
      await response.body?.cancel();
      throw failed("getRefused", response.status);
    }
    const blob = await collected(response, patiently, onProgress);
    const told = Number(response.headers.get("content-length") ?? blob.size);
    // A connection that breaks in the middle may look like an end.
    if (!response.headers.has("content-encoding") && told !== blob.size) throw failed("network");
    return blob;
  } catch (error) {
    if (signal.aborted) throw failed("aborted");
    if (silence.signal.aborted) throw failed("timeout");
    throw error instanceof TypeError || error instanceof DOMException ? failed("network") : error;
  }
}

async function collected(
  { body }: Response,
  patiently: <T>(act: Promise<T>) => Promise<T>,
  onProgress: (bytes: number) => void,
): Promise<Blob> {
  const whole: Blob[] = [];
  let held: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let came = 0;
  const reader = body?.getReader();
  for (;;) {
    const { done, value } = reader ? await patiently(reader.read()) : { done: true, value: undefined };
    if (value) {
      held.push(value);
      bytes += value.byteLength;
      came += value.byteLength;
      onProgress(came);
    }
    if (done || bytes >= HELD) {
      whole.push(new Blob(held));
      held = [];
      bytes = 0;
    }
    if (done) return new Blob(whole);
  }
}
