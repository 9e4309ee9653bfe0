import { createSilence } from "../../lib/silence.ts";
import { noAnswer } from "../failure.ts";
import { takeSharePrefetch } from "./share-prefetch.ts";

/** An answer with its whole text. */
interface Exchanged {
  readonly response: Response;
  readonly text: string;
}

interface Exchange {
  readonly url: string;
  readonly request: Omit<RequestInit, "signal" | "body"> & { readonly body: string | null };
  /** How long the server may be silent, in milliseconds. */
  readonly patience: number;
  readonly signal: AbortSignal | undefined;
}

/** The slowest line that an upload must work on, in bytes per millisecond: 160 kbit/s. */
const SLOWEST_UPLOAD = 20;

/**
 * Sends a request and reads its answer. Silence ends it, not duration: a long text on a slow line takes its time, and
 * giving up half way would have used up a view for nothing. Throws an ApiFailure.
 */
export async function exchange({ url, request, patience, signal }: Exchange): Promise<Exchanged> {
  const silence = createSilence(patience);
  silence.expectMore(patience + (request.body?.length ?? 0) / SLOWEST_UPLOAD);
  try {
    const either = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal;
    const response = await (takeSharePrefetch(url, request, either) ?? fetch(url, { ...request, signal: either }));
    return { response, text: await readText(response, () => silence.expectMore()) };
  } catch {
    throw noAnswer(silence.signal.aborted ? "timeout" : signal?.aborted ? "aborted" : "network");
  } finally {
    silence.end();
  }
}

async function readText(response: Response, heard: () => void): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return "";
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    heard();
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
}
