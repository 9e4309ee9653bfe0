import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backups } from "#contract/backups";
import { settings } from "#contract/settings";
import { storage } from "#contract/storage";
import { prepareFolder } from "../../../src/backup/prepare-folder.ts";
import { createBucketTrial } from "../../../src/backup/try-bucket.ts";
import type { MakeBackup } from "../../../src/system/backups.ts";
import { scenarios } from "../../support/scenario.ts";
import { ask } from "../../support/share-file.ts";
import { openSmallBucket } from "../../support/stores/pretend-s3.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { days, hours, minutes } from "../../support/test-clock.ts";
import { openTestHouse, type TestHouse, type TestHouseOptions } from "../../support/test-house.ts";

/** The timetable of backups, whose maker is a function of the test: the real one is a process, in test/journeys/processes/backup.test.ts. */

const WHOLE = { place: "/backups/a.tar.zst", size: 4321, rows: 12, files: 3 };
const GROUP = "4";

const set = (house: TestHouse, values: Record<string, string>) =>
  ask(house, settings.update, { params: { group: GROUP }, body: values });

const TIMETABLE = { backup_enabled: "true", backup_target: "/backups", backup_interval: "24", backup_hour: "3" };

describe("the folder that backups go to", () => {
  const openWith = (objects: string) =>
    openTestHouse({ prepareBackups: (folder) => prepareFolder(folder, { objects, shared: [] }) });
  const refusals = async (house: TestHouse, values: Record<string, string>) =>
    (await set(house, values)).data.errors.map(({ key, error }) => `${key}: ${error}`);

  test("is looked at when it is set: what cannot take them is refused at its field, and nothing is kept of it", async () => {
    using folder = temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    mkdirSync(at("objects/drive"), { recursive: true });
    symlinkSync(at("objects/drive"), at("link"));
    writeFileSync(at("file"), "");
    await using house = await openWith(at("objects"));
    const wrong = {
      "missing/backups": "the one above it is missing too",
      file: "There is a file at this path",
      "file/backups": "There is a file at this path",
      objects: "among the files that are backed up",
      "objects/drive/": "among the files that are backed up",
      link: "among the files that are backed up",
    };
    for (const [name, words] of Object.entries(wrong)) {
      const target = `${folder.path}/${name}`;
      expect(await refusals(house, { backup_target: target })).toEqual([expect.stringContaining(words)]);
      expect(house.house.settings.get("backup_target")).toBe("");
    }
    expect(existsSync(at("missing"))).toBe(false);
  });

  test("is made where only its name is missing, for nobody else to read", async () => {
    using folder = temporaryFolder();
    await using house = await openWith(join(folder.path, "objects"));
    const target = join(folder.path, "backups");
    expect(await refusals(house, { backup_target: target, backup_enabled: "true" })).toEqual([]);
    expect(statSync(target).mode & 0o777).toBe(0o700);
    expect(readdirSync(target)).toEqual([]);
  });

  test("is looked at again when the timetable begins", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "objects"));
    mkdirSync(join(folder.path, "disk"));
    await using house = await openWith(join(folder.path, "objects"));
    await set(house, { backup_target: join(folder.path, "disk/backups") });
    rmSync(join(folder.path, "disk"), { recursive: true });
    expect(await refusals(house, { backup_enabled: "true", backup_keep: "3" })).toEqual([
      expect.stringContaining("backup_enabled: The server has no such folder"),
    ]);
    expect([house.house.settings.get("backup_enabled"), house.house.settings.get("backup_keep")]).toEqual([false, 3]);
    expect(await refusals(house, { backup_enabled: "false" })).toEqual([]);
  });

  test("may not be in a folder that a storage can show", async () => {
    using folder = temporaryFolder();
    const at = (name: string) => join(folder.path, name);
    mkdirSync(at("photos/raw"), { recursive: true });
    symlinkSync(at("photos/raw"), at("link"));
    // One of a disk that is not mounted holds nothing.
    const taken = { objects: at("objects"), shared: [{ path: at("photos") }, { path: at("unmounted") }] };
    mkdirSync(at("objects"));
    await using house = await openTestHouse({ prepareBackups: (folder) => prepareFolder(folder, taken) });
    for (const name of ["photos", "photos/backups", "link"])
      expect(await refusals(house, { backup_target: at(name) })).toEqual([
        expect.stringContaining("could read the backups"),
      ]);
    expect(existsSync(at("photos/backups"))).toBe(false);
    expect(await refusals(house, { backup_target: at("photos-backups") })).toEqual([]);
  });

  test("that may not be written to is refused", async () => {
    const error = await prepareFolder("/sys/backups", { objects: tmpdir(), shared: [] }).catch(
      (error: unknown) => error,
    );
    expect(error).toMatchObject({ code: "backup.folderDenied" });
  });
});

