import { REQUEST_TIMEOUT } from "#contract/limits";
import { ApiFailure, isFailure, noAnswer } from "../../api/failure.ts";
import { t } from "../../i18n/i18n.ts";
import { createSilence } from "../../lib/silence.ts";

interface Reading {
  readonly url: string;
  readonly signal: AbortSignal;
  /** Bytes: what was said of a file may be wrong. */
  readonly most: number;
  /** Milliseconds. */
  readonly patience?: number;
  /** Told with each piece how many bytes have come. */
  readonly onRead?: ((bytes: number) => void) | undefined;
}

/**
 * Fetches a file that is read as a whole, `most` bytes of it at most; throws an ApiFailure, also if no byte arrives for `patience`
 * milliseconds.
 */
export async function readBytes({
  url,
  signal,
  most,
  patience = REQUEST_TIMEOUT,
  onRead,
}: Reading): Promise<Uint8Array<ArrayBuffer>> {
  const silence = createSilence(patience);
  silence.expectMore();
  const onPiece = (bytes: number) => {
    silence.expectMore();
    onRead?.(bytes);
  };
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, silence.signal]) });
    if (!response.ok) {
      throw new ApiFailure({ code: "unknown", status: response.status, message: t("file.view.unreadable") });
    }
    return await bytesOf(response, most, onPiece);
  } catch (error) {
    if (isFailure(error)) throw error;
    throw noAnswer(silence.signal.aborted ? "timeout" : "network");
  } finally {
    silence.end();
  }
}

/** The body of an answer, telling of each piece of it. */
async function bytesOf(
  { body }: Response,
  most: number,
  onPiece: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  let length = 0;
  for (;;) {
    const piece = await reader?.read();
    if (!piece || piece.done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    length += piece.value.length;
    onPiece(length);
    if (length > most) {
      await reader?.cancel();
      throw new ApiFailure({ code: "unknown", status: 0, message: t("file.view.tooLarge") });
    }
    pieces.push(piece.value);
  }
}

/** Fetches the first `most` bytes of a file, or all of a smaller one. Rejects when they do not arrive. */
export async function readStart({ url, signal, most }: Reading): Promise<Uint8Array<ArrayBuffer>> {
  const waits = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT)]);
  const response = await fetch(url, { signal: waits, headers: { range: `bytes=0-${most - 1}` } });
  if (!response.ok)
    throw new ApiFailure({ code: "unknown", status: response.status, message: t("file.view.unreadable") });
  const reader = response.body?.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  // A storage that does not know ranges sends all of it.
  while (length < most) {
    const piece = await reader?.read();
    if (!piece || piece.done) break;
    pieces.push(piece.value);
    length += piece.value.length;
  }
  await reader?.cancel();
  return new Uint8Array(await new Blob(pieces).slice(0, most).arrayBuffer());
}
