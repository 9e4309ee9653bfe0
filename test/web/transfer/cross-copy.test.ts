import { describe, expect, test } from "bun:test";
import { createCall } from "../../../web/api/call.ts";
import { createBrowserCopies } from "../../../web/features/explorer/tasks/browser-copies.ts";
import { createBrowserTasks } from "../../../web/features/explorer/tasks/browser-tasks.ts";
import { createStore } from "../../../web/lib/store.ts";
import { createCrossCopy } from "../../../web/transfer/cross-copy.ts";
import { createTestMemory, putByFetch } from "../../support/page-servers/uploads-at.ts";
import { createClock } from "./clock.ts";
import { copyServer } from "./copy-server.ts";

/** Copies that the browser carries from one storage to another. */

const files = { "/a/one.txt": "one", "/a/d/two.txt": "two", "/a/d/in/多 #3.txt": "three" };

function open(server: ReturnType<typeof copyServer>, reaches: (address: string) => boolean = () => true) {
  const clock = createClock();
  const state = createStore({ authType: "none", lastValidated: 0 } as const);
  const cross = createCrossCopy({
    call: createCall({ base: () => `${server.base}/api`, credential: { state }, language: () => "en" }),
    put: putByFetch,
    sleep: clock.sleep,
    now: clock.now,
    home: () => server.base,
    secure: () => false,
    onNetwork: () => undefined,
    fetch: (address, signal) => (reaches(address) ? fetch(address, { signal }) : Promise.reject(new TypeError("no"))),
  });
  const tabs = { claim: async () => () => undefined, claimed: async () => [] };
  const tasks = createBrowserTasks({ memory: createTestMemory(), now: clock.now, tabs, person: () => "" });
  const carry = createBrowserCopies({ cross, tasks });
  const { signal } = new AbortController();
  return {
    tasks: tasks.tasks,
    cancel: () => tasks.cancel(tasks.tasks.get()[0]?.id ?? ""),
    retry: () => tasks.retry(tasks.tasks.get()[0]?.id ?? ""),
    copy: (from: string, to: string) => carry([{ from, to, replaces: false }], signal),
  };
}

describe("a copy by the browser", () => {
  test("brings each file of a folder to its place, and counts its bytes once", async () => {
    await using server = copyServer(files);
    const page = open(server);
    const outcome = await page.copy("/a/d", "/b/d");
    expect(outcome).toEqual({ done: [{ from: "/a/d", to: "/b/d", replaces: false }], skipped: 0, failed: [] } as never);
    expect(Object.fromEntries(server.there)).toEqual({ "/b/d/two.txt": "two", "/b/d/in/多 #3.txt": "three" });
    expect(server.open()).toEqual([]);
    expect(page.tasks.get()).toMatchObject([
      { kind: "copy", state: "completed", done: 2, doneBytes: 8, totalBytes: 8, parts: [{ state: "completed" }, {}] },
    ]);
  });

  test("of a storage that the browser cannot reach comes through the server", async () => {
    await using server = copyServer(files);
    const page = open(server, (address) => !address.startsWith(server.elsewhere));
    expect((await page.copy("/a/one.txt", "/b/one.txt")).failed).toEqual([]);
    expect(server.lines).toContain("GET /api/fs/download");
    expect(server.there.get("/b/one.txt")).toBe("one");
  });

  test("that its storage refuses for a moment is fetched again", async () => {
    await using server = copyServer(files);
    let cuts = 2;
    server.answerBy((line) => {
      if (!line.startsWith("GET /get/") || cuts === 0) return undefined;
      cuts -= 1;
      return new Response("o", { status: 503 });
    });
    const page = open(server);
    expect((await page.copy("/a/one.txt", "/b/one.txt")).failed).toEqual([]);
    expect(server.there.get("/b/one.txt")).toBe("one");
    expect(page.tasks.get()).toMatchObject([{ doneBytes: 3 }]);
  });

  test("with addresses that are too old asks for others", async () => {
    await using server = copyServer(files);
    server.answerBy((line) => (line === "PUT /put/id-1" ? new Response(null, { status: 403 }) : undefined));
    const page = open(server);
    expect((await page.copy("/a/one.txt", "/b/one.txt")).failed).toEqual([]);
    expect(server.there.get("/b/one.txt")).toBe("one");
    expect(server.open()).toEqual([]);
  });

  test("says of each file why it failed, gives it up, and tries only those again", async () => {
    await using server = copyServer(files);
    server.answerBy((line) =>
      line === "PUT /put/id-1" || line === "GET /get/a/d/in/多 #3.txt"
        ? new Response(null, { status: 404 })
        : undefined,
    );
    const page = open(server);
    const outcome = await page.copy("/a/d", "/b/d");
    expect(outcome.failed.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "/a/d/two.txt putRefused",
      "/a/d/in/多 #3.txt getRefused",
    ]);
    expect(page.tasks.get()).toMatchObject([{ state: "failed", troubles: [{}, {}] }]);
    expect(server.open()).toEqual([]);
    server.answerBy((line) => (line === "GET /get/a/d/in/多 #3.txt" ? new Response(null, { status: 404 }) : undefined));
    page.retry();
    while (page.tasks.get()[0]?.state !== "partial_complete") await Bun.sleep(1);
    server.answerBy(() => undefined);
    const before = server.lines.length;
    page.retry();
    while (page.tasks.get()[0]?.state !== "completed") await Bun.sleep(1);
    expect(server.lines.slice(before).filter((line) => line.startsWith("PUT"))).toHaveLength(1);
    expect(Object.fromEntries(server.there)).toEqual({ "/b/d/two.txt": "two", "/b/d/in/多 #3.txt": "three" });
  });

  test("that is called off leaves nothing open, of what waited neither", async () => {
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`/a/m/${index}`, "text"]));
    await using server = copyServer(many);
    const reached = Promise.withResolvers<void>();
    server.answerBy((line) => {
      if (!line.startsWith("PUT")) return undefined;
      reached.resolve();
      return new Promise(() => undefined);
    });
    const page = open(server);
    const copied = page.copy("/a/m", "/b/m");
    await reached.promise;
    page.cancel();
    expect((await copied).failed).toHaveLength(8);
    while (server.open().length > 0) await Bun.sleep(1);
    expect(page.tasks.get()).toMatchObject([{ state: "cancelled" }]);
    expect(server.there.size).toBe(0);
    expect(server.lines.filter((line) => line.endsWith("commit"))).toEqual([]);
  });

  test("of what is not there is refused with the server's word", async () => {
    await using server = copyServer(files);
    const page = open(server);
    expect((await page.copy("/a/none", "/b/none")).failed).toMatchObject([{ path: "/a/none", code: "path.missing" }]);
    expect(page.tasks.get()).toEqual([]);
  });
});
