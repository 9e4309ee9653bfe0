import { Failure } from "#contract/failures";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import type { Caller } from "../access/principal.ts";
import { owns } from "../access/rights.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Database } from "../database/database.ts";
import type { Days } from "./days-table.ts";
import type { Prepare } from "./gate.ts";
import { createImportedTexts } from "./imported-shares.ts";
import { type Listing, readPage } from "./lists-table.ts";
import { createNewPaste, type WritingDeps } from "./new-paste.ts";
import { createPasteChanges } from "./paste-changes.ts";
import { createPasteOpening, type PasteOpeningDeps } from "./paste-opening.ts";
import { createPasteRemoval } from "./paste-removal.ts";
import { type PastePage, type PasteRow, pastesTable } from "./pastes-table.ts";

interface PastesDeps extends PasteOpeningDeps, Omit<WritingDeps, "table"> {
  readonly db: Database;
  readonly cluster: Pick<Cluster, "follow" | "reading">;
}

const EDIT_TRIES = 5;

/** Shared texts: made and changed by their owners, opened by anybody through the gate. */
export function createPastes(deps: PastesDeps) {
  const { db, clock, cluster } = deps;
  const table = pastesTable(db, cluster.reading);
  const { opening, counter, shareCache, changed } = createPasteOpening(table, deps);

  /** A share that the caller owns, by slug first and then by id; others' look missing. */
  const owned = async (caller: Caller, slugOrId: string): Promise<PasteRow> => {
    await counter.flush();
    const row = (await table.find(slugOrId)) ?? (await table.findById(slugOrId));
    if (!row || !owns(caller, row.created_by)) throw new Failure("share.missing");
    return row;
  };

  return {
    ...opening,

    create: createNewPaste({ ...deps, table }),

    async list(page: PastePage): Promise<Listing<PasteRow>> {
      await counter.flush();
      return await readPage(table, page, clock());
    },

    /** How many there are, and how many were made on each of these days. */
    count: async (days: Days) => ({
      total: await table.countAll(),
      days: await table.countByDay(days),
    }),

    /**
     * Returns the texts of listed shares by id, at most MAX_CONTENT_BYTES together: later ones are left out, and those
     * changed in the meantime.
     */
    async texts(rows: readonly PasteRow[]): Promise<ReadonlyMap<string, string>> {
      const texts = new Map<string, string>();
      let bytes = 0;
      for (const row of rows) {
        bytes += row.size;
        if (bytes > MAX_CONTENT_BYTES) break;
        const content = await table.content(row);
        if (content !== undefined) texts.set(row.id, content);
      }
      return texts;
    },

    /** 404 share.missing. */
    find: owned,

    async read(
      caller: Caller,
      slugOrId: string,
      prepare?: Prepare<PasteRow>,
    ): Promise<{ row: PasteRow; content: string }> {
      for (let attempt = 0; attempt < EDIT_TRIES; attempt++) {
        const row = await owned(caller, slugOrId);
        await prepare?.(row);
        const content = await table.content(row);
        if (content !== undefined) return { row, content };
      }
      throw new Failure("server.busy");
    },

    update: createPasteChanges({ ...deps, table, owned, changed }),

    ...createPasteRemoval({ ...deps, table, changed }),

    cache: shareCache.cache,

    /** For texts of another server. */
    imported: createImportedTexts({ ...deps, table }),

    /** Writes the views that are still in memory. */
    close: () => counter.flush(),

    /** Forgets the request keys of shares older than `kept` milliseconds. */
    forgetRequestKeys: (kept: number) => table.forgetRequestKeys(clock() - kept),
  };
}

export type Pastes = ReturnType<typeof createPastes>;
