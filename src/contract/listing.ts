import * as z from "zod/mini";
import { emptyAsMissing } from "./fields.ts";
import { MAX_QUERY_CHARACTERS, MIN_QUERY_CHARACTERS } from "./limits.ts";

/** How the lists of shares are searched, filtered and sorted: by the query string of both. */

/** Whether a share still opens, or why it no longer does. */
export const shareStates = ["active", "expired", "used_up"] as const;

export const sortOrders = ["asc", "desc"] as const;

/** Returns what a list is searched for, as it is compared: in one form of Unicode, blanks around it left out. */
export const searchText = (typed: string): string => typed.trim().normalize("NFC");

/** Reports whether a search is long enough; letters outside the BMP count once. */
export const isSearch = (text: string): boolean => [...text].length >= MIN_QUERY_CHARACTERS;

const searchField = z.pipe(
  z.string().check(z.maxLength(MAX_QUERY_CHARACTERS)),
  z.pipe(z.transform(searchText), z.string().check(z.refine(isSearch))),
);

/** Fields of a list's query beside its page. */
export const listFilters = {
  /** Every word of it is found in a share: its link, its remark, and its name or the beginning of its text. */
  search: z.optional(emptyAsMissing(searchField)),
  created_by: z.optional(z.string()),
  state: z.optional(emptyAsMissing(z.enum(shareStates))),
  /** Whether it asks for a password. */
  protected: z.optional(emptyAsMissing(z.enum(["true", "false", "1", "0"]))),
  order: z._default(z.enum(sortOrders), "desc"),
};

export type ShareState = (typeof shareStates)[number];
export type SortOrder = (typeof sortOrders)[number];
