import type { Install } from "../../offline/install.ts";
import type { Offline } from "../../offline/offline.ts";
import type { Shared } from "../../offline/share-sheet.ts";
import type { Worker } from "../../offline/worker.ts";
import type { Connection } from "./connection.ts";

/** The machines behind what a page shows at its corner. */
export interface CornerProps {
  /** Absent where the browser keeps no databases. */
  readonly offline: Offline | undefined;
  /** Absent where there are no service workers: on plain http. */
  readonly worker: Worker | undefined;
  readonly install: Install;
  readonly connection: Connection;
  /** Sends what waits now. */
  readonly send: () => Promise<void>;
  /** What the system's share sheet has sent. */
  readonly shared: Shared | undefined;
}
