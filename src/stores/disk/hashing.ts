import { type FollowFile, isNative } from "../../lib/digests/digest-thread.ts";
import { createDigests, type Digesting, type Digests } from "../../lib/digests/digests.ts";

/** Bodies up to this size, in bytes, are hashed where they are: the thread would take longer to answer. */
export const HASHED_HERE = 256 * 1024;

/** The digests of a body that is being written to a file. Disposing of it gives them up. */
export interface Hashing extends Disposable {
  /** Whether the bytes themselves must be shown. */
  readonly wantsBytes: boolean;
  /** Shows bytes that were written, and says how many there are by now. */
  wrote(bytes: Uint8Array, size: number): void;
  /** Says how many bytes there are by now. */
  reached(size: number): void;
  /** Checks the digests of so many bytes, and returns them. */
  finish(size: number): Promise<Digests>;
}

interface Followed {
  readonly path: string;
  /** The offset in the file at which the body begins. */
  readonly start: number;
  /** Bytes of the body; undefined if unknown. */
  readonly length: number | undefined;
}

const nothing: Hashing = {
  wantsBytes: false,
  wrote: () => undefined,
  reached: () => undefined,
  finish: async () => ({}),
  [Symbol.dispose]: () => undefined,
};

/** Hashes a body: a short one as it passes, a long one on the thread that reads the file, but for what that does not know. */
export function createHashing(follow: FollowFile, digesting: Digesting | undefined, file: Followed): Hashing {
  if (!digesting) return nothing;
  const { names, check } = digesting;
  const isShort = file.length !== undefined && file.length <= HASHED_HERE;
  const apart = isShort ? [] : names.filter(isNative);
  const here = names.filter((name) => !apart.includes(name));
  const passing = createDigests(here);
  const followed = apart.length > 0 ? follow(file.path, file.start, apart) : undefined;
  return {
    wantsBytes: here.length > 0,
    wrote(bytes, size) {
      passing.update(bytes);
      followed?.advance(size);
    },
    reached: (size) => followed?.advance(size),
    async finish(size) {
      const digests = { ...passing.finish(), ...(await followed?.finish(size)) };
      check(digests);
      return digests;
    },
    [Symbol.dispose]: () => followed?.drop(),
  };
}
