import { endpoint } from "../endpoint.ts";
import { batchOf, looseSwitch, pathField } from "../fields.ts";
import { LARGE_JSON_BYTES, MAX_BATCH } from "../limits.ts";
import * as z from "../schemas.ts";

/** Copies in the tree: within a storage by the server, to another storage by the caller or by a job. */

const copied = z.object({
  path: z.string(),
  target: z.string(),
  status: z.string(),
  error: z.optional(z.string()),
  message: z.optional(z.string()),
});

/** A file, or a folder's files, that the caller copies itself, from one storage to another. */
const clientCopy = z.object({
  crossStorage: z.boolean(),
  isDirectory: z.boolean(),
  status: z.string(),
  source: z.string(),
  target: z.string(),
  sourceMount: z.string(),
  targetMount: z.string(),
  fileName: z.optional(z.string()),
  contentType: z.optional(z.string()),
  size: z.optional(z.number()),
  sourceS3Path: z.optional(z.string()),
  targetS3Path: z.optional(z.string()),
  downloadUrl: z.optional(z.string()),
  uploadUrl: z.optional(z.string()),
  /** Takes the file in place of uploadUrl, through this server. */
  relayUrl: z.optional(z.string()),
  /** Of the upload, by which it can be given up. */
  fileId: z.optional(z.string()),
  items: z.optional(
    z.array(
      z.object({
        sourceKey: z.string(),
        targetKey: z.string(),
        fileName: z.string(),
        relativeDir: z.string(),
        contentType: z.string(),
        size: z.number(),
        downloadUrl: z.string(),
        uploadUrl: z.string(),
        relayUrl: z.string(),
        fileId: z.string(),
      }),
    ),
  ),
  renamed: z.boolean(),
  originalTarget: z.string(),
  message: z.string(),
});

const notCopied = z.object({ sourcePath: z.string(), targetPath: z.string(), error: z.string() });
const notCommitted = z.object({ targetPath: z.string(), error: z.string(), message: z.string() });
const copyCounts = { success: z.int(), skipped: z.int() };

export const fsCopies = {
  batchCopy: endpoint({
    access: "mount_copy",
    visitors: true,
    creates: true,
    method: "POST",
    path: "/fs/batch-copy",
    summary:
      "Copy files and folders within a storage; what goes to another storage is answered with addresses, for the caller to copy and to commit, which takes mount_upload too (a job takes mount_copy only). Where file_naming_strategy is random_suffix, a copy over a file gets a name of its own. The status of the first failure when nothing could be copied. Code 202 when it takes too long: a job goes on with the rest",
    bodyLimit: LARGE_JSON_BYTES,
    body: z.object({
      items: z
        .array(z.object({ sourcePath: pathField, targetPath: pathField }))
        .check(z.minLength(1), z.maxLength(MAX_BATCH)),
      skipExisting: z._default(looseSwitch, true),
    }),
    response: z.object({
      ...batchOf(notCopied),
      data: z.object({
        crossStorage: z.boolean(),
        ...{ success: z.optional(z.int()), skipped: z.optional(z.int()) },
        /** How many; with crossStorage a list of them. */
        failed: z.union([z.int(), z.array(notCopied)]),
        details: z.array(copied),
        requiresClientSideCopy: z.optional(z.boolean()),
        standardCopyResults: z.optional(z.object({ ...copyCounts, failed: z.int() })),
        crossStorageResults: z.optional(z.array(clientCopy)),
        /** The job that continues after the time limit; the counts beside it are the work done before. */
        job_id: z.optional(z.string()),
      }),
    }),
  }),
  batchCopyCommit: endpoint({
    access: "mount_copy",
    visitors: true,
    method: "POST",
    creates: false,
    path: "/fs/batch-copy-commit",
    summary:
      "Finish what the caller has copied to another storage, which takes mount_upload too; the status of the first failure when none of it could be",
    bodyLimit: LARGE_JSON_BYTES,
    body: z.object({
      targetMountId: z.string().check(z.maxLength(64)),
      files: z
        .array(
          z.object({
            targetPath: pathField,
            s3Path: z.optional(z.string()),
            contentType: z.optional(z.nullable(z.string())),
            fileSize: z.optional(z.nullable(z.union([z.number(), z.string()]))),
            etag: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
          }),
        )
        .check(z.minLength(1), z.maxLength(MAX_BATCH)),
    }),
    response: z.object({
      ...batchOf(notCommitted),
      data: z.object({
        success: z.array(z.object({ targetPath: z.string(), fileName: z.string() })),
        failed: z.array(notCommitted),
      }),
    }),
  }),
};

export type ClientCopy = z.output<typeof clientCopy>;
