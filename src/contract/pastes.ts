import { endpoint } from "./endpoint.ts";
import {
  batchOf,
  expiresAtField,
  idsField,
  maxViewsField,
  optionalPassword,
  optionalSlug,
  ownKey,
  passwordField,
  queryNumber,
  querySwitch,
  remarkField,
} from "./fields.ts";
import {
  LARGE_JSON_BYTES,
  MAX_CONTENT_JSON_BYTES,
  MAX_EARLIER_CHANGES,
  MAX_PAGE,
  MAX_REQUEST_KEY_CHARACTERS,
  PASTE_PAGE,
  SMALL_JSON_BYTES,
} from "./limits.ts";
import { listFilters } from "./listing.ts";
import * as z from "./schemas.ts";

/** Text shares. Field names are those that clients made for CloudPaste expect, hence camelCase here and snake_case there. */

const slugParam = z.object({ slug: z.string() });
const idParam = z.object({ id: z.string() });

const newPaste = z.object({
  content: z.string(),
  slug: z.optional(z.nullable(optionalSlug)),
  remark: remarkField,
  password: z.optional(z.nullable(optionalPassword)),
  expiresAt: expiresAtField,
  maxViews: maxViewsField,
  /** Whether readers see it as it was written first, and not as Markdown. Without it that is recognised: code, data, logs and crontabs are. */
  plain: z.optional(z.boolean()),
});

const createdPaste = z.object({
  id: z.string(),
  slug: z.string(),
  /** The address of its page, with host and base path. */
  url: z.string(),
  remark: z.nullable(z.string()),
  expiresAt: z.nullable(z.string()),
  maxViews: z.int(),
  hasPassword: z.boolean(),
  createdAt: z.string(),
  authorizedBy: z.enum(["admin", "apikey"]),
  /** Opens the share in place of its password; only for shares that have one. Void after any change. */
  grant: z.optional(z.string()),
});

/** A text as visitors see it: with content once it is open, without it while it requires a password or a decision. */
const openedPaste = z.object({
  slug: z.string(),
  hasPassword: z.boolean(),
  maxViews: z.int(),
  views: z.int(),
  /** null is unlimited. */
  viewsLeft: z.nullable(z.int()),
  requiresPassword: z.optional(z.boolean()),
  content: z.optional(z.string()),
  /** What its owner needs beside its text to change it without asking again: id, and the version that a change is based on. */
  id: z.optional(z.string()),
  version: z.optional(z.int()),
  plain: z.optional(z.boolean()),
  remark: z.optional(z.nullable(z.string())),
  expiresAt: z.optional(z.nullable(z.string())),
  createdAt: z.optional(z.string()),
  updatedAt: z.optional(z.string()),
  created_by: z.optional(z.string()),
  isLastView: z.optional(z.boolean()),
  /** Seconds for which this browser may load it again (peek=1) without another view or password; only where there is one of them. */
  reloadSeconds: z.optional(z.int()),
  /** Whether whoever is signed in may change it, and spends none of its views, which are limited. */
  own: z.optional(z.boolean()),
});

/** What texts can be sorted by. */
export const pasteSorts = ["created", "expires", "views"] as const;

