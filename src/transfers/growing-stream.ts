import { Failure } from "#contract/failures";
import { responseOf } from "../lib/open-file.ts";
import type { ObjectHead, StoredObject } from "../stores/store.ts";
import type { GrowingSource } from "./growing-sources.ts";

/** Bytes that one reader takes at once. */
const CHUNK = 128 * 1024;

/** How an upload has ended that somebody reads: as an object, or not at all. */
export type GrowingEnd = { readonly object: ObjectHead } | { readonly failure: unknown };

/** An upload that is followed while it arrives. */
interface Followed {
  /** Bytes that have come. */
  readonly arrived: () => number;
  /** Undefined while it goes on. */
  readonly end: () => GrowingEnd | undefined;
  /** Fulfilled when either may have changed. */
  readonly changed: () => Promise<void>;
  readonly read: GrowingSource["read"];
  /** What the object has from an offset on. */
  readonly rest: (object: ObjectHead, at: number) => Promise<StoredObject | undefined>;
}

/** All bytes that a follower sees, for one reader; `begun` is called when it reads, and `left` when it reads no more. */
export function createStream(
  follower: Followed,
  left: () => void,
  begun: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  let isGone = false;
  let isReading = false;
  let rest: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;

  const readRest = async (object: ObjectHead) => {
    if (at > object.size) throw new Failure("upload.missing");
    if (at === object.size) return undefined;
    const found = rest ? undefined : await follower.rest(object, at);
    if (!rest && !found) throw new Failure("upload.missing");
    rest ??= responseOf(found?.body).body?.getReader();
    return (await rest?.read())?.value;
  };

  const next = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    while (!isGone) {
      const [arrived, end, changed] = [follower.arrived(), follower.end(), follower.changed()];
      if (end && "failure" in end) throw end.failure;
      const bytes = new Uint8Array(Math.min(CHUNK, Math.max(0, arrived - at)));
      const read = bytes.byteLength > 0 ? await follower.read(bytes, at) : 0;
      if (read > 0) return bytes.subarray(0, read);
      if (end) return await readRest(end.object);
      await changed;
    }
    return undefined;
  };

  const leave = (): void => {
    isGone = true;
    if (!isReading) left();
  };

  return new ReadableStream(
    {
      async pull(controller) {
        begun();
        isReading = true;
        try {
          const bytes = await next();
          at += bytes?.byteLength ?? 0;
          if (bytes) return controller.enqueue(bytes);
          if (!isGone) controller.close();
          isGone = true;
        } catch (error) {
          isGone = true;
          throw error;
        } finally {
          isReading = false;
          if (isGone) left();
        }
      },
      async cancel() {
        leave();
        await rest?.cancel();
      },
    },
    { highWaterMark: 0 },
  );
}
