import type { CallOutput } from "#contract/endpoint";
import { providerOf } from "#contract/providers";
import { uploads } from "#contract/uploads";
import { isFailure } from "../api/failure.ts";
import { type Carrier, giveUp, type Load, newFile, repeatable, type Surroundings, sweep } from "./carrier.ts";
import { failed, isPassing, isStaleAddress, stopIfAborted } from "./failures.ts";
import { optionsKey } from "./options-key.ts";
import { isSameOrigin, isUnanswered } from "./reach.ts";
import { createRequestKey } from "./request-key.ts";

type Begun = CallOutput<typeof uploads.presign>["data"];

/** Reports whether there is another way than the storage's own address. */
const hasRelay = ({ upload_url, relay_url }: Begun): boolean => !isSameOrigin(upload_url, relay_url);

const headersFor = ({ contentType, provider_type }: Begun, relayed: boolean): Record<string, string> => ({
  "content-type": contentType,
  ...(relayed ? {} : providerOf(provider_type).uploadHeaders),
});

/** Sends a file in one piece: requests an address, PUTs the file there, and commits the share. */
export function createSingle(surroundings: Surroundings, load: Load): Carrier {
  const { call, send, insist, turns, newKey, reach } = surroundings;
  const { file, order, waits, options } = load;
  const requestKey = createRequestKey(newKey);
  let begun: Begun | undefined;
  /** The options of its start. */
  let begunWith = "";
  /** The address took the file before, and takes it no more. */
  let refused = false;
  let stored = false;
  let finishing = false;
  let relayed = false;
  let sent = 0;

  const begin = async (): Promise<Begun> => {
    const current = optionsKey(options());
    if (begun && (refused || begunWith !== current)) {
      await giveUp(call, { file_id: begun.file_id });
      begun = undefined;
    }
    if (!begun) {
      const headers = repeatable(requestKey.of(current));
      begun = (await call(uploads.presign, { body: newFile(load), headers })).data;
      requestKey.settle();
      begunWith = current;
    }
    refused = false;
    load.onChange();
    return begun;
  };

  const onProgress = (now: number) => {
    const before = sent;
    sent = Math.min(now, file.size);
    if (sent > before) load.onMoved(sent - before);
  };

  const put = async (signal: AbortSignal): Promise<void> => {
    const target = await begin();
    stopIfAborted(signal);
    const direct = { storage: options().storageId, url: target.upload_url };
    relayed = hasRelay(target) && reach.isBarred(direct);
    load.onChange();
    try {
      const place = relayed ? { ...direct, url: target.relay_url } : direct;
      await send({ ...place, body: file, headers: headersFor(target, relayed), signal, onProgress });
      onProgress(file.size);
      stored = true;
    } catch (error) {
      sent = 0;
      refused = isFailure(error, "putRefused") && error.status < 500;
      throw error;
    }
  };

  /** Sends it once; twice when its address turns out to be too old. */
  const putFresh = async (signal: AbortSignal): Promise<void> => {
    try {
      await put(signal);
    } catch (error) {
      if (!isStaleAddress(error)) throw error;
      await put(signal);
    }
  };

  const otherWay = async (error: unknown): Promise<boolean> => {
    if (!begun || relayed || !isUnanswered(error) || !hasRelay(begun)) return false;
    return reach.silent({ storage: options().storageId, url: begun.upload_url });
  };

  const commit = async (signal: AbortSignal) => {
    if (!begun) throw failed("unknown");
    const body = { file_id: begun.file_id };
    finishing = true;
    load.onChange();
    try {
      return (await insist(() => call(uploads.commit, { body }), { signal, waits })).data;
    } catch (error) {
      // A server that does not take it has not got it: the next attempt brings it again.
      if (!isPassing(error) && !isFailure(error, "aborted") && !(isFailure(error) && error.status === 401)) {
        stored = false;
        refused = true;
        sent = 0;
      }
      throw error;
    } finally {
      finishing = false;
    }
  };

  const undo = () => sweep(surroundings, async () => begun && giveUp(call, { file_id: begun.file_id }));

  return {
    async carry(signal) {
      if (!stored || begunWith !== optionsKey(options()))
        await insist(() => turns.take({ order, signal, waits }, () => putFresh(signal)), { signal, waits, otherWay });
      stopIfAborted(signal);
      return commit(signal);
    },
    progress: () => ({ sent, resumed: 0, slug: begun?.slug, continues: false, finishing, relayed }),
    undo,
    leave: undo,
  };
}
