import { createSlices } from "../lib/slices.ts";
import { type Fit, gramsFor, type Query } from "./search-names.ts";
import { createSample } from "./search-sample.ts";
import type { Region, Regions } from "./search-scope.ts";
import type { NodeRow, SearchTable } from "./search-table.ts";

/** Hits that are counted; of a word that very many names have no more are put in order. */
export const MOST_COUNTED = 1000;
/** Hits that anybody can page through. */
export const MOST_REACHED = 10_000;
/** Rows of one answer of the database. */
const ROWS = 1000;
/** Names of one folder that are looked at without a pause. */
const NAMES = 4000;
/** Folders that are looked through at most. */
const MANY_FOLDERS = 2000;

interface Gathering {
  readonly fit: Fit;
  /** Nodes that are wanted at most, when more than anybody reaches may fit. */
  readonly most: number;
  /** Nodes outside of the regions after which it is given up. */
  readonly strangers: number;
}

/** What was found. */
export interface Gathered {
  readonly rows: readonly NodeRow[];
  /** How many of them are put in order, however many are asked for. */
  readonly ordered: number;
}

/** The two ways to what a query finds: by all names that fit, and by all that is in the regions. */
export function createWays(table: SearchTable) {
  const choose = createSample(table);

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

  return {
    /** Those that came into the index last come first; undefined when too much lies elsewhere. */
    async byNames(query: Query, regions: Regions, { fit, most: asked, strangers }: Gathering) {
      const slices = createSlices();
      const words = fit === "anywhere" ? query.words : [query.text];
      const { stretch, expected, ...chosen } = await choose(gramsFor(query, fit));
      const isRare = fit === "anywhere" && expected <= MOST_REACHED;
      const most = isRare ? Math.max(asked, MOST_REACHED + 1) : asked;
      const wanted = { ...chosen, fit, words, storages: regions.storages };
      const found: NodeRow[] = [];
      let looked = 0;
      for (let before = (await table.lastId()) + 1; before > 1 && found.length < most; ) {
        const limit = regions.whole ? Math.min(ROWS, most - found.length) : ROWS;
        const from = Math.max(1, before - stretch);
        const rows = await table.wanted(wanted, { from, before, limit });
        found.push(...(regions.whole ? rows : await regions.filter(rows)));
        looked += rows.length;
        if (found.length <= MOST_COUNTED && looked - found.length > strangers) return undefined;
        before = rows.length < limit ? from : (rows.at(-1)?.id ?? from);
        await slices.next();
      }
      return { rows: found.slice(0, most), ordered: isRare ? MOST_REACHED : MOST_COUNTED };
    },

    /** Undefined when there are too many folders. */
    async byFolders(query: Query, regions: Regions): Promise<Gathered | undefined> {
      const found = new Map<number, NodeRow>();
      for (const region of regions.list) {
        const rows = await lookThrough(query, region, MOST_REACHED + 1);
        if (!rows) return undefined;
        for (const row of rows) found.set(row.id, row);
      }
      return { rows: [...found.values()].slice(0, MOST_REACHED + 1), ordered: MOST_REACHED };
    },
  };
}
