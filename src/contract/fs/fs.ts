import { endpoint } from "../endpoint.ts";
import { batchOf, done, pathField, queryNumber, querySwitch } from "../fields.ts";
import { fileTypes, pictureFacts } from "../files.ts";
import {
  LARGE_JSON_BYTES,
  MAX_BATCH,
  MAX_CONTENT_JSON_BYTES,
  MAX_LINK_ITEMS,
  MAX_LIST_PAGE,
  MAX_QUERY_CHARACTERS,
  MAX_SEARCH_PAGE,
  MIN_QUERY_CHARACTERS,
  SEARCH_PAGE,
} from "../limits.ts";
import * as z from "../schemas.ts";
import { limitAliases, shareOptions } from "../upload-fields.ts";

/**
 * The tree of mounts. Names and shapes are those that clients made for CloudPaste expect: folders end in a slash, and
 * requests may leave the slash out.
 */

const idText = z.string().check(z.maxLength(64));

const item = z.object({
  name: z.string(),
  /** A folder's ends in a slash. */
  path: z.string(),
  isDirectory: z.boolean(),
  /** Whether it only leads to mounts. */
  isVirtual: z.optional(z.boolean()),
  /** Bytes; of a folder all that lies below it, as far as the index knows. */
  size: z.optional(z.number()),
  modified: z.optional(z.nullable(z.string())),
  etag: z.optional(z.string()),
  type: z.int(),
  typeName: z.enum(fileTypes),
  /** Of what a mount stands at. */
  mount_id: z.optional(z.string()),
  /** Of a picture whose thumbnail was made; of the first 2,000 of a list. */
  picture: z.optional(pictureFacts),
});

/** A storage that did not answer; what others hold in the same folder is shown all the same. */
const mountFailure = z.object({
  mount_id: z.string(),
  name: z.string(),
  path: z.string(),
  error: z.string(),
  message: z.string(),
});

const listing = z.object({
  path: z.string(),
  type: z.string(),
  isDirectory: z.boolean(),
  isRoot: z.boolean(),
  isVirtual: z.boolean(),
  mount_id: z.optional(z.string()),
  storage_type: z.optional(z.string()),
  /** Whether a README of the folder is to be shown below its list, as its mount says. */
  readme: z.optional(z.boolean()),
  items: z.array(item),
  /** Days that what is deleted here stays in the trash; 0 where it is gone at once. */
  trash_days: z.int(),
  /** Where the next page begins; null at the end. */
  next_cursor: z.nullable(z.string()),
  troubles: z.array(mountFailure),
  /** What it shows at least, as `since` of /fs/events. */
  version: z.string(),
});

const found = z.extend(item, {
  contentType: z.string(),
  mount_id: z.optional(z.string()),
  storage_type: z.optional(z.string()),
  /** Addresses that need no credential; only of files. */
  preview_url: z.optional(z.string()),
  download_url: z.optional(z.string()),
  /** Lets this file be fetched through this server, as `grant` of /fs/download. */
  grant: z.optional(z.string()),
});

const hit = z.extend(item, {
  contentType: z.string(),
  mount_id: z.string(),
  mount_name: z.string(),
  storage_type: z.string(),
  s3_key: z.string(),
});

const searchScopes = ["global", "mount", "directory"] as const;

const pathsField = z.array(pathField).check(z.minLength(1), z.maxLength(MAX_BATCH));

const notDone = z.object({ path: z.string(), error: z.string(), message: z.string() });

/** An event of `events`. */
export interface FolderNews {
  readonly version: string;
  readonly changed: boolean;
  /** Whether something has changed in the folder `around` it; only where one was named. */
  readonly around?: boolean;
}

export const view = { access: "mount_view", visitors: true } as const;

