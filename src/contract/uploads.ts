import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import { expiresAtField, looseNumber, looseSwitch, optionalPassword, optionalSlug, remarkField } from "./fields.ts";
import { fileRecord } from "./files.ts";
import {
  LARGE_JSON_BYTES,
  MAX_FOLDER_CHARACTERS,
  MAX_OBJECT_BYTES,
  MAX_PARTS,
  MAX_VIEWS,
  PART_SIZE,
  PART_URLS,
} from "./limits.ts";

/**
 * How a file gets into a share. The bytes never pass these calls (but for `form`): the answer names addresses that take
 * them by PUT, the same way for every storage. Names are those that clients made for CloudPaste expect.
 */

/** An empty text counts as not given, as forms send it. */
export const emptyAsNull = <S extends z.ZodMiniType>(schema: S) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => (value === "" ? null : value)),
      z.nullable(schema),
    ),
  );

/** Options of a share of any file. */
export const shareOptions = {
  slug: z.optional(z.nullable(optionalSlug)),
  remark: remarkField,
  password: z.optional(z.nullable(optionalPassword)),
  expires_in: emptyAsNull(looseNumber(0, 876_000)),
  /** An instant, in place of expires_in. */
  expires_at: expiresAtField,
  max_views: emptyAsNull(looseNumber(0, MAX_VIEWS)),
  use_proxy: emptyAsNull(looseSwitch),
};

/** Options of a file that is uploaded. */
export const fileOptions = {
  /** The default storage when it is not given. */
  s3_config_id: z.optional(z.nullable(optionalSlug)),
  mimetype: z.nullish(z.string().check(z.maxLength(200))),
  /** A folder below the storage's default folder. */
  path: z.nullish(z.string().check(z.maxLength(MAX_FOLDER_CHARACTERS))),
  ...shareOptions,
};

const newFile = z.object({
  ...fileOptions,
  filename: z.string(),
  /** Bytes. Without it the upload may have any size within the limits. */
  size: emptyAsNull(looseNumber(0, MAX_OBJECT_BYTES)),
});

/** Fields of a form beside its file. */
const formFields = z.object({
  ...fileOptions,
  filename: z.optional(z.string()),
  size: emptyAsNull(looseNumber(0, MAX_OBJECT_BYTES)),
});

/** Query parameters of an upload whose body is the file. */
const directQuery = z.object({
  s3_config_id: fileOptions.s3_config_id,
  path: fileOptions.path,
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
  /** Bytes of each part but the last. */
  part_size: looseNumber(PART_SIZE, MAX_OBJECT_BYTES),
});

/** A share that waits for its file. */
export const begun = {
  file_id: z.string(),
  slug: z.string(),
  /** Path of the page that will show it. */
  url: z.string(),
  provider_type: z.string(),
  contentType: z.string(),
  hasPassword: z.boolean(),
  expiresAt: z.nullable(z.string()),
  maxViews: z.int(),
  /** Opens the share in place of its password, once it is there; only for shares that have one. */
  grant: z.optional(z.string()),
};

/** One that takes its file in one piece. */
export const presigned = {
  ...begun,
  upload_url: z.string(),
  /** Takes the file in place of upload_url, through this server, for those who cannot reach the storage. */
  relay_url: z.string(),
  storage_path: z.string(),
  s3_url: z.string(),
};

export const partUrl = z.object({ partNumber: z.int(), url: z.string() });
export const partNumber = z.int().check(z.minimum(1), z.maximum(MAX_PARTS));

/** Input of calls that continue an upload in parts. */
export const partsWanted = {
  part_numbers: z._default(z.array(partNumber).check(z.maxLength(PART_URLS)), []),
  /** Without it only addresses are answered. */
  list: z._default(z.boolean(), true),
  /** Whether the addresses lead through this server, for those who cannot reach the storage. */
  relay: z._default(z.boolean(), false),
};

