import { readyForm, readyText } from "./connect.ts";
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
  pathField,
  queryNumber,
} from "./fields.ts";
import {
  LARGE_JSON_BYTES,
  MAX_LINK_ITEMS,
  MAX_LINK_KIND_CHARACTERS,
  MAX_LINK_KINDS,
  MAX_LINK_NETWORKS,
  MAX_LINK_NOTE_CHARACTERS,
  MAX_LINK_TITLE_CHARACTERS,
  MAX_OBJECT_BYTES,
  MAX_PAGE,
  MAX_VIEWS,
  SMALL_JSON_BYTES,
} from "./limits.ts";
import { linkRights } from "./permissions.ts";
import * as z from "./schemas.ts";
import { receiptField, recipientField } from "./upload-fields.ts";

/**
 * Links to several things of the tree. A link is a caller: whoever opens it sees a tree of its own, at whose root its items are, and nothing
 * else exists for them. They call what is below /fs as a key does, where an endpoint says that `links` may.
 */

/** Why a link lets nobody in any more, or that it does. */
export const linkStates = ["active", "paused", "expired", "spent", "closed"] as const;

const idField = z.string().check(z.maxLength(64));
const idParam = z.object({ id: idField });
const slugParam = z.object({ slug: z.string() });
const receiptParam = z.object({ receipt: receiptField });

const rightsField = z.array(z.enum(linkRights)).check(z.minLength(1), z.maxLength(linkRights.length));
/**
 * A path of a file or folder as the owner sees it, bare or as `path`; the id of a share of a file that is theirs, which stands for its file;
 * or the id of a text that they share.
 */
const itemField = z.union([
  pathField,
  z.strictObject({ path: pathField }),
  z.strictObject({ file: idField }),
  z.strictObject({ paste: idField }),
]);
const itemsField = z.array(itemField).check(z.minLength(1), z.maxLength(MAX_LINK_ITEMS));
/** Such an item, or by its id one that the link has already: it stays, also where nobody can reach it at this moment. */
const changedItemField = z.union([itemField, z.strictObject({ kept: idField })]);
const changedItemsField = z.array(changedItemField).check(z.minLength(1), z.maxLength(MAX_LINK_ITEMS));

/** An ending like `.pdf`, or a media type like `image/*`. */
const kindField = z.string().check(z.trim(), z.maxLength(MAX_LINK_KIND_CHARACTERS));

/** How much a link with the right to upload takes, of what, and what it asks of senders. */
const inbound = {
  /** Files in all; 0 or null is without limit. */
  max_files: z.nullish(z.int().check(z.minimum(0), z.maximum(MAX_VIEWS))),
  /** Bytes of all files together; 0 or null is without limit. */
  max_bytes: z.nullish(z.int().check(z.minimum(0))),
  /** Bytes of one file; 0 or null is without limit. */
  max_file_bytes: z.nullish(z.int().check(z.minimum(0), z.maximum(MAX_OBJECT_BYTES))),
  /** Endings and media types that it takes; empty is all. What a file says of itself decides, so it is a hint and no protection. */
  kinds: z.optional(z.array(kindField).check(z.maxLength(MAX_LINK_KINDS))),
  /** Whether senders have to say their name. */
  ask_name: z.optional(looseSwitch),
  /** Whether senders may leave a message. */
  ask_message: z.optional(looseSwitch),
  /** Whether what each sender sends goes into a folder of its own. */
  sender_folders: z.optional(looseSwitch),
  /**
   * The public key of age (`age1...`) for which senders' pages seal what they send; null for none. Only of a link that takes files of all kinds
   * and shows none. Pages put it behind the `#` of the link, and believe no other.
   */
  recipient: z.nullish(recipientField),
};

/** For the owner alone: whom a link was given to. */
export const labelField = z.nullish(emptyAsMissing(nameField(MAX_LINK_TITLE_CHARACTERS)));