/** A maker that notes what it is asked, and answers what the test says. */
function maker(answer: MakeBackup = async () => WHOLE) {
  const wanted: Parameters<MakeBackup>[0][] = [];
  const makeBackup: MakeBackup = (one, signal) => {
    wanted.push(one);
    return answer(one, signal);
  };
  return { wanted, makeBackup };
}

const open = (options: TestHouseOptions) => openTestHouse(options);

/** Looks at the timetable, and waits for what that began. */
async function look({ house: { system } }: TestHouse): Promise<void> {
  await system.backups.look();
  await system.backups.ended();
}

const statusOf = async (house: TestHouse) => (await ask(house, backups.status, {})).data;

describe("the bucket that backups go to", () => {
  const none = { endpoint: undefined, region: "us-east-1", accessKey: undefined, secret: undefined };
  const refusals = async (house: TestHouse, values: Record<string, string>) =>
    (await set(house, values)).data.errors.map(({ key, error }) => `${key}: ${error}`);
  const add = (house: TestHouse, name: string, port: number) =>
    ask(house, storage.create, {
      body: {
        ...{ name, provider_type: "Other", endpoint_url: `http://127.0.0.1:${port}`, bucket_name: name },
        ...{ access_key_id: "key", secret_access_key: crypto.randomUUID(), path_style: true },
      } as never,
    });

  test("is tried when it is set, by the storage that has it, and leaves nothing there", async () => {
    let isAllowed = true;
    const written: string[] = [];
    await using bucket = openSmallBucket("kept-apart", ({ method, url }) => {
      if (method === "PUT") written.push(new URL(url).pathname);
      return isAllowed || method !== "PUT";
    });
    await using house = await openTestHouse({ now: Date.now(), tryBucket: createBucketTrial(none) });
    await add(house, "kept-apart", bucket.port);
    await add(house, "not-there", bucket.port);
    const target = "s3://kept-apart/copies/";
    expect(await refusals(house, { backup_target: target, backup_enabled: "true" })).toEqual([]);
    expect(written).toEqual([expect.stringMatching(/^\/kept-apart\/copies\/\.satchel-test-/)]);
    expect(bucket.keys()).toEqual([]);
    const kept = () => house.house.settings.get("backup_target");
    const said = async (backup_target: string) => await refusals(house, { backup_target });
    expect(await said("s3://nobodys/copies")).toEqual([
      expect.stringContaining("backup_target: No storage has this bucket."),
    ]);
    expect(await said("s3://not-there")).toEqual([expect.stringContaining("The bucket does not exist")]);
    isAllowed = false;
    expect(await said("s3://kept-apart")).toEqual([expect.stringContaining("denies access to this server")]);
    expect(kept()).toBe(target);
    // The timetable begins with one that it cannot write to.
    await set(house, { backup_enabled: "false" });
    expect(await refusals(house, { backup_enabled: "true" })).toEqual([
      expect.stringContaining("backup_enabled: The storage denies access"),
    ]);
  });

  test("is tried by the variables of AWS where they are set", async () => {
    await using bucket = openSmallBucket("by-variables");
    const given = {
      endpoint: `http://127.0.0.1:${bucket.port}`,
      region: "x",
      accessKey: "key",
      secret: crypto.randomUUID(),
    };
    await using house = await openTestHouse({ now: Date.now(), tryBucket: createBucketTrial(given) });
    expect(await refusals(house, { backup_target: "s3://by-variables" })).toEqual([]);
    await bucket[Symbol.asyncDispose]();
    expect(await refusals(house, { backup_target: "s3://by-variables/other" })).toEqual([
      expect.stringContaining("cannot be reached"),
    ]);
  });
});

