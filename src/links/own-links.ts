import { Failure } from "#contract/failures";
import { LINK_ITEMS_LISTED, MAX_LINK_ITEMS } from "#contract/limits";
import type { LinkChange, NewLink } from "#contract/links";
import type { LinkRight } from "#contract/permissions";
import type { Passwords } from "../access/passwords.ts";
import { type Caller, type LinkPlace, ownerName } from "../access/principal.ts";
import { owns, rightsGiven } from "../access/rights.ts";
import type { Clock } from "../lib/clock.ts";
import { askedExpiry, claimSlug } from "../shares/new-share.ts";
import type { ShareLimits } from "../shares/share-limits.ts";
import { placeOf } from "./kept-links.ts";
import { bitsOf, edited, requireKinds, requireNetworks, requireSealable, rightsOf, wordsOf } from "./link-values.ts";
import type { LinkFilter, LinkItemPlace, LinkRow, LinksTable, ListedLinkRow } from "./links-table.ts";
import type { OwnerOf } from "./visitors.ts";

/** A link with as many of its items as were asked for, and who made it; undefined when they are gone. */
export interface OwnedLink {
  readonly row: ListedLinkRow;
  readonly items: readonly LinkItemPlace[];
  readonly owner: Caller | undefined;
}

/** What a changed link leads to: a place that its owner has reached, or an item that it has already, which nobody has to reach for that. */
export type WantedItem = LinkPlace | { readonly kept: string };

interface OwnLinksDeps {
  readonly table: LinksTable;
  readonly ownerOf: OwnerOf;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly limits: ShareLimits;
  /** Awaits a change, after which nothing that memory keeps of links holds. */
  readonly changed: <Result>(change: Promise<Result>) => Promise<Result>;
}

const EDIT_TRIES = 5;

/** Nobody gives away what is not theirs, and uploads need a folder. 403 auth.forbidden; 400 link.folder. */
function requireOwnRights(owner: Caller, wanted: readonly LinkRight[], items: readonly Pick<LinkPlace, "key">[]): void {
  if (rightsGiven(owner, wanted).length < wanted.length) throw new Failure("auth.forbidden");
  const hasFolder = items.some(({ key }) => key === "" || key.endsWith("/"));
  if (wanted.includes("upload") && !hasFolder) throw new Failure("link.folder");
}

/** The items that are wanted of a link, each once; those that it has already stay as they are. 409 link.itemChanged. */
function itemsAfter(before: readonly LinkItemPlace[], wanted: readonly WantedItem[]): (LinkPlace | LinkItemPlace)[] {
  const byId = new Map(before.map((item) => [item.id, item]));
  const find = (item: WantedItem): LinkPlace | LinkItemPlace => {
    if (!("kept" in item)) return before.find((one) => isSame(one, item)) ?? item;
    const kept = byId.get(item.kept);
    if (!kept) throw new Failure("link.itemChanged");
    return kept;
  };
  // Of one that is gone only its name is left, and what came to its key later is something else.
  const nameOf = (item: LinkPlace | LinkItemPlace) =>
    "id" in item && item.isGone ? item.id : `${item.storage} ${item.key}`;
  const after = wanted.map(find).map((item) => [nameOf(item), item] as const);
  return [...new Map(after).values()];
}

const isSame = (item: LinkItemPlace, { storage, key, mount }: LinkPlace): boolean =>
  !item.isGone && item.storage === storage && item.key === key && item.mount === mount;