const listedPaste = z.object({
  id: z.string(),
  slug: z.string(),
  remark: z.nullable(z.string()),
  content_preview: z.string(),
  /** Whether it is shown as it was written, and not as Markdown. */
  plain: z.boolean(),
  /** Bytes of UTF-8. */
  size: z.int(),
  has_password: z.int(),
  expires_at: z.nullable(z.string()),
  max_views: z.int(),
  views: z.int(),
  view_count: z.int(),
  created_by: z.string(),
  /** Of the key that made it; only for the administrator. */
  key_name: z.optional(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  grant: z.optional(z.string()),
  /** The whole text, only for keys. Texts beyond 10 MB of one page are left out and can be read by id. */
  content: z.optional(z.string()),
});

const wholePaste = z.object({
  id: z.string(),
  slug: z.string(),
  content: z.string(),
  plain: z.boolean(),
  remark: z.nullable(z.string()),
  has_password: z.boolean(),
  /** Another one after each change. */
  version: z.int(),
  expires_at: z.nullable(z.string()),
  max_views: z.int(),
  views: z.int(),
  created_by: z.string(),
  /** Of the key that made it; only for the administrator. */
  key_name: z.optional(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
  grant: z.optional(z.string()),
});

const pasteChange = z.object({
  content: z.optional(z.string()),
  /** Changes only the share that still has this version; 409 share.changed for any other that is not as wanted already. */
  version: z.optional(z.int()),
  /** Idempotency-Keys of the caller's changes before this one whose answers were lost: what one of them has made of the share is no other's. */
  after: z.optional(
    z.array(z.string().check(z.maxLength(MAX_REQUEST_KEY_CHARACTERS))).check(z.maxLength(MAX_EARLIER_CHANGES)),
  ),
  remark: remarkField,
  expiresAt: expiresAtField,
  maxViews: maxViewsField,
  password: z.optional(z.nullable(optionalPassword)),
  clearPassword: z.optional(z.boolean()),
  /** null or empty requests a new random slug. */
  newSlug: z.optional(z.nullable(z.string())),
  resetViews: z.optional(z.boolean()),
  plain: z.optional(z.boolean()),
});

const removed = z.object({ data: z.object({ deleted: z.int() }) });
const notRemoved = z.object({ id: z.string(), error: z.string() });
const clearExpiredBody = z.object({ clearExpired: z.literal(true) });

export const pastes = {
  create: endpoint({
    method: "POST",
    path: "/paste",
    access: "text",
    visitors: true,
    creates: true,
    summary: "Share a text; repeated with the same Idempotency-Key it answers with the first share",
    body: newPaste,
    limits: { expires_at: "expiresAt", max_views: "maxViews" },
    bodyLimit: MAX_CONTENT_JSON_BYTES,
    response: createdPaste,
    reply: "bare",
    status: 201,
    offline: "createPaste",
  }),
  open: endpoint({
    method: "GET",
    path: "/paste/:slug",
    access: "anyone",
    summary:
      "Open a text share and spend a view, or none of one's own; with peek=1 only look whether it needs a password or has a limit",
    params: slugParam,
    query: z.object({ peek: querySwitch, grant: z.optional(z.string()) }),
    response: openedPaste,
    reply: "bare",
  }),
  unlock: endpoint({
    method: "POST",
    path: "/paste/:slug",
    access: "anyone",
    summary: "Open a text share with its password and spend a view",
    params: slugParam,
    bodyLimit: SMALL_JSON_BYTES,
    body: z.object({ password: passwordField }),
    response: openedPaste,
    reply: "bare",
  }),
  raw: endpoint({
    method: "GET",
    path: "/raw/:slug",
    access: "anyone",
    summary: "The text itself, for scripts; spends a view",
    params: slugParam,
    query: z.object({ password: z.optional(z.string()), grant: z.optional(z.string()) }),
    reply: "text",
  }),
  rawHead: endpoint({
    method: "HEAD",
    path: "/raw/:slug",
    access: "anyone",
    summary: "Whether the text is there, and its length; spends nothing",
    params: slugParam,
    query: z.object({ password: z.optional(z.string()), grant: z.optional(z.string()) }),
    reply: "text",
  }),
  list: endpoint({
    method: "GET",
    path: "/pastes",
    access: "text",
    summary: "Text shares, newest first: all for the admin, its own for a key",
    query: z.object({
      page: z.optional(queryNumber(1, 1_000_000)),
      limit: z._default(queryNumber(1, MAX_PAGE), PASTE_PAGE),
      offset: z.optional(queryNumber(0, 100_000_000)),
      ...listFilters,
      sort: z._default(z.enum(pasteSorts), "created"),
      /** `false` leaves the whole texts out that a key is sent. */
      content: z.optional(z.enum(["true", "false", "1", "0"])),
    }),
    response: z.object({
      data: z.array(listedPaste),
      pagination: z.object({
        /** Of many, at least what the pages so far have and one more. */
        total: z.int(),
        /** Whether `total` is all there are. */
        total_exact: z.boolean(),
        page: z.int(),
        limit: z.int(),
        offset: z.int(),
        totalPages: z.int(),
        hasMore: z.boolean(),
      }),
      key_info: z.optional(ownKey),
    }),
  }),
  read: endpoint({
    method: "GET",
    path: "/pastes/:id",
    access: "text",
    summary: "One text share with its content, for its owner; spends nothing",
    params: idParam,
    response: z.object({ data: wholePaste }),
  }),
  update: endpoint({
    method: "PUT",
    path: "/pastes/:id",
    access: "text",
    summary:
      "Change a text share, found by slug or id; what is not sent stays as it is. Repeated with the same Idempotency-Key it changes nothing more, until another change follows",
    params: idParam,
    body: pasteChange,
    bodyLimit: MAX_CONTENT_JSON_BYTES,
    response: z.object({ data: z.object({ id: z.string(), slug: z.string() }) }),
    offline: "updatePaste",
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/pastes/batch-delete",
    access: "text",
    summary: "Delete text shares by id; 404 when none of them is there",
    bodyLimit: LARGE_JSON_BYTES,
    body: z.object({ ids: idsField }),
    response: z.object({
      ...batchOf(notRemoved),
      data: z.object({ deleted: z.int(), failed: z.array(notRemoved) }),
    }),
    offline: "batchDeletePastes",
  }),
  clearExpired: endpoint({
    method: "POST",
    path: "/pastes/clear-expired",
    access: "admin",
    audit: "texts.clear",
    summary: "Delete text shares that have expired or are used up",
    body: clearExpiredBody,
    response: removed,
    offline: "clearExpiredPastes",
  }),
  clearExpiredAlias: endpoint({
    method: "POST",
    path: "/admin/pastes/clear-expired",
    access: "admin",
    audit: "texts.clear",
    summary: "The same as POST /pastes/clear-expired",
    body: clearExpiredBody,
    response: removed,
  }),
};

export type NewPaste = z.output<typeof newPaste>;
export type CreatedPaste = z.output<typeof createdPaste>;
export type OpenedPaste = z.output<typeof openedPaste>;
export type ListedPaste = z.output<typeof listedPaste>;
export type WholePaste = z.output<typeof wholePaste>;
export type PasteSort = (typeof pasteSorts)[number];
export type PasteChange = z.output<typeof pasteChange>;
