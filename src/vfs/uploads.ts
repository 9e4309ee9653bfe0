import { Failure, type FailureCode } from "#contract/failures";
import { isFilename, join } from "#contract/paths";
import { ownerName } from "../access/principal.ts";
import { bearerOf } from "../access/standing.ts";
import { typeOf } from "../lib/mime.ts";
import type { ClaimedPart, ObjectHead, Place, StoredPart } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { UploadRow } from "../transfers/uploads-table.ts";
import type { Access } from "./access.ts";
import { type Entry, fileEntry } from "./entry.ts";
import type { MountedLocation } from "./layout.ts";
import { isFile } from "./lookup.ts";
import type { Target, Writing } from "./writing.ts";

/** A file that somebody is about to upload. */
interface UploadRequest {
  /** Of its folder. */
  readonly folder: string;
  readonly name: string;
  readonly type?: string | null | undefined;
  /** Bytes; undefined when nobody knows. */
  readonly size: number | undefined;
  /** Bytes of all parts but the last, for an upload in parts. */
  readonly partSize?: number;
}

/** An upload on its way to a path. */
export interface TreeUpload {
  readonly row: UploadRow;
  readonly path: string;
  readonly location: MountedLocation;
  readonly storage: Storage;
}

/** An upload in parts as whoever began it names it. */
export interface PartsName {
  /** Of the file, or of its folder when the name is given as well. */
  readonly path: string;
  readonly name?: string | undefined;
  readonly upload: string;
}

/** An upload in parts that is under way, or what it came to. */
type Parts = { readonly there: Target } & (
  | { readonly row: UploadRow; readonly ended: undefined }
  | { readonly row: undefined; readonly ended: ObjectHead }
);

/** A file that has arrived. */
export interface Arrived {
  readonly entry: Entry;
  /** Of the object. */
  readonly key: string;
}

/** What whoever sent a file says of it. */
interface Claim {
  readonly id?: string | undefined;
  /** Without quotes, as the storage answered it. */
  readonly etag?: string | null | undefined;
}

/** The path of a file in a folder. 400 filename.invalid. */
export function filePath(folder: string, name: string): string {
  if (!isFilename(name)) throw new Failure("filename.invalid");
  return join(folder.length > 1 && folder.endsWith("/") ? folder.slice(0, -1) : folder, name);
}

/** Uploads whose bytes do not pass a verb of the view: they go to addresses, and take the place of what is there. */
export function createTreeUploads({ room, caller, confirm }: Access, { target }: Pick<Writing, "target">) {
  const { transfers } = room;
  const { uploads } = transfers;

  /** 400 path.isFolder beside those of `target`. */
  const fileTarget = async (path: string): Promise<Target> => {
    const there = await target("write", path);
    if (there.location.folder || (there.found && !isFile(there.found))) throw new Failure("path.isFolder");
    return there;
  };

  const placeOf = ({ location }: Target): Place => ({ storage: location.mount.storage, key: location.key });

  const arrived = ({ location }: Target, head: ObjectHead): Arrived => ({
    entry: fileEntry(location.path, head),
    key: head.key,
  });

  /** 404 upload.missing. Clients name the file's folder and its name, or its path. */
  const parts = async ({ path, name, upload }: PartsName): Promise<Parts> => {
    const paths = name === undefined ? [path] : [filePath(path, name), path];
    for (const one of paths) {
      const there = await targetOr(one.replace(/\/+$/, "") || "/");
      if (!there) continue;
      const row = await uploads.findParts(placeOf(there), upload);
      if (row) return { row, ended: undefined, there };
      const ended = uploads.ended(placeOf(there), upload);
      if (ended) return { row, ended, there };
    }
    throw new Failure("upload.missing");
  };

  /** As `parts`, for those that are still under way. */
  const pendingParts = async (name: PartsName): Promise<UploadRow> => {
    const { row } = await parts(name);
    if (!row) throw new Failure("upload.missing");
    return row;
  };

  /** Undefined where no file could be, and so no upload is. */
  const targetOr = async (path: string): Promise<Target | undefined> => {
    try {
      return await target("write", path);
    } catch (error) {
      if (error instanceof Failure && NOWHERE.includes(error.code)) return undefined;
      throw error;
    }
  };

  return {
    /** Reserves the bytes. 400 filename.invalid, upload.parts, path.isFolder; 409 path.reserved; 413 file.tooLarge; 507 storage.full. */
    async begin(request: UploadRequest): Promise<TreeUpload> {
      const { folder, name, type, size, partSize } = request;
      const path = filePath(folder, name);
      const { location, storage, found } = await fileTarget(path);
      const row = await uploads.begin({
        policy: "replace",
        storage,
        key: location.key,
        type: typeOf(name, type),
        size,
        partSize,
        found: found && isFile(found) ? found.head : undefined,
        by: bearerOf(caller),
      });
      return { row, path: location.path, location, storage };
    },

    /**
     * Ends an upload of one piece: without an id the last one that the caller began for the path. One that has ended is answered
     * again, if that is not long ago or what is there has exactly the ETag that its sender names. 404 upload.missing, 409
     * upload.incomplete, also when what is there is not what was sent.
     */
    async commit(path: string, { id, etag: sent }: Claim): Promise<Arrived> {
      const there = await fileTarget(path);
      const place = placeOf(there);
      const etag = sent?.replaceAll('"', "") || undefined;
      const owner = ownerName(caller);
      const row = await (id === undefined ? uploads.findLatest(place, owner) : uploads.findReplacing(id));
      if (row && (row.storage !== place.storage || row.key !== place.key)) throw new Failure("upload.missing");
      if (row) return arrived(there, await uploads.finish(row.id, { etag, confirm: confirm("write", there.location) }));
      const ended = uploads.ended(place, id ?? owner);
      if (ended && (etag === undefined || etag === ended.etag)) return arrived(there, ended);
      if (etag === undefined || !there.found || !isFile(there.found) || there.found.head.etag !== etag)
        throw new Failure("upload.missing");
      return arrived(there, there.found.head);
    },

    /** An upload in parts that is under way, with the parts that have arrived when they are asked for. 404 upload.missing. */
    async parts(name: PartsName, list: boolean): Promise<{ row: UploadRow; parts: StoredPart[] }> {
      const row = await pendingParts(name);
      return { row, parts: list ? await transfers.parts(row) : [] };
    },

    /** Ends an upload in parts, or answers again what ended not long ago. 404 upload.missing, 400 upload.parts, 409 upload.incomplete. */
    async complete(name: PartsName, claimed: readonly ClaimedPart[]): Promise<Arrived> {
      const { row, there, ended } = await parts(name);
      const sent = { parts: claimed, confirm: confirm("write", there.location) };
      return arrived(there, row ? await uploads.finish(row.id, sent) : ended);
    },

    /** Gives up what was begun. */
    giveUp: ({ row }: TreeUpload): Promise<void> => uploads.drop(row.id),

    /** Gives an upload in parts up; an absent one is no failure. */
    async abort(name: PartsName): Promise<void> {
      try {
        await uploads.drop((await pendingParts(name)).id);
      } catch (error) {
        if (!(error instanceof Failure && error.code === "upload.missing")) throw error;
      }
    },
  };
}

/** What says of a path that no file could be there. */
const NOWHERE: readonly FailureCode[] = ["path.root", "path.mount", "path.conflict", "mount.none"];
