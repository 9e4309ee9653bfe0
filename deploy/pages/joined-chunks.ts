/** A piece of the app as a bundler splits it: what the same parts of the app need stands together. */
export interface Piece {
  readonly name: string;
  /** Bytes that it takes on its way to a browser. */
  readonly size: number;
  /** The names of the pieces that it needs at once. */
  readonly needs: readonly string[];
  /** How it is loaded by itself, where it is. */
  readonly load?: Load;
}

/** A load of a piece with all that it needs. */
export interface Load {
  /** How often it happens, in comparison with others. */
  readonly often: number;
  /** A visit begins with what is always loaded and one of several first loads; others happen when it has begun. */
  readonly when: "always" | "first" | "later";
}

/** What becomes one script. */
interface Chunk {
  readonly names: readonly string[];
  readonly size: number;
  /** Of all loads, by their places, whether they need this chunk. */
  readonly comesWith: Uint8Array;
  readonly needs: Set<Chunk>;
  /** All that it needs, directly or not; found when it is asked for. */
  reach?: ReadonlySet<Chunk> | undefined;
}

/**
 * Bundlers split by who needs what, which leaves many chunks smaller than the headers they come with. This joins two of them as long as the
 * requests that it saves are worth more than the bytes that some loads then bring without need; a request counts as so many bytes. Chunks that
 * would need each other are never made: their code would run in another order. Answers the names of the pieces in each chunk.
 */
export function joinedChunks(pieces: readonly Piece[], request: number): (readonly string[])[] {
  const loads = pieces.flatMap(({ load }) => load ?? []);
  const chunks = new Set(chunksOf(pieces));
  const worth = createWorth(loads, request);
  for (;;) {
    const pair = bestPair([...chunks], worth.of);
    if (!pair) return [...chunks].map(({ names }) => names);
    const chunk = joined(...pair);
    for (const one of pair) chunks.delete(one);
    for (const { needs } of chunks) if (pair.filter((one) => needs.delete(one)).length > 0) needs.add(chunk);
    chunks.add(chunk);
    const changed = new Set([...pair, chunk, ...bringAlong(chunk)]);
    for (const one of [...pair, ...chunks])
      if (changed.has(one) || !reachOf(one).isDisjointFrom(changed)) worth.forget(one);
  }
}

/** Each piece as a chunk of its own. */
function chunksOf(pieces: readonly Piece[]): Chunk[] {
  const roots = pieces.filter(({ load }) => load);
  const chunks = new Map<string, Chunk>();
  for (const { name, size } of pieces)
    chunks.set(name, { names: [name], size, comesWith: new Uint8Array(roots.length), needs: new Set() });
  for (const { name, needs } of pieces)
    for (const needed of needs.flatMap((other) => chunks.get(other) ?? [])) chunks.get(name)?.needs.add(needed);
  for (const [place, { name, load }] of roots.entries()) {
    const root = chunks.get(name);
    for (const { comesWith } of root ? [root, ...reachOf(root)] : [])
      if (load?.when === "always") comesWith.fill(1);
      else comesWith[place] = 1;
  }
  return [...chunks.values()];
}

/** All that a chunk needs, directly or not. */
function reachOf(chunk: Chunk): ReadonlySet<Chunk> {
  if (chunk.reach) return chunk.reach;
  const found = new Set<Chunk>();
  for (const needed of chunk.needs) {
    found.add(needed);
    for (const further of reachOf(needed)) found.add(further);
  }
  chunk.reach = found;
  return found;
}

/** Has whatever loads a chunk load all that it needs; answers what is loaded more often by that. */
function bringAlong(chunk: Chunk): Chunk[] {
  return [...reachOf(chunk)].filter(({ comesWith }) => {
    let isMore = false;
    for (const [place, comes] of chunk.comesWith.entries()) {
      if (!comes || comesWith[place]) continue;
      comesWith[place] = 1;
      isMore = true;
    }
    return isMore;
  });
}

/** What it is worth in bytes to join two chunks. It is asked for often, so remembered until one of them has changed. */
function createWorth(loads: readonly Load[], request: number) {
  const known = new Map<Chunk, Map<Chunk, number>>();
  const costs = new Map<Chunk, Float64Array>();
  const isEverywhere = ({ comesWith }: Chunk) =>
    loads.every(({ when }, place) => when === "later" || comesWith[place] === 1);

  /** By loads, the bytes that each would bring in addition if it loaded a chunk. */
  function costOf(chunk: Chunk): Float64Array {
    const cost = costs.get(chunk) ?? new Float64Array(loads.length);
    if (costs.has(chunk)) return cost;
    costs.set(chunk, cost);
    for (const { size, comesWith } of [chunk, ...reachOf(chunk)])
      for (const [place, comes] of comesWith.entries()) if (!comes) cost[place] = (cost[place] ?? 0) + size;
    return cost;
  }

  function compute(one: Chunk, other: Chunk): number {
    // What every visit begins with is there before anything is loaded later, so that nothing later brings it.
    const isThere = isEverywhere(one) || isEverywhere(other);
    if (!one.comesWith.some((comes, place) => comes && other.comesWith[place])) return 0;
    const [first, second] = [costOf(one), costOf(other)];
    let worth = 0;
    for (const [place, { often, when }] of loads.entries()) {
      const [hasOne, hasOther] = [one.comesWith[place], other.comesWith[place]];
      if (hasOne && hasOther) worth += often * request;
      else if ((hasOne || hasOther) && !(isThere && when === "later"))
        worth -= often * ((hasOne ? second : first)[place] ?? 0);
    }
    return worth;
  }

  return {
    of(one: Chunk, other: Chunk): number {
      const row = known.get(one) ?? new Map<Chunk, number>();
      known.set(one, row);
      const worth = row.get(other) ?? compute(one, other);
      row.set(other, worth);
      return worth;
    },
    forget(chunk: Chunk): void {
      chunk.reach = undefined;
      costs.delete(chunk);
      known.delete(chunk);
      for (const row of known.values()) row.delete(chunk);
    },
  };
}

/** The two chunks that are best joined, if any are. */
function bestPair(chunks: readonly Chunk[], worth: (one: Chunk, other: Chunk) => number): [Chunk, Chunk] | undefined {
  let best = 0;
  let pair: [Chunk, Chunk] | undefined;
  for (const [place, one] of chunks.entries())
    for (let next = place + 1; next < chunks.length; next += 1) {
      const other = chunks[next];
      if (!other || worth(one, other) <= best || isBetween(one, other) || isBetween(other, one)) continue;
      best = worth(one, other);
      pair = [one, other];
    }
  return pair;
}

/** Reports whether a chunk needs another one by way of a third. */
const isBetween = (one: Chunk, other: Chunk): boolean =>
  [...one.needs].some((needed) => needed !== other && reachOf(needed).has(other));

const joined = (one: Chunk, other: Chunk): Chunk => ({
  names: [...one.names, ...other.names],
  size: one.size + other.size,
  comesWith: one.comesWith.map((comes, place) => comes | (other.comesWith[place] ?? 0)),
  needs: new Set([...one.needs, ...other.needs].filter((needed) => needed !== one && needed !== other)),
});
