import { endpoint } from "./endpoint.ts";
import {
  batchOf,
  emptyAsMissing,
  expiresAtField,
  idsField,
  looseSwitch,
  maxViewsField,
  ownKey,
  passwordField,
  pathField,
  queryNumber,
  querySwitch,
  remarkField,
} from "./fields.ts";
import {
  FILE_PAGE,
  LARGE_JSON_BYTES,
  MAX_PAGE,
  MAX_PASSWORD_CHARACTERS,
  SMALL_JSON_BYTES,
  thumbWidths,
} from "./limits.ts";
import { listFilters } from "./listing.ts";
import * as z from "./schemas.ts";

/** Shared files: visitors open them by link, their owners manage them. */

/** What existing clients call the kind of a file, by number and by name. */
export const fileTypes = ["unknown", "folder", "video", "audio", "text", "image", "office", "document"] as const;

/** What files can be sorted by. */
export const fileSorts = ["created", "name", "size", "expires", "views"] as const;

/** What is known of a picture before it has loaded. */
export const pictureFacts = z.object({
  /** Pixels across and down, turned as its camera says; of one that somebody offered, those of the offer. */
  width: z.int(),
  height: z.int(),
  /** Its colours in some 25 bytes: a ThumbHash in base64. */
  hash: z.string(),
});

export type PictureFacts = z.infer<typeof pictureFacts>;

const slugParam = z.object({ slug: z.string() });
const idParam = z.object({ id: z.string() });

/** How the file of a share stands. `stalled`: nothing has arrived for two minutes; `failed`: it was given up, or the share is gone. */
const fileStates = ["uploading", "stalled", "ready", "failed"] as const;

const fileProgress = z.object({
  state: z.enum(fileStates),
  /** Bytes; absent when nobody knows. */
  received: z.optional(z.int()),
  /** Bytes; null when nobody has said. */
  size: z.nullable(z.int()),
});

export type FileProgress = z.output<typeof fileProgress>;

/** A file as visitors see it: with addresses once it is open, without them while it requires a password or a decision. */
const openedFile = z.object({
  slug: z.string(),
  /** Whether it requires a password that was not given. */
  requires_password: z.boolean(),
  has_password: z.boolean(),
  max_views: z.int(),
  views: z.int(),
  /** null is unlimited. */
  views_left: z.nullable(z.int()),
  id: z.optional(z.string()),
  filename: z.optional(z.string()),
  mimetype: z.optional(z.string()),
  /** Bytes. */
  size: z.optional(z.int()),
  remark: z.optional(z.nullable(z.string())),
  created_at: z.optional(z.string()),
  expires_at: z.optional(z.nullable(z.string())),
  use_proxy: z.optional(z.int()),
  created_by: z.optional(z.string()),
  type: z.optional(z.int()),
  typeName: z.optional(z.enum(fileTypes)),
  /** The ending of its name, for whoever only looks: it says what will show the file. Empty if it could say more. */
  ending: z.optional(z.string()),
  is_last_view: z.optional(z.boolean()),
  /** Seconds for which this browser may load it again (peek=1) without another view or password; only where there is one of them. */
  reload_seconds: z.optional(z.int()),
  /** Whether whoever is signed in may change it, and spends none of its views, which are limited. */
  own: z.optional(z.boolean()),
  /** Of a picture whose thumbnail was made; only of a share that is open. */
  picture: z.optional(pictureFacts),
  /** Of a sealed file that is open: an age file in base64 that has its name and type (docs/sealed.md). */
  sealed: z.optional(z.string()),
  /** How far its file is; only while that is on its way, and then nothing else is told of it but its size. */
  state: z.optional(z.enum(fileStates)),
  /** Bytes of it that have arrived; absent when nobody knows. */
  received: z.optional(z.int()),
  /** Where the bytes are. Each address carries a grant, so that fetching it again or in ranges spends no further view. */
  previewUrl: z.optional(z.string()),
  downloadUrl: z.optional(z.string()),
  proxy_preview_url: z.optional(z.string()),
  proxy_download_url: z.optional(z.string()),
  s3_direct_preview_url: z.optional(z.string()),
  s3_direct_download_url: z.optional(z.string()),
});

