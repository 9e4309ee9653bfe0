import { partLength } from "#contract/limits";

type PartState = "pending" | "uploading" | "completed" | "failed";

interface Part {
  state: PartState;
  /** Bytes that were sent. */
  sent: number;
  etag: string | undefined;
}

interface Division {
  readonly size: number;
  readonly partSize: number;
  readonly partCount: number;
}

/** Tracks the parts of a file, numbered from 1. */
export function createParts({ size, partSize, partCount }: Division) {
  const parts: Part[] = Array.from({ length: partCount }, () => ({ state: "pending", sent: 0, etag: undefined }));
  const lengthOf = (number: number) => partLength(size, partSize, number);
  let arrived = 0;

  const change = (number: number, next: Part) => {
    const before = parts[number - 1];
    if (!before) return;
    if (before.state === "completed") arrived -= lengthOf(number);
    if (next.state === "completed") arrived += lengthOf(number);
    parts[number - 1] = next;
  };
  const numbered = (state: PartState) => parts.flatMap((part, index) => (part.state === state ? [index + 1] : []));

  return {
    lengthOf,
    /** Returns where the part begins and ends in the file. */
    range: (number: number) => ({ from: (number - 1) * partSize, to: (number - 1) * partSize + lengthOf(number) }),
    /** Takes the first pending part; undefined if there is none. */
    claim(): number | undefined {
      const index = parts.findIndex(({ state }) => state === "pending");
      if (index < 0) return undefined;
      change(index + 1, { state: "uploading", sent: 0, etag: undefined });
      return index + 1;
    },
    progress(number: number, sent: number) {
      const part = parts[number - 1];
      if (part?.state === "uploading") part.sent = Math.min(sent, lengthOf(number));
    },
    complete: (number: number, etag: string | undefined) =>
      change(number, { state: "completed", sent: lengthOf(number), etag }),
    fail: (number: number) => change(number, { state: "failed", sent: 0, etag: undefined }),
    release: (number: number) => change(number, { state: "pending", sent: 0, etag: undefined }),
    /** Makes failed parts pending again. */
    releaseFailed() {
      for (const number of numbered("failed")) change(number, { state: "pending", sent: 0, etag: undefined });
    },
    /** Returns this part and others that are not complete, `count` at most. */
    missing(first: number, count: number): number[] {
      const others = parts.flatMap(({ state }, index) => (state === "completed" ? [] : [index + 1]));
      return [first, ...others.filter((number) => number !== first)].slice(0, count);
    },
    /** Returns the bytes of complete parts. */
    arrived: () => arrived,
    /** Returns the bytes that have arrived or are being sent. */
    sent: () => parts.reduce((sum, { state, sent }) => (state === "uploading" ? sum + sent : sum), arrived),
    failures: () => numbered("failed").length,
    isWhole: () => arrived === size,
    etags: () => parts.map(({ etag }, index) => ({ partNumber: index + 1, etag })),
  };
}

export type Parts = ReturnType<typeof createParts>;
