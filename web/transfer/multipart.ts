import { isFailure } from "../api/failure.ts";
import type { Carrier, Load, Surroundings } from "./carrier.ts";
import { isPassing, stopIfAborted } from "./failures.ts";
import { abortUpload, beginUpload, noteArrived, type OpenUpload, takeUp } from "./open-upload.ts";
import { optionsKey } from "./options-key.ts";
import type { Payload } from "./payload.ts";
import { createRemembered } from "./remembered.ts";
import { createRequestKey } from "./request-key.ts";
import { sendParts } from "./send-parts.ts";

/** Sends a large file in parts. Parts that arrived survive a pause, a failure and a reload. */
export function createMultipart(surroundings: Surroundings, load: Load<Payload>): Carrier {
  const { call, insist, turns, newKey, target } = surroundings;
  const { file, order, waits, options } = load;
  const { size } = file;
  const remembered = createRemembered(surroundings, load);
  const requestKey = createRequestKey(newKey);
  let open: OpenUpload | undefined;
  /** The options of its start. */
  let begunWith = "";
  /** A call was refused: before it continues, the server has to list its parts. */
  let doubtful = false;
  /** Bytes that an earlier visit sent; undefined if this visit began it. */
  let resumed: number | undefined;
  let finishing = false;

  const begin = async (): Promise<OpenUpload> => {
    const begun = await beginUpload(surroundings, load, requestKey.of(optionsKey(options())));
    requestKey.settle();
    await remembered.begun(begun);
    return begun;
  };

  /** The upload to continue: of this visit unless the options have changed since, else of an earlier one. */
  const goOn = async (): Promise<OpenUpload | undefined> => {
    if (open && begunWith === optionsKey(options())) return takeUp(surroundings, { ...open, size });
    if (!open) return remembered.takeUp();
    await target.giveUp(call, open.ids);
    await remembered.drop(open);
    return undefined;
  };

  const prepare = async (): Promise<OpenUpload> => {
    if (open && !doubtful && begunWith === optionsKey(options())) return open;
    const before = open;
    open = await goOn();
    if (!open) resumed = undefined;
    else if (!before) resumed = open.parts.arrived();
    open ??= await begin();
    begunWith = optionsKey(options());
    doubtful = false;
    remembered.note(open);
    load.onChange();
    return open;
  };

  const complete = async ({ ids, parts, finished }: OpenUpload, signal: AbortSignal) => {
    finishing = true;
    load.onChange();
    try {
      // A storage that does not let pages read ETags says them when it is asked.
      if (!finished && parts.etags().some(({ etag }) => !etag)) {
        await insist(() => noteArrived(surroundings, { ids, parts }), { signal, waits });
      }
      // A finished share returns itself, whatever the list of its parts.
      const etags = finished ? [] : parts.etags().map(({ partNumber, etag = "" }) => ({ partNumber, etag }));
      return await insist(() => target.complete(call, ids, etags), { signal, waits });
    } catch (error) {
      doubtful ||= isFailure(error) && !isPassing(error) && error.status !== 401;
      throw error;
    } finally {
      finishing = false;
    }
  };

  const undo = async (): Promise<void> => {
    if (open) await remembered.drop(open);
    if (open) await abortUpload(surroundings, open.ids);
    remembered.release();
  };

  return {
    async carry({ signal, dropped }) {
      const upload = await insist(() => turns.take({ order, signal, waits }, prepare), { signal, waits });
      stopIfAborted(signal);
      upload.parts.releaseFailed();
      try {
        const onArrived = () => remembered.note(upload);
        await sendParts(surroundings, { ...load, ...upload, signal, dropped, onArrived });
      } catch (error) {
        doubtful ||= !signal.aborted;
        throw error;
      }
      const record = await complete(upload, signal);
      await remembered.drop(upload);
      remembered.release();
      return record;
    },
    progress: () => ({
      sent: open?.parts.sent() ?? 0,
      resumed: resumed ?? 0,
      slug: open?.slug || undefined,
      continues: resumed !== undefined,
      finishing,
      relayed: open?.addresses.isRelayed() ?? false,
    }),
    undo,
    async leave() {
      if (open && !(await remembered.has(open))) await undo();
      remembered.release();
    },
  };
}
