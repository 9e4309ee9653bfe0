import { endpoint } from "../endpoint.ts";
import { batchOf, idsField, queryNumber } from "../fields.ts";
import { fileTypes } from "../files.ts";
import { MAX_PAGE, TRASH_PAGE } from "../limits.ts";
import * as z from "../schemas.ts";

/** The trash: what was deleted in the tree and can still come back to its place. */

const trashItem = z.object({
  id: z.string(),
  name: z.string(),
  /** Where it was; a folder's ends in a slash. */
  path: z.string(),
  isDirectory: z.boolean(),
  typeName: z.enum(fileTypes),
  /** Bytes of all of it; null when nobody knew. */
  size: z.nullable(z.number()),
  /** How many files that is. */
  files: z.nullable(z.int()),
  storage_config_id: z.string(),
  deleted_by: z.string(),
  deleted_at: z.string(),
  /** When it goes for ever. */
  purge_at: z.string(),
});

const notDone = z.object({ id: z.string(), error: z.string(), message: z.string() });

export const fsTrash = {
  list: endpoint({
    method: "GET",
    path: "/fs/trash",
    packable: true,
    access: "mount_view",
    summary:
      "What is in the trash, newest first: of a key what it has deleted below its base path itself, of the administrator everything",
    query: z.object({
      limit: z._default(queryNumber(1, MAX_PAGE), TRASH_PAGE),
      /** Of the page before. */
      cursor: z.optional(z.string().check(z.maxLength(100))),
    }),
    response: z.object({
      data: z.object({
        items: z.array(trashItem),
        /** Where the next page begins; null at the end. */
        next_cursor: z.nullable(z.string()),
      }),
    }),
  }),
  restore: endpoint({
    method: "POST",
    path: "/fs/trash/restore",
    access: "mount_upload",
    summary:
      "Put things back to where they were, beside what is there now: `name(1).txt`. Links to them work again. The status of the first failure when nothing could be",
    body: z.object({ ids: idsField }),
    response: z.object({
      ...batchOf(notDone),
      data: z.object({
        /** With their paths now. */
        restored: z.array(z.object({ id: z.string(), path: z.string() })),
        failed: z.array(notDone),
      }),
    }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/fs/trash",
    access: "mount_delete",
    summary: "Delete things in the trash for ever. The status of the first failure when nothing could be",
    body: z.object({ ids: idsField }),
    response: z.object({ ...batchOf(notDone), data: z.object({ success: z.int(), failed: z.array(notDone) }) }),
  }),
  empty: endpoint({
    method: "DELETE",
    path: "/fs/trash/all",
    access: "mount_delete",
    summary:
      "Empty the trash, as the list shows it to the caller. Of very much the last bytes go within minutes after the answer",
    response: z.object({ data: z.object({ success: z.int() }) }),
  }),
};

export type TrashItem = z.output<typeof trashItem>;
