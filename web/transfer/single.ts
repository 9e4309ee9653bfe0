import { isFailure } from "../api/failure.ts";
import { failed, isPassing, isStaleAddress, stopIfAborted } from "./failures.ts";
import { isSameOrigin, isUnanswered } from "./network/reachability.ts";
import { createRequestKey } from "./network/request-key.ts";
import { tryToDelete } from "./network/with-retries.ts";
import type { Payload } from "./payload.ts";
import { optionsKey } from "./resume/options-key.ts";
import type { SingleStart } from "./targets/target.ts";
import type { UploadContext, Uploader, UploadTask } from "./uploader.ts";

/** Reports whether the server can relay the file, because the storage has another address. */
const hasRelay = ({ url, relayUrl }: SingleStart): boolean => !isSameOrigin(url, relayUrl);

const headersFor = ({ contentType, headers }: SingleStart, relayed: boolean): Record<string, string> => ({
  "content-type": contentType,
  ...(relayed ? {} : headers),
});

/** Begins the upload on the server, and begins another one when the options have changed or its address was refused. */
function createStart({ call, target, newKey }: UploadContext, task: UploadTask<Payload>) {
  const requestKey = createRequestKey(newKey);
  let begun: SingleStart | undefined;
  /** The options with which it was begun. */
  let begunWith = "";
  let refused = false;

  const currentOptions = () => optionsKey(task.options());
  const drop = async () => begun && target.dropSingle(call, begun.ids);

  return {
    /** Returns the upload to send the file to. Throws ApiFailure. */
    async prepare(): Promise<SingleStart> {
      const current = currentOptions();
      if (begun && (refused || begunWith !== current)) {
        await drop();
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
    },
    begun: () => begun,
    hasPresentOptions: () => begunWith === currentOptions(),
    /** Has the upload begun again at the next attempt. */
    refuse() {
      refused = true;
    },
    drop,
  };
}

/** PUTs the file to the storage, or to the server where this browser cannot reach the storage. */
function createPut({ send, reach }: UploadContext, task: UploadTask<Payload>, start: ReturnType<typeof createStart>) {
  const { file, options } = task;
  let relayed = false;
  let sent = 0;

  const onProgress = (now: number) => {
    const before = sent;
    sent = Math.min(now, file.size);
    if (sent > before) task.onMoved(sent - before);
  };

  const put = async (signal: AbortSignal): Promise<void> => {
    const begun = await start.prepare();
    stopIfAborted(signal);
    const direct = { storage: options().storageId, url: begun.url };
    relayed = hasRelay(begun) && (options().relay === true || reach.isUnreachable(direct));
    task.onChange();
    try {
      const place = relayed ? { ...direct, url: begun.relayUrl } : direct;
      const body = file instanceof File ? file : await file.slice(0, file.size);
      stopIfAborted(signal);
      await send({ ...place, body, headers: headersFor(begun, relayed), signal, onProgress });
      onProgress(file.size);
    } catch (error) {
      sent = 0;
      if (isFailure(error, "putRefused") && error.status < 500) start.refuse();
      throw error;
    }
  };

  return {
    /** Sends the file, and again to a new address if the first has expired. */
    async send(signal: AbortSignal): Promise<void> {
      try {
        await put(signal);
      } catch (error) {
        if (!isStaleAddress(error)) throw error;
        await put(signal);
      }
    },
    /** Reports whether the file can go through the server after a failure. */
    async otherWay(error: unknown): Promise<boolean> {
      const begun = start.begun();
      if (!begun || relayed || !isUnanswered(error) || !hasRelay(begun)) return false;
      return reach.noteSilence({ storage: options().storageId, url: begun.url });
    },
    progress: () => ({ sent, relayed }),
    /** Counts from the beginning, because the file has to be sent again. */
    reset() {
      sent = 0;
    },
  };
}

/** Sends a file in one piece: requests an address, PUTs the file there, and commits the share. */
export function createSingle(context: UploadContext, task: UploadTask<Payload>): Uploader {
  const { call, withRetries, turns, target } = context;
  const { order, waits } = task;
  const start = createStart(context, task);
  const put = createPut(context, task, start);
  let stored = false;
  let finishing = false;

  const store = async (signal: AbortSignal): Promise<void> => {
    await put.send(signal);
    stored = true;
  };

  const commit = async (signal: AbortSignal) => {
    const { ids } = start.begun() ?? {};
    if (!ids) throw failed("unknown");
    finishing = true;
    task.onChange();
    try {
      return await withRetries(() => target.commit(call, ids), { signal, waits });
    } catch (error) {
      // The server did not accept the file: the next attempt has to send it again.
      if (!isPassing(error) && !isFailure(error, "aborted") && !(isFailure(error) && error.status === 401)) {
        stored = false;
        start.refuse();
        put.reset();
      }
      throw error;
    } finally {
      finishing = false;
    }
  };

  const undo = () => tryToDelete(withRetries, start.drop);

  return {
    async upload({ signal }) {
      if (!stored || !start.hasPresentOptions())
        await withRetries(() => turns.take({ order, signal, waits }, () => store(signal)), {
          signal,
          waits,
          otherWay: put.otherWay,
        });
      stopIfAborted(signal);
      return commit(signal);
    },
    progress: () => ({
      ...put.progress(),
      resumed: 0,
      slug: start.begun()?.slug || undefined,
      continues: false,
      finishing,
    }),
    undo,
    leave: undo,
  };
}
