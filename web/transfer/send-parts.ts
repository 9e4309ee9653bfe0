import { PARTS_AT_ONCE } from "#contract/limits";
import { isFailure } from "../api/failure.ts";
import type { Addresses } from "./addresses.ts";
import type { Load, Surroundings } from "./carrier.ts";
import { failed, isStaleAddress, stopIfAborted } from "./failures.ts";
import type { Parts } from "./parts.ts";

interface Sending extends Load {
  readonly parts: Parts;
  readonly addresses: Addresses;
  readonly signal: AbortSignal;
  readonly onArrived: () => void;
}

/** One more than can be on their way: when a turn ends, the file's next part stands in line already. */
const SENDERS = PARTS_AT_ONCE + 1;

/**
 * Sends all parts that are not there. A part that fails for good does not stop the others, unless several do. Throws
 * ApiFailure partsFailed, or what made going on pointless; the parts that arrived stay noted.
 */
export async function sendParts(surroundings: Surroundings, sending: Sending): Promise<void> {
  const { insist, connection } = surroundings;
  const { parts, signal: wanted, waits, onArrived } = sending;
  const stop = new AbortController();
  const signal = AbortSignal.any([wanted, stop.signal]);
  let fatal: unknown;
  let trouble = failed("partsFailed");

  const fail = (number: number, error: unknown) => {
    if (!signal.aborted && isTroubleOfOne(error) && !connection.isDown()) {
      if (isFailure(error)) trouble = failed("partsFailed", error.status);
      return parts.fail(number);
    }
    parts.release(number);
    if (signal.aborted) return;
    fatal = error;
    stop.abort();
  };

  const sender = async (): Promise<void> => {
    for (;;) {
      const number = signal.aborted || parts.failures() >= PARTS_AT_ONCE ? undefined : parts.claim();
      if (number === undefined) return;
      try {
        const etag = await insist(() => sendPart(surroundings, { ...sending, signal }, number), { signal, waits });
        parts.complete(number, etag);
        onArrived();
      } catch (error) {
        fail(number, error);
      }
    }
  };

  await Promise.all(Array.from({ length: SENDERS }, sender));
  stopIfAborted(wanted);
  if (fatal !== undefined) throw fatal;
  if (!parts.isWhole()) throw trouble;
}

const isTroubleOfOne = (error: unknown): boolean =>
  isFailure(error, "putRefused") || isFailure(error, "network") || isFailure(error, "timeout");

/** Sends one part once; twice when its address turns out to be too old. */
async function sendPart(surroundings: Surroundings, sending: Sending, number: number): Promise<string | undefined> {
  const { addresses } = sending;
  const url = await addresses.of(number);
  try {
    return await putPart(surroundings, sending, { number, url });
  } catch (error) {
    if (!isStaleAddress(error)) throw error;
    addresses.refuse(number, url);
    return putPart(surroundings, sending, { number, url: await addresses.of(number) });
  }
}

interface Addressed {
  readonly number: number;
  readonly url: string;
}

function putPart({ turns, send }: Surroundings, sending: Sending, { number, url }: Addressed) {
  const { file, order, signal, waits, parts, onMoved } = sending;
  const { from, to } = parts.range(number);
  const headers = { "content-type": "application/octet-stream" };
  let before = 0;
  const onProgress = (sent: number) => {
    if (sent > before) onMoved(sent - before);
    before = Math.max(before, sent);
    parts.progress(number, sent);
  };
  return turns.take({ order, signal, waits }, async () => {
    try {
      const etag = await send({ url, body: file.slice(from, to), headers, signal, onProgress });
      onProgress(to - from);
      return etag;
    } catch (error) {
      parts.progress(number, 0);
      throw error;
    }
  });
}
