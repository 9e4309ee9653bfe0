import { Failure } from "#contract/failures";
import { type Caller, ownerNames } from "../access/principal.ts";
import { owns } from "../access/rights.ts";
import type { Clock } from "../lib/clock.ts";
import { removeInSlices } from "../lib/turns.ts";
import type { PastesTable } from "./pastes-table.ts";

interface RemovalDeps {
  readonly table: PastesTable;
  readonly clock: Clock;
  /** Awaits a change, after which nothing that memory keeps of shares holds. */
  readonly changed: <Result>(change: Promise<Result>) => Promise<Result>;
}

/** Rows removed at once: of the largest texts, what takes a few milliseconds. */
const SLICE = 8;

/** Whose texts a caller may delete; undefined is everybody's. */
const ownersOf = (caller: Caller) => (caller.kind === "admin" ? undefined : ownerNames(caller));

/** Ends shares of texts. */
export function createPasteRemoval({ table, clock, changed }: RemovalDeps) {
  const removeGone = (before: number): Promise<number> =>
    removeInSlices((limit) => changed(table.removeGone(before, limit)), SLICE);

  return {
    /** Answers how many were removed, and which ids are not there or belong to others. */
    async remove(caller: Caller, ids: readonly string[]): Promise<{ removed: number; missing: string[] }> {
      const owners = ownersOf(caller);
      // Sorted, so that two who remove the same texts at once never wait for each other.
      const wanted = [...new Set(ids)].sort();
      const missing: string[] = [];
      for (let start = 0; start < wanted.length; start += SLICE) {
        missing.push(...(await changed(table.remove(wanted.slice(start, start + SLICE), owners))));
        await Bun.sleep(0);
      }
      return { removed: wanted.length - missing.length, missing };
    },

    /** Deletes a text for whoever has its address of removal. 404 share.missing. */
    async discard(id: string): Promise<void> {
      const missing = await changed(table.remove([id], undefined));
      if (missing.length > 0) throw new Failure("share.missing");
    },

    /** Deletes the caller's text of that slug. 404 share.missing. */
    async removeAt(caller: Caller, slug: string): Promise<void> {
      const row = await table.find(slug);
      if (!row || !owns(caller, row.created_by)) throw new Failure("share.missing");
      await changed(table.remove([row.id], ownersOf(caller)));
    },

    /** Removes everything that has expired or is used up by now. */
    clearGone: () => removeGone(clock()),

    /** Removes texts that have been gone for longer than `kept` milliseconds. */
    sweep: (kept: number) => removeGone(clock() - kept),
  };
}