export const partsArrived = z.object({
  data: z.object({
    partSize: z.int(),
    partCount: z.int(),
    totalSize: z.int(),
    parts: z.array(z.object({ partNumber: z.int(), etag: z.string(), size: z.int() })),
    presigned_urls: z.array(partUrl),
  }),
});

/** The header that carries the password of a share whose file is the body. */
export const SHARE_PASSWORD_HEADER = "X-Share-Password";

const upload = { file_id: z.string(), upload_id: z.string() };
/** An upload whose parts have all arrived. */
export const completedParts = z.object({
  ...upload,
  parts: z.array(z.object({ partNumber, etag: z.string().check(z.maxLength(200)) })).check(z.maxLength(MAX_PARTS)),
});
const own = { access: "file_share", visitors: true, method: "POST" } as const;

export const uploads = {
  presign: endpoint({
    ...own,
    creates: true,
    path: "/s3/presign",
    summary:
      "Begin a file share: answers the address that takes the file by PUT, with exactly this Content-Type. Repeated with the same Idempotency-Key it answers the same upload",
    body: newFile,
    response: z.object({
      data: z.object(presigned),
    }),
  }),
  commit: endpoint({
    ...own,
    creates: false,
    path: "/s3/commit",
    summary: "Finish a file share after its PUT; what counts is what the storage has. Repeating it does no harm",
    /** Existing clients repeat all they know here; only the id is used. */
    body: z.object({ file_id: z.string() }),
    response: z.object({ data: fileRecord }),
  }),
  form: endpoint({
    ...own,
    creates: true,
    path: "/upload",
    summary:
      "Share a file in one request, as multipart/form-data: `file` and the fields of /s3/presign, each once and in any order. With a field before it the file streams to its storage; one that comes first waits on the disk of this server for the end of the form",
    form: formFields,
    status: 201,
    response: z.object({ data: fileRecord }),
  }),
  direct: endpoint({
    ...own,
    method: "PUT",
    creates: true,
    path: "/upload-direct/:filename",
    summary: `Share a file that is the body, as \`curl -T\` sends it. The password may come in ${SHARE_PASSWORD_HEADER} (UTF-8), which no log or history keeps. With \`override\` it takes the place of the caller's share of that slug`,
    params: z.object({ filename: z.string() }),
    query: directQuery,
    raw: true,
    status: 201,
    response: z.object({ data: fileRecord }),
  }),
  begin: endpoint({
    ...own,
    creates: true,
    path: "/s3/multipart/init",
    summary: `Begin a file share in parts: answers addresses for the first ${PART_URLS} of them`,
    body: newMultipart,
    response: z.object({
      data: z.object({
        ...begun,
        upload_id: z.string(),
        storagePath: z.string(),
        s3Url: z.string(),
        partSize: z.int(),
        partCount: z.int(),
        totalSize: z.int(),
        presigned_urls: z.array(partUrl),
      }),
    }),
  }),
  parts: endpoint({
    ...own,
    creates: false,
    path: "/s3/multipart/parts",
    summary:
      "The parts that have arrived, and fresh addresses for those asked for: how an upload goes on after a break",
    bodyLimit: LARGE_JSON_BYTES,
    body: z.object({ ...upload, ...partsWanted }),
    response: partsArrived,
  }),
  complete: endpoint({
    ...own,
    creates: false,
    path: "/s3/multipart/complete",
    summary: "Finish a file share whose parts have all arrived. Repeating it does no harm",
    bodyLimit: LARGE_JSON_BYTES,
    body: completedParts,
    response: z.object({ data: fileRecord }),
  }),
  abort: endpoint({
    ...own,
    creates: false,
    path: "/s3/multipart/abort",
    summary: "Give an unfinished file share up, in parts or (without upload_id) in any way; nothing of it remains",
    body: z.object({ ...upload, upload_id: z.optional(z.string()) }),
    response: z.object({ data: z.object({ fileId: z.string() }) }),
  }),
};

/** Options of a share of a file. */
export type ShareOptions = Pick<NewFile, keyof typeof shareOptions>;
export type NewFile = z.output<typeof newFile>;
export type PartUrl = z.output<typeof partUrl>;
