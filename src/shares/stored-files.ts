import type { ShareOptions } from "#contract/uploads";
import type { Caller } from "../access/principal.ts";
import type { ObjectHead } from "../stores/store.ts";
import type { Change } from "../transfers/changes.ts";
import { draftFor } from "./file-draft.ts";
import type { FilesRoom } from "./files.ts";
import type { FileRow, FilesTable } from "./files-table.ts";
import { claimSlug } from "./slugs.ts";

/** A file that lies in a storage already. */
export interface StoredFile {
  readonly storage: string;
  readonly filename: string;
  readonly head: ObjectHead;
}

/** What the rest of the room lends. */
interface Lent {
  readonly table: FilesTable;
  /** Forgets what is kept of shares. */
  readonly forget: () => void;
}

/** Shares of files that were there before them, and what becomes of shares when their files move or go. */
export function createStoredFiles(room: FilesRoom, { table, forget }: Lent) {
  return {
    /** Shares a file where it lies. 400 slug.*, expiry.past; 409 slug.taken. */
    async shareStored(caller: Caller, { storage, filename, head }: StoredFile, wish: ShareOptions): Promise<FileRow> {
      const draft = await draftFor(room, caller, wish);
      const { key, size, etag, type } = head;
      const row = { ...draft, filename, storage, key, upload: null, pending: 0, content_type: type, size, etag };
      const slug = await claimSlug(wish.slug ?? undefined, (free) => table.insert({ ...row, slug: free }, undefined));
      forget();
      return { ...row, slug };
    },

    /** A share follows a file that moves; one whose file was deleted is gone for good, whatever comes to the same key. */
    async follow(change: Change): Promise<void> {
      if (change.kind === "written" || change.kind === "made") return;
      const touched =
        change.kind === "removed"
          ? await table.fileGone(change.at, room.clock())
          : await table.fileMoved(change.from, change.to, room.clock());
      if (touched) forget();
    },
  };
}
