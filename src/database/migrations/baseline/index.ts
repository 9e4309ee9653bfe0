import { access } from "./access.ts";
import { cluster } from "./cluster.ts";
import { database } from "./database.ts";
import { jobs } from "./jobs.ts";
import { search } from "./search.ts";
import { settings } from "./settings.ts";
import { shares } from "./shares.ts";
import { stores } from "./stores.ts";
import { transfers } from "./transfers.ts";
import { vfs } from "./vfs.ts";

/**
 * The tables as they were before the first release, a file per room; what has been changed since stands in the steps beside this folder.
 * Times are epoch milliseconds unless a comment says otherwise. Tables that others refer to come first.
 */
export const baseline = [
  ...database,
  ...access,
  ...settings,
  ...stores,
  ...transfers,
  ...shares,
  ...vfs,
  ...search,
  ...jobs,
  ...cluster,
];
