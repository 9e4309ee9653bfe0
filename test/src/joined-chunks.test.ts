import { describe, expect, test } from "bun:test";
import { joinedChunks, type Piece } from "../../deploy/pages/joined-chunks.ts";

const first = { often: 1, when: "first" } as const;
const later = { often: 1, when: "later" } as const;

/** The chunks by the names in them, in an order of their own. */
const chunksOf = (pieces: readonly Piece[], request: number): string[] =>
  joinedChunks(pieces, request)
    .map((names) => names.toSorted().join("+"))
    .sort();

/** Pieces of which each needs some of those before it. */
function randomPieces(seed: number): Piece[] {
  let state = seed;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  return Array.from({ length: 24 }, (_, place) => {
    const needs = Array.from({ length: Math.min(place, random(4)) }, () => `piece-${random(place)}`);
    const load = random(3) === 0 ? { load: { often: 1 + random(5), when: random(2) ? first.when : later.when } } : {};
    return { name: `piece-${place}`, size: 10 + random(2000), needs: [...new Set(needs)], ...load };
  });
}

/** Reports whether a chunk needs itself by way of others. */
function isRing(pieces: readonly Piece[], chunks: readonly (readonly string[])[]): boolean {
  const place = new Map(chunks.flatMap((names, index) => names.map((name) => [name, index] as const)));
  const needs = chunks.map(
    (names, index) =>
      new Set(
        pieces
          .filter(({ name }) => names.includes(name))
          .flatMap(({ needs }) => needs.map((name) => place.get(name) ?? -1))
          .filter((needed) => needed !== index),
      ),
  );
  const left = new Set(chunks.keys());
  for (let found = true; found; ) {
    const free = [...left].filter((index) => needs[index]?.isDisjointFrom(left));
    for (const index of free) left.delete(index);
    found = free.length > 0;
  }
  return left.size > 0;
}

describe("chunks are joined", () => {
  const page: Piece = { name: "page", size: 500, needs: ["part"], load: first };
  const part: Piece = { name: "part", size: 100, needs: [] };

  test("where all who load one need the other", () => {
    expect(chunksOf([page, part], 1)).toEqual(["page+part"]);
  });

  test("where the requests that it saves are worth more than the bytes that come without need", () => {
    const other: Piece = { name: "other", size: 300, needs: ["part"], load: first };
    expect(chunksOf([page, part, other], 299)).toEqual(["other", "page", "part"]);
    expect(chunksOf([page, part, other], 301)).toEqual(["other+part", "page"]);
  });

  test("unless one would bring along what only it needs", () => {
    const heavy: Piece = { name: "heavy", size: 9000, needs: [], load: later };
    const small: Piece = { name: "small", size: 10, needs: ["heavy"] };
    const needy: Piece = { name: "needy", size: 500, needs: ["part", "small"], load: later };
    const both: Piece = { name: "both", size: 500, needs: ["part", "small"], load: later };
    const chunks = chunksOf([page, part, small, heavy, needy, both], 1000);
    expect(chunks.find((names) => names.includes("page"))).not.toContain("small");
    expect(chunks.find((names) => names.includes("page"))).not.toContain("heavy");
  });

  test("but never so that two need each other", () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const pieces = randomPieces(seed);
      const chunks = joinedChunks(pieces, 500);
      expect({ seed, ring: isRing(pieces, chunks) }).toEqual({ seed, ring: false });
    }
  });

  test("with what every visit begins with, where what comes later needs them", () => {
    const always: Piece = { name: "always", size: 9000, needs: [], load: { often: 1, when: "always" } };
    const shared: Piece = { name: "shared", size: 100, needs: [] };
    const loads = ["a", "b", "c"].map((name): Piece => ({ name, size: 50_000, needs: ["shared"], load: later }));
    expect(chunksOf([always, { ...page, needs: [] }, shared, ...loads], 200)).toContain("always+shared");
  });
});
