import { describe, expect, test } from "bun:test";
import { TRANSFER_PATIENCE } from "#contract/limits";
import { failed } from "../../../web/transfer/failures.ts";
import { uploadServer } from "../../support/page-servers/upload-server.ts";
import {
  fileOf,
  isSameAs,
  largeFile,
  putByFetch,
  reaches,
  row,
  uploadsAt,
} from "../../support/page-servers/uploads-at.ts";

const probes = (server: ReturnType<typeof uploadServer>) =>
  server.calls.filter(({ line }) => line === "GET /health").length;

describe("a lost connection", () => {
  test("a server that restarts in the middle costs no attempt and no part", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(({ part }) => (part > 3 ? gate.promise : undefined));
    const here = uploadsAt(server.base);
    here.clock.stand();
    here.uploads.add([largeFile()]);
    here.uploads.start({ slug: "mine" });
    await here.clock.until(() => server.inFlight() === 3 && server.puts.length === 6);
    await server.cutOff();
    await reaches(here, "large.bin", { waiting: "connection" });
    expect(row(here.uploads, "large.bin")).toMatchObject({ state: "uploading", speed: 0, canPause: true });
    for (let probe = 1; probe <= 5; probe += 1) await here.clock.elapse();
    expect(row(here.uploads, "large.bin").state).toBe("uploading");
    server.onPut(() => undefined);
    server.puts.length = 0;
    await here.clock.until(() => here.clock.slept.length === 6);
    server.comeBack();
    await here.clock.elapse();
    await reaches(here, "large.bin", { state: "completed" });
    expect(server.parts().toSorted()).toEqual([4, 5, 6, 7]);
    expect(await isSameAs(server.bytes("mine"), largeFile())).toBe(true);
  });

  test("is asked for gently: after 1, 2, 3 seconds and at most every ten", async () => {
    await using server = uploadServer();
    const here = uploadsAt(server.base, { put: () => Promise.reject(failed("network")) });
    server.onCall((line) => (line === "GET /health" ? new Response(null, { status: 503 }) : undefined));
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { state: "failed" });
    expect(here.clock.slept.slice(0, 12)).toEqual([
      1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000, 10_000, 10_000,
    ]);
    const waited = here.clock.slept.reduce((sum, pause) => sum + pause, 0);
    expect(waited).toBeGreaterThanOrEqual(TRANSFER_PATIENCE);
    expect(waited).toBeLessThan(TRANSFER_PATIENCE + 10_000);
    expect(row(here.uploads, "a")).toMatchObject({ failure: { code: "network" }, canRetry: true });
  });

  test("is asked for at once when the browser finds a network", async () => {
    await using server = uploadServer();
    let reachable = false;
    const here = uploadsAt(server.base, {
      put: (request) => (reachable ? putByFetch(request) : Promise.reject(failed("network"))),
    });
    here.clock.stand();
    server.onCall((line) => (line === "GET /health" && !reachable ? new Response(null, { status: 502 }) : undefined));
    here.uploads.add([fileOf("a", 10), fileOf("b", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { waiting: "connection" });
    await reaches(here, "b", { waiting: "connection" });
    const asked = probes(server);
    reachable = true;
    here.network(true);
    await reaches(here, "a", { state: "completed" });
    await reaches(here, "b", { state: "completed" });
    // Both rows wait for one answer.
    expect(probes(server)).toBe(asked + 1);
  });

  test("is not over while the server is alive without its database", async () => {
    await using server = uploadServer();
    let stored = false;
    const here = uploadsAt(server.base, {
      put: (request) => (stored ? putByFetch(request) : Promise.reject(failed("network"))),
    });
    here.clock.stand();
    const problems = [{ problem: "database.unavailable", advice: "Start it." }];
    const degraded = () => Response.json({ status: "degraded", timestamp: "", problems });
    server.onCall((line) => (line === "GET /health" && !stored ? degraded() : undefined));
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { waiting: "connection" });
    stored = true;
    here.network(true);
    await reaches(here, "a", { state: "completed" });
  });

  test("ends requests that would not notice for minutes, unless the server answers after all", async () => {
    await using server = uploadServer();
    let stuck = true;
    let hanging = 0;
    const here = uploadsAt(server.base, {
      put(request) {
        if (!stuck) return putByFetch(request);
        hanging += 1;
        const { promise, reject } = Promise.withResolvers<never>();
        request.signal.addEventListener("abort", () => reject(failed("aborted")));
        return promise;
      },
    });
    here.clock.stand();
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await here.clock.until(() => hanging === 1);
    here.network(false);
    await here.clock.until(() => probes(server) === 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(row(here.uploads, "a")).toMatchObject({ state: "uploading", waiting: undefined });
    server.onCall((line) => (line === "GET /health" && stuck ? new Response(null, { status: 502 }) : undefined));
    here.network(false);
    await reaches(here, "a", { waiting: "connection" });
    stuck = false;
    here.network(true);
    await reaches(here, "a", { state: "completed" });
  });

  test("can be paused through, and asks no more then", async () => {
    await using server = uploadServer();
    let reachable = false;
    const here = uploadsAt(server.base, {
      put: (request) => (reachable ? putByFetch(request) : Promise.reject(failed("network"))),
    });
    here.clock.stand();
    server.onCall((line) => (line === "GET /health" && !reachable ? new Response(null, { status: 502 }) : undefined));
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { waiting: "connection" });
    here.uploads.pauseAll();
    expect(row(here.uploads, "a")).toMatchObject({ state: "paused", waiting: undefined });
    await here.clock.elapse();
    await here.clock.until(() => probes(server) === 2);
    here.clock.advance(60_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(probes(server)).toBe(2);
    reachable = true;
    here.uploads.resumeAll();
    await reaches(here, "a", { state: "completed" });
  });

  test("a request that gets no answer while the server answers is an attempt like any other", async () => {
    await using server = uploadServer();
    let tries = 0;
    const put = () => {
      tries += 1;
      return Promise.reject(failed("network"));
    };
    const here = uploadsAt(server.base, { put });
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await reaches(here, "a", { state: "failed" });
    expect(tries).toBe(4);
    expect(here.clock.slept).toEqual([1000, 2000, 3000]);
  });

  test.each([
    ["POST /s3/presign", fileOf("a", 10)],
    ["POST /s3/multipart/init", largeFile("a")],
  ] as const)("a beginning without an answer (%s) is asked for again, and is the same upload", async (line, file) => {
    await using server = uploadServer();
    server.loseAnswer(line);
    const here = uploadsAt(server.base);
    here.uploads.add([file]);
    here.uploads.start({ slug: "mine" });
    await reaches(here, "a", { state: "completed" });
    expect(server.stored()).toMatchObject([{ slug: "mine", ready: true }]);
    const keys = server.calls.filter((call) => call.line === line).map(({ headers }) => headers.get("idempotency-key"));
    expect(keys.length).toBe(2);
    expect(keys[0]).toBe(keys[1] ?? "none");
  });

  test("each upload begins under a key of its own, and so does one that begins with other options", async () => {
    await using server = uploadServer();
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10), fileOf("b", 10)]);
    here.uploads.start({});
    await here.clock.until(() => here.uploads.totals.get().completed === 2);
    here.uploads.add([fileOf("c", 10)]);
    here.uploads.start({ slug: row(here.uploads, "a").slug ?? "" });
    await reaches(here, "c", { state: "failed" });
    here.uploads.retry(row(here.uploads, "c").id, { slug: "free" });
    await reaches(here, "c", { state: "completed" });
    const keys = server.calls.flatMap(({ headers }) => headers.get("idempotency-key") ?? []);
    expect(keys.length).toBe(4);
    expect(new Set(keys).size).toBe(4);
  });
});
