import type { Caller } from "../access/principal.ts";
import type { StorageRow } from "../stores/configs-table.ts";

/** Whether a caller may use a storage: the admin any, a key those that are public. */
export const mayUse = (caller: Caller, { is_public }: Pick<StorageRow, "is_public">): boolean =>
  caller.kind === "admin" || is_public === 1;
