import { Failure } from "#contract/failures";
import { folderSegments, isFilename } from "#contract/paths";
import type { NewFile } from "#contract/uploads";
import { bearerOf } from "../access/callers.ts";
import type { Caller } from "../access/principal.ts";
import { mayUse, requireAccess } from "../access/rights.ts";
import { typeOf } from "../lib/mime.ts";
import type { ClaimedPart, ObjectHead, Recheck, StoredPart } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import type { ArrivingFile } from "../transfers/changes.ts";
import type { UploadRow } from "../transfers/uploads-table.ts";
import type { FileRow, FilesTable, ListedFileRow } from "./files-table.ts";
import { answeredBefore, claimSlug, draftFor, type FilesDeps, type RequestKey, requestKeyOf } from "./new-share.ts";

interface UploadsDependencies {
  readonly table: FilesTable;
  readonly owned: (caller: Caller, id: string) => Promise<ListedFileRow>;
  readonly removeOne: (row: FileRow, keepFile: boolean) => Promise<void>;
}

/** A share that waits for its file, and the upload that brings it. */
export interface Begun {
  readonly file: FileRow;
  readonly upload: UploadRow;
  readonly storage: Storage;
}

/** A share that has its file. */
export interface Finished {
  readonly file: ListedFileRow;
  /** Whether it was finished before this call. */
  readonly repeated: boolean;
}

/** Makes a share visible that has its file, whose attributes in the storage these are; may return what it is then. */
export type Show = (file: FileRow, head: ObjectHead) => Promise<ListedFileRow | undefined>;

/** How the upload of a share ends. */
interface Ending {
  readonly parts?: readonly ClaimedPart[] | undefined;
  readonly show?: Show | undefined;
}

/** An upload in parts as its owner names it. */
interface OwnUpload {
  readonly file_id: string;
  readonly upload_id: string;
}

/** An upload that its owner gives up; only one in parts has an id of its own. */
interface Unfinished {
  readonly file_id: string;
  readonly upload_id?: string | undefined;
}

/** A file to share. */
interface NewUpload extends NewFile {
  /** Bytes of every part but the last, for a file in parts. */
  readonly part_size?: number | undefined;
}

