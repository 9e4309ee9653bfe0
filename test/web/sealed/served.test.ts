import { describe, expect, test } from "bun:test";
import { unshared } from "../../../web/sealed/bytes.ts";
import { newIdentity } from "../../../web/sealed/locks.ts";
import { openHeader } from "../../../web/sealed/open.ts";
import { sealFile } from "../../../web/sealed/seal.ts";
import { answerOpened } from "../../../web/sealed/served/answer.ts";
import { sourceAt } from "../../../web/sealed/served/source.ts";

/** What the worker answers for a file that a page has opened. */

const SIZE = 300_000;
const content = Uint8Array.from({ length: SIZE }, (_, place) => (place * 31 + (place >> 8)) % 251);
/** So much arrives at once: less than a chunk, and no part of one. */
const PACKET = 50_001;
const SOURCE = "https://share.example/api/file-view/abc?grant=1";

/** What either kind of stream is given its bytes by. */
interface Sending {
  readonly byobRequest?: ReadableStreamBYOBRequest | null;
  enqueue(bytes: Uint8Array<ArrayBuffer>): void;
  error(reason: unknown): void;
  close(): void;
}

/** A server of sealed bytes that knows ranges; `cut` breaks each answer off after so many bytes, and `type` says how bytes of it can be read. */
function serverOf(
  bytes: Uint8Array<ArrayBuffer>,
  cut = Number.POSITIVE_INFINITY,
  type: "default" | "bytes" = "default",
) {
  const asked: string[] = [];
  const fetch = async (_url: string, init: RequestInit) => {
    const range = new Headers(init.headers).get("range") ?? "";
    asked.push(range);
    const [, from = 0, last = 0] = (/^bytes=(\d+)-(\d+)$/.exec(range) ?? []).map(Number);
    if (from >= bytes.length) return new Response(null, { status: 416 });
    const piece = bytes.slice(from, Math.min(last + 1, from + cut));
    const breaks = piece.length < Math.min(last + 1, bytes.length) - from;
    let at = 0;
    const pull = (controller: Sending) => {
      const next = piece.slice(at, at + PACKET);
      at += next.length;
      if (next.length > 0) controller.enqueue(next);
      else if (breaks) controller.error(new TypeError("The connection was lost."));
      else controller.close();
      // Who reads into memory of its own waits for an answer to its last question.
      if (next.length === 0 && !breaks) controller.byobRequest?.respond(0);
    };
    const body =
      type === "default" ? new ReadableStream({ pull }, { highWaterMark: 0 }) : new ReadableStream({ type, pull });
    return new Response(body, { status: 206 });
  };
  return { asked, fetch };
}

interface Given {
  readonly name?: string;
  readonly type?: string;
  readonly stream?: "bytes";
  readonly spoil?: (sealed: Uint8Array) => void;
}

async function opened({ name = "plan.txt", type = "text/plain", spoil, stream }: Given = {}) {
  const identity = await newIdentity();
  const sealed = await sealFile(new Blob([content]), { identity });
  const bytes = await (await sealed.slice(0, sealed.size)).bytes();
  const source = { size: bytes.length, read: async (from: number, to: number) => bytes.slice(from, to) };
  const opening = await openHeader(source, { identity });
  spoil?.(bytes);
  const { asked, fetch } = serverOf(bytes, undefined, stream);
  const broken: string[] = [];
  const answer = (init: RequestInit = {}, query = "") =>
    answerOpened(new Request(`https://share.example/opened/id${query}`, init), {
      file: { id: "id", name, type, source: SOURCE, opening },
      onBroken: (code) => broken.push(code),
      fetch,
    });
  return { answer, asked, broken, bytes };
}

