import { createHash } from "node:crypto";
import { Failure } from "#contract/failures";
import type { CallerOf } from "../access/keys.ts";
import type { Caller, LinkCaller } from "../access/principal.ts";
import { rightsGiven } from "../access/rights.ts";
import type { Clock } from "../lib/clock.ts";
import type { KeptLinks } from "./kept-links.ts";
import { rightsOf, stateOf } from "./link-values.ts";
import type { LinkRow, LinksTable } from "./links-table.ts";
import { type Visits, visitNamed } from "./visits.ts";

interface VisitorsDeps {
  readonly table: LinksTable;
  readonly kept: KeptLinks;
  readonly visits: Visits;
  /** The owner of this name with the rights of this moment; undefined when they may no longer act. */
  readonly callerOf: CallerOf;
  readonly clock: Clock;
}

/** A version of a file, wherever a link shows it. */
interface Downloaded {
  readonly location: { readonly mount: { readonly storage: string } };
  readonly head: { readonly key: string; readonly etag: string };
}

/** Whether a link that only takes files takes none, because its owner may not upload any more: who loses that right closes it. */
export function isShut(owner: Caller, row: Pick<LinkRow, "rights">): boolean {
  const rights = rightsOf(row);
  return !rights.includes("view") && rightsGiven(owner, rights).length === 0;
}

/** Looks up whoever has opened a link, with the rights of this moment. */
export function createVisitors({ table, kept, visits, callerOf: ownerNamed, clock }: VisitorsDeps) {
  /** The owner of a link, who is no visitor, whatever their key is for as well; undefined when they are gone. */
  const ownerOf = async ({ created_by }: Pick<LinkRow, "created_by">): Promise<Caller | undefined> => {
    const owner = await ownerNamed(created_by);
    return owner?.kind === "key" ? { ...owner, visitor: false } : owner;
  };

  /** Undefined when the opening, the link or its owner has ended. */
  const callerOf = async (id: string, visitor: string): Promise<LinkCaller | undefined> => {
    const visit = visitNamed(visitor);
    const now = clock();
    if (!visit || visit.until <= now) return undefined;
    const link = await kept.get(id);
    if (link?.row.version !== visit.version) return undefined;
    const owner = await ownerOf(link.row);
    const state = stateOf(link.row, owner !== undefined, now);
    // One that has no opening left still serves those whose opening has not ended.
    if (!owner || (state !== "active" && state !== "spent")) return undefined;
    const rights = rightsGiven(owner, rightsOf(link.row));
    if (isShut(owner, link.row)) return undefined;
    return { kind: "link", id, visitor, rights, owner, items: link.items, networks: link.networks };
  };

  return {
    ownerOf,

    callerOf,

    /** A text that changes with the link: the name of a visitor says which version of it was opened. */
    epoch: async (id: string, visitor: string): Promise<string | undefined> =>
      (await callerOf(id, visitor)) && String(visitNamed(visitor)?.version),

    /** Whoever proves an opening by a grant; undefined when it is void. */
    async linkOf(grant: string): Promise<LinkCaller | undefined> {
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
