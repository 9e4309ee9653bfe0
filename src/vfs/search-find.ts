import { createSlices } from "../lib/slices.ts";
import { type Fit, gramsFor, parseQuery, type Query, rankOf } from "./search-names.ts";
import { createSample } from "./search-sample.ts";
import { createAncestors, openRegions, type Region, type Regions, type Scope } from "./search-scope.ts";
import type { NodeRow, SearchTable } from "./search-table.ts";

/** A file or a folder that was found. */
export interface Hit {
  readonly storage: string;
  /** That of a folder ends in a slash. */
  readonly key: string;
  /** Without a slash. */
  readonly name: string;
  readonly kind: "file" | "folder";
  /** Bytes, of a folder those of everything below it. */
  readonly size: number;
  /** Epoch milliseconds; null for a folder. */
  readonly modified: number | null;
}

export interface Hits {
  readonly hits: readonly Hit[];
  readonly total: number;
  /** Whether `total` is all there are, and not only as many as are counted. */
  readonly exact: boolean;
}

export interface Search {
  readonly within: readonly Scope[];
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
}

/** Hits that are counted, and put in order among each other. */
const MOST_COUNTED = 1000;
/** Hits that fit best and are looked for apart. */
const MOST_BEST = 200;
/** Hits that anybody can page through. */
const MOST_REACHED = 10_000;
/** Rows of one answer of the database. */
const ROWS = 1000;
/** Names anywhere that are looked at before the regions themselves are looked through, if those are small enough. */
const MOST_STRANGERS = 5000;
/** Regions with so few files are looked through instead of the index; with somewhat more when it finds too many strangers. */
const FEW_FILES = 50_000;
const MANY_FILES = 150_000;
/** Names of one folder that are looked at without a pause. */
const NAMES = 4000;
/** Folders that are looked through at most. */
const MANY_FOLDERS = 2000;
interface Gathering {
  readonly fit: Fit;
  /** Nodes that are wanted at most. */
  readonly most: number;
  /** Nodes outside of the regions after which it is given up. */
  readonly strangers: number;
}