describe("a file that a page has opened", () => {
  test.each([{}, { stream: "bytes" }] as const)(
    "is answered whole, by one request for its sealed bytes: %j",
    async (given) => {
      const { answer, asked, bytes } = await opened(given);
      const whole = answer();
      expect(whole.status).toBe(200);
      expect(await whole.bytes()).toEqual(content);
      expect(asked).toHaveLength(1);
      expect(asked[0]).toEndWith(`-${bytes.length - 1}`);
      expect(whole.headers.get("content-length")).toBe(String(SIZE));
      expect(whole.headers.get("cache-control")).toBe("no-store");
      expect(whole.headers.get("content-security-policy")).toBe("sandbox; default-src 'none'");
      expect(whole.headers.get("x-content-type-options")).toBe("nosniff");
    },
  );

  test.each([
    ["bytes=0-0", 0, 1],
    ["bytes=65530-65545", 65_530, 65_546],
    ["bytes=131072-131072", 131_072, 131_073],
    ["bytes=299990-", 299_990, SIZE],
    ["bytes=-10", SIZE - 10, SIZE],
    ["bytes=299999-400000", SIZE - 1, SIZE],
  ])("is answered by ranges: %s", async (range, from, to) => {
    const { answer, asked } = await opened();
    const part = answer({ headers: { range } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes ${from}-${to - 1}/${SIZE}`);
    expect(await part.bytes()).toEqual(content.slice(from, to));
    // No more than the chunks that the range lies in.
    const [, first = 0, last = 0] = (/^bytes=(\d+)-(\d+)$/.exec(asked[0] ?? "") ?? []).map(Number);
    expect(last - first).toBeLessThan(2 * 65_552);
  });

  test.each(["bytes=300000-", "bytes=-0"])("has no range %s", async (range) => {
    const { answer, asked } = await opened();
    const none = answer({ headers: { range } });
    expect(none.status).toBe(416);
    expect(none.headers.get("content-range")).toBe(`bytes */${SIZE}`);
    expect(asked).toEqual([]);
  });

  test("is taken for whole where a range is none that is known", async () => {
    const { answer } = await opened();
    for (const range of ["bytes=5-2", "bytes=0-1,5-6", "lines=1-2"])
      expect(answer({ headers: { range } }).status).toBe(200);
  });

  test("is told of by HEAD, and changed by nothing", async () => {
    const { answer, asked } = await opened();
    const head = answer({ method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), head.body]).toEqual([200, String(SIZE), null]);
    expect(answer({ method: "POST" }).status).toBe(405);
    expect(asked).toEqual([]);
  });

  test("is kept under its name, whatever that is", async () => {
    const { answer } = await opened({ name: `旅行 "plan"\\.html`, type: "text/html" });
    const keeps = answer({}, "?download").headers;
    expect(keeps.get("content-disposition")).toBe(
      `attachment; filename="__ _plan__.html"; filename*=UTF-8''%E6%97%85%E8%A1%8C%20%22plan%22%5C.html`,
    );
    expect(keeps.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer().headers.get("content-disposition")).toStartWith("inline;");
  });

  test("breaks off where it is damaged, and the page learns why", async () => {
    const { answer, broken } = await opened({
      spoil: (bytes) => {
        bytes[200_000] = (bytes[200_000] ?? 0) ^ 1;
      },
    });
    expect(answer().bytes()).rejects.toThrow();
    expect(await answer({ headers: { range: "bytes=0-65535" } }).bytes()).toEqual(content.slice(0, 65_536));
    expect(answer({ headers: { range: "bytes=199000-199100" } }).bytes()).rejects.toThrow();
    await Promise.resolve();
    expect(new Set(broken)).toEqual(new Set(["damaged"]));
  });
});

describe.each(["default", "bytes"] as const)("sealed bytes at an address, in a stream of type %s", (type) => {
  const bytes = content.slice();
  const reading = (cut?: number, pauses: readonly number[] = [0, 0, 0, 0]) => {
    const { asked, fetch } = serverOf(bytes, cut, type);
    return { asked, source: sourceAt({ url: SOURCE, size: SIZE, fetch, pauses }) };
  };

  test("are one request when they are read from front to back", async () => {
    const { asked, source } = reading();
    const pieces = await Promise.all([source.read(0, 1000), source.read(1000, 70_000), source.read(70_000, SIZE)]);
    expect(Buffer.concat(pieces)).toEqual(Buffer.from(content));
    expect(asked).toEqual([`bytes=0-${SIZE - 1}`]);
    expect(await source.read(10, 20)).toEqual(content.slice(10, 20));
    expect(asked).toHaveLength(2);
  });

  test("go on after the connection was lost", async () => {
    const { asked, source } = reading(100_000);
    expect(await source.read(0, 80_000)).toEqual(content.slice(0, 80_000));
    expect(await source.read(80_000, 160_000)).toEqual(content.slice(80_000, 160_000));
    expect(asked).toEqual([`bytes=0-${SIZE - 1}`, `bytes=80000-${SIZE - 1}`]);
  });

  test("are put into memory that is given for them, where that is as large", async () => {
    const { source } = reading();
    const first = await source.read(0, 65_552);
    const given = new Uint8Array(65_552);
    const { buffer } = given;
    const second = await source.read(65_552, 131_104, undefined, given);
    // A stream of bytes takes the memory along.
    expect(type === "bytes" ? buffer.byteLength === 0 : second.buffer === buffer).toBeTrue();
    expect(second).toEqual(content.slice(65_552, 131_104));
    const third = await source.read(131_104, 196_656, undefined, unshared(second));
    expect(third).toEqual(content.slice(131_104, 196_656));
    expect(await source.read(196_656, SIZE, undefined, new Uint8Array(65_552))).toEqual(content.slice(196_656));
    expect(first).toEqual(content.slice(0, 65_552));
  });

  test("end where the file ends before what was asked for", async () => {
    const { source } = reading();
    expect(await source.read(SIZE - 70_000, SIZE + 5)).toEqual(content.slice(SIZE - 70_000));
  });

  test("are given up when the connection stays lost, or the server refuses", async () => {
    const lost = reading(10);
    expect(lost.source.read(0, 80_000)).rejects.toThrow("lost");
    const refused = reading();
    expect(refused.source.read(SIZE + 5, SIZE + 9)).rejects.toThrow("416");
    await Promise.allSettled([lost.source.read(0, 1), refused.source.read(0, 1)]);
    expect(lost.asked.length).toBe(6);
    expect(refused.asked).toEqual([`bytes=${SIZE + 5}-${SIZE + 8}`, `bytes=0-${SIZE - 1}`]);
  });
});
