import { describe, expect, test } from "bun:test";
import { fsBytes } from "#contract/fs/bytes";
import { fs as api } from "#contract/fs/fs";
import { allowances } from "../../../src/access/limiter.ts";
import { LEASE_LIFE } from "../../../src/cluster/lease-rows.ts";
import type { Database } from "../../../src/database/database.ts";
import { sql } from "../../../src/database/sql.ts";
import { linkCalls } from "../../support/callers/link-visit.ts";
import { slowBody } from "../../support/clients/slow-body.ts";
import { openServers, withClock } from "../../support/cluster/two-servers.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { makeMount } from "../../support/make-mount.ts";
import { makeWebhook } from "../../support/servers/webhook-receiver.ts";
import { shareText } from "../../support/share-text.ts";
import { createTestClock, days, minutes } from "../../support/test-clock.ts";
import { ADMIN, openTestHouse, type TestHouse } from "../../support/test-house.ts";
import { treeCalls, urlOf, type Who } from "../../support/tree/tree-house.ts";

/** What one server changes holds on the other: from the next request of somebody who is signed in, for visitors from the next beat. */

const WISH = `<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`;

const asAdmin = async (house: TestHouse) => ({ authorization: `Bearer ${await house.signIn()}` });
const raw = (house: TestHouse, slug: string, peer?: string) => house.request(`/api/raw/${slug}`, {}, peer);
const send = (house: TestHouse, method: string, path: string, headers: HeadersInit, body?: unknown) =>
  house.request(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });

describe("what is revoked on one server is refused by the other at once", () => {
  test("a key", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const key = await makeKey(here);
    const list = async (house: TestHouse) =>
      (await house.request("/api/fs/list?path=/drive", { headers: withKey(key) })).status;
    expect([await list(here), await list(there), await list(there)]).toEqual([200, 200, 200]);
    await here.house.access.keys.remove(key.id);
    expect([await list(there), await list(here)]).toEqual([401, 401]);
  });

  test("a grant of a file, which comes without a credential", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const [calls, elsewhere] = [await treeCalls(here), await treeCalls(there)];
    await calls.put("/drive/a.txt", "/drive/secret.txt");
    const key = await makeKey(here);
    const { link, who } = await linkCalls(calls).visit(["/drive/a.txt"]);
    const grantOf = async (path: string, by: Who) =>
      (await elsewhere.call(api.get, { query: { path } }, by)).data.grant ?? "";
    const fetch = async (path: string, grant: string) =>
      (await there.request(urlOf(fsBytes.download, { path, grant }))).status;
    const [ofKey, ofLink] = [await grantOf("/drive/a.txt", withKey(key)), await grantOf("/a.txt", who)];
    expect([await fetch("/drive/a.txt", ofKey), await fetch("/a.txt", ofLink)]).toEqual([200, 200]);
    await here.house.access.keys.remove(key.id);
    expect(await fetch("/drive/a.txt", ofKey)).toBe(403);
    await calls.call(api.rename, { body: { oldPath: "/drive/a.txt", newPath: "/drive/c.txt" } });
    await calls.call(api.rename, { body: { oldPath: "/drive/secret.txt", newPath: "/drive/a.txt" } });
    expect(await fetch("/a.txt", ofLink)).toBe(404);
    await linkCalls(calls).update(link.id, { is_active: false });
    expect(await fetch("/a.txt", ofLink)).toBe(403);
  });

  test("an opening of a link, also when only what it leads to was moved", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const [calls, elsewhere] = [await treeCalls(here), await treeCalls(there)];
    await calls.put("/drive/a.txt", "/drive/b.txt");
    const { visit, update } = linkCalls(calls);
    const { link, who } = await visit(["/drive/a.txt"]);
    expect([await calls.text("/a.txt", who), await elsewhere.text("/a.txt", who)]).toEqual([
      "/drive/a.txt",
      "/drive/a.txt",
    ]);
    await calls.call(api.rename, { body: { oldPath: "/drive/a.txt", newPath: "/drive/c.txt" } });
    expect([await elsewhere.text("/a.txt", who), await elsewhere.text("/c.txt", who)]).toEqual([
      "mount.none",
      "/drive/a.txt",
    ]);
    await update(link.id, { is_active: false });
    expect([await elsewhere.text("/c.txt", who), await calls.text("/c.txt", who)]).toEqual([
      "grant.void",
      "grant.void",
    ]);
  });

  test("a session", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const admin = await asAdmin(here);
    const check = async (house: TestHouse) => (await house.request("/api/test/admin-token", { headers: admin })).status;
    expect([await check(here), await check(there)]).toEqual([200, 200]);
    expect((await send(here, "POST", "/api/admin/logout", admin)).status).toBe(200);
    expect([await check(there), await check(here)]).toEqual([401, 401]);
  });
});