/** Answers what a query finds, the best first: names that are it, that begin so, with words that do, and the rest by newest. */
export function createFind(table: SearchTable) {
  const choose = createSample(table);

  /** Those that changed last first; undefined when too much lies elsewhere. */
  const gather = async (query: Query, regions: Regions, { fit, most, strangers }: Gathering) => {
    const slices = createSlices();
    const words = fit === "anywhere" ? query.words : [query.text];
    const { stretch, ...chosen } = await choose(gramsFor(query, fit));
    const wanted = { ...chosen, fit, words, storages: regions.storages };
    const found: NodeRow[] = [];
    let looked = 0;
    for (let before = (await table.lastId()) + 1; before > 1 && found.length < most; ) {
      const limit = regions.whole ? Math.min(ROWS, most - found.length) : ROWS;
      const from = Math.max(1, before - stretch);
      const rows = await table.wanted(wanted, { from, before, limit });
      found.push(...(await inRegions(regions, rows)));
      looked += rows.length;
      if (found.length <= MOST_COUNTED && looked - found.length > strangers) return undefined;
      before = rows.length < limit ? from : (rows.at(-1)?.id ?? from);
      await slices.next();
    }
    return found.slice(0, most);
  };

  /** At most `most` nodes of one region; undefined when it has too many folders. */
  const lookThrough = async ({ words }: Query, { folder, except }: Region, most: number) => {
    const slices = createSlices();
    const folders = [folder.id];
    const found: NodeRow[] = [];
    for (const one of folders) {
      for (let after: string | undefined = ""; after !== undefined && found.length < most; ) {
        const upTo = await table.nameAfter(one, after, NAMES);
        const rows: NodeRow[] = await table.wantedWithin(one, { after, upTo, words });
        const inside = rows.filter(({ id }) => !except.has(id));
        folders.push(...inside.filter(({ modified }) => modified === null).map(({ id }) => id));
        found.push(...inside.filter(({ folded }) => words.every((word) => folded.includes(word))));
        after = upTo;
        await slices.next();
      }
      if (folders.length > MANY_FOLDERS) return undefined;
    }
    return found;
  };

  const lookThroughAll = async (query: Query, regions: Regions, most: number): Promise<NodeRow[] | undefined> => {
    const found: NodeRow[] = [];
    for (const region of regions.list) {
      const more = await lookThrough(query, region, most);
      if (!more) return undefined;
      found.push(...more);
    }
    return once(found).slice(0, most);
  };

  /** Whatever is quickest: to look at all names that fit, or at all that is in the regions. */
  const anywhere = async (query: Query, regions: Regions, most: number): Promise<NodeRow[]> => {
    const small = !regions.whole && regions.files <= MANY_FILES;
    const few = small && regions.files <= FEW_FILES ? await lookThroughAll(query, regions, most) : undefined;
    if (few) return few;
    const strangers = small ? MOST_STRANGERS : Number.POSITIVE_INFINITY;
    const gathering = { fit: "anywhere", most } as const;
    return (
      (await gather(query, regions, { ...gathering, strangers })) ??
      (await lookThroughAll(query, regions, most)) ??
      (await gather(query, regions, { ...gathering, strangers: Number.POSITIVE_INFINITY })) ??
      []
    );
  };

  /** The best hits first; behind those that are counted as they come. */
  const ordered = async (query: Query, regions: Regions, reach: number) => {
    const rows = await anywhere(query, regions, Math.max(MOST_COUNTED, reach) + 1);
    if (rows.length <= MOST_COUNTED) return { rows: rows.sort(bestFirst(query)), exact: true };
    // What fits best may not be among them.
    const best = { most: MOST_BEST, strangers: MOST_STRANGERS };
    const beginning = (await gather(query, regions, { fit: "beginning", ...best })) ?? [];
    const all = beginning.length > 0 && beginning.length < MOST_BEST;
    const whole = all ? [] : ((await gather(query, regions, { fit: "whole", ...best })) ?? []);
    const first = once([...whole, ...beginning, ...rows.slice(0, MOST_COUNTED)]);
    return { rows: once([...first.sort(bestFirst(query)), ...rows]), exact: false };
  };

  /** What is found by parts of names; fewer than two letters find nothing. */
  return async ({ within, query: asked, limit, offset }: Search): Promise<Hits> => {
    const query = parseQuery(asked);
    const ancestors = createAncestors(table);
    const regions = await openRegions(table, within, ancestors);
    const reach = Math.min(offset + limit, MOST_REACHED);
    if (!query || regions.storages.length === 0) return { hits: [], total: 0, exact: true };
    const { rows, exact } = await ordered(query, regions, reach);
    const page = rows.slice(offset, reach);
    await ancestors.learn(page.map(({ parent }) => parent));
    const keyOf = (id: number): readonly string[] => {
      const node = ancestors.get(id);
      return node ? [...keyOf(node.parent), node.name] : [];
    };
    const hits = page.map((row) => hitOf(row, keyOf(row.parent)));
    return { hits, total: exact ? rows.length : MOST_COUNTED, exact };
  };
}

/** A node by the names above it, the first of which is its storage. */
function hitOf({ name, size, modified }: NodeRow, [storage = "", ...folders]: readonly string[]): Hit {
  const kind = modified === null ? "folder" : "file";
  return {
    storage,
    key: `${folders.join("")}${name}`,
    name: kind === "folder" ? name.slice(0, -1) : name,
    kind,
    size,
    modified,
  };
}

const inRegions = async (regions: Regions, rows: readonly NodeRow[]) =>
  regions.whole ? rows : await regions.filter(rows);

/** Folders, which have no time, come first among those that fit and last among the rest. */
function bestFirst(query: Query) {
  const ranks = new Map<number, number>();
  const rank = ({ id, folded }: NodeRow): number => {
    const known = ranks.get(id) ?? rankOf(folded, query);
    ranks.set(id, known);
    return known;
  };
  const time = (row: NodeRow): number => row.modified ?? (rank(row) < 3 ? Number.MAX_SAFE_INTEGER : -1);
  return (one: NodeRow, other: NodeRow): number =>
    rank(one) - rank(other) || time(other) - time(one) || other.id - one.id;
}

const once = (rows: readonly NodeRow[]): NodeRow[] => [...new Map(rows.map((row) => [row.id, row])).values()];
