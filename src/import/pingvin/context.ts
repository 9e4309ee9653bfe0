import type { AdminCaller } from "../../access/principal.ts";
import type { View } from "../../vfs/view.ts";
import type { ImportContext } from "../context.ts";
import type { sharedFilesBeside } from "./folder.ts";
import type { PingvinTable } from "./pingvin-table.ts";

/** Who owns what is imported: users are not. */
export const OWNER: AdminCaller = { kind: "admin", sessionId: null };

/** What each step of an import of Pingvin Share works with. */
export interface PingvinContext extends ImportContext {
  readonly table: PingvinTable;
  readonly find: ReturnType<typeof sharedFilesBeside>;
  readonly view: View;
  /** The folder of the tree into which files go. */
  readonly folder: string;
}
