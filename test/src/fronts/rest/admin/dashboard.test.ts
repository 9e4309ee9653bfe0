import { describe, expect, test } from "bun:test";
import { dashboard } from "#contract/dashboard";
import { FOLDER } from "#contract/providers";
import { storage } from "#contract/storage";
import { beginAccount } from "../../../../../src/access/first-account.ts";
import type { Database } from "../../../../../src/database/database.ts";
import { type Sql, sql } from "../../../../../src/database/sql.ts";
import { makeKey } from "../../../../support/make-key.ts";
import { builtInStorage } from "../../../../support/make-mount.ts";
import { scenarios } from "../../../../support/scenario.ts";
import { ask, presign, shareFile } from "../../../../support/share-file.ts";
import { shareText } from "../../../../support/share-text.ts";
import { temporaryFolder } from "../../../../support/temporary-folder.ts";
import { testOnSqlite } from "../../../../support/test-database.ts";
import { openTestHouse, type TestHouse } from "../../../../support/test-house.ts";

const DAY = 24 * 60 * 60 * 1000;
/** A Sunday, late in the day wherever zones are behind UTC. */
const NOON = Date.UTC(2031, 4, 4, 12);

const stats = async (house: TestHouse) => (await ask(house, dashboard.stats, {})).data;
const openAt = (now = NOON) => openTestHouse({ now });

describe("who may see it", () => {
  const read = { method: "GET", url: "/api/admin/dashboard/stats" } as const;
  scenarios([
    { as: "anyone", ...read, status: 401 },
    { as: "visitor", ...read, status: 401 },
    { as: "wrong token", ...read, status: 401 },
    { as: "wrong key", ...read, status: 401 },
    { as: "expired key", ...read, status: 401 },
    { as: "any key", ...read, status: 403, hasNot: ["totalPastes"] },
    {
      as: "admin",
      ...read,
      status: 200,
      has: ['"totalPastes":0', '"totalS3Configs":1', '"lastWeekFiles":[0,0,0,0,0,0,0]', '"failedJobs":0'],
      hasNot: ["secret_access_key", "sealed_secret"],
    },
    { as: "admin", method: "POST", url: read.url, status: 404 },
  ]);
});

describe("the totals", () => {
  test("count what was just made, and no upload that has not arrived", async () => {
    await using house = await openAt();
    await shareText(house, {});
    await shareText(house, {});
    await shareFile(house, { content: "hello" });
    await presign(house);
    await makeKey(house);
    const { s3Buckets, ...totals } = await stats(house);
    expect(totals).toMatchObject({ totalPastes: 2, totalFiles: 1, totalApiKeys: 1, totalS3Configs: 1 });
    // The reserved bytes of the unfinished one count as used, as they do where an upload asks for room.
    expect(totals.totalStorageUsed).toBe(10);
    const [bucket] = s3Buckets;
    expect(bucket).toMatchObject({
      name: "Built-in storage",
      providerType: "Built-in disk",
      usage: { file_count: 1, total_size: 10 },
      usedStorage: 10,
      fileCount: 1,
      usagePercent: 0,
      access_key_id: "",
    });
    expect(bucket?.totalStorage).toBe(bucket?.total_storage_bytes ?? 0);
  });
});

describe("the week", () => {
  test("has seven days in UTC, the oldest first", async () => {
    await using house = await openAt();
    const made = async (at: number) => {
      const { id } = await shareText(house, {});
      await house.db.run(sql`update pastes set created_at = ${at} where id = ${id}`);
    };
    const midnight = Date.UTC(2031, 4, 4);
    for (const at of [midnight, midnight - 1, midnight - 6 * DAY, midnight - 6 * DAY - 1, midnight + DAY])
      await made(at);
    await shareFile(house);
    const { lastWeekPastes, lastWeekFiles, totalPastes } = await stats(house);
    expect(lastWeekPastes).toEqual([1, 0, 0, 0, 0, 1, 1]);
    expect(lastWeekFiles).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(totalPastes).toBe(5);
  });

  testOnSqlite("is read by indexes, whatever there is", async () => {
    const asked: Sql[] = [];
    const engine = (db: Database): Database => ({
      ...db,
      all: (query) => db.all(noted(query)),
      first: (query) => db.first(noted(query)),
    });
    const noted = (query: Sql) => {
      asked.push(query);
      return query;
    };
    await using house = await openTestHouse({ engine });
    await stats(house);
    const growing = asked.filter(({ text }) => /from (pastes|files|jobs)\b/.test(text));
    expect(growing.length).toBeGreaterThanOrEqual(5);
    for (const query of growing) {
      const plan = await house.db.all<{ detail: string }>(sql`explain query plan ${query}`);
      const steps = plan
        .map(({ detail }) => detail)
        .filter((detail) => /^(SCAN|SEARCH) (pastes|files|jobs)/.test(detail));
      expect(steps).not.toEqual([]);
      for (const step of steps) expect(step).toContain("USING COVERING INDEX");
    }
  });
});

