import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { createUnread } from "../../../src/fronts/unread.ts";
import { textAnswer } from "../../../src/lib/counting.ts";

const KiB = 1024;

/** Readers that read nothing until they are told to. */
function openReaders() {
  const open = new Set<Request>();
  const hurried: number[] = [];
  return {
    hurried,
    requestIP: (request: Request) => (open.has(request) ? { address: "192.0.2.1" } : null),
    timeout: (_request: Request, seconds: number) => void hurried.push(seconds),
    begin() {
      const request = new Request("http://satchel.test/api/raw/text");
      open.add(request);
      return request;
    },
    read: () => open.clear(),
  };
}

describe("a client whose answers nobody reads", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const answersTo = (unread: ReturnType<typeof createUnread>, address: string) => {
    const readers = openReaders();
    return {
      readers,
      give(count: number, bytes = 100 * KiB) {
        for (let given = 0; given < count; given++)
          unread.note(readers.begin(), textAnswer("x".repeat(bytes), {}), address, readers);
      },
    };
  };

  test("is refused when they are too much, others are not, and it is answered again once they are read", () => {
    const unread = createUnread({ total: 8000 * KiB, share: 6400 * KiB });
    const { readers, give } = answersTo(unread, "192.0.2.1");
    give(63);
    expect(unread.admits("192.0.2.1")).toBe(true);
    give(1);
    expect([unread.admits("192.0.2.1"), unread.admits("192.0.2.2")]).toEqual([false, true]);
    readers.read();
    jest.advanceTimersByTime(1000);
    expect(unread.admits("192.0.2.1")).toBe(true);
  });

  test("has little time left to read them", () => {
    const unread = createUnread({ total: 8000 * KiB, share: 6400 * KiB });
    const { readers, give } = answersTo(unread, "192.0.2.1");
    give(63);
    jest.advanceTimersByTime(1000);
    expect(readers.hurried).toEqual([]);
    give(1);
    jest.advanceTimersByTime(3000);
    expect(readers.hurried).toEqual(Array(64).fill(10));
  });

  test("does not keep those from answers who have little, when all together have too much", () => {
    const unread = createUnread({ total: 12_000 * KiB, share: 8000 * KiB });
    const [one, other, third] = ["192.0.2.1", "2001:db8::1", "192.0.2.3"].map((address) => answersTo(unread, address));
    one?.give(64);
    other?.give(64);
    third?.give(5);
    jest.advanceTimersByTime(1000);
    expect(["192.0.2.1", "2001:db8::2", "192.0.2.3"].map(unread.admits)).toEqual([false, false, true]);
  });

  test("may have any number of short ones, which the system takes", () => {
    const unread = createUnread({ total: 800 * KiB, share: 400 * KiB });
    answersTo(unread, "192.0.2.1").give(1000, 4 * KiB);
    jest.advanceTimersByTime(1000);
    expect(unread.admits("192.0.2.1")).toBe(true);
  });
});