/** A file as its owner sees it. */
const record = {
  id: z.string(),
  slug: z.string(),
  filename: z.string(),
  /** Path of the page that shows it. */
  url: z.string(),
  storage_config_id: z.string(),
  storage_config_name: z.string(),
  storage_provider_type: z.string(),
  storage_type: z.literal("S3"),
  /** The object's key in its storage. */
  storage_path: z.string(),
  /** Its path in the mount explorer; only shares made there have one. */
  file_path: z.nullable(z.string()),
  /** Whether its file was deleted in the mount explorer, so that the share no longer opens. */
  file_gone: z.optional(z.boolean()),
  /** Whether its file was in the storage before and stays there when the share is deleted. */
  file_stays: z.optional(z.boolean()),
  /** Whether only who has its link or password can read it, and the server cannot. */
  sealed: z.optional(z.boolean()),
  mimetype: z.string(),
  /** Bytes. */
  size: z.int(),
  etag: z.nullable(z.string()),
  remark: z.nullable(z.string()),
  has_password: z.boolean(),
  expires_at: z.nullable(z.string()),
  max_views: z.int(),
  views: z.int(),
  use_proxy: z.int(),
  created_by: z.string(),
  /** Of the key that made it; only for the administrator. */
  key_name: z.optional(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  type: z.int(),
  typeName: z.enum(fileTypes),
  /** Of a picture whose thumbnail was made. */
  picture: z.optional(pictureFacts),
  /** Opens the share in place of its password; only for shares that have one. Void after any change. */
  grant: z.optional(z.string()),
};

export const fileRecord = z.object(record);

/** Addresses that the owner can pass on: they open a protected share, and each fetch uses up a view of a limited one. */
const ownerAddresses = z.object({
  previewUrl: z.string(),
  downloadUrl: z.string(),
  proxyPreviewUrl: z.string(),
  proxyDownloadUrl: z.string(),
  use_proxy: z.int(),
});

const fileChange = z.object({
  /** null or empty requests a new random slug. */
  slug: z.optional(z.nullable(z.string())),
  remark: remarkField,
  expires_at: expiresAtField,
  max_views: maxViewsField,
  use_proxy: z.optional(looseSwitch),
  /** Empty takes the password away, absent keeps it. */
  password: z.optional(z.string().check(z.maxLength(MAX_PASSWORD_CHARACTERS))),
  resetViews: z.optional(z.boolean()),
});

const bytesQuery = z.object({
  password: z.optional(z.string()),
  grant: z.optional(z.string()),
  /** Has the file come through this server although its share sends people to its storage. */
  proxy: querySwitch,
});
const bytes = { access: "anyone", params: slugParam, query: bytesQuery, reply: "text" } as const;

const notRemoved = z.object({ id: z.string(), error: z.string() });

export const files = {
  open: endpoint({
    method: "GET",
    path: "/public/files/:slug",
    access: "anyone",
    summary: "Open a file share and spend a view; with peek=1 only look whether it needs a password or has a limit",
    params: slugParam,
    query: z.object({ peek: querySwitch, grant: z.optional(z.string()) }),
    response: z.object({ data: openedFile }),
  }),
  unlock: endpoint({
    method: "POST",
    path: "/public/files/:slug/verify",
    access: "anyone",
    summary:
      "Open a file share with its password and spend a view; with peek=1 only prove the password when it has a limit",
    params: slugParam,
    query: z.object({ peek: querySwitch }),
    bodyLimit: SMALL_JSON_BYTES,
    body: z.object({ password: passwordField }),
    response: z.object({ data: openedFile }),
    offline: "verifyFilePassword",
  }),
  events: endpoint({
    method: "GET",
    path: "/shares/:slug/events",
    access: "anyone",
    summary:
      "How far the file of a share is, as text/event-stream: an event `file` with `state` (uploading, stalled, ready, failed), `received` and `size` at once and at each change, one a second at most, until it is ready or has failed; needs no password and spends nothing",
    params: slugParam,
  }),
  view: endpoint({
    ...bytes,
    method: "GET",
    path: "/file-view/:slug",
    summary: "The file itself, to be shown; spends a view unless the address carries a visitor's grant",
  }),
  viewHead: endpoint({
    ...bytes,
    method: "HEAD",
    path: "/file-view/:slug",
    summary: "What GET would answer, without the file; spends nothing",
  }),
  download: endpoint({
    ...bytes,
    method: "GET",
    path: "/file-download/:slug",
    summary: "The file itself, to be kept; spends a view unless the address carries a visitor's grant",
  }),
  downloadHead: endpoint({
    ...bytes,
    method: "HEAD",
    path: "/file-download/:slug",
    summary: "What GET would answer, without the file; spends nothing",
  }),
  thumb: endpoint({
    ...bytes,
    method: "GET",
    path: "/file-thumb/:slug",
    summary:
      "A shared picture (JPEG, PNG, WebP, GIF) made smaller, as WebP; spends nothing, so a share with a limit of views answers it only to a visitor's grant",
    query: z.object({
      password: z.optional(z.string()),
      grant: z.optional(z.string()),
      w: z._default(z.enum(thumbWidths), "320"),
    }),
  }),
  officePreview: endpoint({
    method: "GET",
    path: "/office-preview/:slug",
    access: "anyone",
    summary:
      "An address of an office file that an online viewer elsewhere can fetch for some minutes; spends a view unless a visitor's grant comes along",
    params: slugParam,
    query: z.object({ password: z.optional(z.string()), grant: z.optional(z.string()) }),
    reply: "bare",
    response: z.object({
      url: z.string(),
      filename: z.string(),
      mimetype: z.string(),
      /** Seconds. */
      expires_in: z.int(),
      is_temporary: z.boolean(),
    }),
  }),
  list: endpoint({
    method: "GET",
    path: "/files",
    access: "file_share",
    summary:
      "File shares, newest first: all for the admin, its own for a key; with `path` those of that file of the tree, whatever else is asked",
    query: z.object({
      limit: z._default(queryNumber(1, MAX_PAGE), FILE_PAGE),
      offset: z._default(queryNumber(0, 100_000_000), 0),
      ...listFilters,
      storage: z.optional(emptyAsMissing(z.string())),
      sort: z._default(z.enum(fileSorts), "created"),
      /** Of a file of the tree; needs the right to look at it. */
      path: z.optional(pathField),
    }),
    response: z.object({
      data: z.object({
        files: z.array(fileRecord),
        pagination: z.object({
          /** Of many, at least what the pages so far have and one more. */
          total: z.int(),
          /** Whether `total` is all there are. */
          total_exact: z.boolean(),
          limit: z.int(),
          offset: z.int(),
          hasMore: z.boolean(),
        }),
      }),
      key_info: z.optional(ownKey),
    }),
  }),
  read: endpoint({
    method: "GET",
    path: "/files/:id",
    access: "file_share",
    summary: "One file share for its owner, with addresses to hand on; spends nothing",
    params: idParam,
    response: z.object({ data: z.object({ ...record, urls: ownerAddresses }) }),
  }),
  update: endpoint({
    method: "PUT",
    path: "/files/:id",
    access: "file_share",
    summary: "Change a file share; what is not sent stays as it is",
    params: idParam,
    body: fileChange,
    response: z.object({ data: z.object({ id: z.string(), slug: z.string() }) }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/files/batch-delete",
    access: "file_share",
    summary:
      "Delete file shares by id, finished or not, with their files or (record_only) without; the status of the first failure when none could be",
    bodyLimit: LARGE_JSON_BYTES,
    body: z.object({ ids: idsField, delete_mode: z._default(z.enum(["both", "record_only"]), "both") }),
    response: z.object({
      ...batchOf(notRemoved),
      data: z.object({ success: z.int(), failed: z.array(notRemoved) }),
    }),
  }),
};

export type OpenedFile = z.output<typeof openedFile>;
export type FileRecord = z.output<typeof fileRecord>;
export type WholeFile = FileRecord & { readonly urls: z.output<typeof ownerAddresses> };
export type FileChange = z.output<typeof fileChange>;
export type FileSort = (typeof fileSorts)[number];
export type FileType = (typeof fileTypes)[number];
