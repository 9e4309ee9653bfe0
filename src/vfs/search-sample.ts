import { lettersWithMarks } from "./search-names.ts";
import { type SearchTable, ZONE } from "./search-table.ts";

/** Names that stand for all. */
const NAMES = 2000;
/** A sample is drawn anew when so many times as many nodes have come. */
const GROWN = 1.2;
/** Grams that narrow names down: each costs as much time as there are names that have it. */
const MOST_GRAMS = 3;
/** How many times as frequent as the rarest a gram may be, to be worth that. */
const WORTH = 8;

/** Names that the database may look at without a pause. */
const FEW_NAMES = 8000;
/** Occurrences of grams that it may go through without a pause. */
const MANY_GRAMS = 100_000;

/** What to look for, and how. */
interface Chosen {
  readonly grams: readonly string[];
  /** Whether only the zones of a stretch should be looked at. */
  readonly zoned: boolean;
  /** How many names have them, at most and very roughly. */
  readonly expected: number;
  /** Ids that may be looked through without a pause. */
  readonly stretch: number;
}

/** Tells how frequent grams are, by names drawn from all over the index. */
export function createSample(table: SearchTable) {
  let names = "";
  let drawnAt = 0;

  const draw = async (last: number): Promise<void> => {
    const step = Math.max(1, last / NAMES);
    const ids = Array.from({ length: Math.min(NAMES, last) }, (_, index) => Math.floor(1 + index * step));
    drawnAt = last;
    names = (await table.foldedOf(ids)).map(({ folded }) => lettersWithMarks(folded)).join("");
  };

  const count = (gram: string): number => {
    let found = 0;
    for (let at = names.indexOf(gram); at >= 0; at = names.indexOf(gram, at + 1)) found += 1;
    return found;
  };

  /** Those of the grams that are best to look for. */
  return async (grams: readonly string[]): Promise<Chosen> => {
    const last = await table.lastId();
    if (last > drawnAt * GROWN || last < drawnAt / GROWN) await draw(last);
    const weight = Math.max(1, last / NAMES);
    const counted = grams
      .map((gram) => ({ gram, found: (count(gram) + 1) * weight }))
      .sort((one, other) => one.found - other.found)
      .slice(0, MOST_GRAMS);
    const least = counted[0]?.found ?? last;
    const chosen = counted.filter(({ found }) => found <= WORTH * least);
    return {
      grams: chosen.map(({ gram }) => gram),
      zoned: chosen.length > 1 && chosen.reduce((sum, { found }) => sum + found, 0) > MANY_GRAMS,
      expected: least,
      stretch: Math.max(ZONE, Math.floor((FEW_NAMES * last) / Math.max(1, least))),
    };
  };
}