/** What can be said of a link at any time. */
const options = {
  title: z.nullish(emptyAsMissing(nameField(MAX_LINK_TITLE_CHARACTERS))),
  /** In Markdown, above what the link leads to. */
  note: z.nullish(z.string().check(z.maxLength(MAX_LINK_NOTE_CHARACTERS))),
  label: labelField,
  slug: z.optional(z.nullable(optionalSlug)),
  expires_at: expiresAtField,
  /** How often it can be opened; one opening is six hours of one visitor. 0 or null is without limit. */
  max_opens: maxViewsField,
  /** How many files and archives can be downloaded by all visitors together. 0 or null is without limit. */
  max_downloads: maxViewsField,
  /** Addresses and networks (CIDR) that it opens from; empty is all. */
  networks: z.optional(z.array(z.string().check(z.maxLength(50))).check(z.maxLength(MAX_LINK_NETWORKS))),
  ...inbound,
};

const newLink = z.object({
  items: itemsField,
  rights: z._default(rightsField, ["view", "download"]),
  password: z.optional(z.nullable(optionalPassword)),
  ...options,
});

/** What is not sent stays as it is. */
const linkChange = z.object({
  items: z.optional(changedItemsField),
  rights: z.optional(rightsField),
  /** null removes it. */
  password: z.optional(z.nullable(optionalPassword)),
  is_active: z.optional(looseSwitch),
  ...options,
});

const linkItem = z.object({
  /** Names it in a change of the link. */
  id: z.string(),
  /** In the link's own tree, at its root. */
  name: z.string(),
  /** As the owner sees it; a folder's ends in a slash. null where it is gone, or the owner may no longer reach it. */
  path: z.nullable(z.string()),
  isDirectory: z.boolean(),
  /** Of a text in place of a path, while it can be opened and is the owner's. */
  paste: z.optional(z.object({ id: z.string(), slug: z.string() })),
});

const linkRecord = z.object({
  id: z.string(),
  slug: z.string(),
  /** Path of its page, with the recipient behind a `#` where it seals. */
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
  max_files: z.int(),
  max_bytes: z.int(),
  max_file_bytes: z.int(),
  kinds: z.array(z.string()),
  ask_name: z.boolean(),
  ask_message: z.boolean(),
  sender_folders: z.boolean(),
  recipient: z.nullable(z.string()),
  /** Files that have come by it and those on their way, and their bytes. */
  files: z.int(),
  bytes: z.int(),
  is_active: z.boolean(),
  state: z.enum(linkStates),
  /** Of a closed one: its owner is gone, or may upload no more where it only takes files. */
  closed_for: z.nullable(z.enum(["owner", "right"])),
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
  /** Whether whoever is signed in may change it, and spends none of its openings, which are limited. */
  own: z.optional(z.boolean()),
  /** Whether a sealed file is there in place of a link, which /public/files opens. */
  sealed: z.optional(z.boolean()),
});

/** What a link takes from whoever has opened it. */
const taking = z.object({
  /** null is without limit. */
  files_left: z.nullable(z.int()),
  bytes_left: z.nullable(z.int()),
  max_file_bytes: z.nullable(z.int()),
  kinds: z.array(z.string()),
  ask_name: z.boolean(),
  ask_message: z.boolean(),
  /** Whether what is sent is to be sealed, by a key that stands in the link and that the server does not say. */
  sealed: z.boolean(),
});

const arrival = z.object({
  name: z.string(),
  size: z.int(),
  /** In hexadecimal digits; null while the file is on its way, and where it could not be read as it came. */
  sha256: z.nullable(z.string()),
  /** Whether it is being computed, which begins when a file in several parts is there. */
  sha256_pending: z.boolean(),
  /** null while it is on its way. */
  arrived_at: z.nullable(z.string()),
  /** Until when its sender may take it back; null where they may not. */
  take_back_until: z.nullable(z.string()),
});

