import { Failure } from "#contract/failures";
import { partSizeFor, UPLOAD_LIFE } from "#contract/limits";
import type { NewFile } from "#contract/uploads";
import type { Caller } from "../access/principal.ts";
import { owns } from "../access/rights.ts";
import type { Append } from "../transfers/appends.ts";
import type { UploadTurn } from "../transfers/upload-writers.ts";
import type { UploadRow } from "../transfers/uploads-table.ts";
import type { FileRow, FilesTable, ListedFileRow } from "./files-table.ts";
import type { Begun, NewUpload } from "./new-file.ts";
import type { FilesDeps } from "./new-share.ts";

interface ResumableDeps {
  readonly table: Pick<FilesTable, "findByUpload">;
  readonly begin: (caller: Caller, request: NewUpload) => Promise<Begun>;
  /** Makes a share visible whose file has arrived. */
  readonly settle: (
    caller: Caller,
    file: FileRow,
    ending: { readonly parts: readonly { readonly number: number; readonly etag: string }[] },
  ) => Promise<ListedFileRow>;
  readonly abort: (caller: Caller, own: { readonly file_id: string }) => Promise<void>;
}

/** A share whose file is sent by as many requests as it takes. */
export interface ResumableFile {
  /** That of its upload: the id of a share is no secret, and visitors are one owner. */
  readonly id: string;
  readonly file: FileRow;
  /** Bytes that have arrived. */
  readonly offset: number;
  /** Bytes of the file; null when nobody has said. */
  readonly total: number | null;
  /** Whether the share is there. */
  readonly isDone: boolean;
  /** As the header Upload-Metadata has it. */
  readonly metadata: string | null;
  /** Until when it waits for more, in epoch milliseconds. */
  readonly expires: number;
}

interface Own {
  readonly file: ListedFileRow;
  readonly upload: UploadRow;
}

/** No more bytes than have come. */
const nothing = () =>
  ({ body: new Response(), length: 0, total: undefined, ends: "at total", digest: undefined }) as const;

/** Takes files that are sent by several requests, each of which appends to what has come. */
export function createResumableFiles(
  { transfers, clock }: Pick<FilesDeps, "transfers" | "clock">,
  { table, begin, settle, abort }: ResumableDeps,
) {
  const { appends, newest, uploads } = transfers;

  /** A resumable upload of the caller, with its share. 404 upload.missing, also for what has waited too long. */
  const ownUpload = async (caller: Caller, id: string): Promise<Own> => {
    const file = await table.findByUpload(id);
    if (!file || !owns(caller, file.created_by)) throw new Failure("upload.missing");
    const upload = await uploads.get(id);
    const isLate = file.pending === 1 && upload.touched_at + UPLOAD_LIFE <= clock();
    if (upload.append_size === null || isLate) throw new Failure("upload.missing");
    return { file, upload };
  };

  const done = (file: FileRow, { id: upload, metadata }: UploadRow): ResumableFile => ({
    ...{ id: upload, file, offset: file.size, total: file.size, isDone: true, metadata },
    expires: clock() + UPLOAD_LIFE,
  });

  const waiting = ({ file, upload }: Own, extent: Pick<ResumableFile, "offset" | "total">): ResumableFile => {
    const { id, metadata, touched_at } = upload;
    return { id, file, ...extent, isDone: false, metadata, expires: touched_at + UPLOAD_LIFE };
  };

  /** All bytes are there: shares the file. */
  const shareWhole = async (caller: Caller, file: FileRow, upload: UploadRow): Promise<ResumableFile> =>
    done(await settle(caller, file, { parts: await transfers.parts(await uploads.get(upload.id)) }), upload);

  const append = async (caller: Caller, { file, upload }: Own, sent: Append, turn: UploadTurn) => {
    const { isWhole, ...extent } = await appends.append(upload, sent, turn);
    if (isWhole) return await shareWhole(caller, file, upload);
    const { id, metadata } = upload;
    return { id, file, ...extent, isDone: false, metadata, expires: clock() + UPLOAD_LIFE };
  };

  type Work<Result> = (own: Own, turn: UploadTurn) => Promise<Result>;

  /** Runs what works on an upload once older requests have ended; nobody else's request ends them. */
  const working = async <Result>(caller: Caller, id: string, work: Work<Result>, how?: { readonly brief: boolean }) => {
    await ownUpload(caller, id);
    return await newest(id, async (turn) => await work(await ownUpload(caller, id), turn), how);
  };

  return {
    /**
     * Reserves slug, key and, where `size` says them, bytes. Failures are those of any new file; 429 upload.tooMany for a caller with too many
     * that are not finished.
     */
    async begin(caller: Caller, request: NewFile, metadata?: string): Promise<ResumableFile> {
      const { size } = request;
      const partSize = partSizeFor(size ?? transfers.largest());
      const part_size = size == null ? 0 : partSize;
      // What programs tell of a file is its name above all, which of a sealed one nobody keeps.
      const resumable = { partSize, metadata: request.sealed ? undefined : metadata };
      const { file, upload } = await begin(caller, { ...request, part_size, resumable });
      const expires = upload.touched_at + UPLOAD_LIFE;
      const { id } = upload;
      return { id, file, offset: 0, total: size ?? null, isDone: false, metadata: upload.metadata, expires };
    },

    /** Appends to an upload; its last byte shares the file. Failures are those of `append` in transfers/appends.ts and of any new file. */
    append: (caller: Caller, id: string, sent: Append): Promise<ResumableFile> =>
      working(caller, id, async (own, turn) => {
        const { file, upload } = own;
        if (file.pending) return await append(caller, own, sent, turn);
        // The answer to what ended it may have been lost.
        if (sent.offset !== file.size || sent.length !== 0) throw new Failure("upload.finished");
        return done(file, upload);
      }),

    /**
     * How far an upload is, once nobody else works on it. With `finish`, one of which all bytes are there becomes a share: the request that
     * brought them may have ended before.
     */
    async progressWhenIdle(
      caller: Caller,
      id: string,
      { finish }: { readonly finish: boolean },
    ): Promise<ResumableFile> {
      const read: Work<ResumableFile> = async (own, turn) => {
        const { file, upload } = own;
        if (!file.pending) return done(file, upload);
        const { offset, total } = await appends.extent(upload);
        if (finish && offset === total) return await append(caller, own, { ...nothing(), offset }, turn);
        return waiting(own, { offset, total });
      };
      return await working(caller, id, read, { brief: true });
    },

    /** How far an upload is at this moment, whoever works on it. */
    async progressNow(caller: Caller, id: string): Promise<ResumableFile> {
      const own = await ownUpload(caller, id);
      return own.file.pending ? waiting(own, await appends.extent(own.upload)) : done(own.file, own.upload);
    },

    /** Gives an upload up. 404 upload.missing, 409 upload.finished. */
    abort: (caller: Caller, id: string): Promise<void> =>
      working(caller, id, async ({ file }) => await abort(caller, { file_id: file.id }), { brief: true }),
  };
}
