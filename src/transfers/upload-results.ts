/** The results of replacing uploads that have ended, for senders that did not hear the answer. */
import type { Cluster } from "../cluster/cluster.ts";
import type { Sql } from "../database/sql.ts";
import type { Place } from "../stores/store.ts";
import { type UploadResult, uploadResultsTable } from "./upload-results-table.ts";

/** Milliseconds for which a result is remembered. */
const REMEMBERED = 60 * 60_000;

/** The name of a result for callers without an id of the upload: its place, and its owner or the id of its parts. */
export const nameAt = ({ storage, key }: Place, name: string): string => `${name} ${storage} ${key}`;

/** The name of a result for whoever began an upload in parts, wherever its file went. */
export const nameOf = (multipart: string, owner: string): string => `${multipart} of ${owner}`;

/** Kept in the database: the sender asks again after this server was killed, or asks another one. */
export function createUploadResults(cluster: Pick<Cluster, "db" | "now">) {
  const table = uploadResultsTable(cluster);

  return {
    /** The result that has one of these names. */
    async find(...names: readonly string[]): Promise<UploadResult | undefined> {
      for (const name of names) {
        const found = await table.find(name);
        if (found) return found;
      }
      return undefined;
    },

    /** What the transaction must do that removes the upload, to keep its result under these names. */
    keep: (names: readonly string[], result: UploadResult): readonly Sql[] =>
      names.map((name) => table.insertion(name, result)),

    forget: table.remove,

    /** Forgets what was remembered for an hour; returns how many. */
    sweep: (): Promise<number> => table.removeBefore(REMEMBERED),
  };
}

export type UploadResults = ReturnType<typeof createUploadResults>;
