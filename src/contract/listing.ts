import { emptyAsMissing } from "./fields.ts";
import { MAX_QUERY_CHARACTERS, MIN_QUERY_CHARACTERS } from "./limits.ts";
import * as z from "./schemas.ts";

/** How the lists of shares are searched, filtered and sorted: by the query string of both. */

/** Whether a share still opens, or why it no longer does. */
export const shareStates = ["active", "expired", "used_up"] as const;

export const sortOrders = ["asc", "desc"] as const;

const searchField = z
  .string()
  .check(z.trim(), z.normalize("NFC"), z.minLength(MIN_QUERY_CHARACTERS), z.maxLength(MAX_QUERY_CHARACTERS));

const optional = <S extends z.ZodMiniType>(schema: S) => z.optional(emptyAsMissing(schema));

/** Fields of a list's query beside its page. */
export const listFilters = {
  /** Every word of it is found in a share: its link, its remark, and its name or the beginning of its text. */
  search: optional(searchField),
  created_by: z.optional(z.string()),
  state: optional(z.enum(shareStates)),
  /** Whether it asks for a password. */
  protected: optional(z.enum(["true", "false", "1", "0"])),
  order: z._default(z.enum(sortOrders), "desc"),
};

export type ShareState = (typeof shareStates)[number];
export type SortOrder = (typeof sortOrders)[number];
