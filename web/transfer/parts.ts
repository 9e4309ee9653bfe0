import { partLength } from "#contract/limits";

type PartState = "pending" | "uploading" | "completed" | "failed";

interface Part {
  state: PartState;
  /** Bytes of it that have left. */
  sent: number;
  etag: string | undefined;
}

interface Division {
  readonly size: number;
  readonly partSize: number;
  readonly partCount: number;
}

/** A file in parts, numbered from 1: which are where. */
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
    /** The part's place in the file. */
    range: (number: number) => ({ from: (number - 1) * partSize, to: (number - 1) * partSize + lengthOf(number) }),
    /** Takes the first part that is not being sent. */
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
    /** Failed parts are sent again. */
    releaseFailed() {
      for (const number of numbered("failed")) change(number, { state: "pending", sent: 0, etag: undefined });
    },
    /** This part and others that are still to come, so many at most. */
    missing(first: number, count: number): number[] {
      const others = parts.flatMap(({ state }, index) => (state === "completed" ? [] : [index + 1]));
      return [first, ...others.filter((number) => number !== first)].slice(0, count);
    },
    /** Bytes of the parts that are there. */
    arrived: () => arrived,
    /** Bytes that are there or have left. */
    sent: () => parts.reduce((sum, { state, sent }) => (state === "uploading" ? sum + sent : sum), arrived),
    failures: () => numbered("failed").length,
    isWhole: () => arrived === size,
    etags: () => parts.map(({ etag }, index) => ({ partNumber: index + 1, etag })),
  };
}

export type Parts = ReturnType<typeof createParts>;
