import { describe, expect, test } from "bun:test";
import { MAX_SLUG_CHARACTERS } from "#contract/limits";
import { keyOf, noteOrigin } from "../../../web/lib/file-origin.ts";
import { failed } from "../../../web/transfer/failures.ts";
import { slugsFor } from "../../../web/transfer/list/slugs.ts";
import type { Put } from "../../../web/transfer/ports.ts";
import { uploadServer } from "../../support/page-servers/upload-server.ts";
import { fileOf, largeFile, reaches, row, uploadsAt } from "../../support/page-servers/uploads-at.ts";

const names = (count: number) => Array.from({ length: count }, (_, index) => `file ${index + 1}`);

describe("the list", () => {
  test("passes over a file that is there, and takes one that only shares its name", () => {
    const { uploads } = uploadsAt("http://127.0.0.1:1");
    expect(uploads.add([fileOf("a", 10), fileOf("b", 10), fileOf("a", 10)])).toBe(1);
    expect(uploads.add([fileOf("a", 10), fileOf("a", 11)])).toBe(1);
    expect(uploads.items.get().map(({ file }) => `${file.name} ${file.size}`)).toEqual(["a 10", "b 10", "a 11"]);
    expect(new Set(uploads.items.get().map(({ id }) => id)).size).toBe(3);
  });

  test("takes files that only stand in different folders, and tells them apart after a reload, too", () => {
    const { uploads } = uploadsAt("http://127.0.0.1:1");
    const picked = (path: string) =>
      Object.defineProperty(fileOf("a", 10), "webkitRelativePath", { value: path, configurable: true });
    const dropped = (path: string) => noteOrigin(fileOf("a", 10), path);
    expect(uploads.add([picked("one/a"), picked("two/a"), dropped("/one/a"), dropped("/two/a"), fileOf("a", 10)])).toBe(
      0,
    );
    expect(uploads.add([picked("two/a"), dropped("/one/a"), fileOf("a", 10)])).toBe(3);
    expect(keyOf(dropped("/one/a"))).not.toBe(keyOf(fileOf("a", 10)));
  });

  test("takes a file again that is completed", async () => {
    await using server = uploadServer();
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { state: "completed" });
    expect(here.uploads.add([fileOf("a", 10)])).toBe(0);
    expect(here.uploads.items.get().map(({ state }) => state)).toEqual(["completed", "idle"]);
    expect(here.uploads.add([fileOf("a", 10)])).toBe(1);
    here.uploads.start({});
    await here.clock.until(() => here.uploads.totals.get().completed === 2);
    expect(server.stored().length).toBe(2);
  });

  test("sends 20 MB in one piece and what has 24 MiB in parts", () => {
    const { uploads } = uploadsAt("http://127.0.0.1:1");
    uploads.add([fileOf("under", 24 * 1024 ** 2 - 1), fileOf("from", 24 * 1024 ** 2)]);
    expect(uploads.items.get().map(({ multipart }) => multipart)).toEqual([false, true]);
  });

  test("gives several files of one slug their own, and waits with files that come later", async () => {
    await using server = uploadServer();
    const here = uploadsAt(server.base);
    here.uploads.add(names(3).map((name) => fileOf(name, 10)));
    here.uploads.start({ slug: "trip" });
    here.uploads.add([fileOf("late", 10)]);
    await here.clock.until(() => here.uploads.totals.get().completed === 3);
    expect(here.uploads.items.get().map(({ slug }) => slug)).toEqual(["trip-1", "trip-2", "trip-3", undefined]);
    expect(row(here.uploads, "late").state).toBe("idle");
    here.uploads.start({ slug: "late" });
    await reaches(here, "late", { state: "completed" });
    expect(row(here.uploads, "late").slug).toBe("late");
  });

  test("removes rows that stand, deletes what a small one had begun, and leaves those alone that move", async () => {
    await using server = uploadServer();
    server.onPut(({ filename }) => {
      if (filename === "good") return undefined;
      return filename === "bad" ? new Response(null, { status: 400 }) : Promise.withResolvers<undefined>().promise;
    });
    const here = uploadsAt(server.base);
    here.uploads.add(["good", "bad", "slow"].map((name) => fileOf(name, 10)));
    here.uploads.start({});
    await reaches(here, "good", { state: "completed" });
    await reaches(here, "bad", { state: "failed" });
    here.uploads.add([fileOf("idle", 10)]);
    here.uploads.remove(row(here.uploads, "slow").id);
    here.uploads.clear();
    expect(here.uploads.items.get().map(({ file }) => file.name)).toEqual(["slow", "idle"]);
    here.uploads.remove(row(here.uploads, "idle").id);
    await here.clock.until(() => server.stored().length === 2);
    expect(
      server
        .stored()
        .map(({ filename }) => filename)
        .toSorted(),
    ).toEqual(["good", "slow"]);
    await here.uploads.cancelAll();
  });
});

