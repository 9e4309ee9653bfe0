import { describe, expect, test } from "bun:test";
import { fsUploads as api } from "#contract/fs/uploads";
import { links as linkApi } from "#contract/links";
import { bitsOf } from "#contract/permissions";
import { sql } from "../../../../src/database/sql.ts";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { openServers } from "../../../support/cluster/two-servers.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import {
  localNetworks,
  makeWebhook,
  openReceiver,
  openWebhookHouse,
} from "../../../support/servers/webhook-receiver.ts";
import { minutes } from "../../../support/test-clock.ts";
import type { TestHouse } from "../../../support/test-house.ts";
import { treeCalls } from "../../../support/tree/tree-house.ts";

/** A link that takes no more files says so once, and why, whoever notices it first. */

async function told(house: TestHouse) {
  const rows = await house.db.all<{ body: string }>(
    sql`select body from webhook_deliveries where event = 'link.closed' order by at, id`,
  );
  return rows.flatMap(({ body }) => (JSON.parse(body) as { data: { items: unknown[] } }).data.items);
}

async function openBox(house: TestHouse) {
  const receiver = openReceiver();
  await makeWebhook(house, { address: receiver.address, events: ["link.closed"] });
  const tree = await treeCalls(house);
  await tree.put("/drive/box/there.txt");
  return { tree, ...linkCalls(tree), [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
}

const soon = (house: TestHouse) => new Date(house.clock.now() + minutes(5)).toISOString();

describe("a link whose time is over", () => {
  test("is told of once, when somebody comes to it", async () => {
    await using house = await openWebhookHouse();
    await using box = await openBox(house);
    const { make, open, update, get } = box;
    const expires_at = soon(house);
    const link = await make(["/drive/box/"], { rights: ["upload"], title: "Homework", expires_at });
    await make(["/drive/box/"], { rights: ["view"], expires_at });
    expect((await open(link.slug)).status).toBe(200);
    expect(await told(house)).toEqual([]);
    house.clock.advance(minutes(5));
    for (let times = 0; times < 3; times++) expect((await open(link.slug)).error).toBe("share.gone");
    await house.house.system.sweeper.sweep();
    expect(await told(house)).toEqual([{ link: "Homework", reason: "link.expired" }]);
    expect((await get(link.id)).data).toMatchObject({ state: "expired", closed_for: null });
    await update(link.id, { expires_at: soon(house) });
    expect((await open(link.slug)).status).toBe(200);
    house.clock.advance(minutes(5));
    expect((await open(link.slug)).error).toBe("share.gone");
    expect(await told(house)).toHaveLength(2);
  });

  test("is told of once, when nobody does", async () => {
    await using house = await openWebhookHouse();
    await using box = await openBox(house);
    const { make } = box;
    for (let index = 0; index < 120; index++)
      await make(["/drive/box/"], { rights: ["upload"], title: `${index}`, expires_at: soon(house) });
    house.clock.advance(minutes(5));
    for (let times = 0; times < 2; times++) await house.house.system.sweeper.sweep();
    const links = (await told(house)).map((item) => (item as { link: string }).link);
    expect(links).toHaveLength(120);
    expect(new Set(links).size).toBe(120);
  });
});

describe("a link whose owner may upload no more", () => {
  test("is closed, also for what is on its way, and its owner sees why", async () => {
    await using house = await openWebhookHouse();
    await using box = await openBox(house);
    const { tree, make, open, withGrant, get } = box;
    const key = await makeKey(house, { permissions: ["mount_view", "mount_upload"] });
    const link = await make(["/drive/box/"], { rights: ["upload"], title: "Homework" }, withKey(key));
    const who = withGrant((await open(link.slug)).data);
    const body = { path: "/1/", fileName: "a.bin", fileSize: 5 };
    const { data: begun } = await tree.call(api.begin, { body }, who);
    const url = begun?.presignedUrls[0]?.url.replace("http://satchel.test", "") ?? "";
    const put = await house.request(url, { method: "PUT", body: "parts", headers: { "content-length": "5" } });
    await house.house.access.keys.update(key.id, { permissions: bitsOf(["mount_view"]) });
    expect(await told(house)).toEqual([]);
    const parts = [{ partNumber: 1, etag: put.headers.get("etag") ?? "" }];
    const end = { path: begun?.path ?? "", uploadId: begun?.uploadId ?? "", receipt: begun?.receipt, parts };
    expect((await tree.call(api.complete, { body: end as never }, who)).status).toBe(403);
    expect(await told(house)).toEqual([{ link: "Homework", reason: "link.right" }]);
    expect((await open(link.slug)).error).toBe("share.gone");
    expect((await house.request(`/in/${link.slug}/a.txt`, { method: "PUT", body: "x" })).status).toBe(410);
    await house.house.system.sweeper.sweep();
    expect(await told(house)).toHaveLength(1);
    expect((await get(link.id, withKey(key))).data).toMatchObject({ state: "closed", closed_for: "right" });
    const closed = await tree.call(linkApi.list, { query: { state: "closed" } });
    expect(closed.data?.links.map(({ id }) => id)).toEqual([link.id]);
    expect(await tree.names("/drive/box")).toBe("there.txt");
    // Who may again has the link again, and is told anew when it closes.
    await house.house.access.keys.update(key.id, { permissions: bitsOf(["mount_view", "mount_upload"]) });
    expect((await open(link.slug)).status).toBe(200);
    expect((await get(link.id, withKey(key))).data).toMatchObject({ state: "active", closed_for: null });
    await house.house.access.keys.remove(key.id);
    await house.house.system.sweeper.sweep();
    expect(await told(house)).toHaveLength(2);
    expect((await get(link.id)).data).toMatchObject({ state: "closed", closed_for: "owner" });
  });
});

test("of two servers that notice at once one tells", async () => {
  await using servers = await openServers({ webhooks: { networks: localNetworks } });
  const { here, there } = servers;
  await using box = await openBox(here);
  const { make } = box;
  const links = [];
  for (let index = 0; index < 10; index++)
    links.push(await make(["/drive/box/"], { rights: ["upload"], title: `${index}`, expires_at: soon(here) }));
  await make(["/drive/box/"], { rights: ["upload"], title: "full", slug: "full", max_files: 5 });
  await servers.beat();
  for (const house of [here, there]) house.clock.advance(minutes(5));
  const knock = (house: TestHouse, slug: string) => house.request(`/in/${slug}/a.txt`, { method: "PUT", body: "x" });
  const knocks = links.flatMap(({ slug }) => [here, there, here, there].map((house) => knock(house, slug)));
  const sends = Array.from({ length: 12 }, (_, index) => knock(index % 2 === 0 ? here : there, "full"));
  const statuses = (await Promise.all(knocks)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([410]));
  const taken = (await Promise.all(sends)).map(({ status }) => status);
  expect(taken.filter((status) => status === 201)).toHaveLength(5);
  for (const house of [here, there]) await house.house.links.sweep(minutes(60));
  const all = (await told(here)) as { link: string; reason: string }[];
  expect(all.map(({ link }) => link).toSorted()).toEqual([...links.map((_, index) => `${index}`), "full"].toSorted());
});
