import { createHash } from "node:crypto";
import { Failure } from "#contract/failures";
import type { CallerOf } from "../access/keys.ts";
import type { Caller, LinkCaller } from "../access/principal.ts";
import { rightsGiven } from "../access/rights.ts";
import type { Clock } from "../lib/clock.ts";
import type { Closings } from "./closings.ts";
import type { KeptLinks } from "./kept-links.ts";
import { isShut, rightsOf, stateOf } from "./link-values.ts";
import type { LinkRow, LinksTable } from "./links-table.ts";
import { type Visits, visitNamed } from "./visits.ts";

interface VisitorsDeps {
  readonly table: LinksTable;
  readonly kept: KeptLinks;
  readonly visits: Visits;
  readonly ownerOf: OwnerOf;
  readonly clock: Clock;
  /** Notes that a link has closed. */
  readonly note: Closings["note"];
}

/** A version of a file, wherever a link shows it. */
interface Downloaded {
  readonly location: { readonly mount: { readonly storage: string } };
  readonly head: { readonly key: string; readonly etag: string };
}

/** The owner of a link, who is no visitor, whatever their key is for as well; undefined when they are gone. */
export type OwnerOf = (row: Pick<LinkRow, "created_by">) => Promise<Caller | undefined>;

export const ownersOf =
  (callerOf: CallerOf): OwnerOf =>
  async ({ created_by }) => {
    const owner = await callerOf(created_by);
    return owner?.kind === "key" ? { ...owner, isVisitor: false } : owner;
  };

/** Looks up whoever has opened a link, with the rights of this moment. */
export function createVisitors({ table, kept, visits, ownerOf, note, clock }: VisitorsDeps) {
  /**
   * Undefined when the opening, the link or its owner has ended. What has begun at a moment, and may go on beyond the time that the link and
   * its opening have, asks by that moment.
   */
  const callerOf = async (id: string, visitor: string, now = clock()): Promise<LinkCaller | undefined> => {
    const visit = visitNamed(visitor);
    if (!visit || visit.until <= now) return undefined;
    const link = await kept.get(id);
    if (link?.row.version !== visit.version) return undefined;
    const owner = await ownerOf(link.row);
    const state = stateOf(link.row, owner !== undefined && !isShut(owner, link.row), now);
    if (state === "closed" || state === "expired") await note(link.row, state);
    // One that has no opening left still serves those whose opening has not ended.
    if (!owner || (state !== "active" && state !== "spent")) return undefined;
    const rights = rightsGiven(owner, rightsOf(link.row));
    return { kind: "link", id, visitor, rights, owner, items: link.items, networks: link.networks };
  };

  return {
    callerOf,

    /** A text that changes with the link: the name of a visitor says which version of it was opened. */
    epoch: async (id: string, visitor: string): Promise<string | undefined> =>
      (await callerOf(id, visitor)) && String(visitNamed(visitor)?.version),

    /** Whoever proves an opening by a grant; undefined when it is void. */
    async callerByGrant(grant: string): Promise<LinkCaller | undefined> {
      const said = visits.read(grant);
      return said && (await callerOf(said.id, said.visitor));
    },

    /** Notes a download of a visitor: a file counts once while the opening lasts, each archive anew. 410 link.spent. */
    async download({ id: link, visitor }: LinkCaller, file: Downloaded | undefined): Promise<void> {
      const what = file ? [file.location.mount.storage, file.head.key, file.head.etag] : [Bun.randomUUIDv7()];
      const thing = createHash("sha256").update(what.join("\n")).digest("base64url");
      const until = visitNamed(visitor)?.until ?? 0;
      if (!(await table.download({ link, visitor, thing, until }))) throw new Failure("link.spent");
    },
  };
}

export type Visitors = ReturnType<typeof createVisitors>;
