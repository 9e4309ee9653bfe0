import { createPace, createSlices } from "../lib/turns.ts";
import { type Fit, gramsFor, lettersWithMarks, parseWords, rankOf, type Words } from "./letters.ts";
import { type Filter, ID_BLOCK, type NodeRow, type NodesTable } from "./nodes-table.ts";
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
/** Hits that anybody can page through. */
const MAX_REACHED = 10_000;
/** Rows of one answer of the database. */
const ROWS = 500;
/** Folders that are looked through at most. */
const MANY_FOLDERS = 2000;

/** Names of a sample of the index. */
const SAMPLE = 2000;
/** A sample is drawn anew when so many times as many nodes have come. */
const GROWN = 1.2;
/** Grams that narrow names down: each costs as much time as there are names that have it. */
const MAX_GRAMS = 3;
/** How many times as frequent as the rarest a gram may be, to be worth that. */
const WORTH = 8;
/** Names with the rarest gram that the database looks at in its first step. */
const FEW_NAMES = 3000;
/** Occurrences of grams that it may go through in one step. */
const MANY_GRAMS = 100_000;

/**
 * Returns the hits of a query, the best first: exact names, names that begin with it, names with a word that does, and
 * the rest by newest. Of more hits than can be paged through, the thousand that were indexed last are sorted, and
 * others that are exact or begin with it; the rest follows unsorted.
 */
export function createFind(table: NodesTable) {
  const { byNames, byFolders } = createCandidates(table);

  /** Tries the quickest way first: all names that fit, or all that is in the regions. */
  const anywhere = async (words: Words, regions: Regions, most: number): Promise<Found> => {
    const names = (outside: number) => byNames(words, regions, { fit: "anywhere", most, outside });
    const isSmall = !regions.whole && regions.files <= MANY_FILES;
    let found: Found | undefined;
    if (isSmall && regions.files > FEW_FILES) found = await names(MAX_OUTSIDE);
    if (isSmall) found ??= await byFolders(words, regions);
    found ??= await names(Number.POSITIVE_INFINITY);
    return found ?? { rows: [], ordered: 0 };
  };

  /** The best hits, which may not be among those indexed last. */
  const best = async (words: Words, regions: Regions): Promise<readonly NodeRow[]> => {
    const limits = { most: MAX_BEST, outside: MAX_OUTSIDE };
    const beginning = (await byNames(words, regions, { fit: "beginning", ...limits }))?.rows ?? [];
    if (beginning.length > 0 && beginning.length < MAX_BEST) return beginning;
    const whole = (await byNames(words, regions, { fit: "whole", ...limits }))?.rows ?? [];
    return [...whole, ...beginning];
  };

  /** The best hits first; behind those that are put in order as they come. */
  const inOrder = async (words: Words, regions: Regions, reach: number) => {
    const { rows, ordered } = await anywhere(words, regions, Math.max(MAX_COUNTED, reach) + 1);
    const exact = rows.length <= MAX_COUNTED;
    if (rows.length <= ordered) return { rows: bestFirst(rows, words), exact };
    const first = unique([...(await best(words, regions)), ...rows.slice(0, ordered)]);
    return { rows: unique([...bestFirst(first, words), ...rows]), exact };
  };

  return async ({ within, query, limit, offset }: Query): Promise<Hits> => {
    const words = parseWords(query);
    const regions = await openRegions(table, within);
    const reach = Math.min(offset + limit, MAX_REACHED);
    if (!words || regions.storages.length === 0) return { hits: [], total: 0, exact: true };
    const { rows, exact } = await inOrder(words, regions, reach);
    const page = rows.slice(offset, reach);
    const pathOf = await regions.paths(page);
    const hits = page.map((row) => hitOf(row, pathOf(row)));
    return { hits, total: exact ? rows.length : MAX_COUNTED, exact };
  };
}

