import { Failure } from "#contract/failures";
import type { Incoming, ObjectHead, PutOptions } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { Changes } from "./changes.ts";
import type { Room } from "./room.ts";

/** What comes to a key through this server, in place of what is there. */
export interface Placed {
  readonly key: string;
  readonly type: string;
  /** Bytes; undefined when nobody knows. */
  readonly length: number | undefined;
  /** Bytes that make room, because they are what is replaced. */
  readonly replaces: number;
  readonly signal?: AbortSignal | undefined;
}

/** Writes objects that nobody has reserved, and changes those that are there; everybody who follows them is told. */
export function createPlacing({ room, changes }: { room: Room; changes: Changes }) {
  const written = async ({ config }: Storage, head: ObjectHead): Promise<ObjectHead> => {
    await changes.tell({ kind: "written", at: { storage: config.id, key: head.key }, file: head });
    return head;
  };

  /** Runs what writes so many bytes while nobody else may count on the room for them. 413 file.tooLarge, 507 storage.full. */
  const within = async <Result>(storage: Storage, bytes: number, replaced: number, write: () => Promise<Result>) => {
    await room.check(storage, bytes, replaced);
    const release = room.hold(storage.config.id, Math.max(0, bytes - replaced));
    try {
      return await write();
    } finally {
      release();
    }
  };

  return {
    /** 400 upload.length, 413 file.tooLarge, 507 storage.full, and what the store says. */
    async place(
      storage: Storage,
      body: Incoming,
      { key, type, length, replaces, signal }: Placed,
    ): Promise<ObjectHead> {
      const put = (options: PutOptions) => storage.store.put(key, body, { ...options, signal });
      if (length !== undefined)
        return await within(storage, length, replaces, async () => await written(storage, await put({ type, length })));
      const limit = await room.limit(storage, replaces);
      try {
        return await written(storage, await put({ type, limit }));
      } catch (error) {
        const beyond = error instanceof Failure && error.code === "file.tooLarge";
        throw beyond ? await room.beyond(storage, limit) : error;
      }
    },

    /** Copies an object within its storage. Undefined when there is nothing to copy. 413 file.tooLarge, 507 storage.full. */
    copy: (storage: Storage, from: ObjectHead, to: string, replaces: number): Promise<ObjectHead | undefined> =>
      within(storage, from.size, replaces, async () => {
        const head = await storage.store.copy(from.key, to);
        return head && (await written(storage, head));
      }),

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

    /** Tells of what was done to a storage in another way. */
    tell: changes.tell,
  };
}

const FOLDER_TYPE = "application/x-directory";

export type Placing = ReturnType<typeof createPlacing>;