/** What one sender has sent. */
const receipt = z.object({
  sender: z.nullable(z.string()),
  message: z.nullable(z.string()),
  created_at: z.string(),
  files: z.array(arrival),
});

/** What one sender has sent, for the owner of the link. */
const received = z.extend(receipt, {
  files: z.array(
    z.extend(arrival, {
      /** Where they find it; null while it is on its way, and once it has been moved or deleted. */
      path: z.nullable(z.string()),
    }),
  ),
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
  /** null for a link that takes no uploads. */
  taking: z.nullable(taking),
  /** Whether whoever is signed in may change it, and spends none of its openings, which are limited. */
  own: z.optional(z.boolean()),
  /** The credential of this visitor: `Authorization: Link GRANT` with the calls below /fs, whose paths are those of the link's own tree. */
  grant: z.string(),
  /** When the grant ends. */
  until: z.string(),
});

const linkBucket = z.object({
  /** Scheme and host of this server, without a slash at the end. */
  endpoint: z.string(),
  region: z.string(),
  /** The slug, which is the name of the bucket as well. */
  access_key_id: z.string(),
  /** Another one as soon as the link has another password. */
  secret_access_key: z.string(),
});

const linkConnection = z.object({
  s3: z.nullable(linkBucket),
  /** null where the link shows nothing. */
  dav_address: z.nullable(z.string()),
  texts: z.array(readyText),
  /** null where the link takes no files, or asks for a password. */
  form: z.nullable(readyForm),
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
      "Make a link to files and folders of the tree, and to files and texts that are shared; a folder is live. `upload` needs the right to upload, and a folder",
    bodyLimit: LARGE_JSON_BYTES,
    body: newLink,
    limits: { expiresAt: "expires_at", maxOpens: "max_opens", maxDownloads: "max_downloads" },
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
  connect: endpoint({
    method: "GET",
    path: "/links/:id/connection",
    access: "mount_view",
    summary:
      "What programs are told to use a link, and its bucket of S3 with the secret; null for one that shows nothing",
    params: idParam,
    response: z.object({ data: linkConnection }),
  }),
  received: endpoint({
    method: "GET",
    path: "/links/:id/receipts",
    access: "mount_view",
    summary: "What senders have sent by a link, where it is, and what they said, newest first",
    params: idParam,
    query: z.object({
      limit: z._default(queryNumber(1, MAX_PAGE), 30),
      offset: z._default(queryNumber(0, 1_000_000), 0),
    }),
    response: z.object({ data: z.object({ receipts: z.array(received), total: z.int() }) }),
  }),
  receipt: endpoint({
    method: "GET",
    path: "/public/receipts/:receipt",
    access: "anyone",
    summary: "The receipt of a sender: what has come of theirs, with SHA-256 and time",
    params: receiptParam,
    response: z.object({ data: receipt }),
  }),
  takeBack: endpoint({
    method: "DELETE",
    path: "/public/receipts/:receipt",
    access: "anyone",
    summary:
      "Take back what a sender has sent in the last ten minutes, unless somebody has changed it; answers what is left",
    params: receiptParam,
    response: z.object({ data: receipt }),
  }),
};

export type LinkState = (typeof linkStates)[number];
export type NewLink = z.output<typeof newLink>;
export type NewLinkItem = z.output<typeof itemField>;
export type ChangedLinkItem = z.output<typeof changedItemField>;
export type LinkChange = z.output<typeof linkChange>;
export type LinkRecord = z.output<typeof linkRecord>;
export type LinkItem = z.output<typeof linkItem>;
export type PeekedLink = z.output<typeof peeked>;
export type OpenedLink = z.output<typeof opened>;
export type Received = z.output<typeof received>;
export type Receipt = z.output<typeof receipt>;
export type Taking = z.output<typeof taking>;
export type LinkBucket = z.output<typeof linkBucket>;
export type LinkConnection = z.output<typeof linkConnection>;
