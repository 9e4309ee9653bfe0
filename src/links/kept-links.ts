import { MAX_LINK_ITEMS } from "#contract/limits";
import { slugProblem } from "#contract/paths";
import { type LinkPlace, TEXTS } from "../access/principal.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { type AddressSet, addressSet } from "../lib/addresses.ts";
import { cacheOf, Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { textFileName } from "./link-values.ts";
import type { LinkItemPlace, LinkItemRow, LinkRow, LinksTable } from "./links-table.ts";

/** A link as its visitors meet it. */
export interface KeptLink {
  readonly row: LinkRow;
  readonly items: readonly LinkPlace[];
  readonly networks: AddressSet;
}

/** Bytes of all links in memory together, with the trees that are made of their items. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** What an item takes there, and each letter of its key and its name: both stand in its place and in its tree. */
const [ITEM_BYTES, LETTER_BYTES] = [700, 3];

const MAX_KEPT_SLUGS = 1000;

/** What somebody who has a name for a slug meets: a link with a password, one without, or none. */
type Lock = "password" | "open" | "none";

/** An item as the tree knows it; one that was deleted for ever leads nowhere, whatever comes to its key. */
export function placeOf(row: LinkItemRow): LinkItemPlace {
  const { id, position, storage, key, mount, gone_at, text_slug: slug, text_title: title, text_owner } = row;
  const place = { id, position, storage, key, mount };
  if (slug === null || text_owner === null) {
    const isGone = gone_at !== null || storage === TEXTS;
    return { ...place, name: row.name, ...(isGone && { isGone }) };
  }
  const name = textFileName({ title, slug, isPlain: row.text_plain === 1 });
  return { ...place, name, text: { slug, createdBy: text_owner } };
}

/** The networks of a link. */
export const networksOf = ({ networks }: Pick<LinkRow, "networks">): string[] => JSON.parse(networks) as string[];

const bytesOf = ({ items }: KeptLink): number =>
  items.reduce((sum, { key, name }) => sum + ITEM_BYTES + LETTER_BYTES * (key.length + name.length), ITEM_BYTES);

/** Keeps links in memory until one of them is changed, on whichever server: each thumbnail of a page asks for its link. */
export function createKeptLinks(table: LinksTable, cluster: Pick<Cluster, "follow">, clock: Clock) {
  const links = new Lru<string, KeptLink>(MAX_KEPT_BYTES, bytesOf);
  const slugs = new Lru<string, Lock>(MAX_KEPT_SLUGS);
  let changes = 0;
  const forget = (): void => {
    changes += 1;
    links.clear();
    slugs.clear();
  };
  cluster.follow("links", forget);
  // Items are called as the texts that they are.
  cluster.follow("texts", forget);

  /** Undefined where there is none. Its counters may be old. */
  const get = async (id: string): Promise<KeptLink | undefined> => {
    const known = links.get(id);
    if (known) return known;
    const before = changes;
    const [row, items] = await Promise.all([table.find(id), table.items([id], MAX_LINK_ITEMS, clock())]);
    if (!row) return undefined;
    const [networks] = addressSet(networksOf(row));
    const link = { row, items: items.map(placeOf), networks };
    // One that was read before a change must not be kept after it.
    if (before === changes) links.set(id, link);
    return link;
  };

  return {
    forget,

    get,

    /** The slug of a link at this moment. */
    slugOf: async (id: string): Promise<string | undefined> => (await get(id))?.row.slug,

    /** Whether a link has this slug, and a password. Names of other people come with each request of theirs, so those of none are kept, too. */
    async lockOf(slug: string): Promise<Lock> {
      const known = slugs.get(slug);
      if (known !== undefined) return known;
      const before = changes;
      const row = slugProblem(slug) === undefined ? await table.findBySlug(slug) : undefined;
      const lock = row ? (row.password_hash === null ? "open" : "password") : "none";
      if (before === changes) slugs.set(slug, lock);
      return lock;
    },

    cache: cacheOf("links", links),
  };
}

export type KeptLinks = ReturnType<typeof createKeptLinks>;
