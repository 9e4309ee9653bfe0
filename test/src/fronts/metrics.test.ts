import { describe, expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { sql } from "../../../src/database/sql.ts";
import { resolveByMachine } from "../../../src/lib/addresses.ts";
import { openStores } from "../../../src/stores/stores.ts";
import { freePort } from "../../support/servers/free-port.ts";
import { ask, shareFile } from "../../support/share-file.ts";
import { shareText } from "../../support/share-text.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";
import { treeCalls } from "../../support/tree/tree-house.ts";

/** What a server counts, as Prometheus reads it. */

const TOKEN = "a token for tests only";
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

const read = async (house: TestHouse): Promise<string> => {
  const response = await house.request("/metrics", bearer(TOKEN));
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  return await response.text();
};

/** The number of a series; 0 when there is none. */
const numberOf = (text: string, series: string): number =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")[1] ?? 0,
  );

describe("/metrics", () => {
  test.each(["GET", "HEAD", "POST"])("is not there while nothing is counted: %p", async (method) => {
    await using house = await openTestHouse();
    const response = await house.request("/metrics", { ...bearer(TOKEN), method });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(house.house.system.metrics).toBeUndefined();
  });

  test.each([{}, bearer("another token of tests"), bearer(`${TOKEN}x`), { headers: { authorization: TOKEN } }])(
    "is refused without the token: %p",
    async (init) => {
      await using house = await openTestHouse({ metricsToken: TOKEN });
      const response = await house.request("/metrics", init);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
      expect(await response.text()).not.toContain("satchel");
    },
  );

  test("is for reading", async () => {
    await using house = await openTestHouse({ metricsToken: TOKEN });
    expect((await house.request("/metrics", { ...bearer(TOKEN), method: "POST" })).status).toBe(405);
  });

  test("counts requests by front and status, and how long they took", async () => {
    await using house = await openTestHouse({ metricsToken: TOKEN });
    for (const path of ["/", "/paste/some-slug", "/api/version", "/api/raw/nothing-here", "/dav/drive"])
      await house.request(path);
    await house.request("/api/paste", { method: "OPTIONS" });
    await house.request("http://x");
    const text = await read(house);
    const requests = (front: string, status: string) =>
      numberOf(text, `satchel_requests_total{front="${front}",status="${status}"}`);
    expect(requests("site", "2xx")).toBe(2);
    expect(requests("rest", "2xx")).toBe(1);
    expect(requests("rest", "4xx")).toBe(1);
    expect(requests("dav", "4xx")).toBe(1);
    expect(requests("preflight", "2xx")).toBe(1);
    expect(requests("none", "4xx")).toBe(1);
    expect(numberOf(text, 'satchel_request_seconds_count{front="rest"}')).toBe(2);
    expect(numberOf(text, 'satchel_request_seconds_bucket{front="rest",le="+Inf"}')).toBe(2);
    expect(numberOf(text, 'satchel_request_seconds_sum{front="rest"}')).toBeGreaterThan(0);
    const second = await read(house);
    expect(numberOf(second, 'satchel_requests_total{front="metrics",status="2xx"}')).toBe(1);
  });

  test("counts views of texts and files, whole and in ranges", async () => {
    await using house = await openTestHouse({ metricsToken: TOKEN });
    await shareText(house, { content: "héllo", slug: "text", maxViews: 2 });
    for (let count = 0; count < 4; count++) await house.request("/api/raw/text");
    const share = await shareFile(house, { content: "0123456789" });
    await house.request(`/api/file-download/${share.slug}`);
    await house.request(`/api/file-download/${share.slug}`, { headers: { range: "bytes=2-4" } });
    await house.request(`/api/file-download/${share.slug}`, { method: "HEAD" });
    const text = await read(house);
    expect(numberOf(text, 'satchel_views_total{kind="paste"}')).toBe(2);
    expect(numberOf(text, 'satchel_views_total{kind="file"}')).toBe(2);
  });

  test("tells of jobs by their state, and of statements", async () => {
    await using house = await openTestHouse({ metricsToken: TOKEN });
    await house.house.start();
    await ask(house, fs.update, { body: { path: "/drive/a.txt", content: "x" } });
    const text = await read(house);
    expect(text).toContain("# TYPE satchel_jobs gauge\n");
    expect(numberOf(text, 'satchel_database_seconds_count{call="first"}')).toBeGreaterThan(0);
    expect(text).toContain("\nsatchel_index_changes_waiting ");
  });

  test("tells how many changes of all servers wait for the index", async () => {
    await using house = await openTestHouse({ clustered: true, metricsToken: TOKEN });
    await using other = await openTestHouse({ clustered: true, beside: house });
    const waiting = async () => numberOf(await read(house), "satchel_index_changes_waiting");
    // Somebody else writes the index, and is not done.
    await house.db.run(
      sql`insert into leases (name, holder, until) values ('search index', 'x', ${Number.MAX_SAFE_INTEGER})`,
    );
    const tree = await treeCalls(other);
    for (const path of ["/drive/a.txt", "/drive/b.txt"]) await tree.write(path, "x");
    expect(await waiting()).toBe(2);
    await house.db.run(sql`delete from leases where name = 'search index'`);
    await other.house.vfs.search.settled();
    expect(await waiting()).toBe(0);
  });

  test("has the right form, and no label that somebody who calls has chosen", async () => {
    await using house = await openTestHouse({ metricsToken: TOKEN });
    await shareText(house, { slug: "my-own-slug" });
    for (const path of ["/api/raw/my-own-slug", "/my-own-path", "/dav/my-own-folder", "/api/my-own-call"])
      await house.request(path, { headers: { authorization: "Bearer my-own-token" } });
    await house.request("/", { method: "MYOWNMETHOD" });
    const text = await read(house);
    expect(text).not.toMatch(/my-?own/i);
    const line = /^(# (HELP|TYPE) satchel_\w+ .+|satchel_\w+(\{\w+="[^"\n]*"(,\w+="[^"\n]*")*\})? [\d.e+-]+)$/;
    expect(text.split("\n").filter((one) => one !== "" && !line.test(one))).toEqual([]);
    expect(text.endsWith("\n")).toBe(true);
  });

  test("leaves out what cannot be read now, and says so in the log", async () => {
    await using house = await openTestHouse({
      metricsToken: TOKEN,
      engine: (db) => ({
        ...db,
        async all<Row>(query: Parameters<typeof db.all>[0]) {
          if (query.text.includes("group by state")) throw new Error("not now");
          return await db.all<Row>(query);
        },
      }),
    });
    const text = await read(house);
    expect(text).not.toContain("satchel_jobs");
    expect(text).toContain("satchel_requests_total");
    expect(house.log()).toContain("a metric was not read");
    expect(numberOf(await read(house), 'satchel_database_errors_total{call="all"}')).toBe(1);
  });
});

test("each request that a storage elsewhere does not answer, or answers with a fault, is told", async () => {
  await using house = await openTestHouse();
  using folder = temporaryFolder();
  const told: string[] = [];
  const { db, clock } = house;
  const stores = await openStores({
    db,
    clock: clock.now,
    log: house.house.log,
    secret: "a secret for tests only",
    folder: folder.path,
    holdsDataFolder: true,
    resolve: resolveByMachine,
    failed: (kind) => void told.push(kind),
  });
  let status = 500;
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(null, { status }) });
  const at = async (port: number) => {
    const fields = { access_key_id: "a", secret_access_key: "b", path_style: true, is_public: false };
    const bucket = { bucket_name: "bucket", is_default: false, signature_expires_in: 60, region: "", name: "x" };
    const endpoint_url = `http://127.0.0.1:${port}`;
    const config = await stores.configs.create({
      ...fields,
      ...bucket,
      endpoint_url,
      provider_type: "Other",
      default_folder: "",
      custom_host: undefined,
      total_storage_bytes: 0,
    });
    return stores.of(config).store;
  };
  const answering = await at(server.port ?? 0);
  await expect(answering.head("key")).rejects.toThrow();
  expect(new Set(told)).toEqual(new Set(["fault"]));
  told.length = 0;
  status = 404;
  expect(await answering.head("key")).toBeUndefined();
  expect(told).toEqual([]);
  await server.stop(true);
  await expect((await at(freePort())).head("key")).rejects.toThrow();
  expect(new Set(told)).toEqual(new Set(["unreachable"]));
  await stores.close();
});