test("a chosen key that has worked on one server passes the guesses of strangers on the other", async () => {
  await using servers = await openServers();
  const { here, there } = servers;
  const key = await makeKey(here, { custom_key: "chosen-by-somebody" });
  const unused = await makeKey(here, { custom_key: "chosen-by-another" });
  const [HOME, OTHER] = ["192.0.2.1", "192.0.2.2"];
  const status = async (house: TestHouse, sent: { key: string }, peer: string) =>
    (await house.request("/api/test/api-key", { headers: withKey(sent) }, peer)).status;
  expect(await status(here, key, HOME)).toBe(200);
  const { limiter } = here.house.access;
  for (let n = 0; n < allowances.keyByStrangers.misses; n++) await limiter.miss("keyByStrangers", "all");
  expect([await status(there, unused, HOME), await status(there, unused, OTHER)]).toEqual([429, 429]);
  expect([await status(there, key, OTHER), await status(there, key, HOME)]).toEqual([429, 200]);
});

test("a setting that one server was given holds on the other", async () => {
  await using servers = await openServers();
  const { here, there } = servers;
  const admin = await asAdmin(here);
  const most = async (house: TestHouse) => {
    await house.request("/api/test/admin-token", { headers: admin });
    return house.house.settings.get("max_upload_size");
  };
  const before = await most(there);
  await here.house.settings.update(1, new Map([["max_upload_size", "7"]]));
  expect([before === 7, await most(there), await most(here)]).toEqual([false, 7, 7]);
});

test("webhooks that one server makes and removes are told by the other with the next request", async () => {
  await using servers = await openServers();
  const { here, there } = servers;
  const admin = await asAdmin(here);
  const { events } = there.house.webhooks;
  const told = async () => {
    await there.request("/api/test/admin-token", { headers: admin });
    return events.told({ type: "job.failed", item: { job: "j", owner: "admin", reason: null } }).length > 0;
  };
  expect(await told()).toBe(false);
  const { id } = await makeWebhook(here, { address: "https://hooks.example/a" });
  expect(await told()).toBe(true);
  await here.house.webhooks.remove(id);
  expect(await told()).toBe(false);
});

test("mounts and storages that one server changes are so on the other with the next request", async () => {
  await using servers = await openServers();
  const { here, there } = servers;
  const key = await makeKey(here);
  const listed = async (house: TestHouse): Promise<string[]> => {
    const answer = await house.request("/api/fs/list?path=/", { headers: withKey(key) });
    const { data } = (await answer.json()) as { data: { items: readonly { readonly name: string }[] } };
    return data.items.map(({ name }) => name).sort();
  };
  expect(await listed(there)).toEqual(["drive"]);
  const { id, storage_config_id } = await makeMount(here);
  expect([await listed(there), await listed(here)]).toEqual([
    ["drive", "team"],
    ["drive", "team"],
  ]);
  await there.house.vfs.mounts.update(id, { mount_path: "/crew" });
  expect([await listed(here), await listed(there)]).toEqual([
    ["crew", "drive"],
    ["crew", "drive"],
  ]);
  await here.house.stores.configs.update(storage_config_id, { is_public: false });
  expect([await listed(there), await listed(here)]).toEqual([[], []]);
  await there.house.stores.configs.update(storage_config_id, { is_public: true });
  await there.house.vfs.mounts.remove(id);
  expect([await listed(here), await listed(there)]).toEqual([["drive"], ["drive"]]);
});

describe("a share that one server changes", () => {
  test("is the new one on the other with the next beat", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const { id, slug } = await shareText(here, { content: "first" });
    expect(await (await raw(there, slug)).text()).toBe("first");
    await here.house.shares.pastes.update({ kind: "admin", sessionId: "" }, id, { content: "second" });
    await servers.beat();
    expect(await (await raw(there, slug)).text()).toBe("second");
    await here.house.shares.pastes.remove({ kind: "admin", sessionId: "" }, [id]);
    await servers.beat();
    expect((await raw(there, slug)).status).toBe(404);
  });

  test("is opened exactly as often as its limit says", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const { slug } = await shareText(here, { maxViews: 5 });
    const opened = Array.from({ length: 40 }, (_, index) => raw(index % 2 ? here : there, slug, `192.0.2.${index}`));
    const statuses = (await Promise.all(opened)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBe(5);
    expect(statuses.filter((status) => status === 410).length).toBe(35);
  });

  test("counts the views of both", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const { id, slug } = await shareText(here, {});
    for (const house of [here, there, there]) expect((await raw(house, slug)).status).toBe(200);
    await there.house.shares.pastes.close();
    const { row } = await here.house.shares.pastes.read({ kind: "admin", sessionId: "" }, id);
    expect(row.views).toBe(3);
  });
});

