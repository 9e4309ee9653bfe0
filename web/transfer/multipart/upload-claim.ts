import { keyOf } from "../../lib/file-origin.ts";
import type { Payload } from "../payload.ts";
import { begunOf, markOf } from "../resume/options-key.ts";
import { idsOf, type StoredUpload } from "../resume/upload-store.ts";
import type { UploadContext, UploadTask } from "../uploader.ts";
import { type OpenUpload, takeUp } from "./open-upload.ts";

interface Claim {
  readonly fileId: string;
  readonly release: () => void;
}

/** Remembers the upload of one large file, and claims it for this tab: two tabs never send the same upload. */
export function createUploadClaim(context: UploadContext, task: UploadTask<Payload>) {
  const { file, options, sealing } = task;
  const { call, kept, account, tabs, digest, target } = context;
  const { name, size } = file;
  const key = file.key ?? keyOf(file);
  let claim: Claim | undefined;
  /** The account that began it; undefined if it is not to be remembered. */
  let owner: string | undefined;
  /** Identifies the options with which it was begun. */
  let mark = "";

  const hold = async (fileId: string): Promise<boolean> => {
    if (claim?.fileId === fileId) return true;
    const release = await tabs.claim(fileId);
    if (!release) return false;
    claim?.release();
    claim = { fileId, release };
    return true;
  };

  const isWished = async (earlier: StoredUpload): Promise<boolean> =>
    earlier.mark !== "" && earlier.mark === (await markOf(options(), earlier.fileId, digest));

  return {
    /**
     * Resumes what an earlier visit began; undefined if there is nothing to resume. If other options are chosen now, the earlier
     * upload is aborted: nobody should believe that a share has a password which it does not have. Throws ApiFailure.
     */
    async takeUp(): Promise<OpenUpload | undefined> {
      const present = account();
      const earlier = present === undefined ? undefined : await kept.find({ account: present, key });
      if (!earlier || !(await hold(earlier.fileId))) return undefined;
      const ids = idsOf(earlier);
      if (await isWished(earlier)) {
        owner = earlier.account;
        mark = earlier.mark;
        return takeUp(context, { ids, slug: earlier.slug, size });
      }
      await target.giveUp(call, ids);
      await kept.drop(earlier);
      return undefined;
    },
    /** Records that an upload was begun for this file with the present options. */
    async begun({ ids }: OpenUpload): Promise<void> {
      owner = account();
      mark = await markOf(options(), ids.file_id, digest);
      await hold(ids.file_id);
    },
    /** Stores how far it is. */
    note({ ids, slug, parts }: OpenUpload): void {
      if (owner === undefined) return;
      const { file_id: fileId, upload_id: uploadId, receipt } = ids;
      const begun = { fileId, uploadId, ...(receipt !== undefined && { receipt }) };
      const known = { mark, sealing, begun: begunOf(options(), sealing) };
      void kept.keep({ account: owner, key, name, size, slug, sent: parts.arrived(), ...begun, ...known });
    },
    /** Reports whether a later visit could resume this upload. */
    async has({ ids }: OpenUpload): Promise<boolean> {
      const there = owner === undefined ? undefined : await kept.find({ account: owner, key });
      return there?.fileId === ids.file_id;
    },
    /** Forgets the upload, because it has ended. */
    async drop({ ids }: OpenUpload): Promise<void> {
      if (owner !== undefined) await kept.drop({ account: owner, key, fileId: ids.file_id });
    },
    /** Releases this tab's claim. */
    release(): void {
      claim?.release();
      claim = undefined;
    },
  };
}
