import { Failure } from "#contract/failures";
import { foreignHash } from "../access/foreign-hashes.ts";
import type { AddressKind, Limiter } from "../access/limiter.ts";
import type { Passwords } from "../access/passwords.ts";
import type { LinkCaller } from "../access/principal.ts";
import { isInNetworks } from "../access/rights.ts";
import type { Activity, Client } from "../activity/activity.ts";
import { limitedAddress } from "../lib/addresses.ts";
import type { Clock } from "../lib/clock.ts";
import type { Closings } from "./closings.ts";
import type { KeptLink, KeptLinks } from "./kept-links.ts";
import { isShut, stateOf } from "./link-values.ts";
import type { LinkRow, LinksTable } from "./links-table.ts";
import type { OwnerOf, Visitors } from "./visitors.ts";
import { newVisitor, type Visits, visitNamed } from "./visits.ts";

/** Somebody before a link, and what they bring for it. */
interface OpenRequest extends Client {
  readonly password?: string | undefined;
  /** Of an earlier opening. */
  readonly grant?: string | undefined;
  /** They have signed with the secret of the link, which proves more than a password. */
  readonly hasSigned?: boolean;
  /** Reports whether they are signed in as somebody who may change the link, each time it is called. */
  readonly owns?: (link: Pick<LinkRow, "created_by">) => Promise<boolean>;
}

/** What an opening comes to. */
export interface OpenedVisit {
  /** As it is right behind the opening. */
  readonly row: LinkRow;
  readonly caller: LinkCaller;
  readonly grant: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

interface OpeningDeps {
  readonly table: LinksTable;
  readonly kept: KeptLinks;
  readonly visits: Visits;
  readonly visitors: Pick<Visitors, "callerOf">;
  readonly ownerOf: OwnerOf;
  /** Notes what a link has come to. */
  readonly note: Closings["note"];
  readonly passwords: Passwords;
  readonly limiter: Limiter;
  readonly clock: Clock;
  /** Returns when what other servers have changed is known here. */
  readonly synced: () => Promise<void>;
  /** The log of who has used a link. */
  readonly activity: Pick<Activity, "note">;
}

/** Makes the function that refuses somebody, of which the owner of the link learns. */
const refusing =
  ({ activity }: Pick<OpeningDeps, "activity">) =>
  (id: string, request: OpenRequest, outcome: "password" | "network" | "gone", failure: Failure): never => {
    activity.note({ kind: "link", id }, request, { event: "refused", outcome, bytes: null });
    throw failure;
  };

/** Makes the function that hashes a password anew of which another program has made the hash: only now it is known. */
const renewing =
  ({ table, kept, passwords }: Pick<OpeningDeps, "table" | "kept" | "passwords">) =>
  async (id: string, { password, hash }: { readonly password: string; readonly hash: string }): Promise<void> => {
    if (foreignHash(hash) === undefined) return;
    await table.rehash(id, hash, await passwords.hash(password));
    kept.forget();
  };

/** How often a link that changes meanwhile is looked at anew. */
const TRIES = 3;

/** The one place that opens a link: found, not ended, from one of its networks, password, and then exactly one opening is spent, or none by its owner. */
export function createOpening(deps: OpeningDeps) {
  const { table, kept, visits, visitors, ownerOf, note, passwords, limiter, clock, synced, activity } = deps;
  const refuse = refusing(deps);
  const renew = renewing(deps);

  /** A link that lets people in, or did until its openings were spent. 404 share.missing; 403 link.network; 410 share.gone; 429. */
  const find = async (slug: string, request: OpenRequest): Promise<KeptLink> => {
    const { address } = request;
    const subject = limitedAddress(address);
    await limiter.check("missingShareByAddress", subject);
    await synced();
    const row = await limiter.guess([{ limited: "missingShareByAddress", subject }], () => table.findBySlug(slug));
    const link = row && (await kept.get(row.id));
    if (!link) throw new Failure("share.missing");
    if (!isInNetworks(link.networks, address)) refuse(row.id, request, "network", new Failure("link.network"));
    const owner = await ownerOf(row);
    const state = stateOf(row, owner !== undefined && !isShut(owner, row), clock());
    await note(row, state);
    if (state !== "active" && state !== "spent") refuse(row.id, request, "gone", new Failure("share.gone"));
    return { ...link, row };
  };

  /** 401 password.missing, password.wrong; 429 limit.wait. */
  const requirePassword = async ({ id, password_hash }: LinkRow, request: OpenRequest): Promise<void> => {
    const { address, password } = request;
    if (password_hash === null) return;
    if (!password) throw new Failure("password.missing");
    const guarded = {
      byAddress: "sharePasswordByAddress",
      byStrangers: "sharePasswordByShare",
      subject: id,
    } as const;
    const verify = (who: AddressKind) => passwords.verify(password, password_hash, who);
    if (!(await limiter.guessPassword(guarded, limitedAddress(address), verify)))
      refuse(id, request, "password", new Failure("password.wrong"));
    await renew(id, { password, hash: password_hash });
  };

  const opened = async (id: string, visitor: string): Promise<OpenedVisit | undefined> => {
    const caller = await visitors.callerOf(id, visitor);
    const row = caller && (await table.find(id));
    if (!row) return undefined;
    return { row, caller, grant: visits.grant(id, visitor), until: visitNamed(visitor)?.until ?? 0 };
  };

  /** The earlier opening that a grant proves, if it still holds. */
  const again = async ({ row }: KeptLink, grant: string | undefined): Promise<OpenedVisit | undefined> => {
    const said = grant === undefined ? undefined : visits.read(grant);
    return said?.id === row.id ? await opened(row.id, said.visitor) : undefined;
  };

  /** 410 share.gone when no opening is left. */
  const requireLeft = ({ id, max_opens, opens }: LinkRow, request: OpenRequest): void => {
    if (max_opens > 0 && opens >= max_opens) refuse(id, request, "gone", new Failure("share.gone"));
  };

  /** Spends an opening, of a limited link none for its owner; undefined when the link changed meanwhile. 410 share.gone when none is left. */
  const spend = async ({ row }: KeptLink, request: OpenRequest): Promise<OpenedVisit | undefined> => {
    const now = clock();
    requireLeft(row, request);
    if (row.max_opens > 0 && (await request.owns?.(row))) return await opened(row.id, newVisitor(row.version, now));
    if (!(await table.open(row, now))) return undefined;
    activity.note({ kind: "link", id: row.id }, request, { event: "opened", outcome: "whole", bytes: null });
    return await opened(row.id, newVisitor(row.version, now));
  };

  return {
    /** Opens a link for a visitor, who spends one opening unless a grant proves an earlier one. 404, 403, 410, 401, 429. */
    async open(slug: string, request: OpenRequest): Promise<OpenedVisit> {
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const link = await find(slug, request);
        const before = await again(link, request.grant);
        if (before) return before;
        if (!request.hasSigned) await requirePassword(link.row, request);
        const visit = await spend(link, request);
        if (visit) return visit;
      }
      throw new Failure("server.busy");
    },

    /** What a link requires, as far as it may be known to somebody who has not opened it. 404, 403, 410, 429. */
    async peek(slug: string, client: Client): Promise<LinkRow> {
      const { row } = await find(slug, client);
      requireLeft(row, client);
      return row;
    },
  };
}