/** Links as their owners make and change them. */
export function createOwnLinks(deps: OwnLinksDeps) {
  const { table, passwords, clock, limits, changed } = deps;
  const { owned, read, withItems } = createReading(deps);

  /** 400 slug.*; 409 slug.taken. */
  const editedSlug = async (before: LinkRow, wanted: string | null | undefined): Promise<string> => {
    if (wanted === undefined || wanted === before.slug) return before.slug;
    return await claimSlug(wanted || undefined, table.slugIsFree);
  };

  return {
    /** 404 share.missing. */
    read,

    /**
     * Makes a link to places that its owner has reached. 400 slug.*, expiry.past, expiry.tooLong, link.folder, link.networkInvalid, link.recipient; 403 auth.forbidden;
     * 409 slug.taken.
     */
    async create(caller: Caller, request: Omit<NewLink, "items">, items: readonly LinkPlace[]): Promise<OwnedLink> {
      requireOwnRights(caller, request.rights, items);
      const hash = request.password ? await passwords.hash(request.password) : null;
      const now = clock();
      const expires = await limits.expiry(caller, askedExpiry(request, now));
      const row = requireSealable(newRow(caller, request, { hash, expires, now }));
      await claimSlug(request.slug ?? undefined, (slug) =>
        changed(table.insert({ ...row, slug, words: wordsOf({ ...row, slug }) }, items)),
      );
      return await read(caller, row.id);
    },

    /** Newest first, each with its first items. */
    async list(filter: LinkFilter, page: { readonly limit: number; readonly offset: number }) {
      const now = clock();
      const [rows, total] = await Promise.all([table.page(filter, page, now), table.count(filter, now)]);
      return { links: await withItems(rows, LINK_ITEMS_LISTED), total };
    },

    /**
     * Changes what is given; what says who may come in, and to what, ends the grants. 404 share.missing; 503 server.busy, else as
     * `create`.
     */
    async update(
      caller: Caller,
      id: string,
      change: Omit<LinkChange, "items">,
      wanted: readonly WantedItem[] | undefined,
    ): Promise<OwnedLink> {
      const hash = change.password ? await passwords.hash(change.password) : null;
      for (let attempt = 0; attempt < EDIT_TRIES; attempt++) {
        const before = await read(caller, id);
        const items = wanted && itemsAfter(before.items, wanted);
        if (change.rights || items)
          requireOwnRights(before.owner ?? caller, change.rights ?? rightsOf(before.row), items ?? before.items);
        const slug = await editedSlug(before.row, change.slug);
        const expires = await limits.editedExpiry(caller, before.row.expires_at, change.expires_at);
        const how = { hash, expires, now: clock(), hasItems: items !== undefined };
        const after = edited({ ...before.row, slug }, change, how);
        if (await changed(table.update(before.row, after, items))) return await read(caller, id);
      }
      throw new Failure("server.busy");
    },

    /** Has items of a link lead nowhere any more. */
    async lose(id: string, items: readonly string[]): Promise<void> {
      if (items.length > 0) await changed(table.loseItems(id, items, clock()));
    },

    /** Ends a link at once; what it leads to stays. 404 share.missing. */
    async remove(caller: Caller, id: string): Promise<void> {
      await owned(caller, id);
      await changed(table.remove(id));
    },
  };
}

function createReading({ table, ownerOf, clock }: OwnLinksDeps) {
  /** 404 share.missing, also for somebody else's. */
  const owned = async (caller: Caller, id: string): Promise<ListedLinkRow> => {
    const row = await table.findListed(id, clock());
    if (!row || !owns(caller, row.created_by)) throw new Failure("share.missing");
    return row;
  };

  const withItems = async (rows: readonly ListedLinkRow[], most: number): Promise<OwnedLink[]> => {
    const ids = rows.map(({ id }) => id);
    const items = ids.length === 0 ? [] : await table.items(ids, most, clock());
    const byLink = Map.groupBy(items, ({ link }) => link);
    return await Promise.all(
      rows.map(async (row) => ({
        row,
        items: (byLink.get(row.id) ?? []).map(placeOf),
        owner: await ownerOf(row),
      })),
    );
  };

  return {
    owned,
    withItems,

    async read(caller: Caller, id: string): Promise<OwnedLink> {
      const [link] = await withItems([await owned(caller, id)], MAX_LINK_ITEMS);
      if (!link) throw new Failure("share.missing");
      return link;
    },
  };
}

/** A new link without its slug. 400 link.kindInvalid, link.networkInvalid. */
const newRow = (
  caller: Caller,
  request: Omit<NewLink, "items">,
  { hash, expires, now }: { readonly hash: string | null; readonly expires: number | null; readonly now: number },
) => ({
  id: Bun.randomUUIDv7(),
  title: request.title ?? null,
  note: request.note || null,
  label: request.label ?? null,
  rights: bitsOf(request.rights),
  password_hash: hash,
  expires_at: expires,
  max_opens: request.max_opens ?? 0,
  opens: 0,
  max_downloads: request.max_downloads ?? 0,
  downloads: 0,
  networks: requireNetworks(request.networks ?? []),
  max_files: request.max_files ?? 0,
  max_bytes: request.max_bytes ?? 0,
  max_file_bytes: request.max_file_bytes ?? 0,
  kinds: requireKinds(request.kinds ?? []),
  ask_name: Number(request.ask_name ?? false),
  ask_message: Number(request.ask_message ?? false),
  sender_folders: Number(request.sender_folders ?? false),
  recipient: request.recipient ?? null,
  files: 0,
  bytes: 0,
  is_active: 1,
  closed_for: null,
  version: 1,
  created_by: ownerName(caller),
  created_at: now,
  updated_at: now,
});
