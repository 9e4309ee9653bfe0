import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";
import {
  done,
  emptyAsMissing,
  expiresAtField,
  looseSwitch,
  maxViewsField,
  nameField,
  optionalPassword,
  optionalSlug,
  passwordField,
  queryNumber,
} from "./fields.ts";
import { pathField } from "./fs.ts";
import {
  LARGE_JSON_BYTES,
  MAX_LINK_ITEMS,
  MAX_LINK_NETWORKS,
  MAX_LINK_NOTE_CHARACTERS,
  MAX_LINK_TITLE_CHARACTERS,
  MAX_PAGE,
  SMALL_JSON_BYTES,
} from "./limits.ts";
import { linkRights } from "./permissions.ts";

/**
 * Links to several things of the tree. A link is a caller: whoever opens it sees a tree of its own, at whose root its items are, and nothing
 * else exists for them. They call what is below /fs as a key does, where an endpoint says that `links` may.
 */

/** Why a link lets nobody in any more, or that it does. */
export const linkStates = ["active", "paused", "expired", "spent", "closed"] as const;

const idParam = z.object({ id: z.string().check(z.maxLength(64)) });
const slugParam = z.object({ slug: z.string() });

const rightsField = z.array(z.enum(linkRights)).check(z.minLength(1), z.maxLength(linkRights.length));
/** Paths of files and folders as the owner sees them; a folder's ends in a slash. */
const itemsField = z.array(pathField).check(z.minLength(1), z.maxLength(MAX_LINK_ITEMS));

/** What can be said of a link at any time. */
const options = {
  title: z.nullish(emptyAsMissing(nameField(MAX_LINK_TITLE_CHARACTERS))),
  /** In Markdown, above what the link leads to. */
  note: z.nullish(z.string().check(z.maxLength(MAX_LINK_NOTE_CHARACTERS))),
  /** For the owner alone: whom it was given to. */
  label: z.nullish(emptyAsMissing(nameField(MAX_LINK_TITLE_CHARACTERS))),
  slug: z.optional(z.nullable(optionalSlug)),
  expires_at: expiresAtField,
  /** How often it can be opened; one opening is six hours of one visitor. 0 or null is without limit. */
  max_opens: maxViewsField,
  /** How many files and archives can be downloaded by all visitors together. 0 or null is without limit. */
  max_downloads: maxViewsField,
  /** Addresses and networks (CIDR) that it opens from; empty is all. */
  networks: z.optional(z.array(z.string().check(z.maxLength(50))).check(z.maxLength(MAX_LINK_NETWORKS))),
};

const newLink = z.object({
  items: itemsField,
  rights: z._default(rightsField, ["view", "download"]),
  password: z.optional(z.nullable(optionalPassword)),
  ...options,
});

/** What is not sent stays as it is. */
const linkChange = z.object({
  items: z.optional(itemsField),
  rights: z.optional(rightsField),
  /** null removes it. */
  password: z.optional(z.nullable(optionalPassword)),
  is_active: z.optional(looseSwitch),
  ...options,
});

const linkItem = z.object({
  /** In the link's own tree, at its root. */
  name: z.string(),
  /** As the owner sees it; a folder's ends in a slash. null where it is gone, or the owner may no longer reach it. */
  path: z.nullable(z.string()),
  isDirectory: z.boolean(),
});

