import { uploads } from "#contract/uploads";
import { isFailure } from "../api/failure.ts";
import type { Carrier, Load, Surroundings } from "./carrier.ts";
import { isPassing, stopIfAborted } from "./failures.ts";
import { keyOf } from "./kept.ts";
import { abortUpload, beginUpload, noteArrived, type OpenUpload, takeUp } from "./open-upload.ts";
import { sendParts } from "./send-parts.ts";

/** Carries a large file in parts. What has arrived stays where it is through a pause, a failure and a reload. */
export function createMultipart(surroundings: Surroundings, load: Load): Carrier {
  const { call, insist, turns, kept } = surroundings;
  const { file, order, waits } = load;
  const { name, size } = file;
  const key = keyOf(file);
  let open: OpenUpload | undefined;
  /** Something was refused: before it goes on, the server has to say what it has. */
  let doubtful = false;
  /** Bytes that an earlier visit had brought there; undefined when this one began by itself. */
  let resumed: number | undefined;
  let finishing = false;

  const remember = ({ ids, slug, parts }: OpenUpload) =>
    void kept.keep({ key, name, size, slug, sent: parts.arrived(), fileId: ids.file_id, uploadId: ids.upload_id });

  const continueEarlier = async (): Promise<OpenUpload | undefined> => {
    const earlier = await kept.find(key);
    if (!earlier) return undefined;
    const ids = { file_id: earlier.fileId, upload_id: earlier.uploadId };
    const taken = await takeUp(call, { ids, slug: earlier.slug, size });
    resumed = taken?.parts.arrived();
    return taken;
  };

  const prepare = async (): Promise<OpenUpload> => {
    if (open && !doubtful) return open;
    const known = open ? await takeUp(call, { ...open, size }) : await continueEarlier();
    if (!known) resumed = undefined;
    open = known ?? (await beginUpload(call, load));
    doubtful = false;
    remember(open);
    load.onChange();
    return open;
  };

  const complete = async ({ ids, parts }: OpenUpload, signal: AbortSignal) => {
    finishing = true;
    load.onChange();
    try {
      // A storage that does not let pages read ETags says them when it is asked.
      if (parts.etags().some(({ etag }) => !etag)) {
        await insist(() => noteArrived(call, { ids, parts }), { signal, waits });
      }
      const etags = parts.etags().map(({ partNumber, etag = "" }) => ({ partNumber, etag }));
      return (await insist(() => call(uploads.complete, { body: { ...ids, parts: etags } }), { signal, waits })).data;
    } catch (error) {
      doubtful ||= isFailure(error) && !isPassing(error) && error.status !== 401;
      throw error;
    } finally {
      finishing = false;
    }
  };

  const undo = async (): Promise<void> => {
    await kept.drop(key);
    if (open) await abortUpload(surroundings, open.ids);
  };

  return {
    async carry(signal) {
      const upload = await insist(() => turns.take({ order, signal, waits }, prepare), { signal, waits });
      stopIfAborted(signal);
      upload.parts.releaseFailed();
      try {
        await sendParts(surroundings, { ...load, ...upload, signal, onArrived: () => remember(upload) });
      } catch (error) {
        doubtful ||= !signal.aborted;
        throw error;
      }
      const record = await complete(upload, signal);
      await kept.drop(key);
      return record;
    },
    progress: () => ({
      sent: open?.parts.sent() ?? 0,
      resumed: resumed ?? 0,
      slug: open?.slug,
      continues: resumed !== undefined,
      finishing,
    }),
    undo,
    async leave() {
      if (open && !(await kept.find(key))) await undo();
    },
  };
}