describe("calls", () => {
  scenarios([
    { method: "GET", url: "/api/admin/backups", status: 401 },
    { method: "GET", url: "/api/admin/backups", as: "any key", status: 403 },
    { method: "POST", url: "/api/admin/backups", status: 401 },
    { method: "POST", url: "/api/admin/backups", as: "any key", status: 403 },
    { method: "POST", url: "/api/admin/backups", as: "admin", status: 400, has: ["backup.targetMissing"] },
    {
      method: "GET",
      url: "/api/admin/backups",
      as: "admin",
      status: 200,
      has: ['"enabled":false', '"last":null', '"problem":null', '"next_at":null'],
    },
    ...["backups", "../backups", "s3://", "s3://UPPER/x", "ftp://a/b", "/a\nb", `/${"x".repeat(1000)}`].map(
      (backup_target) =>
        ({
          method: "PUT",
          url: "/api/admin/settings/group/4",
          as: "admin",
          body: { backup_target },
          name: backup_target.slice(0, 20),
          status: 202,
          has: ["whole path of a folder"],
        }) as const,
    ),
    ...["/backups", "s3://bucket", "s3://bucket/some/prefix", ""].map(
      (backup_target) =>
        ({
          method: "PUT",
          url: "/api/admin/settings/group/4",
          as: "admin",
          body: { backup_target },
          name: backup_target,
          status: 200,
          has: ['"success":true'],
        }) as const,
    ),
  ]);
});

describe("the timetable", () => {
  test("makes a backup at its hour, once, and tells of it", async () => {
    const { wanted, makeBackup } = maker();
    await using house = await open({ makeBackup });
    await look(house);
    expect(wanted).toEqual([]);
    await set(house, { ...TIMETABLE, backup_keep: "5", backup_objects: "false" });
    await look(house);
    expect(wanted).toEqual([]);
    expect((await statusOf(house)).next_at).toBe("2030-01-03T03:00:00.000Z");
    house.clock.advance(days(1) - minutes(4));
    await look(house);
    expect(wanted).toEqual([{ target: "/backups", keep: 5, withObjects: false, withS3: false }]);
    await look(house);
    expect(wanted.length).toBe(1);
    expect(await statusOf(house)).toMatchObject({
      enabled: true,
      running_since: null,
      next_at: "2030-01-04T03:00:00.000Z",
      last: { by: "timetable", error: null, place: WHOLE.place, size: 4321, rows: 12, files: 3 },
      last_whole: { size: 4321 },
      problem: null,
    });
    house.clock.advance(days(1));
    await look(house);
    expect(wanted.length).toBe(2);
  });

  test("tries one that failed again an hour later, and says so until one is whole", async () => {
    let isFull = true;
    const { wanted, makeBackup } = maker(async () => (isFull ? { error: "The disk is full." } : WHOLE));
    await using house = await open({ makeBackup, metricsToken: "a token for tests only" });
    await set(house, TIMETABLE);
    house.clock.advance(days(1));
    await look(house);
    expect(await statusOf(house)).toMatchObject({
      problem: "failed",
      last: { error: "The disk is full.", place: null },
      last_whole: null,
    });
    const metrics = async () => {
      const headers = { authorization: "Bearer a token for tests only" };
      return await (await house.request("/metrics", { headers })).text();
    };
    expect(await metrics()).toContain("\nsatchel_backup_failed 1\n");
    expect(await metrics()).toContain("\nsatchel_backup_last_success_timestamp_seconds 0\n");
    house.clock.advance(minutes(59));
    await look(house);
    expect(wanted.length).toBe(1);
    isFull = false;
    house.clock.advance(minutes(2));
    await look(house);
    expect(wanted.length).toBe(2);
    expect(await statusOf(house)).toMatchObject({ problem: null, last_whole: { size: 4321 } });
    const text = await metrics();
    expect(text).toContain("\nsatchel_backup_failed 0\n");
    expect(text).toContain("\nsatchel_backup_enabled 1\n");
    expect(text).toContain("\nsatchel_backup_last_size_bytes 4321\n");
    expect(text).toContain(`\nsatchel_backup_last_success_timestamp_seconds ${house.clock.now() / 1000}\n`);
  });

  test("says that none succeeds when none is made", async () => {
    await using house = await open({});
    await set(house, TIMETABLE);
    house.clock.advance(days(2) + hours(2));
    expect((await statusOf(house)).problem).toBe("late");
    await set(house, { backup_enabled: "false" });
    expect(await statusOf(house)).toMatchObject({ enabled: false, problem: null, next_at: null });
  });

  test("counts its interval from its hour on", async () => {
    await using house = await open({});
    await set(house, { ...TIMETABLE, backup_interval: "6" });
    expect((await statusOf(house)).next_at).toBe("2030-01-02T09:00:00.000Z");
    await set(house, { backup_hour: "4" });
    expect((await statusOf(house)).next_at).toBe("2030-01-02T04:00:00.000Z");
  });
});

