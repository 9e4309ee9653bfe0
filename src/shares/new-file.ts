import { Failure } from "#contract/failures";
import { folderSegments, isFilename } from "#contract/paths";
import type { NewFile } from "#contract/uploads";
import { bearerOf } from "../access/callers.ts";
import type { Caller } from "../access/principal.ts";
import { typeOf } from "../lib/mime.ts";
import type { Storage } from "../stores/stores.ts";
import type { Resumable } from "../transfers/reservations.ts";
import type { UploadRow } from "../transfers/uploads-table.ts";
import type { FileRow, FilesTable } from "./files-table.ts";
import { answeredBefore, claimSlug, draftFor, type FilesDeps, type RequestKey, requestKeyOf } from "./new-share.ts";
import type { SharingRights } from "./sharing-rights.ts";

/** A share that waits for its file, and the upload that brings it. */
export interface Begun {
  readonly file: FileRow;
  readonly upload: UploadRow;
  readonly storage: Storage;
}

/** A file to share. */
export interface NewUpload extends NewFile {
  /** Bytes of every part but the last, for a file in parts. */
  readonly part_size?: number | undefined;
  /** Of a file to which requests append. */
  readonly resumable?: Resumable | undefined;
}

/** A file as it is stored: of a sealed one nothing is known, whatever its sender calls it. 400 sealed.password. */
export function asStored<File extends NewFile>(file: File): File {
  if (!file.sealed) return file;
  // Who has the link or the password reads it; another password could not be asked of programs that open it.
  if (file.password) throw new Failure("sealed.password");
  return { ...file, filename: "sealed.age", mimetype: null };
}

/** Returns the function that begins a share of a file, with a slug and a key of its own. */
export function createNewFile(deps: FilesDeps, table: FilesTable, { storageFor }: Pick<SharingRights, "storageFor">) {
  const { transfers } = deps;
  const { uploads } = transfers;

  /** Returns the upload that the same request began before. 409 request.differs. */
  const begunBefore = async (requestKey: RequestKey | undefined): Promise<Begun | undefined> => {
    const file = requestKey && answeredBefore(requestKey, await table.findByRequestKey(requestKey.key));
    if (!file) return undefined;
    const [upload, storage] = [await uploads.get(file.upload ?? ""), await transfers.storage(file.storage)];
    return { file, upload, storage };
  };

  /**
   * Reserves slug, key and bytes for a file that its owner will put. 400 filename.invalid, path.invalid, sealed.password, slug.*,
   * expiry.past, expiry.tooLong, upload.parts; 403 storage.forbidden, visitors.shares; 409 slug.taken, path.conflict; 413 file.tooLarge; 507 storage.full. A
   * caller that repeats a request key within a day gets the first result; 409 request.differs for another request.
   */
  return async (caller: Caller, wanted: NewUpload, repeatable?: string): Promise<Begun> => {
    const request = asStored(wanted);
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
      resumable: request.resumable,
      by: bearerOf(caller),
    });
    const row = { ...draft, key: upload.key, upload: upload.id };
    try {
      const slug = await claimSlug(request.slug ?? undefined, (free) =>
        deps.limits.within(caller, () => table.insert({ ...row, slug: free }, requestKey)),
      );
      return { file: { ...row, slug }, upload, storage };
    } catch (error) {
      await uploads.drop(upload.id);
      // The same request may have come twice at once: what took the slug or the key is then the other one.
      const earlier = await begunBefore(requestKey);
      if (earlier) return earlier;
      throw error;
    }
  };
}
