import { createPace, createYielder } from "../lib/turns.ts";
import { createGramPlanner, MAX_REACHED } from "./gram-planner.ts";
import { ID_BLOCK } from "./id-blocks.ts";
import { type Fit, gramsFor, type Words } from "./letters.ts";
import type { FoundNode, FoundTable } from "./nodes-table.ts";
import { createRegionScan } from "./region-scan.ts";
import type { Regions } from "./scope.ts";

/** Hits that are counted; of a word that very many names have no more are put in order. */
export const MAX_COUNTED = 1000;
/** Rows of one answer: PostgreSQL makes them in its own process, and looks for all of them anew for each answer. */
const ROWS = { sqlite: 500, postgres: MAX_REACHED + 1 } as const;

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
export interface Found {
  readonly rows: readonly FoundNode[];
  /** How many of them are sorted, whatever the limit. */
  readonly ordered: number;
}

/** The two ways to find candidates: by all matching names, and by all nodes of the regions. */
export function createCandidates(table: FoundTable) {
  const planGrams = createGramPlanner(table);
  const scanRegion = createRegionScan(table);
  const rowsAtOnce = ROWS[table.engine];
  const byBlocks = table.engine === "postgres";

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
        const rows = await scanRegion(words, region, MAX_REACHED + 1);
        if (!rows) return undefined;
        for (const row of rows) found.set(row.id, row);
      }
      return { rows: [...found.values()].slice(0, MAX_REACHED + 1), ordered: MAX_REACHED };
    },
  };
}
