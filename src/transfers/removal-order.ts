/**
 * Tells of removals before whatever has come to their keys since. A removal of many keys is told one key after the other: a file that somebody
 * writes meanwhile where one has gone would lose its tags and its place in the index again. Several servers keep the order in their own writes
 * alone, which is why whoever removes many does so some at a time.
 */
import type { Change } from "../stores/changes.ts";
import type { Place } from "../stores/store.ts";

export type Removal = Extract<Change, { kind: "removed" }>;

/** A removal on its way. */
interface Pending {
  readonly removal: Removal;
  /** What is told of its key before the storage has answered: nobody knows whether that came before the removal or after it. */
  readonly unclear: Promise<void>[];
  /** Tells of it, once however often it is called; undefined until the storage has made it. */
  tell: (() => Promise<void>) | undefined;
}

/** Reports whether something is at a place. */
export type IsThere = (at: Place) => Promise<boolean>;

/** How removals are made. */
interface Removing<Result> {
  readonly make: () => Promise<Result>;
  /** Whether what `make` answered says that they were made; always unless said. */
  readonly isMade?: ((result: Result) => boolean) | undefined;
  /** For removals of which nothing is told where something is that came meanwhile. */
  readonly isThere?: IsThere | undefined;
}

const arrivalOf = (change: Change): Place | undefined => {
  if (change.kind === "removed") return undefined;
  return change.kind === "moved" ? change.to : change.at;
};

/** Whether a removal is of a key, of a folder above it, or of something in it. */
const isAbout = ({ removal: { at } }: Pending, { storage, key }: Place): boolean =>
  at.storage === storage &&
  (at.key === key || (at.key.endsWith("/") && key.startsWith(at.key)) || (key.endsWith("/") && at.key.startsWith(key)));

/** Puts what `notify` is told of in the order in which it became true. */
export function createRemovalOrder(notify: (change: Change) => Promise<void>) {
  const pending = new Set<Pending>();

  /** Of a key where something is that was told of while the storage was asked, nothing is told: it may be what came after. */
  const tellOnce = (one: Pending, isThere: IsThere | undefined) => {
    let told: Promise<void> | undefined;
    const tell = async (): Promise<void> => {
      await Promise.allSettled(one.unclear);
      const isOver = one.unclear.length > 0 && (await isThere?.(one.removal.at));
      if (!isOver) await notify(one.removal);
    };
    return () => {
      told ??= tell();
      return told;
    };
  };

  return {
    /** Notifies followers; of removals at the same place first, and of what they throw whoever removes learns. */
    async tell(change: Change): Promise<void> {
      const at = arrivalOf(change);
      const met = at && pending.size > 0 ? [...pending].filter((one) => isAbout(one, at)) : [];
      if (met.length === 0) return await notify(change);
      const before = met.flatMap(({ tell }) => tell ?? []);
      const inTurn = async (): Promise<void> => {
        await Promise.allSettled(before.map((tell) => tell()));
        await notify(change);
      };
      const told = inTurn();
      for (const one of met) if (!one.tell) one.unclear.push(told);
      await told;
    },

    /** Makes removals and tells of each. Throws what `make` and the first follower throw. */
    async removing<Result>(
      removals: readonly Removal[],
      { make, isMade = () => true, isThere }: Removing<Result>,
    ): Promise<Result> {
      const own = removals.map((removal): Pending => ({ removal, unclear: [], tell: undefined }));
      for (const one of own) pending.add(one);
      try {
        const result = await make();
        if (!isMade(result)) return result;
        for (const one of own) one.tell = tellOnce(one, isThere);
        for (const one of own) {
          await one.tell?.();
          pending.delete(one);
        }
        return result;
      } finally {
        for (const one of own) pending.delete(one);
      }
    },
  };
}