function hitOf({ name, size, modified }: NodeRow, [storage = "", ...names]: readonly string[]): Hit {
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

function bestFirst(rows: readonly NodeRow[], words: Words): NodeRow[] {
  const ranked = rows.map((row) => {
    const rank = rankOf(row.folded, words);
    // Folders, which have no time, come first among those that fit and last among the rest.
    return { row, rank, time: row.modified ?? (rank < 3 ? Number.MAX_SAFE_INTEGER : -1) };
  });
  ranked.sort((one, other) => one.rank - other.rank || other.time - one.time || other.row.id - one.row.id);
  return ranked.map(({ row }) => row);
}

const unique = (rows: readonly NodeRow[]): NodeRow[] => [...new Map(rows.map((row) => [row.id, row])).values()];

interface Limits {
  readonly fit: Fit;
  /** Nodes that are wanted at most, when more than anybody reaches may fit. */
  readonly most: number;
  /** Nodes outside of the regions after which it is given up. */
  readonly outside: number;
}

/** Nodes that a query finds. */
interface Found {
  readonly rows: readonly NodeRow[];
  /** How many of them are sorted, whatever the limit. */
  readonly ordered: number;
}

interface ChosenGrams extends Pick<Filter, "grams" | "inBlocks"> {
  /** How many names have them, at most and very roughly. */
  readonly expected: number;
  /** Ids to look through in the first step. */
  readonly range: number;
}

/** Chooses grams by how frequent they are in names drawn from all over the index. */
function createChooser(table: NodesTable) {
  let sample = "";
  let drawnAt = 0;

  const draw = async (last: number): Promise<void> => {
    const step = Math.max(1, last / SAMPLE);
    const ids = Array.from({ length: Math.min(SAMPLE, last) }, (_, index) => Math.floor(1 + index * step));
    drawnAt = last;
    sample = (await table.byIds(ids)).map(({ folded }) => lettersWithMarks(folded)).join("");
  };

  /** Those of the grams that are best to look for, among ids up to a last one. */
  return async (grams: readonly string[], last: number): Promise<ChosenGrams> => {
    if (last > drawnAt * GROWN || last < drawnAt / GROWN) await draw(last);
    const weight = Math.max(1, last / SAMPLE);
    const counted = grams
      .map((gram) => ({ gram, count: sample.split(gram).length * weight }))
      .sort((one, other) => one.count - other.count)
      .slice(0, MAX_GRAMS);
    const expected = counted[0]?.count ?? last;
    const chosen = counted.filter(({ count }) => count <= WORTH * expected);
    return {
      grams: chosen.map(({ gram }) => gram),
      inBlocks: chosen.length > 1 && chosen.reduce((sum, { count }) => sum + count, 0) > MANY_GRAMS,
      expected,
      range: Math.max(ID_BLOCK, Math.floor((FEW_NAMES * last) / Math.max(1, expected))),
    };
  };
}

/** The two ways to find candidates: by all matching names, and by all nodes of the regions. */
function createCandidates(table: NodesTable) {
  const choose = createChooser(table);
  const names = createPace({ first: 2000, least: 200, most: 8000 });

  /** At most so many nodes of one region; undefined when it has too many folders. */
  const scanRegion = async (words: readonly string[], { folder, except }: Region, most: number) => {
    const slices = createSlices();
    const folders = [folder.id];
    const found: NodeRow[] = [];
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
        await slices.next();
      }
      if (folders.length > MANY_FOLDERS) return undefined;
    }
    return found;
  };

  return {
    /** Nodes with a matching name, the last indexed first; undefined if too many are outside the regions. */
    async byNames(words: Words, regions: Regions, { fit, most: asked, outside }: Limits): Promise<Found | undefined> {
      const slices = createSlices();
      const last = await table.lastId();
      const { expected, range, ...grams } = await choose(gramsFor(words, fit), last);
      const isRare = fit === "anywhere" && expected <= MAX_REACHED;
      const most = isRare ? Math.max(asked, MAX_REACHED + 1) : asked;
      const filter = {
        ...grams,
        fit,
        words: fit === "anywhere" ? words.words : [words.text],
        storages: regions.storages,
      };
      const ids = createPace({ first: range, least: 2000, most: Math.max(range, last) });
      const found: NodeRow[] = [];
      let elsewhere = 0;
      for (let before = last + 1; before > 1 && found.length < most; ) {
        const limit = regions.whole ? Math.min(ROWS, most - found.length) : ROWS;
        const from = Math.max(1, before - ids.count());
        const rows = await ids.measure(before - from, () => table.matching(filter, { from, before, limit }));
        const inside = regions.whole ? rows : await regions.filter(rows);
        found.push(...inside);
        elsewhere += rows.length - inside.length;
        if (found.length <= MAX_COUNTED && elsewhere > outside) return undefined;
        before = rows.length < limit ? from : (rows.at(-1)?.id ?? from);
        await slices.next();
      }
      return { rows: found.slice(0, most), ordered: isRare ? MAX_REACHED : MAX_COUNTED };
    },

    /** All nodes of the regions that fit; undefined when there are too many folders. */
    async byFolders({ words }: Words, regions: Regions): Promise<Found | undefined> {
      const found = new Map<number, NodeRow>();
      for (const region of regions.list) {
        const rows = await scanRegion(words, region, MAX_REACHED + 1);
        if (!rows) return undefined;
        for (const row of rows) found.set(row.id, row);
      }
      return { rows: [...found.values()].slice(0, MAX_REACHED + 1), ordered: MAX_REACHED };
    },
  };
}
