import { fsUploads } from "#contract/fs/uploads";
import { MULTIPART_FROM, PART_SIZE, PART_URLS, partSizeFor } from "#contract/limits";
import { isForgottenUpload } from "../failures.ts";
import { type Ids, repeatable, type Sent, type Target } from "./target.ts";

/** Returns the fields of a new file in the tree: its folder and its name there. */
const newFile = ({ file, options }: Sent) => ({
  path: options().path ?? "/",
  fileName: options().name ?? file.name,
  contentType: file.type || null,
  fileSize: file.size,
});

/** By a link, which has parts alone, what goes in one piece elsewhere is one part: the server sees all of it, and knows its SHA-256. */
const linkPartSize = (size: number): number => (size < MULTIPART_FROM ? Math.max(PART_SIZE, size) : partSizeFor(size));

const named = ({ file_id: path, upload_id: uploadId, receipt }: Ids) => ({
  path,
  uploadId,
  ...(receipt !== undefined && { receipt }),
});

/** What whoever sends by a link says with each file. */
export interface Saying {
  readonly receipt?: string;
  readonly sender?: string;
  readonly message?: string;
}

/**
 * Uploads files to their paths in the tree of mounts, replacing what is there; by a link, beside it. An upload's `file_id` is its path.
 */
export function treeTarget(saying?: () => Saying): Target {
  const partSizeOf = saying ? linkPartSize : partSizeFor;
  return {
    async beginSingle(call, sent, key) {
      const { data } = await call(fsUploads.presign, { body: newFile(sent), headers: repeatable(key) });
      return {
        ids: { file_id: data.targetPath, upload_id: data.fileId },
        slug: "",
        url: data.presignedUrl,
        relayUrl: data.relayUrl,
        contentType: data.contentType,
        headers: {},
      };
    },
    async commit(call, { file_id: targetPath, upload_id: fileId }) {
      await call(fsUploads.commit, { body: { targetPath, fileId } });
      return undefined;
    },
    async dropSingle(call, { file_id: targetPath, upload_id: fileId }) {
      await call(fsUploads.drop, { body: { targetPath, fileId } });
    },
    async beginParts(call, sent, key) {
      const body = { ...newFile(sent), partSize: partSizeOf(sent.file.size), urls: PART_URLS, ...saying?.() };
      const { data } = await call(fsUploads.begin, { body, headers: repeatable(key) });
      const { path, uploadId, receipt, partSize, partCount, presignedUrls: urls } = data;
      return { ids: { file_id: path, upload_id: uploadId, receipt }, slug: "", partSize, partCount, urls };
    },
    async parts(call, ids, question) {
      const body = { ...named(ids), ...(question && { ...question, list: false }) };
      const { presigned_urls: urls, ...rest } = (await call(fsUploads.parts, { body })).data;
      return { ...rest, urls };
    },
    async complete(call, ids, parts) {
      await call(fsUploads.complete, { body: { ...named(ids), parts: [...parts] } });
      return undefined;
    },
    async giveUp(call, ids) {
      try {
        await call(fsUploads.abort, { body: named(ids) });
      } catch (error) {
        if (!isForgottenUpload(error)) throw error;
      }
    },
  };
}
