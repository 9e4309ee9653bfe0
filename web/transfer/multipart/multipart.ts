import { isFailure } from "../../api/failure.ts";
import { isPassing, stopIfAborted } from "../failures.ts";
import { createRequestKey } from "../network/request-key.ts";
import type { Payload } from "../payload.ts";
import { optionsKey } from "../resume/options-key.ts";
import type { UploadContext, Uploader, UploadTask } from "../uploader.ts";
import { abortUpload, beginUpload, noteArrived, type OpenUpload, takeUp } from "./open-upload.ts";
import { sendParts } from "./send-parts.ts";
import { createUploadClaim } from "./upload-claim.ts";

/** Begins the upload on the server or takes up an earlier one, and begins another one when the options have changed. */
function createOpening(context: UploadContext, task: UploadTask<Payload>) {
  const { call, newKey, target } = context;
  const { size } = task.file;
  const remembered = createUploadClaim(context, task);
  const requestKey = createRequestKey(newKey);
  let open: OpenUpload | undefined;
  /** The options with which it was begun. */
  let begunWith = "";
  let doubtful = false;
  /** Bytes that an earlier visit sent; undefined if this visit began the upload. */
  let resumed: number | undefined;

  const currentOptions = () => optionsKey(task.options());

  const begin = async (): Promise<OpenUpload> => {
    const begun = await beginUpload(context, task, requestKey.of(currentOptions()));
    requestKey.settle();
    await remembered.begun(begun);
    return begun;
  };

  /** Returns the upload to continue, of this visit or an earlier one; undefined if there is none with the present options. */
  const goOn = async (): Promise<OpenUpload | undefined> => {
    if (open && begunWith === currentOptions()) return takeUp(context, { ...open, size });
    if (!open) return remembered.takeUp();
    await target.giveUp(call, open.ids);
    await remembered.drop(open);
    return undefined;
  };

  return {
    remembered,
    /** Returns the upload to send parts to. Throws ApiFailure. */
    async prepare(): Promise<OpenUpload> {
      if (open && !doubtful && begunWith === currentOptions()) return open;
      const before = open;
      open = await goOn();
      if (!open) resumed = undefined;
      else if (!before) resumed = open.parts.arrived();
      open ??= await begin();
      begunWith = currentOptions();
      doubtful = false;
      remembered.note(open);
      task.onChange();
      return open;
    },
    opened: () => open,
    resumed: () => resumed,
    /** A call was refused: before continuing, the server is asked which parts it has. */
    doubt() {
      doubtful = true;
    },
  };
}

/** Sends a large file in parts. Parts that arrived survive a pause, a failure and a reload. */
export function createMultipart(context: UploadContext, task: UploadTask<Payload>): Uploader {
  const { call, withRetries, turns, target } = context;
  const { order, waits } = task;
  const opening = createOpening(context, task);
  const { remembered } = opening;
  let finishing = false;

  const complete = async ({ ids, parts, finished }: OpenUpload, signal: AbortSignal) => {
    finishing = true;
    task.onChange();
    try {
      // If the storage does not let pages read ETags, the server asks it for them.
      if (!finished && parts.etags().some(({ etag }) => !etag)) {
        await withRetries(() => noteArrived(context, { ids, parts }), { signal, waits });
      }
      // A finished upload returns its share, whatever the list of parts.
      const etags = finished ? [] : parts.etags().map(({ partNumber, etag = "" }) => ({ partNumber, etag }));
      return await withRetries(() => target.complete(call, ids, etags), { signal, waits });
    } catch (error) {
      if (isFailure(error) && !isPassing(error) && error.status !== 401) opening.doubt();
      throw error;
    } finally {
      finishing = false;
    }
  };

  const undo = async (): Promise<void> => {
    const open = opening.opened();
    if (open) {
      await remembered.drop(open);
      await abortUpload(context, open.ids);
    }
    remembered.release();
  };

  return {
    async upload({ signal, dropped }) {
      const upload = await withRetries(() => turns.take({ order, signal, waits }, opening.prepare), { signal, waits });
      stopIfAborted(signal);
      upload.parts.releaseFailed();
      try {
        const onArrived = () => remembered.note(upload);
        await sendParts(context, { ...task, ...upload, signal, dropped, onArrived });
      } catch (error) {
        if (!signal.aborted) opening.doubt();
        throw error;
      }
      const record = await complete(upload, signal);
      await remembered.drop(upload);
      remembered.release();
      return record;
    },
    progress() {
      const [open, resumed] = [opening.opened(), opening.resumed()];
      return {
        sent: open?.parts.sent() ?? 0,
        resumed: resumed ?? 0,
        slug: open?.slug || undefined,
        continues: resumed !== undefined,
        finishing,
        relayed: open?.addresses.isRelayed() ?? false,
      };
    },
    undo,
    async leave() {
      const open = opening.opened();
      if (open && !(await remembered.has(open))) await undo();
      remembered.release();
    },
  };
}
