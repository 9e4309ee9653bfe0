import { endpoint } from "./endpoint.ts";
import { looseNumber } from "./fields.ts";
import { fileRecord, fileTypes } from "./files.ts";
import { LARGE_JSON_BYTES, MAX_OBJECT_BYTES, MAX_PARTS, PART_URLS } from "./limits.ts";
import * as z from "./schemas.ts";
import {
  begun,
  begunInParts,
  completedParts,
  fileOptions,
  finished,
  limitAliases,
  mimetypeField,
  optionalSize,
  partSizeField,
  partUrl,
  presigned,
  sharing,
  uploadInParts,
} from "./upload-fields.ts";

/**
 * How a file on the web gets into a share: the browser fetches it from its source, or through `proxy` where the source allows no other
 * page to read it, and puts it like any other file. Names are those that clients made for CloudPaste expect.
 */

/** The URL of a file on the web, in characters. Not among the limits, which every page loads. */
export const MAX_URL_CHARACTERS = 4000;

const url = z.string().check(z.maxLength(MAX_URL_CHARACTERS));

/** What `info` has told, as existing clients send it back; only what a share needs is read. */
const metadata = z.nullish(
  z.object({
    filename: z.nullish(z.string()),
    contentType: mimetypeField,
    size: optionalSize,
    corsSupported: z.nullish(z.boolean()),
  }),
);

const newUrlFile = {
  url,
  ...fileOptions,
  /** The name that the share gives it; else that of `metadata`, else the last part of the URL's path. */
  filename: z.nullish(z.string()),
  metadata,
};

const fromUrl = { sourceUrl: z.string(), corsSupported: z.boolean() };
const proxied =
  "The bytes of a file on the web, for a page that its source does not let read them. Ends with a broken connection when the source breaks off";

export const urlUploads = {
  info: endpoint({
    ...sharing,
    creates: false,
    path: "/url/info",
    summary: "What a URL leads to: asks its source by HEAD, or for one byte where that is refused",
    body: z.object({ url }),
    response: z.object({
      data: z.object({
        /** Where redirects led. */
        url: z.string(),
        filename: z.string(),
        contentType: z.string(),
        /** Bytes; null when the source does not say. */
        size: z.nullable(z.int()),
        lastModified: z.nullable(z.string()),
        method: z.enum(["HEAD", "GET"]),
        /** Whether a page of this site may read it from its source. */
        corsSupported: z.boolean(),
        type: z.int(),
        typeName: z.enum(fileTypes),
      }),
    }),
  }),
  proxy: endpoint({
    ...sharing,
    method: "GET",
    path: "/url/proxy",
    summary: proxied,
    query: z.object({ url }),
    reply: "file",
  }),
  fetch: endpoint({
    ...sharing,
    creates: false,
    path: "/url/proxy",
    summary: `${proxied}. By POST a URL with a signature in it stands in no log`,
    body: z.object({ url }),
    reply: "file",
  }),
  presign: endpoint({
    ...sharing,
    creates: true,
    path: "/url/presign",
    summary: "Begin a share of a file on the web: answers the address that takes the file by PUT, as /s3/presign does",
    body: z.object({ ...newUrlFile, size: optionalSize }),
    limits: limitAliases,
    response: z.object({ data: z.object({ ...presigned, ...fromUrl }) }),
  }),
  commit: endpoint({
    ...sharing,
    creates: false,
    path: "/url/commit",
    summary: "Finish a share of a file on the web after its PUT; what counts is what the storage has",
    body: z.object({ file_id: z.string() }),
    response: finished,
  }),
  begin: endpoint({
    ...sharing,
    creates: true,
    path: "/url/multipart/init",
    summary: `Begin a share of a file on the web in parts: answers addresses for the first ${PART_URLS}; /s3/multipart/parts has the others`,
    body: z.object({
      ...newUrlFile,
      total_size: looseNumber(0, MAX_OBJECT_BYTES),
      part_size: partSizeField,
      /** Accepted for existing clients: it follows from the two sizes. */
      part_count: z.optional(looseNumber(1, MAX_PARTS)),
    }),
    limits: limitAliases,
    response: z.object({
      data: z.object({
        ...begun,
        ...fromUrl,
        ...begunInParts,
        filename: z.string(),
        presigned_urls: z.array(partUrl),
      }),
    }),
  }),
  complete: endpoint({
    ...sharing,
    creates: false,
    path: "/url/multipart/complete",
    summary: "Finish a share of a file on the web whose parts have all arrived. Repeating it does no harm",
    bodyLimit: LARGE_JSON_BYTES,
    body: completedParts,
    response: z.object({ data: z.extend(fileRecord, { success: z.boolean(), fileId: z.string() }) }),
  }),
  abort: endpoint({
    ...sharing,
    creates: false,
    path: "/url/multipart/abort",
    summary: "Give up a share of a file on the web that comes in parts; nothing of it remains",
    body: z.object(uploadInParts),
    response: z.object({ data: z.object({ success: z.boolean(), message: z.string(), fileId: z.string() }) }),
  }),
  cancel: endpoint({
    ...sharing,
    creates: false,
    path: "/url/cancel",
    summary: "Give up an unfinished share of a file on the web; nothing of it remains",
    body: z.object({ file_id: z.string() }),
    response: z.object({
      data: z.object({ file_id: z.string(), status: z.string(), message: z.string() }),
    }),
  }),
};

export type SourceFile = z.output<typeof urlUploads.info.response>["data"];
