import { ID_BLOCK } from "./id-blocks.ts";
import { type Fit, lettersWithMarks } from "./letters.ts";
import type { Filter, FoundTable } from "./nodes-table.ts";

/** Which grams of a query are looked for, and how: by how frequent they are. */

/** Hits that anybody can page through. */
export const MAX_REACHED = 10_000;

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
 * PostgreSQL leaps from one common name of all grams to the next, so that more of them cost nothing, and finds all names at once or those
 * of whole blocks; it finds nothing in the order of ids.
 */
const MAX_GRAMS_AT_ONCE = 8;
/** Names that PostgreSQL is asked for at once although fewer are wanted. */
const FEW_AT_ONCE = 4000;
/** How many times as many names as are wanted the first blocks should have. */
const AMPLE = 1.5;

interface GramPlan extends Pick<Filter, "grams" | "inBlocks"> {
  /** Whether no more names have them, roughly, than anybody can page through. */
  readonly isRare: boolean;
  /** Ids to look through in the first step. */
  readonly range: number;
}

interface Wanted {
  readonly fit: Fit;
  /** The last id. */
  readonly last: number;
  /** Nodes that are wanted. */
  readonly most: number;
}

/** Chooses grams by how frequent they are in names drawn from all over the index. */
export function createGramPlanner(table: FoundTable) {
  let names: readonly string[] = [];
  let sample = "";
  let drawnAt = 0;

  const draw = async (last: number): Promise<void> => {
    const step = Math.max(1, last / SAMPLE);
    const ids = Array.from({ length: Math.min(SAMPLE, last) }, (_, index) => Math.floor(1 + index * step));
    drawnAt = last;
    names = (await table.byIds(ids)).map(({ folded }) => lettersWithMarks(folded));
    sample = names.join("");
  };

  /** For SQLite: the first step looks through as many ids as have a few names with the rarest gram. */
  const stepByStep = (counted: readonly Counted[], expected: number, last: number) => {
    const chosen = counted.slice(0, MAX_GRAMS).filter(({ count }) => count <= WORTH * expected);
    return {
      grams: chosen.map(({ gram }) => gram),
      inBlocks: chosen.length > 1 && chosen.reduce((sum, { count }) => sum + count, 0) > MANY_GRAMS,
      range: Math.max(ID_BLOCK, Math.floor((FEW_NAMES * last) / Math.max(1, expected))),
    };
  };

  /** For PostgreSQL: all names at once, or as many blocks as should have what is wanted. */
  const atOnce = (counted: readonly Counted[], isRare: boolean, { last, most }: Wanted) => {
    const grams = counted.slice(0, MAX_GRAMS_AT_ONCE).map(({ gram }) => gram);
    const having = names.filter((name) => grams.every((gram) => name.includes(gram)));
    const expected = (having.length + 1) * Math.max(1, last / SAMPLE);
    const range = (AMPLE * most * last) / expected;
    const inBlocks = !isRare && expected > FEW_AT_ONCE;
    return { grams, inBlocks, range: inBlocks ? Math.ceil(range / ID_BLOCK) * ID_BLOCK : last };
  };

  /** Those of the grams that are best to look for, among ids up to a last one. */
  return async (grams: readonly string[], wanted: Wanted): Promise<GramPlan> => {
    const { last, fit } = wanted;
    if (last > drawnAt * GROWN || last < drawnAt / GROWN) await draw(last);
    const weight = Math.max(1, last / SAMPLE);
    const counted = grams
      .map((gram) => ({ gram, count: sample.split(gram).length * weight }))
      .sort((one, other) => one.count - other.count);
    const expected = counted[0]?.count ?? last;
    const isRare = fit === "anywhere" && expected <= MAX_REACHED;
    const way = table.engine === "sqlite" ? stepByStep(counted, expected, last) : atOnce(counted, isRare, wanted);
    return { ...way, isRare };
  };
}

interface Counted {
  readonly gram: string;
  /** How many names have it, roughly. */
  readonly count: number;
}
