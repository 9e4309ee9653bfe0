import { createCandidates, type Found, MAX_COUNTED } from "./candidates.ts";
import { MAX_REACHED } from "./gram-planner.ts";
import { type Fit, parseWords, rankOf, type Words } from "./letters.ts";
import type { FoundNode, FoundTable } from "./nodes-table.ts";
import { openRegions, type Regions, type Scope } from "./scope.ts";

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

export interface Query {
  readonly within: readonly Scope[];
  readonly query: string;
  readonly limit: number;
  readonly offset: number;
}

/** Hits that fit best and are looked for apart. */
const MAX_BEST = 200;
/** Names elsewhere that are looked at before the regions themselves are looked through, if those are small enough. */
const MAX_OUTSIDE = 5000;
/** Regions that are looked through one after the other; the root of a link may have a thousand. */
const MANY_REGIONS = 50;
/** Regions with so few files are looked through instead of the index; with somewhat more when it finds too much elsewhere. */
const FEW_FILES = 50_000;
const MANY_FILES = 150_000;

/**
 * Returns the hits of a query, the best first: exact names, names that begin with it, names with a word that does, and
 * the rest by newest. What lies in folders that come last is behind all of these, as long as all hits are counted. Of
 * more hits than can be paged through, the thousand that were indexed last are sorted, and others that are exact or
 * begin with it; the rest follows unsorted.
 */
export function createFind(table: FoundTable) {
  const { byNames, byFolders, areMany } = createCandidates(table);
  // PostgreSQL looks for several at once, each of which is a way there and back.
  const isApart = table.engine === "postgres";

  /** Tries the quickest way first: all names that fit, or all that is in the regions. */
  const anywhere = async (words: Words, { regions, last }: Where, most: number): Promise<Found> => {
    const names = (outside: number) => byNames(words, regions, { fit: "anywhere", most, outside, last });
    const isSmall = !regions.whole && regions.files <= MANY_FILES && regions.list.length <= MANY_REGIONS;
    let found: Found | undefined;
    if (isSmall && regions.files > FEW_FILES) found = await names(MAX_OUTSIDE);
    if (isSmall) found ??= await byFolders(words, regions);
    found ??= await names(Number.POSITIVE_INFINITY);
    return found ?? { rows: [], ordered: 0 };
  };

  /** The best hits, which may not be among those indexed last. */
  const best = async (words: Words, { regions, last }: Where): Promise<readonly FoundNode[]> => {
    const limits = { most: MAX_BEST, outside: MAX_OUTSIDE, last };
    const find = async (fit: Fit) => (await byNames(words, regions, { fit, ...limits }))?.rows ?? [];
    const early = isApart ? find("whole") : undefined;
    const [beginning] = await Promise.all([find("beginning"), early]);
    if (beginning.length > 0 && beginning.length < MAX_BEST) return beginning;
    return [...(await (early ?? find("whole"))), ...beginning];
  };

  /** The best hits first; behind those that are put in order as they come. */
  const inOrder = async (words: Words, where: Where, reach: number) => {
    const early = isApart && where.regions.whole && (await areMany(words, where.last)) ? best(words, where) : undefined;
    const [{ rows, ordered }] = await Promise.all([anywhere(words, where, Math.max(MAX_COUNTED, reach) + 1), early]);
    const exact = rows.length <= MAX_COUNTED;
    if (exact && where.regions.hasLast)
      return { rows: await where.regions.lastBehind(bestFirst(rows, words, rows.length)), exact };
    if (rows.length <= ordered) return { rows: bestFirst(rows, words, reach), exact };
    const first = unique([...(await (early ?? best(words, where))), ...rows.slice(0, ordered)]);
    return { rows: unique([...bestFirst(first, words, reach), ...rows]), exact };
  };

  return async ({ within, query, limit, offset }: Query): Promise<Hits> => {
    const words = parseWords(query);
    const [regions, last] = await Promise.all([openRegions(table, within), table.lastId()]);
    const reach = Math.min(offset + limit, MAX_REACHED);
    if (!words || regions.storages.length === 0) return { hits: [], total: 0, exact: true };
    const { rows, exact } = await inOrder(words, { regions, last }, reach);
    const page = rows.slice(offset, reach);
    const hits = (await regions.shown(page)).map(hitOf);
    return { hits, total: exact ? rows.length : MAX_COUNTED, exact };
  };
}

/** Where a query looks. */
interface Where {
  readonly regions: Regions;
  /** The highest id. */
  readonly last: number;
}

function hitOf({ name, size, modified, path }: Awaited<ReturnType<Regions["shown"]>>[number]): Hit {
  const [storage = "", ...names] = path;
  const isFolder = modified === null;
  return {
    storage,
    key: names.join(""),
    name: isFolder ? name.slice(0, -1) : name,
    kind: isFolder ? "folder" : "file",
    size,
    modified,
  };
}

/** A row, and what it is ordered by. */
interface Ranked {
  readonly row: FoundNode;
  readonly rank: number;
  readonly time: number;
}

const inRank = (one: Ranked, other: Ranked): number => other.time - one.time || other.row.id - one.row.id;

/** All rows, of which so many are in order: the best. Of thousands nobody sees more than a page. */
function bestFirst(rows: readonly FoundNode[], words: Words, wanted: number): FoundNode[] {
  const ranks: Ranked[][] = [[], [], [], []];
  for (const row of rows) {
    const rank = rankOf(row.folded, words);
    // Folders, which have no time, come first among those that fit and last among the rest.
    ranks[rank]?.push({ row, rank, time: row.modified ?? (rank < 3 ? Number.MAX_SAFE_INTEGER : -1) });
  }
  const ordered: FoundNode[] = [];
  for (const ranked of ranks) for (const { row } of newestFirst(ranked, wanted - ordered.length)) ordered.push(row);
  return ordered;
}

/** Rows of one rank, of which so many are in order. */
function newestFirst(ranked: readonly Ranked[], wanted: number): readonly Ranked[] {
  if (wanted <= 0) return ranked;
  if (ranked.length <= 2 * wanted) return ranked.toSorted(inRank);
  const times = Float64Array.from(ranked, ({ time }) => time).sort();
  const oldest = times[times.length - wanted] ?? 0;
  const [newer, older]: [Ranked[], Ranked[]] = [[], []];
  for (const one of ranked) (one.time >= oldest ? newer : older).push(one);
  return [...newer.sort(inRank), ...older];
}

const unique = (rows: readonly FoundNode[]): FoundNode[] => [...new Map(rows.map((row) => [row.id, row])).values()];
