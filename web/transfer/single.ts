import { isFailure } from "../api/failure.ts";
import { failed, isPassing, isStaleAddress, stopIfAborted } from "./failures.ts";
import { optionsKey } from "./options-key.ts";
import { isSameOrigin, isUnanswered } from "./reachability.ts";
import { createRequestKey } from "./request-key.ts";
import type { SingleStart } from "./target.ts";
import type { UploadContext, Uploader, UploadTask } from "./uploader.ts";
import { tryToDelete } from "./with-retries.ts";

/** Reports whether the server can relay the file, because the storage has another address. */
const hasRelay = ({ url, relayUrl }: SingleStart): boolean => !isSameOrigin(url, relayUrl);

const headersFor = ({ contentType, headers }: SingleStart, relayed: boolean): Record<string, string> => ({
  "content-type": contentType,
  ...(relayed ? {} : headers),
});

/** Sends a file in one piece: requests an address, PUTs the file there, and commits the share. */
export function createSingle(context: UploadContext, task: UploadTask): Uploader {
  const { call, send, withRetries, turns, newKey, reach, target } = context;
  const { file, order, waits, options } = task;
  const requestKey = createRequestKey(newKey);
  let begun: SingleStart | undefined;
  /** The options with which it was begun. */
  let begunWith = "";
  /** The address was refused: the upload has to be begun again. */
  let refused = false;
  let stored = false;
  let finishing = false;
  let relayed = false;
  let sent = 0;

  const begin = async (): Promise<SingleStart> => {
    const current = optionsKey(options());
    if (begun && (refused || begunWith !== current)) {
      await target.dropSingle(call, begun.ids);
      begun = undefined;
    }
    if (!begun) {
      begun = await target.beginSingle(call, task, requestKey.of(current));
      requestKey.settle();
      begunWith = current;
    }
    refused = false;
    task.onChange();
    return begun;
  };

  const onProgress = (now: number) => {
    const before = sent;
    sent = Math.min(now, file.size);
    if (sent > before) task.onMoved(sent - before);
  };

  const put = async (signal: AbortSignal): Promise<void> => {
    const start = await begin();
    stopIfAborted(signal);
    const direct = { storage: options().storageId, url: start.url };
    relayed = hasRelay(start) && (options().relay === true || reach.isUnreachable(direct));
    task.onChange();
    try {
      const place = relayed ? { ...direct, url: start.relayUrl } : direct;
      await send({ ...place, body: file, headers: headersFor(start, relayed), signal, onProgress });
      onProgress(file.size);
      stored = true;
    } catch (error) {
      sent = 0;
      refused = isFailure(error, "putRefused") && error.status < 500;
      throw error;
    }
  };

  /** Sends the file, and again to a new address if the first has expired. */
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
    return reach.noteSilence({ storage: options().storageId, url: begun.url });
  };

  const commit = async (signal: AbortSignal) => {
    if (!begun) throw failed("unknown");
    const { ids } = begun;
    finishing = true;
    task.onChange();
    try {
      return await withRetries(() => target.commit(call, ids), { signal, waits });
    } catch (error) {
      // The server did not accept the file: the next attempt has to send it again.
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

  const undo = () => tryToDelete(withRetries, async () => begun && target.dropSingle(call, begun.ids));

  return {
    async upload({ signal }) {
      if (!stored || begunWith !== optionsKey(options()))
        await withRetries(() => turns.take({ order, signal, waits }, () => putFresh(signal)), {
          signal,
          waits,
          otherWay,
        });
      stopIfAborted(signal);
      return commit(signal);
    },
    progress: () => ({ sent, resumed: 0, slug: begun?.slug || undefined, continues: false, finishing, relayed }),
    undo,
    leave: undo,
  };
}
