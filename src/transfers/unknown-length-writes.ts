import { Failure } from "#contract/failures";
import { sizeText } from "#contract/limits";
import type { Incoming, PutOptions } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { Capacity } from "./capacity.ts";

/** Bytes that a body of unknown size reserves ahead, and at most this share of the free bytes. */
const AHEAD = 16 * 1024 * 1024;
const SHARE = 1 / 16;

/** Writes a body within its bounds. */
export type Write<Result> = (
  body: Incoming,
  bounds: Pick<PutOptions, "length" | "limit" | "disposable">,
) => Promise<Result>;

/** A body of unknown size, or one of which nobody knows whether it comes. */
interface UnknownLengthBody {
  /** Its chunks are for the store alone, which gives back their memory once it has written them. */
  readonly body: Incoming;
  /** Bytes of the replaced file, which count as free. */
  readonly replaces: number;
  readonly owner: string;
  /** Bytes that were said; undefined if unknown. */
  readonly length?: number | undefined;
}

interface UnknownLengthWritesDependencies {
  readonly free: Capacity;
  /** Runs a task that reads the free bytes and reserves some, so that no other task reserves them in between. */
  readonly inTurn: <Result>(storage: Storage, take: () => Promise<Result>) => Promise<Result>;
  /** Keeps bytes until the function that it returns is called. */
  readonly hold: (storage: Storage, bytes: number) => Promise<() => Promise<void>>;
}

/** Whether a body takes its bytes from a quota as they come, though it says how many. */
export const isTakenAsItComes = (length: number): boolean => length > AHEAD;

/** Returns the function that writes a body of unknown size. 413 file.tooLarge, 507 storage.full. */
export function createUnknownLengthWrites({
  free: { left, full, largestOf },
  inTurn,
  hold,
}: UnknownLengthWritesDependencies) {
  /**
   * Writes a body which takes the bytes that it needs as they come. One that says how many looks for more at each doubling, and takes twice what that
   * needs: so who has sent half of it has all, where there is room.
   */
  const growing = async <Result>(
    storage: Storage,
    { body, replaces, owner, length }: UnknownLengthBody,
    write: Write<Result>,
  ) => {
    const releases: (() => Promise<void>)[] = [];
    let [kept, size, due] = [replaces, 0, replaces];
    const more = () =>
      inTurn(storage, async () => {
        const [wanted, free] = [size - kept, await left(storage)];
        if (wanted > free) throw await full(storage, length === undefined ? `> ${sizeText(size)}` : sizeText(length));
        const ahead = Math.max(
          Math.min(AHEAD, free * SHARE),
          length === undefined ? 0 : Math.min(4 * size - kept, free),
        );
        const rest = (length ?? Number.POSITIVE_INFINITY) - kept;
        const bytes = Math.min(rest, Math.floor(Math.max(wanted, ahead)));
        if (bytes > 0) releases.push(await hold(storage, bytes));
        kept += Math.max(0, bytes);
        if (length !== undefined)
          due = kept < length ? Math.min(kept, Math.max(2 * size, kept / 2)) : Number.POSITIVE_INFINITY;
        else due = kept;
      });
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > due) await more();
        controller.enqueue(chunk);
      },
    });
    try {
      return await write(new Response(body.body?.pipeThrough(counted) ?? null), {
        limit: Math.min(await largestOf(owner), length ?? Number.POSITIVE_INFINITY),
        disposable: true,
      });
    } finally {
      for (const release of releases) await release();
    }
  };

  /** Writes a body of unknown size where nothing but the disk sets a limit. */
  const limited = async <Result>(
    storage: Storage,
    { body, replaces, owner }: UnknownLengthBody,
    write: Write<Result>,
  ) => {
    const largest = await largestOf(owner);
    const most = Math.min(largest, (await left(storage)) + replaces);
    try {
      return await write(body, { limit: most, disposable: true });
    } catch (error) {
      const beyond = error instanceof Failure && error.code === "file.tooLarge" && most < largest;
      throw beyond ? await full(storage, `> ${sizeText(most)}`) : error;
    }
  };

  return <Result>(storage: Storage, body: UnknownLengthBody, write: Write<Result>): Promise<Result> =>
    (storage.config.total_storage_bytes === null ? limited : growing)(storage, body, write);
}