describe("a backup", () => {
  test("is begun by the administrator, and a second one is refused while it runs", async () => {
    const gate = Promise.withResolvers<void>();
    const { wanted, makeBackup } = maker(async () => {
      await gate.promise;
      return WHOLE;
    });
    await using house = await open({ makeBackup });
    await set(house, { backup_target: "s3://bucket/there" });
    expect(await ask(house, backups.start, {})).toMatchObject({
      status: 200,
      data: { running_since: expect.any(String) },
    });
    expect(await ask(house, backups.start, {})).toMatchObject({ status: 409 });
    gate.resolve();
    await house.house.system.backups.ended();
    expect(wanted).toEqual([{ target: "s3://bucket/there", keep: 14, withObjects: true, withS3: false }]);
    expect(await statusOf(house)).toMatchObject({ running_since: null, last: { by: "admin", error: null } });
  });

  test("that cannot be begun has failed, and says nothing of the inside", async () => {
    const { makeBackup } = maker(() => Promise.reject(new Error("spawn EMFILE /secret/place")));
    await using house = await open({ makeBackup });
    await set(house, { backup_target: "/backups" });
    await ask(house, backups.start, {});
    await house.house.system.backups.ended();
    const { last } = await statusOf(house);
    expect(last?.error).toBe("The backup could not be started. The log of the server says why.");
    expect(house.log()).toContain("backup not begun");
  });

  test("that a stop breaks off counts for nothing, and the next start makes it", async () => {
    const { makeBackup } = maker(
      (_, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve({ error: "was stopped" }))),
    );
    await using house = await open({ makeBackup });
    await set(house, TIMETABLE);
    house.clock.advance(days(1));
    await house.house.system.backups.look();
    expect((await statusOf(house)).running_since).not.toBeNull();
    await house.house.system.backups.stop();
    expect(await statusOf(house)).toMatchObject({
      running_since: null,
      last: null,
      next_at: "2030-01-03T03:00:00.000Z",
    });
  });

  test("whose server was killed has failed, once it gives no more signs of life", async () => {
    const { makeBackup } = maker(() => new Promise(() => undefined));
    // It is not closed: its backup never ends.
    const dead = await open({ makeBackup });
    await set(dead, TIMETABLE);
    dead.clock.advance(days(1));
    await dead.house.system.backups.look();
    const next = maker();
    await using house = await open({ beside: dead, makeBackup: next.makeBackup, now: dead.clock.now() });
    await look(house);
    expect(next.wanted).toEqual([]);
    house.clock.advance(minutes(3));
    expect(await statusOf(house)).toMatchObject({
      running_since: null,
      problem: "failed",
      last: { error: expect.stringContaining("The server ended while the backup ran") },
    });
    house.clock.advance(hours(1));
    await look(house);
    expect(next.wanted.length).toBe(1);
    expect((await statusOf(house)).problem).toBeNull();
  });

  test("is made by one of several servers", async () => {
    const gate = Promise.withResolvers<void>();
    const { wanted, makeBackup } = maker(async () => {
      await gate.promise;
      return WHOLE;
    });
    await using one = await open({ makeBackup, clustered: true });
    await using other = await open({ makeBackup, clustered: true, beside: one });
    await one.house.cluster.start();
    await other.house.cluster.start();
    await set(one, TIMETABLE);
    await other.house.cluster.beat();
    for (const house of [one, other]) house.clock.advance(days(1));
    await Promise.all([one.house.system.backups.look(), other.house.system.backups.look()]);
    expect(wanted.length).toBe(1);
    gate.resolve();
    await Promise.all([one.house.system.backups.ended(), other.house.system.backups.ended()]);
    await Promise.all([look(one), look(other)]);
    expect(wanted.length).toBe(1);
    for (const house of [one, other]) expect((await statusOf(house)).last_whole?.size).toBe(4321);
  });
});
