import { compareBytes } from "#contract/paths";
import { createPace, createYielder } from "../lib/turns.ts";
import { createGramPlanner, MAX_REACHED } from "./gram-planner.ts";
import { ID_BLOCK } from "./id-blocks.ts";
import { type Fit, gramsFor, parseWords, rankOf, type Words } from "./letters.ts";
import type { FoundNode, NodesTable } from "./nodes-table.ts";
import { openRegions, type Region, type Regions, type Scope } from "./scope.ts";

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
/** Regions with so few files are looked through instead of the index; with somewhat more when it finds too much elsewhere. */
const FEW_FILES = 50_000;
const MANY_FILES = 150_000;
/** Hits that are counted; of a word that very many names have no more are put in order. */
const MAX_COUNTED = 1000;
/** Rows of one answer: PostgreSQL makes them in its own process, and looks for all of them anew for each answer. */
const ROWS = { sqlite: 500, postgres: MAX_REACHED + 1 } as const;
/** Folders that are looked through at most. */
const MANY_FOLDERS = 2000;

/**
 * Returns the hits of a query, the best first: exact names, names that begin with it, names with a word that does, and
 * the rest by newest. Of more hits than can be paged through, the thousand that were indexed last are sorted, and
 * others that are exact or begin with it; the rest follows unsorted.
 */
export function createFind(table: NodesTable) {
  const { byNames, byFolders, areMany } = createCandidates(table);
  // PostgreSQL looks for several at once, each of which is a way there and back.
  const isApart = table.engine === "postgres";

  /** Tries the quickest way first: all names that fit, or all that is in the regions. */
  const anywhere = async (words: Words, { regions, last }: Where, most: number): Promise<Found> => {
    const names = (outside: number) => byNames(words, regions, { fit: "anywhere", most, outside, last });
    const isSmall = !regions.whole && regions.files <= MANY_FILES;
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

interface Limits {
  readonly fit: Fit;
  /** Nodes that are wanted at most, when more than anybody reaches may fit. */
  readonly most: number;
  /** Nodes outside of the regions after which it is given up. */
  readonly outside: number;
  /** The highest id. */
  readonly last: number;
}

/** Nodes that a query finds. */
interface Found {
  readonly rows: readonly FoundNode[];
  /** How many of them are sorted, whatever the limit. */
  readonly ordered: number;
}

/** The two ways to find candidates: by all matching names, and by all nodes of the regions. */
function createCandidates(table: NodesTable) {
  const planGrams = createGramPlanner(table);
  const names = createPace({ first: 2000, least: 200, most: 8000 });
  const rowsAtOnce = ROWS[table.engine];
  const byBlocks = table.engine === "postgres";

  /** As `scanRegion` in two statements, because each is a way to the database: all folders, then what is in them. */
  const askRegion = async (words: readonly string[], { folder, except }: Region, most: number) => {
    const below = await table.foldersBelow(folder.id, [...except], MANY_FOLDERS + 1);
    if (below.length > MANY_FOLDERS) return undefined;
    const children = Map.groupBy(below, ({ parent }) => parent);
    const folders = [folder.id];
    for (const one of folders) {
      const inside = (children.get(one) ?? []).toSorted((left, right) => compareBytes(left.name, right.name));
      folders.push(...inside.map(({ id }) => id));
    }
    const found = await table.matchingIn(folders, words, most);
    return found.filter(({ id }) => !except.has(id));
  };

  /** At most so many nodes of one region; undefined when it has too many folders. */
  const scanRegion = async (words: readonly string[], { folder, except }: Region, most: number) => {
    const yielder = createYielder();
    const folders = [folder.id];
    const found: FoundNode[] = [];
    for (const one of folders) {
      for (let after: string | undefined = ""; after !== undefined && found.length < most; ) {
        const begin: string = after;
        const count = names.count();
        const end = await table.nameAfter(one, begin, count);
        const rows = await names.measure(end === undefined ? 0 : count, () =>
          table.matchingChildren(one, begin, end, words),
        );
        const inside = rows.filter(({ id }) => !except.has(id));
        folders.push(...inside.filter(({ modified }) => modified === null).map(({ id }) => id));
        found.push(...inside.filter(({ folded }) => words.every((word) => folded.includes(word))));
        after = end;
        await yielder.yieldIfDue();
      }
      if (folders.length > MANY_FOLDERS) return undefined;
    }
    return found;
  };

  return {
    /** Whether more names seem to fit than anybody can page through. */
    areMany: async (words: Words, last: number): Promise<boolean> =>
      !(await planGrams(gramsFor(words, "anywhere"), { fit: "anywhere", most: 0, last })).isRare,

    /** Nodes with a matching name, the last indexed first; undefined if too many are outside the regions. */
    async byNames(
      words: Words,
      regions: Regions,
      { fit, last, most: asked, outside }: Limits,
    ): Promise<Found | undefined> {
      const yielder = createYielder();
      const { range, isRare, ...grams } = await planGrams(gramsFor(words, fit), { fit, last, most: asked });
      const most = isRare ? Math.max(asked, MAX_REACHED + 1) : asked;
      const filter = {
        ...grams,
        fit,
        words: fit === "anywhere" ? words.words : [words.text],
        storages: regions.storages,
      };
      const ids = createPace({ first: range, least: 2000, most: Math.max(range, last) });
      // PostgreSQL finds whole blocks, whatever the range.
      const beginOf = (id: number) => (byBlocks && filter.inBlocks ? Math.floor(id / ID_BLOCK) * ID_BLOCK : id);
      const found: FoundNode[] = [];
      let elsewhere = 0;
      for (let before = last + 1; before > 1 && found.length < most; ) {
        const limit = regions.whole ? Math.min(rowsAtOnce, most - found.length) : rowsAtOnce;
        const from = Math.max(1, beginOf(before - ids.count()));
        const rows = await ids.measure(before - from, () => table.matching(filter, { from, before, limit }));
        const inside = regions.whole ? rows : await regions.filter(rows);
        found.push(...inside);
        elsewhere += rows.length - inside.length;
        if (found.length <= MAX_COUNTED && elsewhere > outside) return undefined;
        before = rows.length < limit ? from : (rows.at(-1)?.id ?? from);
        await yielder.yieldIfDue();
      }
      return { rows: found.slice(0, most), ordered: isRare ? MAX_REACHED : MAX_COUNTED };
    },

    /** All nodes of the regions that fit; undefined when there are too many folders. */
    async byFolders({ words }: Words, regions: Regions): Promise<Found | undefined> {
      const found = new Map<number, FoundNode>();
      for (const region of regions.list) {
        const rows = await (byBlocks ? askRegion : scanRegion)(words, region, MAX_REACHED + 1);
        if (!rows) return undefined;
        for (const row of rows) found.set(row.id, row);
      }
      return { rows: [...found.values()].slice(0, MAX_REACHED + 1), ordered: MAX_REACHED };
    },
  };
}
