import { FOLDER_TYPE } from "../lib/mime.ts";
import type { Incoming, ObjectHead } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import type { HeldKeys } from "./held-keys.ts";
import type { Coming, Room } from "./room.ts";

/** What comes to a key through this server, in place of what is there. */
export interface Placed extends Omit<Coming, "body"> {
  readonly key: string;
  readonly type: string;
  readonly signal?: AbortSignal | undefined;
}

interface PlacingNeeds {
  readonly room: Room;
  readonly changes: Changes;
  readonly keys: HeldKeys;
}

/** Writes objects that nobody has reserved, and changes those that are there; everybody who follows them is told. */
export function createPlacing({ room, changes, keys }: PlacingNeeds) {
  const written = async ({ config }: Storage, head: ObjectHead): Promise<ObjectHead> => {
    await changes.tell({ kind: "written", at: { storage: config.id, key: head.key }, file: head });
    return head;
  };

  return {
    /** 409 path.reserved, 400 upload.length, 413 file.tooLarge, 507 storage.full, and what the store says. */
    place: (storage: Storage, body: Incoming, placed: Placed): Promise<ObjectHead> => {
      const { key, type, length, replaces, signal } = placed;
      return keys.taking(storage, key, () =>
        room.take(storage, { body, length, replaces }, async (bytes, bounds) =>
          written(storage, await storage.store.put(key, bytes, { type, ...bounds, signal })),
        ),
      );
    },

    /**
     * Copies an object within its storage. Undefined when there is nothing to copy. 409 path.reserved, 413 file.tooLarge,
     * 507 storage.full.
     */
    copy: (storage: Storage, from: ObjectHead, to: string, replaces: number): Promise<ObjectHead | undefined> =>
      keys.taking(storage, to, () =>
        room.within(storage, from.size, replaces, async () => {
          const head = await storage.store.copy(from.key, to);
          return head && (await written(storage, head));
        }),
      ),

    /** Makes a folder where a folder or nothing is. 409 path.conflict. */
    async makeFolder({ config, store }: Storage, key: string): Promise<void> {
      await store.put(key, new Response(""), { type: FOLDER_TYPE, length: 0 });
      await changes.tell({ kind: "made", at: { storage: config.id, key } });
    },

    /** Removes objects, and folders that are empty; absent ones are no failure. */
    async remove({ config, store }: Storage, keys: readonly string[]): Promise<void> {
      await store.remove(keys);
      for (const key of keys) await changes.tell({ kind: "removed", at: { storage: config.id, key } });
    },

    /** Refuses a key, or a folder's with all below it, to which a file that is to be shared is on its way. 409 path.reserved. */
    demandFree: keys.demandFree,

    /** Runs what writes to a key, or to a folder's, in another way than by these verbs. 409 path.reserved. */
    taking: keys.taking,

    /** Tells of what was done to a storage in another way. */
    tell: changes.tell,
  };
}

export type Placing = ReturnType<typeof createPlacing>;
