import { endpoint } from "./endpoint.ts";
import { looseNumber, looseSwitch } from "./fields.ts";
import { LARGE_JSON_BYTES, MAX_OBJECT_BYTES, PART_URLS } from "./limits.ts";
import * as z from "./schemas.ts";
import {
  begun,
  begunInParts,
  completedParts,
  emptyAsNull,
  fileOptions,
  finished,
  limitAliases,
  optionalSize,
  partSizeField,
  partsArrived,
  partsWanted,
  partUrl,
  presigned,
  shareOptions,
  sharing,
  uploadInParts,
} from "./upload-fields.ts";

/**
 * How a file gets into a share. The bytes never pass these calls (but for `form`): the answer names addresses that take
 * them by PUT, the same way for every storage. Names are those that clients made for CloudPaste expect.
 */

const newFile = z.object({
  ...fileOptions,
  filename: z.string(),
  size: optionalSize,
});

/** Fields of a form beside its file. */
const formFields = z.object({
  ...fileOptions,
  filename: z.optional(z.string()),
  size: optionalSize,
});

/** Query parameters of an upload whose body is the file. */
const directQuery = z.object({
  s3_config_id: fileOptions.s3_config_id,
  path: fileOptions.path,
  sealed: fileOptions.sealed,
  ...shareOptions,
  /** Whether a share of the caller's that has the slug gives way. */
  override: emptyAsNull(looseSwitch),
  /** Accepted for existing clients: files always keep their names. */
  original_filename: emptyAsNull(looseSwitch),
});

const newMultipart = z.object({
  ...fileOptions,
  filename: z.string(),
  size: looseNumber(0, MAX_OBJECT_BYTES),
  part_size: partSizeField,
});

/** The header that carries the password of a share whose file is the body. */
export const SHARE_PASSWORD_HEADER = "X-Share-Password";

export const uploads = {
  presign: endpoint({
    ...sharing,
    creates: true,
    path: "/s3/presign",
    summary:
      "Begin a file share: answers the address that takes the file by PUT, with exactly this Content-Type. Repeated with the same Idempotency-Key it answers the same upload",
    body: newFile,
    limits: limitAliases,
    response: z.object({ data: z.object(presigned) }),
  }),
  commit: endpoint({
    ...sharing,
    creates: false,
    path: "/s3/commit",
    summary: "Finish a file share after its PUT; what counts is what the storage has. Repeating it does no harm",
    /** Existing clients repeat all they know here; only the id is used. */
    body: z.object({ file_id: z.string() }),
    response: finished,
  }),
  form: endpoint({
    ...sharing,
    creates: true,
    path: "/upload",
    summary:
      "Share a file in one request, as multipart/form-data: `file` and the fields of /s3/presign, each once and in any order. With a field before it the file streams to its storage; one that comes first waits on the disk of this server for the end of the form",
    form: formFields,
    limits: limitAliases,
    status: 201,
    response: finished,
  }),
  direct: endpoint({
    ...sharing,
    method: "PUT",
    creates: true,
    path: "/upload-direct/:filename",
    summary: `Share a file that is the body, as \`curl -T\` sends it. The password may come in ${SHARE_PASSWORD_HEADER} (UTF-8), which no log or history keeps. With \`override\` it takes the place of the caller's share of that slug`,
    params: z.object({ filename: z.string() }),
    query: directQuery,
    limits: limitAliases,
    raw: true,
    status: 201,
    response: finished,
  }),
  begin: endpoint({
    ...sharing,
    creates: true,
    path: "/s3/multipart/init",
    summary: `Begin a file share in parts: answers addresses for the first ${PART_URLS} of them`,
    body: newMultipart,
    limits: limitAliases,
    response: z.object({
      data: z.object({
        ...begun,
        ...begunInParts,
        presigned_urls: z.array(partUrl),
      }),
    }),
  }),
  parts: endpoint({
    ...sharing,
    creates: false,
    path: "/s3/multipart/parts",
    summary:
      "The parts that have arrived, and fresh addresses for those asked for: how an upload goes on after a break",
    bodyLimit: LARGE_JSON_BYTES,
    body: z.object({ ...uploadInParts, ...partsWanted }),
    response: partsArrived,
  }),
  complete: endpoint({
    ...sharing,
    creates: false,
    path: "/s3/multipart/complete",
    summary: "Finish a file share whose parts have all arrived. Repeating it does no harm",
    bodyLimit: LARGE_JSON_BYTES,
    body: completedParts,
    response: finished,
  }),
  abort: endpoint({
    ...sharing,
    creates: false,
    path: "/s3/multipart/abort",
    summary: "Give an unfinished file share up, in parts or (without upload_id) in any way; nothing of it remains",
    body: z.object({ ...uploadInParts, upload_id: z.optional(z.string()) }),
    response: z.object({ data: z.object({ fileId: z.string() }) }),
  }),
};

/** Options of a share of a file. */
export type ShareOptions = Pick<NewFile, keyof typeof shareOptions>;
export type NewFile = z.output<typeof newFile>;
export type PartUrl = z.output<typeof partUrl>;
