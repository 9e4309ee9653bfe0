import { describe, expect, test } from "bun:test";
import { admin } from "#contract/admin";
import { backups } from "#contract/backups";
import { settings } from "#contract/settings";
import { webhookEvents } from "#contract/webhooks";
import { sql } from "../../../src/database/sql.ts";
import { linkCalls } from "../../support/callers/link-visit.ts";
import { ended, admin as owner } from "../../support/jobs/jobs-room.ts";
import { deliver, makeWebhook, openReceiver, openWebhookHouse } from "../../support/servers/webhook-receiver.ts";
import { ask, shareFile } from "../../support/share-file.ts";
import { shareText } from "../../support/share-text.ts";
import { ADMIN, type TestHouse, type TestHouseOptions } from "../../support/test-house.ts";
import { treeCalls } from "../../support/tree/tree-house.ts";

/** What is told of, and when. */

interface Told {
  readonly type: string;
  readonly data: { readonly items: readonly Record<string, unknown>[]; readonly more: number };
}

/** A house with a webhook that wants everything. */
async function openAll(options: TestHouseOptions = {}) {
  await using stack = new AsyncDisposableStack();
  const receiver = stack.use(openReceiver());
  const house = stack.use(await openWebhookHouse(options));
  await makeWebhook(house, { address: receiver.address, events: [...webhookEvents] });
  const moved = stack.move();
  return {
    house,
    /** What has arrived. */
    async told(): Promise<Told[]> {
      await deliver(house);
      return receiver.got.map(({ body }) => JSON.parse(body) as Told);
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

const raw = (house: TestHouse, slug: string) => house.request(`/api/raw/${slug}`);

describe("shares", () => {
  test("a thousand openings are one message, which counts them", async () => {
    await using all = await openAll();
    const { id, slug } = await shareText(all.house, {});
    await Promise.all(Array.from({ length: 1000 }, () => raw(all.house, slug)));
    expect(await all.told()).toMatchObject([
      { type: "share.opened", data: { items: [{ kind: "paste", id, slug, name: null, openings: 1000 }], more: 0 } },
    ]);
  });

  test("of many that are opened at once twenty are named, and the others counted", async () => {
    await using all = await openAll();
    for (let n = 0; n < 23; n++) await raw(all.house, (await shareText(all.house, {})).slug);
    const [told] = await all.told();
    expect([told?.data.items.length, told?.data.more]).toEqual([20, 3]);
  });

  test("the last view is told once, however many open at once, and a wrong password is no opening", async () => {
    await using all = await openAll();
    const text = await shareText(all.house, { content: "some text", maxViews: 3, password: "right" });
    await all.house.request(`/api/raw/${text.slug}?password=wrong`);
    expect(await all.told()).toEqual([]);
    await Promise.all(Array.from({ length: 9 }, () => all.house.request(`/api/raw/${text.slug}?password=right`)));
    const told = await all.told();
    const [opened, spent] = [
      told.find(({ type }) => type === "share.opened"),
      told.find(({ type }) => type === "share.spent"),
    ];
    expect(told.length).toBe(2);
    expect(opened?.data.items).toMatchObject([{ id: text.id, openings: 3 }]);
    expect(spent?.data.items).toEqual([{ kind: "paste", id: text.id, slug: text.slug, name: null }]);
    expect(JSON.stringify(told)).not.toContain("right");
    expect(JSON.stringify(told)).not.toContain("some text");
  });

  test("a file is told by its name, which is cut where it is long", async () => {
    await using all = await openAll();
    const filename = `${"长".repeat(80)}.txt`;
    const { slug } = await shareFile(all.house, { filename });
    await all.house.request(`/api/public/files/${slug}`);
    const [told] = await all.told();
    expect(told?.data.items).toMatchObject([{ kind: "file", slug, openings: 1 }]);
    expect(String(told?.data.items[0]?.name).startsWith("长长")).toBe(true);
  });
});

test("files that come by a link are told of, and that it takes no more once", async () => {
  await using all = await openAll();
  const tree = await treeCalls(all.house);
  await tree.put("/drive/box/there.txt");
  const { slug } = await linkCalls(tree).make(["/drive/box/"], { rights: ["upload"], max_files: 2, title: "Homework" });
  const send = () => all.house.request(`/in/${slug}/essay.txt`, { method: "PUT", body: "essay" });
  expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([201, 201, 409]);
  const told = await all.told();
  const itemsOf = (wanted: string) => told.filter(({ type }) => type === wanted).flatMap(({ data }) => data.items);
  expect(itemsOf("file.arrived")).toEqual([
    { link: "Homework", name: "essay.txt", size: 5 },
    { link: "Homework", name: "essay (2).txt", size: 5 },
  ]);
  expect(itemsOf("link.closed")).toEqual([{ link: "Homework", reason: "link.full" }]);
});

test("nobody who wants to know costs an opening a statement", async () => {
  await using house = await openWebhookHouse();
  const { slug } = await shareText(house, {});
  await raw(house, slug);
  await house.house.webhooks.events.flush();
  expect(await house.db.all(sql`select 1 from webhook_deliveries`)).toEqual([]);
});

/** Writes a file over WebDAV. */
const put = async (house: TestHouse, body: string, length = String(body.length)): Promise<Response> =>
  await house.request("/dav/drive/a.txt", {
    ...{ method: "PUT", body },
    headers: { authorization: `Bearer ${await house.signIn()}`, "content-length": length },
  });

describe("trouble", () => {
  test("a backup that fails is told without its reason, which may name folders", async () => {
    const makeBackup = async () => ({ error: "The folder /srv/secret is missing." });
    await using all = await openAll({ makeBackup });
    await ask(all.house, settings.update, { params: { group: "4" }, body: { backup_target: "/srv/secret" } });
    await ask(all.house, backups.start, {});
    await all.house.house.system.backups.ended();
    const told = await all.told();
    expect(told).toMatchObject([{ type: "backup.failed", data: { items: [{ by: "admin" }] } }]);
    expect(JSON.stringify(told)).not.toContain("/srv");
  });

  test("a backup that does not fail is not told", async () => {
    const makeBackup = async () => ({ place: "/srv/a", size: 1, rows: 1, files: 1 });
    await using all = await openAll({ makeBackup });
    await ask(all.house, settings.update, { params: { group: "4" }, body: { backup_target: "/srv/secret" } });
    await ask(all.house, backups.start, {});
    await all.house.house.system.backups.ended();
    expect(await all.told()).toEqual([]);
  });

  test("a job that fails is told once, and one that does not is not", async () => {
    await using all = await openAll();
    const { jobs } = all.house.house;
    await put(all.house, "a");
    const run = async (source: string) => {
      const { id } = await jobs.create(owner, [{ kind: "copy", source, target: "/drive/b.txt", skipExisting: false }]);
      return await ended(jobs, id);
    };
    expect((await run("/drive/a.txt")).state).toBe("completed");
    const bad = await run("/drive/missing.txt");
    expect(bad.state).toBe("failed");
    const told = await all.told();
    expect(told).toMatchObject([{ type: "job.failed", data: { items: [{ job: bad.id, owner: "admin" }] } }]);
  });

  test("a file that the storage has no room for is told, and one that its sender got wrong is not", async () => {
    const disk = { size: 2e12, free: 1e12 };
    await using all = await openAll({ volume: () => disk });
    expect((await put(all.house, "hello", "7")).status).toBe(400);
    disk.free = 0;
    expect((await put(all.house, "hello")).status).toBe(507);
    const told = await all.told();
    expect(told.filter(({ type }) => type === "upload.failed")).toMatchObject([
      { data: { items: [{ key: "a.txt", reason: "storage.full" }] } },
    ]);
  });
});

describe("sign-ins", () => {
  const signIn = (house: TestHouse, address: string, password = ADMIN.password) =>
    house.request(
      `/api${admin.login.path}`,
      { method: "POST", body: JSON.stringify({ username: ADMIN.username, password }) },
      address,
    );

  test("from a new address are told once, and failed ones not at all", async () => {
    await using all = await openAll();
    await signIn(all.house, "198.51.100.7", "wrong password");
    expect(await all.told()).toEqual([]);
    for (let n = 0; n < 3; n++) expect((await signIn(all.house, "198.51.100.7")).status).toBe(200);
    await signIn(all.house, "2001:db8:1:2:3:4:5:6");
    const told = (await all.told()).map(({ type, data }) => [type, data.items[0]?.address]);
    expect(told.sort()).toEqual([
      ["sign_in.new", "198.51.100.7"],
      ["sign_in.new", "2001:db8:1:2"],
    ]);
  });

  test("at the same time from one new address are told once", async () => {
    await using all = await openAll();
    await Promise.all(Array.from({ length: 4 }, () => signIn(all.house, "198.51.100.7")));
    expect((await all.told()).length).toBe(1);
  });
});

test("a storage that becomes full is told once, and again when it had room in between", async () => {
  await using all = await openAll();
  const { house } = all.house;
  const { look } = house.system.fullStorages;
  const fill = async (bytes: number, most: number) => {
    await all.house.configure(sql`update storage_configs set total_storage_bytes = ${most}`);
    await all.house.request("/dav/drive/a.bin", {
      ...{ method: "PUT", body: new Uint8Array(bytes) },
      headers: { authorization: `Bearer ${await all.house.signIn()}`, "content-length": String(bytes) },
    });
    await look();
    await look();
    return (await all.told()).filter(({ type }) => type === "storage.full");
  };
  expect(await fill(940, 1000)).toEqual([]);
  const once = await fill(960, 1000);
  expect(once).toMatchObject([{ data: { items: [{ name: "Built-in storage", percent: 96 }] } }]);
  expect((await fill(910, 1000)).length).toBe(1);
  expect((await fill(980, 1000)).length).toBe(1);
  expect((await fill(10, 1000)).length).toBe(1);
  expect((await fill(990, 1000)).length).toBe(2);
});
