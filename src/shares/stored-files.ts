import { Failure } from "#contract/failures";
import type { ShareOptions } from "#contract/uploads";
import { type Caller, ownerNames } from "../access/principal.ts";
import type { Change } from "../stores/changes.ts";
import type { ObjectHead, Place } from "../stores/store.ts";
import type { FileRow, FilesTable } from "./files-table.ts";
import { claimSlug, draftFor, type FilesDeps } from "./new-share.ts";
import { storedFilesTable } from "./stored-files-table.ts";

/** Rows of shares that are looked at to count those below places: a few milliseconds. */
const MOST_LOOKED_AT = 10_000;
/** Each is an alternative of one statement. */
const PLACES_AT_ONCE = 100;

/** A file that is already in a storage. */
interface StoredFile {
  readonly storage: string;
  readonly filename: string;
  readonly head: ObjectHead;
}

interface StoredFilesDependencies {
  readonly table: FilesTable;
  /** Clears the cached shares. */
  readonly forget: () => Promise<void>;
}

/** Shares of files that were there before them, and what becomes of shares when their files move or go. */
export function createStoredFiles(deps: FilesDeps, { table, forget }: StoredFilesDependencies) {
  const stored = storedFilesTable(deps.db);

  /** Reports whether a change is one of files that are shared. */
  const touches = async (change: Change): Promise<boolean> => {
    switch (change.kind) {
      case "made":
        return false;
      case "written":
        return change.record === undefined && (await stored.fileWritten(change.at, change.file));
      case "removed":
        return await stored.fileGone(change.at, deps.clock());
      case "moved":
        return await stored.fileMoved(change, deps.clock());
    }
  };

  return {
    /**
     * Shares a file in place; `find` returns it once the password is hashed. 400 slug.*, expiry.past, expiry.tooLong; 403 visitors.shares; 409 slug.taken;
     * 404 path.missing if it was removed or replaced before the share existed that could follow it.
     */
    async shareStored(caller: Caller, find: () => Promise<StoredFile>, request: ShareOptions): Promise<FileRow> {
      const draft = await draftFor(deps, caller, request);
      const { storage, filename, head } = await find();
      const { key, size, etag, type } = head;
      const row = { ...draft, filename, storage, key, upload: null, pending: 0, content_type: type, size, etag };
      const slug = await claimSlug(request.slug ?? undefined, (free) =>
        deps.limits.within(caller, () => table.insert({ ...row, slug: free }, undefined)),
      );
      try {
        if ((await deps.transfers.look({ storage, key }))?.etag !== etag) throw new Failure("path.missing");
      } catch (error) {
        await table.remove(row, true);
        throw error;
      } finally {
        await forget();
      }
      return { ...row, slug };
    },

    /**
     * How many shares would end if what lies at these places, and below those of folders, were deleted: of a key its own, of the
     * administrator all. Not exact where there are so many that counting would take long.
     */
    async countAt(caller: Caller, places: readonly Place[]): Promise<{ shares: number; exact: boolean }> {
      const owners = caller.kind === "admin" ? undefined : ownerNames(caller);
      const apart = await placesApart(deps, places);
      let [shares, left] = [0, MOST_LOOKED_AT];
      for (let from = 0; from < apart.length && left > 0; from += PLACES_AT_ONCE) {
        const some = apart.slice(from, from + PLACES_AT_ONCE);
        const found = await stored.countAt({ places: some, owners, limit: left, now: deps.clock() });
        shares += found.shares;
        left -= found.looked;
      }
      return { shares, exact: left > 0 };
    },

    /** A page of the shares of the file at a place, newest first: of a key its own, of the administrator all. */
    async ofFile(caller: Caller, place: Place, page: { readonly limit: number; readonly offset: number }) {
      const owners = caller.kind === "admin" ? undefined : ownerNames(caller);
      return await stored.ofFile({ place, owners, ...page });
    },

    /**
     * A share follows a moved file and shows what the tree writes into it; one whose file was deleted stays gone,
     * whatever comes to the same key.
     */
    async follow(change: Change): Promise<void> {
      if (await touches(change)) await forget();
    },
  };
}

/** Places without those that are the same as another one or lie below it, also in another storage on its bucket. */
async function placesApart({ transfers }: FilesDeps, places: readonly Place[]): Promise<Place[]> {
  const buckets = new Map<string, string>();
  for (const id of new Set(places.map(({ storage }) => storage))) {
    const { config } = await transfers.storage(id);
    buckets.set(id, `${config.endpoint_url} ${config.bucket_name}`);
  }
  const nameOf = ({ storage, key }: Place): string => `${buckets.get(storage)} ${key}`;
  const byName = new Map(places.map((place) => [nameOf(place), place]));
  const isBelow = ({ storage, key }: Place): boolean =>
    [...key.slice(0, -1).matchAll(/\//g)].some(({ index }) =>
      byName.has(nameOf({ storage, key: key.slice(0, index + 1) })),
    );
  return [...byName.values()].filter((place) => !isBelow(place));
}