/** How files get into shares: begun with a slug and a key of their own, finished by what their storage says. */
export function createFileUploads(deps: FilesDeps, { table, owned, removeOne }: UploadsDependencies) {
  const { clock, log, transfers, callers } = deps;
  const { uploads } = transfers;

  /** A storage that the caller may use. 404 storage.missing, 403 storage.forbidden. */
  const storageFor = async (caller: Caller, id: string | undefined): Promise<Storage> => {
    const storage = await transfers.storage(id);
    if (!mayUse(caller, storage.config)) throw new Failure("storage.forbidden");
    return storage;
  };

  /** Refuses who may not share a file of this storage. 401 auth.required, 403 auth.forbidden, storage.forbidden. */
  const requireSharing = async (caller: Caller, storage: string): Promise<void> => {
    requireAccess("file_share", caller);
    await storageFor(caller, storage);
  };

  /** Asks whether the caller, with the rights of that moment, may share a file of this storage. As `requireSharing`, and 401. */
  const recheck =
    (caller: Caller, storage: string): Recheck =>
    async () =>
      await requireSharing(await callers.now(caller), storage);

  /** Returns a share of the caller; the caller names an upload, so that is what is missing. 404 upload.missing. */
  const ownFile = async (caller: Caller, id: string): Promise<ListedFileRow> => {
    try {
      return await owned(caller, id);
    } catch (error) {
      throw error instanceof Failure && error.code === "share.missing" ? new Failure("upload.missing") : error;
    }
  };

  /** The upload in parts that a share waits for or waited for. 404 upload.missing. */
  const ownUpload = async (caller: Caller, { file_id, upload_id }: OwnUpload) => {
    const file = await ownFile(caller, file_id);
    const upload = await uploads.get(file.upload ?? "");
    if (upload.multipart !== upload_id) throw new Failure("upload.missing");
    return { file, upload };
  };

  /** Returns the upload that the same request began before. 409 request.differs. */
  const begunBefore = async (requestKey: RequestKey | undefined): Promise<Begun | undefined> => {
    const file = requestKey && answeredBefore(requestKey, await table.findByRequestKey(requestKey.key));
    if (!file) return undefined;
    const [upload, storage] = [await uploads.get(file.upload ?? ""), await transfers.storage(file.storage)];
    return { file, upload, storage };
  };

  const begin = async (caller: Caller, request: NewUpload, repeatable?: string): Promise<Begun> => {
    const partSize = request.part_size;
    const requestKey =
      repeatable === undefined ? undefined : requestKeyOf(caller, repeatable, { ...request, partSize });
    const before = await begunBefore(requestKey);
    if (before) return before;
    if (!isFilename(request.filename)) throw new Failure("filename.invalid");
    const segments = folderSegments(request.path ?? "");
    if (!segments) throw new Failure("path.invalid");
    const storage = await storageFor(caller, request.s3_config_id ?? undefined);
    const draft = {
      ...(await draftFor(deps, caller, request)),
      filename: request.filename,
      storage: storage.config.id,
      pending: 1,
      content_type: typeOf(request.filename, request.mimetype),
      size: request.size ?? 0,
      etag: null,
    };
    const upload = await uploads.begin({
      policy: "fresh",
      storage,
      folder: storage.config.default_folder + segments.map((segment) => `${segment}/`).join(""),
      filename: request.filename,
      type: draft.content_type,
      size: request.size ?? undefined,
      partSize,
      by: bearerOf(caller),
    });
    const row = { ...draft, key: upload.key, upload: upload.id };
    try {
      const slug = await claimSlug(request.slug ?? undefined, (free) =>
        table.insert({ ...row, slug: free }, requestKey),
      );
      return { file: { ...row, slug }, upload, storage };
    } catch (error) {
      await uploads.drop(upload.id);
      // The same request may have come twice at once: what took the slug or the key is then its twin.
      const twin = await begunBefore(requestKey);
      if (twin) return twin;
      throw error;
    }
  };

  /**
   * Drops an upload after a failure, which is the one the caller learns of; the sweeper removes what cannot be removed now. A share
   * that became visible all the same stays: nobody knows what a database did that did not answer.
   */
  const giveUp = async (file: FileRow): Promise<void> => {
    try {
      if ((await table.giveUp(file)) && file.upload !== null) await uploads.drop(file.upload);
    } catch (trouble) {
      log.error("upload not given up", { upload: file.upload, error: String(trouble) });
    }
  };

  const showNew: Show = ({ id }, head) => table.settle(id, head, clock());

  /** Makes the share visible once its upload has ended. A file that is larger than was declared is never shared. */
  const settle = async (
    caller: Caller,
    file: FileRow,
    { parts, show = showNew }: Ending = {},
  ): Promise<ListedFileRow> => {
    try {
      const head = await uploads.finish(file.upload ?? "", { parts, beforeCommit: recheck(caller, file.storage) });
      return (await show(file, head)) ?? (await ownFile(caller, file.id));
    } catch (error) {
      if (error instanceof Failure && error.code === "upload.length") await giveUp(file);
      throw error;
    }
  };

  /** As `settle`; may be repeated. */
  const finish = async (caller: Caller, file: ListedFileRow, parts?: readonly ClaimedPart[]): Promise<Finished> =>
    file.pending ? { file: await settle(caller, file, { parts }), repeated: false } : { file, repeated: true };

  return {
    /** Refuses a file whose owner may no longer share it. 401, 403. */
    async admit({ at, by, shared }: ArrivingFile): Promise<void> {
      if (shared) await requireSharing(await callers.of(by), at.storage);
    },

    /**
     * Reserves slug, key and bytes for a file that its owner will put. 400 filename.invalid, path.invalid, slug.*,
     * expiry.past, upload.parts; 403 storage.forbidden; 409 slug.taken, path.conflict; 413 file.tooLarge; 507 storage.full. A
     * caller that repeats a request key within a day gets the first result; 409 request.differs for another request.
     */
    begin,

    /**
     * Makes the share visible once its storage has the file. May be repeated. 404 upload.missing, 409 upload.incomplete; 400
     * upload.length for a file larger than was declared, of which nothing remains.
     */
    commit: async (caller: Caller, id: string): Promise<Finished> => await finish(caller, await ownFile(caller, id)),

    settle,

    giveUp,

    /** The parts of an unfinished upload that have arrived. 404 upload.missing, 409 upload.finished. */
    async parts(caller: Caller, own: OwnUpload): Promise<{ upload: UploadRow; parts: StoredPart[] }> {
      const { upload } = await ownUpload(caller, own);
      return { upload, parts: await transfers.parts(upload) };
    },

    /** Makes the share visible once all parts are there. May be repeated. 400 upload.parts, 409 upload.incomplete. */
    async complete(caller: Caller, own: OwnUpload, parts: readonly ClaimedPart[]): Promise<Finished> {
      const { file } = await ownUpload(caller, own);
      return await finish(caller, file, parts);
    },

    /**
     * Gives an unfinished upload up; nothing of it remains. One that is named by its share alone may be of any kind.
     * 404 upload.missing, 409 upload.finished.
     */
    async abort(caller: Caller, { file_id, upload_id }: Unfinished): Promise<void> {
      const file =
        upload_id === undefined
          ? await ownFile(caller, file_id)
          : (await ownUpload(caller, { file_id, upload_id })).file;
      if (!file.pending) throw new Failure("upload.finished");
      await removeOne(file, false);
    },
  };
}
