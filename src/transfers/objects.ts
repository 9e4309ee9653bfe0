/** Changes of objects without an upload: copies within a storage, new folders and removals. Each is reported to followers. */
import { FOLDER_TYPE } from "../lib/mime.ts";
import type { Described, ObjectHead, Place, Recheck } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import { isThere } from "./at-key.ts";
import type { Changes } from "./changes.ts";
import type { Intents } from "./intents.ts";
import type { Quota } from "./quota.ts";
import type { WantedMove } from "./recorded-move.ts";
import type { Reservations } from "./reservations.ts";

/** A copy within a storage. */
interface Copy {
  readonly from: ObjectHead;
  readonly to: string;
  /** Bytes of the object it replaces. */
  readonly replaces: number;
  readonly beforeCommit: Recheck;
  /** What is said of the copy in place of what is said of the object. */
  readonly described?: Described | undefined;
  /** Of the copy. */
  readonly tags: string;
  readonly owner: string;
}

interface ObjectsDependencies {
  readonly quota: Quota;
  readonly changes: Changes;
  readonly intents: Intents;
  readonly reservations: Reservations;
}

/** Each verb calls its `beforeCommit` right before its effect, and does nothing when that throws. */
export function createObjects({ quota, changes, intents, reservations }: ObjectsDependencies) {
  return {
    /** Copies this version of an object within its storage. Undefined when it is not there any more. 409 path.reserved, 413 file.tooLarge, 507 storage.full. */
    copy: (
      storage: Storage,
      { from, to, replaces, beforeCommit, described, tags, owner }: Copy,
    ): Promise<ObjectHead | undefined> =>
      reservations.writing(storage, to, () => {
        const at = { storage: storage.config.id, key: to };
        const copy = () =>
          intents.write(
            at,
            () => storage.store.copy(from.key, to, { beforeCommit, found: from, ifMatch: from.etag, described }),
            (file) => file && { kind: "written", at, file, tags },
          );
        const written = { owner, storage: at.storage, size: from.size };
        return quota.visitors.writing(written, () => quota.within(storage, from.size, { replaced: replaces }, copy));
      }),

    /** Makes a folder where a folder or nothing is. 409 path.conflict. */
    async makeFolder({ config, store }: Storage, key: string, beforeCommit: Recheck): Promise<void> {
      const at = { storage: config.id, key };
      const empty = () => store.put(key, new Response(""), { type: FOLDER_TYPE, length: 0, beforeCommit });
      await intents.write(at, empty, ({ modified }) => ({ kind: "made", at, modified }));
    },

    /** Removes objects, and folders that are empty; absent ones are no failure. */
    async remove({ config, store }: Storage, keys: readonly string[], beforeCommit: Recheck): Promise<void> {
      const planned = keys.map((key) => ({ kind: "removed", at: { storage: config.id, key } }) as const);
      const isLeft = (at: Place) => isThere(store, at.key);
      await intents.change(planned, () => store.remove(keys, { beforeCommit }), isLeft);
    },

    /** Has `make` remove a folder in which nothing is; answers whether it is gone. Only then followers are told, once and without a record. */
    removeEmpty({ config, store }: Storage, key: string, make: () => Promise<boolean>): Promise<boolean> {
      const gone = { kind: "removed", at: { storage: config.id, key } } as const;
      return changes.removing([gone], { make, isMade: (isGone) => isGone, isThere: (at) => isThere(store, at.key) });
    },

    /** Records that what comes to a key, as a file or as a folder, is not complete: when this breaks off, it goes. */
    stage: intents.stage,

    /** Runs another write to a key, or to a folder, while no fresh upload can reserve it. 409 path.reserved. */
    writing: reservations.writing,

    /** Runs another change, and notifies followers of it. */
    change: intents.change,

    /**
     * Moves a file or a folder within its storage and tells followers, also when the process ends in between. In place of something only
     * if it says so. Answers what has changed at the source that it leaves, and is still there. 404 path.missing; 400 path.into,
     * path.large; 409 path.reserved.
     */
    move: (storage: Storage, wanted: WantedMove, beforeCommit: Recheck): Promise<readonly string[]> =>
      reservations.writing(storage, wanted.to.key, (leave) => intents.move(storage, wanted, { beforeCommit, leave })),

    /** As `move`, to a key in the trash: nobody else writes there. */
    async discard(storage: Storage, wanted: WantedMove, beforeCommit: Recheck): Promise<void> {
      const left: (() => Promise<void>)[] = [];
      try {
        await intents.move(storage, wanted, { beforeCommit, leave: (task) => void left.push(task) });
      } finally {
        await Promise.all(left.map((task) => task()));
      }
    },

    /**
     * Moves a file to another mount by a copy, also when the process ends in between. Answers whether it is gone where it was: what was
     * written there since it was copied stays.
     */
    carry: intents.carry,

    /** Tells followers of a change that was made, once and without a record. */
    tell: changes.tell,
  };
}
