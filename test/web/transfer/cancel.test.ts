import { describe, expect, test } from "bun:test";
import { createTabs, UPLOADING } from "../../../web/lib/tabs.ts";
import { uploadServer } from "../../support/page-servers/upload-server.ts";
import {
  createTestLocks,
  createTestMemory,
  fileOf,
  largeFile,
  reaches,
  row,
  uploadsAt,
} from "../../support/page-servers/uploads-at.ts";

/** Where the server is stopped for a moment; what it does there has happened when the answer goes out. */
const phases = [
  ["presign", "POST /s3/presign", "small"],
  ["the PUT", "PUT", "small"],
  ["commit", "POST /s3/commit", "small"],
  ["begin", "POST /s3/multipart/init", "large"],
  ["the parts", "PUT", "large"],
  ["complete", "POST /s3/multipart/complete", "large"],
] as const;

describe("cancel leaves nothing behind", () => {
  test.each(phases)("during %s", async (_, at, kind) => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    let arrived = false;
    const hold = (line: string) => {
      if (line !== at) return undefined;
      arrived = true;
      return gate.promise;
    };
    server.onCall(hold);
    server.onPut(() => hold("PUT"));
    const memory = createTestMemory();
    const here = uploadsAt(server.base, { memory });
    here.uploads.add([kind === "small" ? fileOf("a", 10) : largeFile("a")]);
    here.uploads.start({ slug: "mine" });
    await here.clock.until(() => arrived);
    const gone = here.uploads.cancel(row(here.uploads, "a").id);
    expect(row(here.uploads, "a")).toMatchObject({
      state: "aborted",
      canPause: false,
      canRetry: false,
    });
    expect(here.uploads.isBusy()).toBe(false);
    gate.resolve(undefined);
    await gone;
    expect(server.stored()).toEqual([]);
    expect(memory.values.size).toBe(0);
    expect(row(here.uploads, "a").state).toBe("aborted");
  });

  test.each(phases)("during %s for a visitor, who gives up but deletes nothing", async (_, at, kind) => {
    await using server = uploadServer({ visitors: true });
    const gate = Promise.withResolvers<undefined>();
    let arrived = false;
    const hold = (line: string) => {
      if (line !== at) return undefined;
      arrived = true;
      return gate.promise;
    };
    server.onCall(hold);
    server.onPut(() => hold("PUT"));
    const here = uploadsAt(server.base, { account: () => undefined });
    here.uploads.add([kind === "small" ? fileOf("a", 10) : largeFile("a")]);
    here.uploads.start({});
    await here.clock.until(() => arrived);
    const given = here.uploads.cancel(row(here.uploads, "a").id);
    gate.resolve(undefined);
    await given;
    // What has become a share in the same moment stays one.
    expect(server.stored().filter(({ ready }) => !ready)).toEqual([]);
  });

  test("of what was paused or has failed", async () => {
    await using server = uploadServer();
    server.onPut(() => new Response(null, { status: 400 }));
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("small", 10), largeFile()]);
    here.uploads.start({});
    await reaches(here, "small", { state: "failed" });
    await reaches(here, "large.bin", { state: "failed" });
    expect(server.stored().length).toBe(2);
    await here.uploads.cancelAll();
    expect(server.stored()).toEqual([]);
  });

  test("of what was waiting for its turn, which the server never heard of", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const here = uploadsAt(server.base);
    here.uploads.add(["a", "b", "c", "d"].map((name) => fileOf(name, 10)));
    here.uploads.start({});
    await here.clock.until(() => server.inFlight() === 3);
    expect(row(here.uploads, "d").waiting).toBe("turn");
    await here.uploads.cancel(row(here.uploads, "d").id);
    gate.resolve(undefined);
    await here.clock.until(() => !here.uploads.totals.get().active);
    expect(here.uploads.totals.get()).toMatchObject({ files: 3, completed: 3 });
    expect(server.stored().map(({ filename }) => filename)).toEqual(["a", "b", "c"]);
  });

  test("waits for the server when it cannot be reached, and does not fail when it stays away", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10), fileOf("b", 10)]);
    here.uploads.start({});
    await here.clock.until(() => server.inFlight() === 2);
    here.clock.stand();
    await server.cutOff();
    const first = here.uploads.cancel(row(here.uploads, "a").id);
    server.comeBack();
    here.clock.run();
    here.clock.advance(1000);
    await first;
    expect(server.stored().map(({ filename }) => filename)).toEqual(["b"]);
    await server.cutOff();
    await here.uploads.cancel(row(here.uploads, "b").id);
    expect(row(here.uploads, "b").state).toBe("aborted");
  });

  test("frees its turn at once, though what it had begun is still to be answered and deleted", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onCall((line) => {
      const begun = server.lines().filter((other) => other === "POST /s3/presign").length;
      return line === "POST /s3/presign" && begun <= 3 ? gate.promise : undefined;
    });
    const here = uploadsAt(server.base);
    here.uploads.add(["a", "b", "c", "d"].map((name) => fileOf(name, 10)));
    here.uploads.start({});
    await here.clock.until(() => server.lines().length === 3);
    const gone = here.uploads.cancel(row(here.uploads, "a").id);
    await reaches(here, "d", { state: "completed" });
    gate.resolve(undefined);
    await gone;
    await here.clock.until(() => here.uploads.totals.get().completed === 3);
    expect(server.stored().every(({ filename }) => filename !== "a")).toBe(true);
  });

  test("of everything when somebody signs out: here at once, on the server with the session that ends", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(({ filename }) => (filename === "done" ? undefined : gate.promise));
    const memory = createTestMemory();
    const here = uploadsAt(server.base, { memory });
    here.credential.signIn("token", "admin", 1);
    here.uploads.add([fileOf("done", 10), fileOf("small", 10), largeFile()]);
    here.uploads.start({});
    await reaches(here, "done", { state: "completed" });
    await here.clock.until(() => server.inFlight() === 3);
    here.credential.signOut("loggedOut");
    const leaving = here.callAs("token");
    server.calls.length = 0;
    const gone = here.uploads.forget(leaving);
    expect(here.uploads.items.get()).toEqual([]);
    expect(here.uploads.isBusy()).toBe(false);
    gate.resolve(undefined);
    await gone;
    expect(server.stored().map(({ filename }) => filename)).toEqual(["done"]);
    expect(memory.values.size).toBe(0);
    const asked = server.calls.filter(({ line }) => line !== "GET /health");
    expect(asked.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer token", "Bearer token"]);
  });

  test("is waited for by who signs out in another tab, and not any longer", async () => {
    await using server = uploadServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const locks = createTestLocks();
    const here = uploadsAt(server.base, { locks });
    here.uploads.add([fileOf("a", 10)]);
    here.uploads.start({});
    await here.clock.until(() => server.inFlight() === 1);
    const signOut = createTabs(locks)
      .quiet(UPLOADING, 60_000)
      .then(() => server.stored().length);
    await here.uploads.cancel(row(here.uploads, "a").id);
    gate.resolve(undefined);
    expect(await signOut).toBe(0);
  });

  test("makes room for the same file", async () => {
    await using server = uploadServer();
    const here = uploadsAt(server.base);
    here.uploads.add([fileOf("a", 10)]);
    await here.uploads.cancel(row(here.uploads, "a").id);
    expect(here.uploads.add([fileOf("a", 10)])).toBe(0);
    expect(here.uploads.items.get().map(({ state }) => state)).toEqual(["idle"]);
    expect(server.calls).toEqual([]);
  });
});
