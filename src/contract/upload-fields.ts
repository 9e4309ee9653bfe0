import { expiresAtField, looseNumber, looseSwitch, optionalPassword, optionalSlug, remarkField } from "./fields.ts";
import { fileRecord } from "./files.ts";
import {
  MAX_FOLDER_CHARACTERS,
  MAX_OBJECT_BYTES,
  MAX_PARTS,
  MAX_SEALED_CHARACTERS,
  MAX_SENDER_CHARACTERS,
  MAX_SENDER_MESSAGE_CHARACTERS,
  MAX_VIEWS,
  PART_SIZE,
  PART_URLS,
} from "./limits.ts";
import * as z from "./schemas.ts";

/** What the calls share that bring files: into shares from a disk or from the web, and into the tree. */

/** Who may call those that bring files into shares. */
export const sharing = { access: "file_share", visitors: true, method: "POST" } as const;

/** An empty text counts as not given, as forms send it. */
export const emptyAsNull = <S extends z.ZodMiniType>(schema: S) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => (value === "" ? null : value)),
      z.nullable(schema),
    ),
  );

export const mimetypeField = z.nullish(z.string().check(z.maxLength(200)));
/** Bytes. Without it the upload may have any size within the limits. */
export const optionalSize = emptyAsNull(looseNumber(0, MAX_OBJECT_BYTES));
/** Bytes of each part but the last. */
export const partSizeField = looseNumber(PART_SIZE, MAX_OBJECT_BYTES);

/** 32 random bytes that a sender makes up, or the server: whoever has them sees the receipt, and may take back for a while. */
export const receiptField = z.string().check(z.refine((text) => /^[\w-]{43}$/.test(text)));

/** What whoever sends by a link says with a file. Files with one receipt are of one sender. */
export const senderFields = {
  receipt: z.optional(receiptField),
  sender: z.optional(z.string().check(z.maxLength(MAX_SENDER_CHARACTERS))),
  message: z.optional(z.string().check(z.maxLength(MAX_SENDER_MESSAGE_CHARACTERS))),
};

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

/** Names that texts have for them, and other spellings. */
export const limitAliases = { expiresAt: "expires_at", expiresIn: "expires_in", maxViews: "max_views" };

/** "age-encryption.org/v1" in base64, with which every file of that format begins. */
export const AGE = "YWdlLWVuY3J5cHRpb24ub3JnL3Yx";

/**
 * Says that a file is sealed (docs/sealed.md): an age file of its own, in base64, that has name and type of what is in it. The server
 * calls the file itself `sealed.age`.
 */
export const sealedText = z.string().check(
  z.maxLength(MAX_SEALED_CHARACTERS),
  z.refine((text) => text.startsWith(AGE) && /^[\w+/]+={0,2}$/.test(text)),
);

/** A public key of age, for whom files are sealed; whether its sum is right, pages say. */
export const recipientField = z.string().check(z.refine((text) => /^age1[02-9ac-hj-np-z]{58}$/.test(text)));

/** Options of a file that is uploaded. */
export const fileOptions = {
  /** The default storage when it is not given. */
  s3_config_id: z.optional(z.nullable(optionalSlug)),
  mimetype: mimetypeField,
  /** A folder below the storage's default folder. */
  path: z.nullish(z.string().check(z.maxLength(MAX_FOLDER_CHARACTERS))),
  sealed: emptyAsNull(sealedText),
  ...shareOptions,
};

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

/** One that takes its file in parts has these too. */
export const begunInParts = {
  upload_id: z.string(),
  storagePath: z.string(),
  s3Url: z.string(),
  partSize: z.int(),
  partCount: z.int(),
  totalSize: z.int(),
};

/** A share that has its file. */
export const finished = z.object({ data: fileRecord });

export const partUrl = z.object({ partNumber: z.int(), url: z.string() });
const partNumber = z.int().check(z.minimum(1), z.maximum(MAX_PARTS));

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

/** Parts that have arrived, as their sender says. */
export const claimedParts = z
  .array(z.object({ partNumber, etag: z.string().check(z.maxLength(200)) }))
  .check(z.maxLength(MAX_PARTS));

/** An unfinished upload in parts. */
export const uploadInParts = { file_id: z.string(), upload_id: z.string() };
/** An upload whose parts have all arrived. */
export const completedParts = z.object({
  ...uploadInParts,
  parts: claimedParts,
});
