import { Failure } from "#contract/failures";
import type { Caller } from "../access/principal.ts";
import { mayUse, requireAccess } from "../access/rights.ts";
import type { Recheck } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { ArrivingFile } from "../transfers/changes.ts";
import type { FilesDeps } from "./new-share.ts";

/** Who may share files of which storage: asked when an upload begins, and again right before its file is shared. */
export function createSharingRights({ transfers, callers }: Pick<FilesDeps, "transfers" | "callers">) {
  /** A storage that the caller may use. 404 storage.missing, 403 storage.forbidden. */
  const storageFor = async (caller: Caller, id: string | undefined): Promise<Storage> => {
    const storage = await transfers.storage(id);
    if (!mayUse(caller, storage.config)) throw new Failure("storage.forbidden");
    return storage;
  };

  /** Refuses who may not share a file of this storage. 401 auth.required, 403 auth.forbidden, storage.forbidden. */
  const requireSharing = async (caller: Caller, storage: string): Promise<void> => {
    requireAccess({ access: "file_share" }, caller);
    await storageFor(caller, storage);
  };

  /** Asks whether the caller, with the rights of that moment, may share a file of this storage. 401, 403 auth.forbidden, storage.forbidden. */
  const recheck =
    (caller: Caller, storage: string): Recheck =>
    async () =>
      await requireSharing(await callers.now(caller), storage);

  return {
    storageFor,
    recheck,

    /** Refuses a file whose owner may no longer share it. 401, 403. */
    async admit({ at, by, shared }: ArrivingFile): Promise<void> {
      if (!shared) return;
      const caller = await callers.of(by);
      if (caller.kind === "link") throw new Failure("auth.forbidden");
      await requireSharing(caller, at.storage);
    },
  };
}

export type SharingRights = ReturnType<typeof createSharingRights>;