describe("what needs attention", () => {
  test("is nothing at first", async () => {
    await using house = await openAt();
    expect((await stats(house)).attention).toEqual({
      problems: [],
      failedJobs: 0,
      failedStorages: [],
      fullStorages: [],
      expiringKeys: [],
      webhooks: [],
    });
  });

  test("a key that expires within a week, and none that has expired", async () => {
    await using house = await openAt();
    const until = (days: number) => new Date(NOON + days * DAY).toISOString();
    await makeKey(house, { name: "later", expires_at: until(8) });
    await makeKey(house, { name: "second", expires_at: until(7) });
    await makeKey(house, { name: "first", expires_at: until(1) });
    const names = async () => (await stats(house)).attention.expiringKeys.map(({ name }) => name);
    expect(await names()).toEqual(["first", "second"]);
    house.clock.advance(1.5 * DAY);
    expect(await names()).toEqual(["second", "later"]);
  });

  test("a storage above nine tenths of its limit, and what /health finds, in the language of the caller", async () => {
    await using house = await openAt();
    await shareFile(house, { content: "x".repeat(96) });
    const id = await builtInStorage(house);
    const limit = (bytes: number) =>
      ask(house, storage.update, { params: { id }, body: { total_storage_bytes: bytes } });
    await limit(110);
    expect((await stats(house)).attention.fullStorages).toEqual([]);
    await limit(106);
    expect((await stats(house)).attention.fullStorages).toEqual([{ id, name: "Built-in storage", usagePercent: 91 }]);
    await limit(100);
    house.clock.advance(60_000);
    const { data } = await ask(house, dashboard.stats, {}, { "accept-language": "zh" });
    expect(data.attention.problems).toMatchObject([{ problem: "storage", advice: expect.stringContaining("存储") }]);
    expect(data.s3Buckets[0]?.usagePercent).toBe(96);
  });

  test("an unlimited storage whose disk is nearly full", async () => {
    const volume = () => ({ size: 1000 * 2 ** 30, free: 60 * 2 ** 30 });
    await using house = await openTestHouse({ volume });
    expect((await stats(house)).attention.fullStorages).toMatchObject([{ usagePercent: 94 }]);
  });

  test("a storage whose last test failed, until it passes or is changed", async () => {
    await using house = await openAt();
    const body = {
      name: "Nowhere",
      provider_type: "Other",
      endpoint_url: "http://127.0.0.1:1",
      bucket_name: "none",
      access_key_id: "k",
      secret_access_key: "s",
    };
    const { data: made } = await ask(house, storage.create, { body });
    const failed = async () => (await stats(house)).attention.failedStorages;
    expect(await failed()).toEqual([]);
    await ask(house, storage.test, { params: { id: made.id }, body: {} });
    expect(await failed()).toMatchObject([{ id: made.id, name: "Nowhere", tested_at: new Date(NOON).toISOString() }]);
    await ask(house, storage.update, { params: { id: made.id }, body: { region: "eu" } });
    expect(await failed()).toEqual([]);
    await ask(house, storage.test, { params: { id: await builtInStorage(house) }, body: {} });
    expect(await failed()).toEqual([]);
  });

  test("background work that failed", async () => {
    await using house = await openAt();
    const job = (id: string, state: string) => sql`
      insert into jobs (id, owner, state, task_count, created_at) values (${id}, 'admin', ${state}, 1, 1)`;
    await house.db.batch(["failed", "partial_complete", "completed", "cancelled"].map((state) => job(state, state)));
    expect((await stats(house)).attention.failedJobs).toBe(2);
  });
});

describe("the first steps", () => {
  test("are done one by one", async () => {
    await using house = await openAt();
    await house.db.run(sql`delete from admin_account`);
    const first = await house.house.access.admin.create(() => beginAccount("admin"));
    const steps = async () => (await stats(house)).firstSteps;
    expect(await steps()).toEqual({ password: false, key: false, storage: false });
    await makeKey(house);
    const body = {
      name: "Cloud",
      provider_type: "MinIO",
      endpoint_url: "https://s3.example.com",
      bucket_name: "b",
      access_key_id: "k",
      secret_access_key: "s",
    };
    await ask(house, storage.create, { body });
    expect(await steps()).toEqual({ password: false, key: true, storage: true });
    const device = { address: "192.0.2.1", userAgent: "" };
    const currentPassword = first?.password ?? "";
    const { admin } = house.house.access;
    await admin.change({ currentPassword, newUsername: "root" }, device);
    expect((await steps()).password).toBe(false);
    await admin.change({ currentPassword, newPassword: "a password of my own" }, device);
    expect((await steps()).password).toBe(true);
    await admin.reset();
    expect((await steps()).password).toBe(false);
  });

  test("ask for no storage where a folder of the machine is one", async () => {
    using folder = temporaryFolder();
    await using house = await openTestHouse({
      now: NOON,
      folders: [{ id: "photos", path: folder.path, readOnly: false }],
    });
    const body = { name: "Photos", provider_type: FOLDER, bucket_name: "photos" };
    expect((await ask(house, storage.create, { body })).status).toBe(201);
    expect((await stats(house)).firstSteps.storage).toBe(true);
  });

  test("do not ask for another password where one was given at the start", async () => {
    await using house = await openAt();
    await house.db.run(sql`delete from admin_account`);
    await house.house.access.admin.create(() => beginAccount("admin", "given by the environment"));
    expect((await stats(house)).firstSteps.password).toBe(true);
  });
});
