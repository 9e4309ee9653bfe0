import { parseQuery, type Query, rankOf } from "./search-names.ts";
import { createAncestors, openRegions, type Regions, type Scope } from "./search-scope.ts";
import type { NodeRow, SearchTable } from "./search-table.ts";
import { createWays, type Gathered, MOST_COUNTED, MOST_REACHED } from "./search-ways.ts";

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

/** Hits that fit best and are looked for apart. */
const MOST_BEST = 200;
/** Names anywhere that are looked at before the regions themselves are looked through, if those are small enough. */
const MOST_STRANGERS = 5000;
/** Regions with so few files are looked through instead of the index; with somewhat more when it finds too many strangers. */
const FEW_FILES = 50_000;
const MANY_FILES = 150_000;

/**
 * Answers what a query finds, the best first: names that are it, that begin so, with words that do, and the rest by newest. Of
 * more hits than anybody can page through, the thousand that came into the index last are put in order, and others that are the
 * name or begin so; the rest follows as it came.
 */
export function createFind(table: SearchTable) {
  const { byNames, byFolders } = createWays(table);

  /** Whatever is quickest goes first: all names that fit, or all that is in the regions. */
  const anywhere = async (query: Query, regions: Regions, most: number): Promise<Gathered> => {
    const names = (strangers: number) => () => byNames(query, regions, { fit: "anywhere", most, strangers });
    const folders = () => byFolders(query, regions);
    const [few, all] = [names(MOST_STRANGERS), names(Number.POSITIVE_INFINITY)];
    const isSmall = !regions.whole && regions.files <= MANY_FILES;
    const ways = !isSmall ? [all] : regions.files <= FEW_FILES ? [folders, all] : [few, folders, all];
    for (const way of ways) {
      const found = await way();
      if (found) return found;
    }
    return { rows: [], ordered: 0 };
  };

  /** Hits that fit best, which may not be among those that came last. */
  const best = async (query: Query, regions: Regions): Promise<NodeRow[]> => {
    const gathering = { most: MOST_BEST, strangers: MOST_STRANGERS };
    const beginning = (await byNames(query, regions, { fit: "beginning", ...gathering }))?.rows ?? [];
    if (beginning.length > 0 && beginning.length < MOST_BEST) return beginning;
    const whole = (await byNames(query, regions, { fit: "whole", ...gathering }))?.rows ?? [];
    return [...whole, ...beginning];
  };

  /** The best hits first; behind those that are put in order as they come. */
  const inOrder = async (query: Query, regions: Regions, reach: number) => {
    const { rows, ordered } = await anywhere(query, regions, Math.max(MOST_COUNTED, reach) + 1);
    const exact = rows.length <= MOST_COUNTED;
    if (rows.length <= ordered) return { rows: bestFirst(rows, query), exact };
    const first = once([...(await best(query, regions)), ...rows.slice(0, ordered)]);
    return { rows: once([...bestFirst(first, query), ...rows]), exact };
  };

  /** What is found by parts of names; fewer than two letters find nothing. */
  return async ({ within, query: asked, limit, offset }: Search): Promise<Hits> => {
    const query = parseQuery(asked);
    const ancestors = createAncestors(table);
    const regions = await openRegions(table, within, ancestors);
    const reach = Math.min(offset + limit, MOST_REACHED);
    if (!query || regions.storages.length === 0) return { hits: [], total: 0, exact: true };
    const { rows, exact } = await inOrder(query, regions, reach);
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

/** Folders, which have no time, come first among those that fit and last among the rest. */
function bestFirst(rows: readonly NodeRow[], query: Query): NodeRow[] {
  const ranked = rows.map((row) => {
    const rank = rankOf(row.folded, query);
    return { row, rank, time: row.modified ?? (rank < 3 ? Number.MAX_SAFE_INTEGER : -1) };
  });
  ranked.sort((one, other) => one.rank - other.rank || other.time - one.time || other.row.id - one.row.id);
  return ranked.map(({ row }) => row);
}

const once = (rows: readonly NodeRow[]): NodeRow[] => [...new Map(rows.map((row) => [row.id, row])).values()];
