import { Failure } from "#contract/failures";
import { parentOf, within } from "#contract/paths";
import type { TakenBack } from "../transfers/arrivals.ts";
import { all, type Recheck, type ResolvedPath } from "./access.ts";
import { isFile } from "./entry.ts";
import { folderKeyOf } from "./layout.ts";
import { storageOf } from "./lookup.ts";
import { exclusively, targetOf } from "./write.ts";

/** What a sender takes back. */
export interface SentFile {
  readonly etag: string | null;
  /** The folder that was made for what they send, if there is one. */
  readonly folder: string | null;
}

/** Requires that a name may go from its folder: a lock of the folder alone forbids that, of which writing asks for new names only. 423 path.locked. */
const nameMayGo =
  (at: ResolvedPath): Recheck =>
  async () => {
    const { deps, layout, location, tokens = [] } = await at.again();
    deps.locks.requireFree({ paths: layout.paths(location), deep: false, member: true, tokens });
  };

/**
 * Removes a file for ever that its sender takes back, if it is as it came, and of the folders that were made for it those that hold nothing
 * any more. 403, 404, 423 as writing there.
 */
export async function takeBack(at: ResolvedPath, { etag, folder }: SentFile): Promise<TakenBack> {
  const outcome = await removeSent(at, etag);
  if (folder !== null && outcome !== "changed") await removeFoldersOf(at, folder);
  return outcome;
}

/**
 * Removes the folders of a file that is gone, up to that of its sender, as long as they are empty: a store with real folders asks and removes at
 * once, so that what comes meanwhile stays. In other stores they are gone with the file. What hinders it leaves an empty folder, no more.
 */
async function removeFoldersOf(at: ResolvedPath, own: string): Promise<void> {
  const { transfers } = at.deps;
  try {
    for (let path = parentOf(at.location.path); within(own, path); path = parentOf(path)) {
      const folder = at.at(path);
      const location = folder.requireWritable("write", false);
      const storage = await storageOf(transfers, location);
      const { tree } = storage.store;
      if (!tree) return;
      const key = folderKeyOf(location);
      const remove = () => tree.removeEmpty(key, all(folder.recheck("write", location), nameMayGo(folder)));
      if (!(await transfers.objects.removeEmpty(storage, key, remove))) return;
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
}

async function removeSent(at: ResolvedPath, etag: string | null): Promise<TakenBack> {
  return await exclusively(at, [at.location], async () => {
    const { location, storage, found } = await targetOf(at, "write");
    if (!found) return "missing";
    if (!isFile(found) || found.head.etag !== etag) return "changed";
    const versionCheck = async () => {
      const now = await storage.store.head(location.key);
      if (now?.etag !== etag) throw new Failure("path.changed");
    };
    const mayRemove = all(at.recheck("write", location), nameMayGo(at), versionCheck);
    await at.deps.transfers.objects.remove(storage, [location.key], mayRemove);
    return "removed";
  });
}