describe("the pool", () => {
  test("sends three small files at a time, in the order of the list", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const here = uploadsAt(server.base);
    here.uploads.add(names(20).map((name) => fileOf(name, 1000)));
    here.uploads.start({});
    await here.clock.until(() => server.inFlight() === 3);
    expect(here.uploads.items.get().filter(({ waiting }) => waiting === "turn").length).toBe(17);
    gate.resolve(undefined);
    await here.clock.until(() => here.uploads.totals.get().completed === 20);
    expect(server.widest()).toBe(3);
    const begun = server.calls.filter(({ line }) => line === "POST /s3/presign").map(({ body }) => body.filename);
    expect(begun.slice(0, 3).toSorted()).toEqual(["file 1", "file 2", "file 3"]);
    expect(begun.slice(-3).toSorted()).toEqual(["file 18", "file 19", "file 20"]);
  });

  test("is one for all files: a large one takes all three turns, the next ones wait for theirs", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const here = uploadsAt(server.base);
    here.uploads.add([largeFile("first"), largeFile("second"), fileOf("third", 10)]);
    here.uploads.start({});
    await here.clock.until(() => server.inFlight() === 3);
    gate.resolve(undefined);
    await reaches(here, "second", { waiting: "turn" });
    await here.clock.until(() => here.uploads.totals.get().completed === 3);
    expect(server.widest()).toBe(3);
    const order = server.puts.map(({ filename }) => filename);
    // A turn that the first one has no use for yet, because it is only beginning, is not left empty.
    const ahead = order.slice(0, order.lastIndexOf("first")).filter((name) => name === "second");
    expect(ahead.length).toBeLessThanOrEqual(3);
  });
});

/** A line on which bytes move when the test says so. */
function slowLine() {
  const open: { readonly size: number; readonly move: (sent: number) => void; readonly end: () => void }[] = [];
  const put: Put = ({ body, signal, onProgress }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(failed("aborted")));
      open.push({ size: body.size, move: onProgress, end: () => resolve({ status: 200, etag: null }) });
    });
  return { open, put };
}

describe("the totals", () => {
  test("tell bytes, speed and time left of all rows together", async () => {
    await using server = uploadServer();
    const { open, put } = slowLine();
    const here = uploadsAt(server.base, { put });
    here.clock.stand();
    here.uploads.add([fileOf("a", 100_000), fileOf("b", 50_000)]);
    here.uploads.start({});
    here.uploads.add([fileOf("later", 7)]);
    await here.clock.until(() => open.length === 2);
    for (let second = 1; second <= 5; second += 1) {
      open[0]?.move(second * 10_000);
      open[1]?.move(second * 2000);
      for (let tick = 0; tick < 5; tick += 1) here.clock.advance(200);
    }
    const { totals } = here.uploads;
    expect(totals.get()).toMatchObject({
      files: 2,
      completed: 0,
      failed: 0,
      sent: 60_000,
      size: 150_000,
      active: true,
    });
    expect(totals.get().speed).toBeCloseTo(12_000, -3);
    expect(totals.get().secondsLeft).toBeCloseTo(90_000 / totals.get().speed, 5);
    const first = row(here.uploads, "a");
    expect(first).toMatchObject({ sent: 50_000 });
    expect(first.speed).toBeCloseTo(10_000, -3);
    expect(first.secondsLeft).toBeCloseTo(50_000 / first.speed, 5);

    for (let tick = 0; tick < 30; tick += 1) here.clock.advance(200);
    expect(totals.get()).toMatchObject({ speed: 0, secondsLeft: undefined, active: true });
    await here.uploads.cancelAll();
    expect(totals.get()).toMatchObject({ files: 0, sent: 0, speed: 0, active: false, secondsLeft: undefined });
    expect(here.clock.isTicking()).toBe(false);
  });

  test("are told a few times a second, however often bytes move, and a state at once", async () => {
    await using server = uploadServer();
    const { open, put } = slowLine();
    const here = uploadsAt(server.base, { put });
    here.uploads.add([fileOf("a", 1000), fileOf("b", 1000)]);
    here.uploads.start({});
    await here.clock.until(() => open.length === 2);
    let told = 0;
    here.uploads.items.subscribe(() => {
      told += 1;
    });
    for (let byte = 1; byte <= 500; byte += 1) open[0]?.move(byte);
    expect(told).toBe(0);
    const other = row(here.uploads, "b");
    here.clock.advance(200);
    expect(told).toBe(1);
    expect(row(here.uploads, "a").sent).toBe(500);
    expect(row(here.uploads, "b")).toBe(other);
    here.clock.advance(200);
    expect(told).toBe(1);
    here.uploads.pauseAll();
    expect(told).toBe(2);
  });

  test("do not count bytes twice that had to be sent again", async () => {
    await using server = uploadServer();
    const { open, put } = slowLine();
    const here = uploadsAt(server.base, { put });
    here.clock.stand();
    here.uploads.add([fileOf("a", 1000)]);
    here.uploads.start({});
    await here.clock.until(() => open.length === 1);
    open[0]?.move(900);
    here.uploads.pauseAll();
    expect(here.uploads.totals.get()).toMatchObject({ speed: 0, active: false });
    await here.clock.until(() => here.uploads.totals.get().sent === 0);
    here.uploads.resumeAll();
    await here.clock.until(() => open.length === 2);
    open[1]?.move(5000);
    here.clock.advance(200);
    expect(here.uploads.totals.get().sent).toBe(1000);
    await here.uploads.cancelAll();
  });
});

test("a slug for several files stays within its length", () => {
  expect(slugsFor("a", 1)).toEqual(["a"]);
  expect(slugsFor("a", 2)).toEqual(["a-1", "a-2"]);
  expect(slugsFor("", 2)).toEqual([undefined, undefined]);
  const long = "x".repeat(MAX_SLUG_CHARACTERS);
  const many = slugsFor(long, 12);
  expect(many.every((slug) => slug?.length === MAX_SLUG_CHARACTERS)).toBe(true);
  expect(new Set(many).size).toBe(12);
});
