import type { LinkState } from "#contract/links";
import type { EventItem } from "#contract/webhooks";
import type { Caller } from "../access/principal.ts";
import type { Sql } from "../database/sql.ts";
import type { Clock } from "../lib/clock.ts";
import { isShut, rightsOf, stateOf } from "./link-values.ts";
import type { ClosedFor, LinkRow, LinksTable } from "./links-table.ts";

interface ClosingsDeps {
  readonly table: Pick<LinksTable, "close" | "reopen" | "takingFrom">;
  readonly clock: Clock;
  /** The owner of a link with the rights of this moment; undefined when they are gone. */
  readonly ownerOf: (row: Pick<LinkRow, "created_by">) => Promise<Caller | undefined>;
  /** What tells of a link that takes no more files, for the transaction that notes it. */
  readonly told: (item: EventItem<"link.closed">) => readonly Sql[];
  /** Looks at links anew. */
  readonly forget: () => void;
}

const SLICE = 100;

const reasons: Partial<Record<LinkState, ClosedFor>> = { expired: "link.expired", closed: "link.right" };

/** Notes why links take no more files, whoever notices it first on whichever server, and tells of each once. */
export function createClosings({ table, clock, ownerOf, told, forget }: ClosingsDeps) {
  /** Notes what a link has come to: that it takes no files, or that its owner may upload again. */
  const note = async (row: LinkRow, state: LinkState): Promise<void> => {
    const reason = reasons[state];
    const { closed_for: before } = row;
    if (before === "link.right" && reason === undefined) {
      await table.reopen(row.id);
      return forget();
    }
    if (before !== null || reason === undefined || !rightsOf(row).includes("upload")) return;
    await table.close(row.id, { reason, now: clock() }, told({ link: row.title ?? row.slug, reason }));
    forget();
  };

  const look = async (row: LinkRow): Promise<void> => {
    const owner = await ownerOf(row);
    await note(row, stateOf(row, owner !== undefined && !isShut(owner, row), clock()));
  };

  return {
    note,

    /** Looks at all links that take files, of which nobody may have come to one that has closed. */
    async sweep(): Promise<void> {
      for (let after = ""; ; ) {
        const rows = await table.takingFrom(after, SLICE);
        for (const row of rows) await look(row);
        const last = rows.at(-1);
        if (last === undefined || rows.length < SLICE) return;
        after = last.id;
      }
    },
  };
}

export type Closings = ReturnType<typeof createClosings>;
