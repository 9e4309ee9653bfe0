import type { Engine } from "../database/database.ts";
import type { GramQuery } from "../database/full-text.ts";

/**
 * Ids of one block share a token: a query for several tokens that never meet would otherwise go through all of them, whichever
 * range of ids it is limited to.
 */
export const ID_BLOCK = 16_384;

/** Ids from `from` up to `before`. */
export interface IdRange {
  readonly from: number;
  readonly before: number;
  readonly limit: number;
}

/** Blocks that PostgreSQL is told to look at; it would go through each of more, which takes longer than all. */
const MAX_BLOCKS = 16;

const tokenOf = (block: number): string => `\ue082${block.toString(36)}`;

/** The token of the block that an id is in. */
export const blockToken = (id: number): string => tokenOf(Math.floor(id / ID_BLOCK));

/** The tokens that a filter asks of names in a range of ids; `inBlocks` if it looks at the blocks of that range only. */
export function gramsIn(
  engine: Engine,
  grams: readonly string[],
  inBlocks: boolean,
  { from, before }: IdRange,
): GramQuery {
  if (!inBlocks || (engine === "postgres" && before - from > MAX_BLOCKS * ID_BLOCK)) return { all: grams };
  const first = Math.floor(from / ID_BLOCK);
  const blocks = Array.from({ length: Math.floor((before - 1) / ID_BLOCK) - first + 1 }, (_, index) => first + index);
  return { all: grams, any: blocks.map(tokenOf) };
}
