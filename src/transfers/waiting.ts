/**
 * Files that wait at the root of their bucket, under a name that nobody sees: storages elsewhere fix the key of what is written before its
 * bytes come, and what takes no place of something learns its key in the end. A sender who is given an address of it reads no folder there.
 */
import { Failure } from "#contract/failures";
import { STAGING } from "#contract/paths";
import { isLocal } from "#contract/providers";
import { isStaged } from "../stores/staging.ts";
import type { FindPlace, ObjectHead } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { Intents } from "./intents.ts";
import type { UploadRow } from "./uploads-table.ts";

/** How often a place is looked for that somebody without a turn takes right before the file is there. */
const PLACE_TRIES = 20;

/** Where a file waits that is to go to a key; at that key where the storage can say in the end what it is. */
export const waitingKey = ({ config }: Storage, key: string): string =>
  isLocal(config) ? key : `${STAGING}${Bun.randomUUIDv7()}`;

/** Reports whether an upload goes to another key in the end. */
export const isWaiting = ({ key }: Pick<UploadRow, "key">): boolean => isStaged(key);

interface Waiting {
  readonly row: Pick<UploadRow, "storage" | "key" | "tags">;
  readonly storage: Storage;
  readonly head: ObjectHead;
  readonly intents: Pick<Intents, "write">;
}

/** Copies what waits to its place, and tells followers. Whoever calls removes it from where it has waited. 409 path.taken. */
export async function putInPlace(waiting: Waiting, findPlace: FindPlace): Promise<ObjectHead> {
  for (let tries = 1; ; tries++) {
    const { key, beforeCommit, pass } = await findPlace();
    try {
      return await copyTo(waiting, key, beforeCommit);
    } catch (error) {
      const isTaken = error instanceof Failure && error.code === "path.taken";
      if (!isTaken || tries === PLACE_TRIES) throw error;
    } finally {
      pass();
    }
  }
}

/** Has `write` write what is to wait, and puts it in its place; when that breaks off, nothing of it is left. */
export async function viaWaiting(
  { intents, ...waiting }: Omit<Waiting, "head" | "intents"> & { readonly intents: Pick<Intents, "write" | "stage"> },
  findPlace: FindPlace,
  write: (key: string) => Promise<ObjectHead>,
): Promise<ObjectHead> {
  const { row, storage } = waiting;
  const staged = await intents.stage({ storage: row.storage, key: waitingKey(storage, row.key) });
  try {
    return await putInPlace({ ...waiting, intents, head: await write(staged.at.key) }, findPlace);
  } finally {
    await staged.end();
  }
}

async function copyTo({ row, storage, head, intents }: Waiting, key: string, beforeCommit: () => Promise<void>) {
  const at = { storage: row.storage, key };
  const copy = async () => {
    const file = await storage.store.copy(head.key, key, { found: head, beforeCommit });
    if (!file) throw new Failure("upload.missing");
    return file;
  };
  return await intents.write(at, copy, (file) => ({ kind: "written", at, file, tags: row.tags ?? "" }));
}
