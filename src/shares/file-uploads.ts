import { Failure } from "#contract/failures";
import type { Caller } from "../access/principal.ts";
import type { ClaimedPart, ObjectHead, StoredPart } from "../stores/store.ts";
import type { UploadRow } from "../transfers/uploads-table.ts";
import type { FileRow, FilesTable, ListedFileRow } from "./files-table.ts";
import { createNewFile } from "./new-file.ts";
import type { FilesDeps } from "./new-share.ts";
import { createSharingRights } from "./sharing-rights.ts";

interface UploadsDependencies {
  readonly table: FilesTable;
  readonly owned: (caller: Caller, id: string) => Promise<ListedFileRow>;
  readonly removeOne: (row: FileRow, keepFile: boolean) => Promise<void>;
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

/** How files get into shares: begun with a slug and a key of their own, finished by what their storage says. */
export function createFileUploads(deps: FilesDeps, { table, owned, removeOne }: UploadsDependencies) {
  const { clock, log, transfers } = deps;
  const { uploads } = transfers;
  const rights = createSharingRights(deps);

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
      const head = await uploads.finish(file.upload ?? "", {
        parts,
        beforeCommit: rights.recheck(caller, file.storage),
      });
      return (await show(file, head)) ?? (await ownFile(caller, file.id));
    } catch (error) {
      if (error instanceof Failure && error.code === "upload.length") await giveUp(file);
      throw error;
    }
  };

  /** Makes the share visible unless it is so already. */
  const finish = async (caller: Caller, file: ListedFileRow, parts?: readonly ClaimedPart[]): Promise<Finished> =>
    file.pending ? { file: await settle(caller, file, { parts }), repeated: false } : { file, repeated: true };

  return {
    admit: rights.admit,

    begin: createNewFile(deps, table, rights),

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