describe("who guesses at two servers has no more guesses than at one", () => {
  const logIn = (house: TestHouse, password: string, peer?: string) =>
    house.request("/api/admin/login", { method: "POST", body: JSON.stringify({ ...ADMIN, password }) }, peer);

  test("at the account, however many at once", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const guesses = Array.from({ length: 14 }, (_, index) => logIn(index % 2 ? here : there, `wrong ${index}`));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBe(10);
    expect(statuses.filter((status) => status === 429).length).toBe(4);
    const late = await logIn(there, ADMIN.password);
    expect([late.status, Number(late.headers.get("retry-after")) > 0]).toEqual([429, true]);
    // Another address is not kept out, and the same one only for a while.
    expect((await logIn(there, ADMIN.password, "192.0.2.7")).status).toBe(200);
    servers.present.advance(minutes(10));
    for (const house of [here, there]) house.clock.advance(minutes(10));
    expect((await logIn(there, ADMIN.password)).status).toBe(200);
  });

  test("at the password of a share", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const { slug } = await shareText(here, { password: "right" });
    const guess = (house: TestHouse, password: string) =>
      house.request(`/api/raw/${slug}?password=${encodeURIComponent(password)}`);
    const guesses = Array.from({ length: 24 }, (_, index) => guess(index % 2 ? here : there, `wrong ${index}`));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBe(20);
    expect(statuses.filter((status) => status === 429).length).toBe(4);
  });

  test("at links that are not there", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const statuses: number[] = [];
    for (let index = 0; index < 62; index++)
      statuses.push((await raw(index % 2 ? here : there, `none${index}`)).status);
    expect(statuses.slice(0, 60).every((status) => status === 404)).toBe(true);
    expect(statuses.slice(60)).toEqual([429, 429]);
  });

  test("and an address that has signed in at one is known to the other", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    expect((await logIn(here, ADMIN.password, "192.0.2.50")).status).toBe(200);
    for (let index = 0; index < 100; index++) {
      const guess = async () => ({ limited: "loginByAccount", subject: "admin" }) as const;
      await here.house.access.limiter.guess([await guess()], async () => false);
    }
    expect((await logIn(there, ADMIN.password, "192.0.2.51")).status).toBe(429);
    expect((await logIn(there, ADMIN.password, "192.0.2.50")).status).toBe(200);
  });

  test("and an address stays known as long as it is used, on a server that knew it from the other as well", async () => {
    await using servers = await openServers();
    const { here, there, present } = servers;
    const known = async () => (await here.db.all(sql`select name from known_addresses`)).length;
    expect((await logIn(there, ADMIN.password, "192.0.2.50")).status).toBe(200);
    for (let day = 0; day < 31; day++) {
      present.advance(days(1));
      here.clock.advance(days(1));
      expect((await logIn(here, ADMIN.password, "192.0.2.50")).status).toBe(200);
    }
    await here.house.system.sweeper.sweep();
    expect(await known()).toBe(1);
    present.advance(days(30));
    await here.house.system.sweeper.sweep();
    expect(await known()).toBe(0);
  });
});