const linkRecord = z.object({
  id: z.string(),
  slug: z.string(),
  /** Path of its page. */
  url: z.string(),
  title: z.nullable(z.string()),
  note: z.nullable(z.string()),
  label: z.nullable(z.string()),
  rights: z.array(z.enum(linkRights)),
  /** Of a list the first ten of each link. */
  items: z.array(linkItem),
  /** All of them. */
  item_count: z.int(),
  has_password: z.boolean(),
  expires_at: z.nullable(z.string()),
  /** 0 is without limit. */
  max_opens: z.int(),
  opens: z.int(),
  max_downloads: z.int(),
  downloads: z.int(),
  networks: z.array(z.string()),
  is_active: z.boolean(),
  state: z.enum(linkStates),
  created_by: z.string(),
  /** Of the key that made it; only for the administrator. */
  key_name: z.optional(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});

const single = z.object({ data: linkRecord });

/** What a visitor is told before they open it: nothing of what is in it. */
const peeked = z.object({
  slug: z.string(),
  requires_password: z.boolean(),
  max_opens: z.int(),
  /** null is without limit. */
  opens_left: z.nullable(z.int()),
});

const opened = z.object({
  slug: z.string(),
  title: z.nullable(z.string()),
  note: z.nullable(z.string()),
  rights: z.array(z.enum(linkRights)),
  expires_at: z.nullable(z.string()),
  /** null is without limit. */
  downloads_left: z.nullable(z.int()),
  /** Paths in the link's own tree that take uploads, which end in a slash; whoever may not look has no other way to learn them. */
  upload_paths: z.array(z.string()),
  /** The credential of this visitor: `Authorization: Link GRANT` with the calls below /fs, whose paths are those of the link's own tree. */
  grant: z.string(),
  /** When the grant ends. */
  until: z.string(),
});

export const links = {
  list: endpoint({
    method: "GET",
    path: "/links",
    access: "mount_view",
    summary: "Links, newest first: of a key its own, of the administrator all",
    query: z.object({
      search: z.optional(z.string().check(z.maxLength(200))),
      state: z.optional(z.enum(linkStates)),
      /** Those that lead to this file or folder, or to something that holds it. */
      path: z.optional(pathField),
      /** Of the key with this id, or `admin`; only for the administrator. */
      created_by: z.optional(z.string().check(z.maxLength(80))),
      limit: z._default(queryNumber(1, MAX_PAGE), 30),
      offset: z._default(queryNumber(0, 1_000_000), 0),
    }),
    response: z.object({ data: z.object({ links: z.array(linkRecord), total: z.int() }) }),
  }),
  create: endpoint({
    method: "POST",
    path: "/links",
    access: "mount_view",
    summary:
      "Make a link to files and folders of the tree; a folder is live. `upload` needs the right to upload, and a folder",
    bodyLimit: LARGE_JSON_BYTES,
    body: newLink,
    status: 201,
    response: single,
  }),
  get: endpoint({
    method: "GET",
    path: "/links/:id",
    access: "mount_view",
    summary: "One link",
    params: idParam,
    response: single,
  }),
  update: endpoint({
    method: "PUT",
    path: "/links/:id",
    access: "mount_view",
    summary: "Change a link; what is not sent stays as it is. A changed password, right or item ends all grants of it",
    bodyLimit: LARGE_JSON_BYTES,
    params: idParam,
    body: linkChange,
    response: single,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/links/:id",
    access: "mount_view",
    summary: "Delete a link, which ends at once; what it leads to stays",
    params: idParam,
    response: done,
  }),
  peek: endpoint({
    method: "GET",
    path: "/public/links/:slug",
    access: "anyone",
    summary: "What a link requires before it opens; nothing is spent and nothing of its items told",
    params: slugParam,
    response: z.object({ data: peeked }),
  }),
  open: endpoint({
    method: "POST",
    path: "/public/links/:slug/open",
    access: "anyone",
    summary: "Open a link, which spends one opening of a limited one, and get the grant of this visitor",
    bodyLimit: SMALL_JSON_BYTES,
    params: slugParam,
    body: z.object({
      password: emptyAsMissing(passwordField),
      /** One of an earlier opening, which is answered again and spends none while it holds. */
      grant: z.optional(z.string().check(z.maxLength(500))),
    }),
    response: z.object({ data: opened }),
  }),
};

export type LinkState = (typeof linkStates)[number];
export type NewLink = z.output<typeof newLink>;
export type LinkChange = z.output<typeof linkChange>;
export type LinkRecord = z.output<typeof linkRecord>;
export type LinkItem = z.output<typeof linkItem>;
export type PeekedLink = z.output<typeof peeked>;
export type OpenedLink = z.output<typeof opened>;
