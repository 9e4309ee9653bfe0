import { endpoint } from "../endpoint.ts";
import { done, looseNumber, pathField, queryNumber } from "../fields.ts";
import { LARGE_JSON_BYTES, MAX_OBJECT_BYTES, MAX_PARTS, PART_SIZE } from "../limits.ts";
import * as z from "../schemas.ts";
import {
  claimedParts,
  mimetypeField,
  partSizeField,
  partsArrived,
  partsWanted,
  partUrl,
  receiptField,
  senderFields,
} from "../upload-fields.ts";

/** Uploads into the tree, which replace existing files. The bytes go to addresses that these calls return, or in a form. */

const fileName = z.string().check(z.minLength(1), z.maxLength(1000));
const size = looseNumber(0, MAX_OBJECT_BYTES);
const uploadId = z.string().check(z.maxLength(1024));

/** By a link, that of the upload: it goes on with this behind another opening of the link, and with nothing else. */
const bySender = { receipt: z.optional(receiptField) };

const stored = {
  success: z.boolean(),
  fileName: z.string(),
  size: z.number(),
  contentType: z.string(),
  /** The key of the object. */
  s3Path: z.string(),
  s3Url: z.string(),
  etag: z.string(),
  /** Of what came by a link. */
  receipt: z.optional(z.string()),
  message: z.string(),
};

const begun = {
  uploadId: z.string(),
  bucket: z.string(),
  key: z.string(),
  partSize: z.int(),
  partCount: z.int(),
  presignedUrls: z.array(partUrl),
  mount_id: z.string(),
  path: z.string(),
  /** Of what comes by a link. */
  receipt: z.optional(z.string()),
  storage_type: z.string(),
};

const upload = { access: "mount_upload", visitors: true, method: "POST" } as const;

export const fsUploads = {
  form: endpoint({
    ...upload,
    links: "upload",
    creates: true,
    path: "/fs/upload",
    summary:
      "Write a file in one request, as multipart/form-data: `path` of its folder and `file`, in any order. After `path` and `filename` the file streams to its storage; else it waits on the disk of this server until the form has ended",
    form: z.object({
      path: pathField,
      /** Existing clients say so; the file is in the form either way. */
      use_multipart: z.optional(z.string()),
      filename: z.optional(z.string()),
      ...senderFields,
    }),
    response: z.object({ data: z.object(stored) }),
  }),
  presign: endpoint({
    ...upload,
    creates: true,
    path: "/fs/presign",
    summary: "Begin an upload: answers the address that takes the file by PUT, with exactly this Content-Type",
    body: z.object({
      /** Of the folder. */
      path: pathField,
      fileName,
      contentType: mimetypeField,
      fileSize: z.optional(z.nullable(size)),
    }),
    response: z.object({
      data: z.object({
        /** If the size was not declared, it leads through this server, which enforces the free space. */
        presignedUrl: z.string(),
        /** Takes the file in place of presignedUrl, through this server, for those who cannot reach the storage. */
        relayUrl: z.string(),
        fileId: z.string(),
        s3Path: z.string(),
        s3Url: z.string(),
        mountId: z.string(),
        s3ConfigId: z.string(),
        targetPath: z.string(),
        contentType: z.string(),
      }),
    }),
  }),
  commit: endpoint({
    ...upload,
    creates: false,
    path: "/fs/presign/commit",
    summary: "Finish an upload after its PUT; what counts is what the storage has. Repeating it does no harm",
    body: z.object({
      fileId: z.optional(z.string().check(z.maxLength(64))),
      targetPath: pathField,
      mountId: z.optional(z.string().check(z.maxLength(64))),
      etag: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
      fileSize: z.optional(z.nullable(size)),
    }),
    response: z.object({
      data: z.object({ fileName: z.string(), targetPath: z.string(), fileSize: z.number(), etag: z.string() }),
    }),
  }),
  drop: endpoint({
    ...upload,
    creates: false,
    path: "/fs/presign/abort",
    summary:
      "Give an upload up that is not committed: its address takes nothing any more, and a file that has arrived stays. Repeating it does no harm",
    body: z.object({ targetPath: pathField, fileId: z.string().check(z.minLength(1), z.maxLength(64)) }),
    response: done,
  }),
  begin: endpoint({
    ...upload,
    links: "upload",
    creates: true,
    path: "/fs/multipart/init",
    summary: "Begin an upload in parts: answers the addresses of all of them",
    body: z.object({
      path: pathField,
      fileName,
      fileSize: size,
      contentType: mimetypeField,
      partSize: z._default(partSizeField, PART_SIZE),
      /** The sizes decide. */
      partCount: z.optional(z.nullable(looseNumber(0, MAX_PARTS))),
      /** The number of addresses to return, for clients that request the rest later. */
      urls: z.optional(looseNumber(1, MAX_PARTS)),
      ...senderFields,
    }),
    response: z.object({ data: z.object(begun) }),
  }),
  parts: endpoint({
    ...upload,
    links: "upload",
    creates: false,
    path: "/fs/multipart/parts",
    summary:
      "The parts that have arrived, and fresh addresses for those asked for: how an upload goes on after a break",
    bodyLimit: LARGE_JSON_BYTES,
    body: z.object({ path: pathField, uploadId, ...bySender, ...partsWanted }),
    response: partsArrived,
  }),
  part: endpoint({
    access: "mount_upload",
    links: "upload",
    grants: "file",
    method: "PUT",
    path: "/fs/multipart/part",
    summary:
      "A part of an upload through this server; the answer names its ETag. A link has no other addresses for parts",
    query: z.object({
      path: pathField,
      uploadId,
      partNumber: queryNumber(1, MAX_PARTS),
      grant: z.optional(z.string().check(z.maxLength(1000))),
    }),
    raw: true,
  }),
  complete: endpoint({
    ...upload,
    links: "upload",
    creates: false,
    path: "/fs/multipart/complete",
    summary: "Finish an upload whose parts have all arrived",
    bodyLimit: LARGE_JSON_BYTES,
    body: z.object({
      path: pathField,
      uploadId,
      ...bySender,
      parts: claimedParts,
      fileName: z.optional(fileName),
      fileSize: z.optional(z.nullable(size)),
    }),
    response: z.object({ data: z.object({ ...stored, location: z.string() }) }),
  }),
  abort: endpoint({
    ...upload,
    links: "upload",
    creates: false,
    path: "/fs/multipart/abort",
    summary: "Give an unfinished upload up; what it was to take the place of stays",
    body: z.object({ path: pathField, uploadId, ...bySender, fileName: z.optional(fileName) }),
    response: z.object({ data: z.object({ success: z.boolean(), message: z.string() }) }),
  }),
};
