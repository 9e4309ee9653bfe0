import { PARTS_AT_ONCE } from "#contract/limits";
import { isFailure } from "../../api/failure.ts";
import { failed, isStaleAddress, stopIfAborted } from "../failures.ts";
import { isUnanswered } from "../network/reachability.ts";
import type { Payload } from "../payload.ts";
import type { Signals, UploadContext, UploadTask } from "../uploader.ts";
import type { Addresses, PartAddress } from "./addresses.ts";
import type { Parts } from "./parts.ts";

interface Sending extends UploadTask<Payload>, Signals {
  readonly parts: Parts;
  readonly addresses: Addresses;
  readonly onArrived: () => void;
}

/** One more than can be sent at once: when a turn ends, the file's next part is already in line. */
const SENDERS = PARTS_AT_ONCE + 1;

/**
 * Sends all missing parts. A part that fails permanently does not stop the others, unless several do. Throws ApiFailure
 * partsFailed, or the failure that stopped all; the parts that arrived stay recorded. When the signal aborts, the parts that
 * are being sent are waited for, because an interrupted part would have to be sent again as a whole.
 */
export async function sendParts(context: UploadContext, sending: Sending): Promise<void> {
  const { connection } = context;
  const { parts, signal: wanted, onArrived } = sending;
  const stop = new AbortController();
  const signal = AbortSignal.any([wanted, stop.signal]);
  const dropped = AbortSignal.any([sending.dropped, stop.signal]);
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
        const etag = await uploadPart(context, { ...sending, signal, dropped }, number);
        parts.complete(number, etag);
        sending.file.done?.(parts.range(number).from);
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

/** Sends one part, again if it must, to its storage or through the server. Returns the ETag. */
async function uploadPart(context: UploadContext, sending: Sending, number: number): Promise<string | undefined> {
  const { withRetries, reach, turns } = context;
  const { addresses, order, signal, dropped, waits, options, onChange } = sending;
  let tried: PartAddress | undefined;

  const isLost = ({ url, relayed }: PartAddress) =>
    !relayed && reach.noteSilence({ storage: options().storageId, url });
  const relay = async (address: PartAddress): Promise<boolean> => {
    const turned = await addresses.relay(address);
    if (turned) onChange();
    return turned;
  };
  const addressOf = async (): Promise<PartAddress> => {
    const address = await addresses.of(number);
    const { storageId: storage, relay: wanted } = options();
    const mustRelay = !address.relayed && (wanted === true || reach.isUnreachable({ storage, url: address.url }));
    return mustRelay && (await relay(address)) ? addresses.of(number) : address;
  };
  // The address is asked for only now: another part may have learned while this one waited that the storage is unreachable.
  const attempt = () =>
    turns.take({ order, signal, dropped, waits }, async () => {
      tried = await addressOf();
      return putPart(context, sending, tried);
    });

  const act = async () => {
    try {
      return await attempt();
    } catch (error) {
      if (!isStaleAddress(error) || !tried) throw error;
      addresses.refuse(tried);
      return attempt();
    }
  };
  const otherWay = async (error: unknown) =>
    isUnanswered(error) && tried !== undefined && isLost(tried) && (await relay(tried));
  return withRetries(act, { signal, waits, otherWay });
}

async function putPart({ send }: UploadContext, sending: Sending, { number, url }: PartAddress) {
  const { file, signal, dropped, parts, onMoved, options } = sending;
  const { from, to } = parts.range(number);
  const headers = { "content-type": "application/octet-stream" };
  let before = 0;
  const onProgress = (sent: number) => {
    if (sent > before) onMoved(sent - before);
    before = Math.max(before, sent);
    parts.progress(number, sent);
  };
  try {
    const place = { storage: options().storageId, url };
    const body = await file.slice(from, to);
    stopIfAborted(signal);
    const etag = await send({ ...place, body, headers, signal: dropped, onProgress });
    onProgress(to - from);
    return etag;
  } catch (error) {
    parts.progress(number, 0);
    throw error;
  }
}