export const fs = {
  list: endpoint({
    ...view,
    links: "view",
    method: "GET",
    path: "/fs/list",
    packable: true,
    summary: `What is in a folder: all of it, folders first; with \`limit\` or \`cursor\` a page in the order of the UTF-8 bytes of the paths, files and folders (whose paths end in a slash) together, and where the next begins; with \`folders\` without the files, so that a page may have fewer than its limit`,
    query: z.object({
      path: z._default(pathField, "/"),
      limit: z.optional(queryNumber(1, MAX_LIST_PAGE)),
      cursor: z.optional(z.string().check(z.maxLength(4000))),
      /** Asks the storage even when its answer is kept. */
      refresh: querySwitch,
      /** Leaves out the files. */
      folders: querySwitch,
    }),
    response: z.object({ data: listing }),
    exact: true,
  }),
  events: endpoint({
    ...view,
    links: "view",
    method: "GET",
    path: "/fs/events",
    summary:
      "Whether something has changed in a folder or below it, as text/event-stream: an event `folder` at once (`changed` is true when that was so after the listing of the version `since`), then after changes, one a second at most; a listing of its `version` or a later one shows them. With `around`, a folder around it, events tell of that as well (`around`, with `around_since`)",
    query: z.object({
      path: z._default(pathField, "/"),
      since: z.optional(z.string().check(z.maxLength(64))),
      around: z.optional(pathField),
      around_since: z.optional(z.string().check(z.maxLength(64))),
    }),
  }),
  get: endpoint({
    ...view,
    links: "view",
    method: "GET",
    path: "/fs/get",
    summary: "What is known of a file or a folder, and addresses of a file that need no credential",
    query: z.object({ path: pathField }),
    response: z.object({ data: found }),
  }),
  search: endpoint({
    ...view,
    links: "view",
    method: "GET",
    path: "/fs/search",
    entryBytes: 8 * 1024,
    summary:
      "Files and folders by name, as far as the caller sees: exact names first, then those that begin so, then words, then the newest (of more than about 10,000 hits among those that were indexed last); what lies in the folder of shares comes last, of up to 1,000 hits",
    query: z.object({
      q: z.string().check(z.trim(), z.minLength(MIN_QUERY_CHARACTERS), z.maxLength(MAX_QUERY_CHARACTERS)),
      scope: z._default(z.enum(searchScopes), "global"),
      mount_id: z.optional(idText),
      path: z.optional(pathField),
      limit: z._default(queryNumber(1, MAX_SEARCH_PAGE), SEARCH_PAGE),
      offset: z._default(queryNumber(0, 100_000), 0),
    }),
    response: z.object({
      data: z.object({
        results: z.array(hit),
        total: z.int(),
        /** False when there are more than `total` says. */
        total_exact: z.boolean(),
        hasMore: z.boolean(),
        searchParams: z.object({
          query: z.string(),
          scope: z.enum(searchScopes),
          mountId: z.nullable(z.string()),
          path: z.nullable(z.string()),
          limit: z.int(),
          offset: z.int(),
        }),
        mountsSearched: z.int(),
      }),
    }),
  }),
  mkdir: endpoint({
    access: "mount_upload",
    links: "upload",
    visitors: true,
    creates: true,
    method: "POST",
    path: "/fs/mkdir",
    summary: "Make a folder and those above it; one that is there is no failure",
    body: z.object({ path: pathField }),
    response: done,
  }),
  rename: endpoint({
    access: "mount_rename",
    visitors: true,
    method: "POST",
    creates: false,
    path: "/fs/rename",
    summary:
      "Rename or move a file or a folder within its mount; both paths of a folder end in a slash. Never in place of anything",
    body: z.object({ oldPath: pathField, newPath: pathField }),
    response: done,
  }),
  update: endpoint({
    access: "mount_upload",
    visitors: true,
    creates: true,
    method: "POST",
    path: "/fs/update",
    summary:
      "Write a text into a file, or make it; with `etag` only when the file is still that version, with `isNew` only where nothing is yet",
    body: z.object({
      path: pathField,
      content: z.string(),
      etag: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
      isNew: z.optional(z.boolean()),
    }),
    bodyLimit: MAX_CONTENT_JSON_BYTES,
    response: z.object({
      data: z.object({
        success: z.boolean(),
        path: z.string(),
        etag: z.string(),
        contentType: z.string(),
        message: z.string(),
        isNewFile: z.boolean(),
      }),
    }),
  }),
  batchRemove: endpoint({
    access: "mount_delete",
    visitors: true,
    method: "DELETE",
    creates: false,
    path: "/fs/batch-remove",
    summary:
      "Delete files, and folders with all below them; what is not there counts as deleted. They wait in the trash where their mount has one, unless `forever` is true. The status of the first failure when nothing could be",
    bodyLimit: LARGE_JSON_BYTES,
    body: z.object({ paths: pathsField, forever: z.optional(z.boolean()) }),
    response: z.object({
      ...batchOf(notDone),
      data: z.object({
        success: z.int(),
        failed: z.array(notDone),
        /** What waits in the trash, with its id there. */
        trashed: z.array(z.object({ path: z.string(), id: z.string() })),
      }),
    }),
  }),
  countShares: endpoint({
    access: "mount_delete",
    method: "POST",
    path: "/fs/count-shares",
    summary:
      "How many shares would end if these files, and folders (whose paths end in a slash), were deleted: of a key its own, of the administrator all",
    bodyLimit: LARGE_JSON_BYTES,
    body: z.object({ paths: pathsField }),
    response: z.object({
      data: z.object({
        shares: z.int(),
        /** False when there may be more than `shares` says. */
        exact: z.boolean(),
      }),
    }),
  }),
  createShare: endpoint({
    ...view,
    creates: true,
    method: "POST",
    path: "/fs/create-share",
    summary:
      "Share a file where it lies; it stays when the share is deleted, and the share follows when it is renamed. Of a folder, or of several `paths`, a link is made, for which a credential is needed",
    bodyLimit: LARGE_JSON_BYTES,
    body: z
      .object({
        path: z.optional(pathField),
        /** In place of `path`. */
        paths: z.optional(z.array(pathField).check(z.minLength(1), z.maxLength(MAX_LINK_ITEMS))),
        ...shareOptions,
      })
      .check(z.refine(({ path, paths }) => (path === undefined) !== (paths === undefined), { path: ["path"] })),
    limits: limitAliases,
    status: 201,
    response: z.object({
      data: z.object({
        success: z.boolean(),
        /** Whether it is a share of a file, or a link, which the calls below /links change and end. */
        kind: z.enum(["file", "link"]),
        /** Of the share or the link. */
        fileId: z.string(),
        slug: z.string(),
        /** What a link's first item is called. */
        filename: z.string(),
        /** 0 of a link, as what it leads to changes. */
        size: z.number(),
        url: z.string(),
        message: z.string(),
        /** Opens the share in place of its password; only for shares of files that have one. */
        grant: z.optional(z.string()),
      }),
    }),
  }),
};

export type FsItem = z.output<typeof item>;
export type FsHit = z.output<typeof hit>;
export type SearchScope = (typeof searchScopes)[number];