describe("the tree", () => {
  test("shows on one server what the other has written, moved and removed", async () => {
    await using servers = await openServers();
    const [one, other] = [await treeCalls(servers.here), await treeCalls(servers.there)];
    expect([await one.names("/drive"), await other.names("/drive")]).toEqual(["", ""]);
    await one.write("/drive/a.txt", "a");
    expect(await other.names("/drive")).toBe("a.txt");
    await other.call(api.rename, { body: { oldPath: "/drive/a.txt", newPath: "/drive/b.txt" } });
    expect(await one.names("/drive")).toBe("b.txt");
    await one.call(api.batchRemove, { body: { paths: ["/drive/b.txt"] } });
    expect(await other.names("/drive")).toBe("");
  });

  test("is indexed once, whichever server changes it", async () => {
    await using servers = await openServers();
    const [one, other] = [await treeCalls(servers.here), await treeCalls(servers.there)];
    for (const [calls, name] of [
      [one, "first"],
      [other, "second"],
      [one, "third"],
    ] as const)
      await calls.write(`/drive/${name}-report.txt`, name);
    for (const calls of [other, one]) {
      const found = await calls.call(api.search, { query: { q: "report" } });
      expect(found.data.results.map(({ name }) => name).sort()).toEqual([
        "first-report.txt",
        "second-report.txt",
        "third-report.txt",
      ]);
    }
    await other.call(api.batchRemove, { body: { paths: ["/drive/first-report.txt"] } });
    expect((await one.call(api.search, { query: { q: "report" } })).data.results.length).toBe(2);
    const storage = (await servers.here.house.stores.configs.list())[0]?.id ?? "";
    const sizes = await Promise.all(
      [servers.here, servers.there].map(({ house }) => house.vfs.search.folder({ storage, key: "" })),
    );
    expect(sizes.map((folder) => [folder?.files, folder?.size])).toEqual([
      [2, 11],
      [2, 11],
    ]);
  });

  test("is locked on one server for the other", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const key = await makeKey(here);
    const basic = { authorization: `Basic ${btoa(`x:${key.key}`)}` };
    const dav = (house: TestHouse, method: string, headers: Record<string, string> = {}, body?: string) =>
      house.request("/dav/drive/a.txt", { method, headers: { ...basic, ...headers }, ...(body && { body }) });
    const tries = await Promise.all([dav(here, "LOCK", {}, WISH), dav(there, "LOCK", {}, WISH)]);
    expect(tries.map(({ status }) => status).sort()).toEqual([201, 423]);
    const token = tries.map(({ headers }) => headers.get("lock-token")).find((one) => one !== null) ?? "";
    expect((await dav(there, "PUT", {}, "x")).status).toBe(423);
    expect((await dav(here, "PUT", {}, "x")).status).toBe(423);
    expect((await dav(there, "PUT", { if: `(${token})` }, "x")).status).toBeLessThan(300);
    expect((await dav(there, "UNLOCK", { "lock-token": token })).status).toBe(204);
    expect((await dav(here, "PUT", {}, "x")).status).toBeLessThan(300);
  });

  test("is not locked by a server that stood still, while the other one locked it", async () => {
    const present = createTestClock();
    const [asked, frozen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const standsStill = (db: Database): Database => ({
      ...withClock(db, present.now),
      batch: async (queries) => {
        if (queries.some(({ text }) => text.includes("into dav_locks"))) {
          asked.resolve();
          await frozen.promise;
        }
        return await db.batch(queries);
      },
    });
    await using there = await openTestHouse({ clustered: true, engine: (db) => withClock(db, present.now) });
    await using here = await openTestHouse({
      clustered: true,
      beside: { db: there.db, objects: there.objects },
      engine: standsStill,
    });
    const key = { authorization: `Basic ${btoa(`x:${(await makeKey(there)).key}`)}` };
    const lock = (house: TestHouse) => house.request("/dav/drive/a.txt", { method: "LOCK", headers: key, body: WISH });
    const late = lock(here);
    await asked.promise;
    present.advance(LEASE_LIFE + 1);
    expect((await lock(there)).status).toBe(201);
    frozen.resolve();
    expect((await late).status).toBe(503);
    expect(there.house.vfs.locks.at("/drive/a.txt")).toHaveLength(1);
    await here.house.cluster.synced();
    const tokens = [here, there].map(({ house }) => house.vfs.locks.at("/drive/a.txt").map(({ token }) => token));
    expect(tokens[0]).toStrictEqual(tokens[1] ?? []);
  });

  test("is locked on one server while the administrator writes it on the other", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const key = { authorization: `Basic ${btoa(`x:${(await makeKey(here)).key}`)}` };
    const session = { authorization: `Bearer ${await there.signIn()}` };
    const account = { authorization: `Basic ${btoa(`${ADMIN.username}:${ADMIN.password}`)}` };
    for (const [name, who] of Object.entries({ session, account })) {
      const path = `/dav/drive/${name}.txt`;
      const slow = slowBody("half ", "more");
      const writing = there.request(path, { method: "PUT", headers: who, body: slow.body });
      await slow.begun;
      expect((await here.request(path, { method: "LOCK", headers: key, body: WISH })).status).toBe(201);
      slow.finish();
      expect({ name, status: (await writing).status }).toEqual({ name, status: 423 });
    }
  });
});

test("one server sweeps in each span, and the other in the next", async () => {
  await using servers = await openServers();
  const { here, there, present } = servers;
  const expire = async () => {
    await shareText(here, {});
    await here.db.run(sql`update pastes set expires_at = 1`);
  };
  const left = async () => (await here.db.all(sql`select 1 as one from pastes`)).length;
  await expire();
  await here.house.system.sweeper.sweepAlone();
  expect(await left()).toBe(0);
  await expire();
  await there.house.system.sweeper.sweepAlone();
  expect(await left()).toBe(1);
  present.advance(minutes(9) + 1);
  await there.house.system.sweeper.sweepAlone();
  expect(await left()).toBe(0);
});
