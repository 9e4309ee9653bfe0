import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ImportKind, ImportKindReport, ImportReport } from "#contract/imports";
import { languageCodes } from "#contract/languages";
import { MAX_LINK_ITEMS } from "#contract/limits";
import type { LinkRecord } from "#contract/links";
import { plainSql } from "../../../../src/database/sql.ts";
import {
  MADE,
  openPingvinDatabase,
  PASSWORD,
  PASSWORD_HASH,
  reverseShare,
  share,
  writePingvin,
} from "../../../support/backups/pingvin.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

const HOUR = 3_600_000;

const run = async (house: TestHouse, folder: string, options = {}): Promise<ImportReport> =>
  (await house.house.imports.run(folder, { privateTexts: "protect", ...options })).read("en");
const plan = async (house: TestHouse, folder: string, options = {}): Promise<ImportReport> =>
  (await house.house.imports.plan(folder, { privateTexts: "protect", ...options })).read("en");

const kindOf = ({ kinds }: ImportReport, kind: ImportKind): ImportKindReport => {
  const found = kinds.find((one) => one.kind === kind);
  if (!found) throw new Error(`The report has no ${kind}.`);
  return found;
};
const countsOf = (report: ImportReport, kind: ImportKind) => {
  const { rows, added, present, left } = kindOf(report, kind);
  return [rows, added, present, left];
};
const reasonsOf = (report: ImportReport, kind: ImportKind) =>
  Object.fromEntries(kindOf(report, kind).reasons.map(({ code, examples }) => [code, examples]));
const notesOf = (report: ImportReport, kind: ImportKind) =>
  Object.fromEntries(kindOf(report, kind).notes.map(({ code, examples }) => [code, examples]));

/** Asks as somebody at a terminal does who was sent a link. */
const curl = (house: TestHouse, path: string, password?: string) =>
  house.request(path, {
    headers: {
      "user-agent": "curl/8.9",
      ...(password !== undefined && { authorization: `Basic ${btoa(`visitor:${password}`)}` }),
    },
  });
const namesAt = async (house: TestHouse, slug: string, password?: string): Promise<string[]> =>
  (await (await curl(house, `/s/${slug}`, password)).text()).split("\n").flatMap((line) => line.split("\t")[0] || []);
const bytesAt = async (house: TestHouse, path: string, password?: string) =>
  Buffer.from(await (await curl(house, path, password)).arrayBuffer());

const linksIn = async (house: TestHouse): Promise<Record<string, LinkRecord>> => {
  const headers = { authorization: `Bearer ${await house.signIn()}` };
  const { data } = (await (await house.request("/api/links?limit=100", { headers })).json()) as {
    data: { links: LinkRecord[] };
  };
  return Object.fromEntries(data.links.map((link) => [link.slug, link]));
};

const hashesIn = async (house: TestHouse) =>
  (await house.db.all<{ password_hash: string | null }>(plainSql("select password_hash from links"))).map(
    ({ password_hash }) => password_hash,
  );

/** Every file below a folder with its size and time: what a write would change. */
const stateOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => {
      const { size, mtimeMs } = statSync(join(parentPath, name), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
      return [join(parentPath, name), size, mtimeMs].join(" ");
    })
    .toSorted();

const large = crypto.getRandomValues(new Uint8Array(65_536));

describe("a data folder of Pingvin Share", () => {
  test("comes with its shares, each a link at the same address with the same bytes, and is not written to", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const expiration = house.house.clock() + HOUR;
    writePingvin(folder.path, {
      shares: [
        share(
          "Album-2024",
          [
            { name: "a.txt", content: "alpha" },
            { name: "b.bin", content: large },
          ],
          { name: "Our album", description: "Two lines,\nand *one* star", expiration, views: 7 },
        ),
        share("one_file", [{ name: "only.txt", content: "" }]),
      ],
    });
    const before = stateOf(folder.path);
    expect(countsOf(await plan(house, folder.path), "files")).toEqual([3, 3, 0, 0]);
    expect(await linksIn(house)).toEqual({});

    const report = await run(house, folder.path);
    expect(report).toMatchObject({ source: "pingvin", dry_run: false, checksum: null });
    expect(countsOf(report, "shares")).toEqual([2, 2, 0, 0]);
    expect(countsOf(report, "files")).toEqual([3, 3, 0, 0]);
    expect(notesOf(report, "shares")).toEqual({ "owner.user": ["Album-2024", "one_file"] });
    expect(report.tables.map(({ table, rows }) => [table, rows])).toEqual([
      ["User", 1],
      ["Config", 1],
    ]);
    expect(stateOf(folder.path)).toEqual(before);

    expect(await namesAt(house, "Album-2024")).toEqual(["a.txt", "b.bin"]);
    expect((await bytesAt(house, "/s/Album-2024/b.bin")).equals(large)).toBeTrue();
    expect(await bytesAt(house, "/s/one_file/only.txt")).toHaveLength(0);
    const { "Album-2024": album, one_file: single } = await linksIn(house);
    expect(album).toMatchObject({
      ...{ title: "Our album", note: "Two lines,\nand *one* star", rights: ["view", "download"], max_opens: 0 },
      ...{
        expires_at: new Date(expiration).toISOString(),
        created_at: new Date(MADE).toISOString(),
        has_password: false,
      },
      ...{ created_by: "admin", state: "active" },
    });
    expect(album?.items.map(({ path }) => path)).toEqual([
      "/drive/Pingvin Share/Album-2024/a.txt",
      "/drive/Pingvin Share/Album-2024/b.bin",
    ]);
    expect(single?.expires_at).toBeNull();
  });

  test("is known by its database as well, and read with what only the log beside it has", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    using copy = temporaryFolder();
    const db = openPingvinDatabase(folder.path);
    db.exec("pragma journal_mode = wal; pragma wal_autocheckpoint = 0");
    db.query(`insert into "Share" ("id", "uploadLocked", "expiration") values ('inTheLog', 1, 0)`).run();
    for (const name of readdirSync(folder.path)) {
      if (name !== "uploads" && !name.endsWith("-shm")) copyFileSync(join(folder.path, name), join(copy.path, name));
    }
    db.close();
    expect(readdirSync(copy.path).toSorted()).toEqual(["pingvin-share.db", "pingvin-share.db-wal"]);
    const before = stateOf(copy.path);
    const report = await plan(house, join(copy.path, "pingvin-share.db"));
    expect(reasonsOf(report, "shares")).toEqual({ "share.empty": ["inTheLog"] });
    expect(stateOf(copy.path)).toEqual(before);
  });

  test("is read without what a transaction had not finished when it was killed", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    using copy = temporaryFolder();
    const db = openPingvinDatabase(folder.path);
    db.query(`insert into "Share" ("id", "uploadLocked", "expiration") values ('finished', 1, 0)`).run();
    db.exec("pragma synchronous = full; pragma cache_size = 1; begin");
    const add = db.query(`insert into "Share" ("id", "uploadLocked", "expiration", "description") values (?, 1, 0, ?)`);
    for (let n = 0; n < 2000; n++) add.run(`halfway${n}`, "x".repeat(400));
    for (const name of ["pingvin-share.db", "pingvin-share.db-journal"])
      copyFileSync(join(folder.path, name), join(copy.path, name));
    db.close();
    expect(statSync(join(copy.path, "pingvin-share.db")).size).toBeGreaterThan(400_000);
    const before = stateOf(copy.path);
    const report = await plan(house, copy.path);
    expect(reasonsOf(report, "shares")).toEqual({ "share.empty": ["finished"] });
    expect(stateOf(copy.path)).toEqual(before);
  });

  test("of the fork comes with its times of text and its folders of readable names", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    writePingvin(folder.path, {
      shares: [
        share("readable", [{ id: "f1", name: "trip/one.txt", content: null, size: "3" }], {
          ...{ createdAt: "2025-03-04T05:06:07.008+00:00", expiration: "1970-01-01T00:00:00.000+00:00" },
        }),
        share("blocked", [{ name: "x.txt", content: "x" }]),
        share("few", [{ name: "x.txt", content: "x" }], {}, { password: null, maxViews: null }),
      ],
      also: [
        `alter table "Share" add column "storagePath" text`,
        `alter table "File" add column "storageName" text`,
        `alter table "Share" add column "blockedAt" datetime`,
        `alter table "ShareSecurity" add column "restrictToRecipients" boolean not null default false`,
        `update "Share" set "storagePath" = 'Incoming/Trip (1)' where id = 'readable'`,
        `update "File" set "storageName" = 'trip/one (1).txt' where id = 'f1'`,
        `update "Share" set "blockedAt" = '2026-01-01T00:00:00.000+00:00' where id = 'blocked'`,
        `update "ShareSecurity" set "restrictToRecipients" = 1`,
      ],
    });
    const own = join(folder.path, "uploads/Incoming/Trip (1)/trip");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "one (1).txt"), "one");
    const report = await run(house, folder.path);
    expect(reasonsOf(report, "shares")).toEqual({ "share.removed": ["blocked"] });
    expect(notesOf(report, "shares")["share.protected"]).toEqual(["few"]);
    expect((await curl(house, "/s/few")).status).toBe(401);
    expect(await namesAt(house, "readable")).toEqual(["trip/"]);
    expect(String(await bytesAt(house, "/s/readable/trip/one.txt"))).toBe("one");
    expect((await linksIn(house)).readable).toMatchObject({
      expires_at: null,
      created_at: new Date(MADE).toISOString(),
    });
  });

  test("is said in each language", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    writePingvin(folder.path, {
      shares: [share("empty", [])],
      reverseShares: [reverseShare("tokenOne", house.house.clock())],
    });
    const report = await house.house.imports.plan(folder.path, { privateTexts: "protect" });
    const said = languageCodes.map((language) => JSON.stringify(report.read(language)));
    expect(new Set(said).size).toBe(languageCodes.length);
  });
});

describe("a share", () => {
  test("keeps its password, of which nobody knows more than the hash, and the openings that are left", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const security = { password: PASSWORD_HASH, maxViews: 5 };
    writePingvin(folder.path, {
      shares: [share("locked", [{ name: "in.txt", content: "inside" }], { views: 3 }, security)],
    });
    await run(house, folder.path);
    expect(await hashesIn(house)).toEqual([`foreign:${PASSWORD_HASH}`]);
    expect((await curl(house, "/s/locked")).status).toBe(401);
    expect((await curl(house, "/s/locked", "kiesel-Otter-78")).status).toBe(401);
    expect(await hashesIn(house)).toEqual([`foreign:${PASSWORD_HASH}`]);
    expect(String(await bytesAt(house, "/s/locked/in.txt", PASSWORD))).toBe("inside");
    // From then on it is one of ours, and opens as before.
    expect((await hashesIn(house))[0]).toStartWith("$argon2id$v=19$m=8192,");
    const open = async (password: string) =>
      await house.request("/api/public/links/locked/open", { method: "POST", body: JSON.stringify({ password }) });
    expect((await open("kiesel-Otter-78")).status).toBe(401);
    expect((await open(PASSWORD)).status).toBe(200);
    expect((await linksIn(house)).locked).toMatchObject({ opens: 5, max_opens: 5, state: "spent" });
    expect((await open(PASSWORD)).status).toBe(410);
  });

  test("with a password that cannot be checked, or that others could not see, is closed or left out", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const now = house.house.clock();
    const closed = reverseShare("tokenTwo", now, { publicAccess: 0 });
    const files = [{ name: "x.txt", content: "x" }];
    writePingvin(folder.path, {
      reverseShares: [closed],
      shares: [
        share("costly", files, {}, { password: PASSWORD_HASH.replace("m=65536", "m=999999") }),
        share("odd", files, {}, { password: "$2b$10$abcdefghijklmnopqrstuv" }),
        share("bytes", files, {}, { password: PASSWORD_HASH }),
        share("sentIn", files, { reverseShareId: closed.id ?? null }),
      ],
      also: [`update "ShareSecurity" set "password" = cast("password" as blob) where "shareId" = 'bytes'`],
    });
    const skipped = await plan(house, folder.path, { privateTexts: "skip" });
    expect(reasonsOf(skipped, "shares")).toEqual({ "share.private": ["bytes", "sentIn"] });
    const report = await run(house, folder.path);
    expect(notesOf(report, "shares")).toMatchObject({
      "password.foreign": ["costly", "odd"],
      "share.protected": ["bytes", "sentIn"],
    });
    for (const slug of ["costly", "odd", "bytes", "sentIn"])
      expect((await curl(house, `/s/${slug}`, PASSWORD)).status).toBe(401);
  });

  test("that is over, unfinished, removed, empty or in a bucket is left out and named", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const files = [{ name: "x.txt", content: "x" }];
    const now = house.house.clock();
    writePingvin(folder.path, {
      shares: [
        share("expired", files, { expiration: now - 1 }),
        share("usedUp", files, { views: 2 }, { password: null, maxViews: 2 }),
        share("halfway", files, { uploadLocked: 0 }),
        share("infected", files, { removedReason: "A file was malicious." }),
        share("inBucket", files, { storageProvider: "S3" }),
        share("hollow", []),
        share("fine", files, {}, { password: null, maxViews: 0 }),
      ],
    });
    const report = await run(house, folder.path);
    expect(countsOf(report, "shares")).toEqual([7, 1, 0, 6]);
    expect(reasonsOf(report, "shares")).toEqual({
      "share.gone": ["expired", "usedUp"],
      "share.unfinished": ["halfway"],
      "share.removed": ["infected"],
      "share.bucket": ["inBucket"],
      "share.empty": ["hollow"],
    });
    expect(countsOf(report, "files")).toEqual([6, 1, 0, 5]);
    expect(Object.keys(await linksIn(house))).toEqual(["fine"]);
  });

  test("whose address cannot be one here gets another, and an id that looks like one of ours loses its hyphens", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const id = crypto.randomUUID();
    const files = [{ name: "x.txt", content: "x" }];
    writePingvin(folder.path, { shares: [share("admin", files), share(id, files)] });
    const report = await run(house, folder.path);
    const [said = ""] = notesOf(report, "shares")["slug.replaced"] ?? [];
    expect(said).toMatch(/^admin -> \w{6}$/);
    expect(Object.keys(await linksIn(house)).toSorted()).toEqual(
      [said.slice("admin -> ".length), id.replaceAll("-", "")].toSorted(),
    );
    expect(countsOf(await run(house, folder.path), "shares")).toEqual([2, 0, 2, 0]);
  });

  test("of more files than a link has items leads to their folder", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const files = Array.from({ length: MAX_LINK_ITEMS + 1 }, (_, n) => ({ name: `${n}.txt`, content: `${n}` }));
    writePingvin(folder.path, { shares: [share("many", files)] });
    const report = await run(house, folder.path);
    expect(notesOf(report, "shares")["share.folder"]).toEqual(["many"]);
    expect(await namesAt(house, "many")).toEqual(["many/"]);
    expect(String(await bytesAt(house, "/s/many/many/1000.txt"))).toBe("1000");
  });
});

describe("files", () => {
  test("that are missing, of another size, links or not below their share are left out; the rest of the share comes", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    writePingvin(folder.path, {
      shares: [
        share("mixed", [
          { name: "good.txt", content: "good" },
          { name: "gone.txt", content: null, size: "4" },
          { name: "short.txt", content: "sho", size: "5" },
          { id: "link", name: "link.txt", content: null, size: "6" },
          { id: "..", name: "above.txt", content: null },
          { id: "../../../pingvin-share.db", name: "database.txt", content: null },
        ]),
        share("..", []),
        share("../../etc", []),
        share("elsewhere", []),
      ],
      also: [`insert into "File" ("id", "name", "size", "shareId") values ('f2', 'e.txt', '6', 'elsewhere')`],
    });
    const shares = join(folder.path, "uploads/shares");
    writeFileSync(join(folder.path, "secret"), "secret");
    symlinkSync(join(folder.path, "secret"), join(shares, "mixed/link"));
    mkdirSync(join(folder.path, "other"));
    writeFileSync(join(folder.path, "other/f2"), "secret");
    symlinkSync(join(folder.path, "other"), join(shares, "elsewhere"));
    const report = await run(house, folder.path);
    expect(reasonsOf(report, "files")).toEqual({
      "file.missing": ["gone.txt"],
      "file.size": ["short.txt"],
      "file.link": ["link.txt", "e.txt"],
      "row.unreadable": ["row 5: id", "row 6: id"],
    });
    expect(reasonsOf(report, "shares")).toEqual({
      "row.unreadable": ["row 2: id", "row 3: id"],
      "share.empty": ["elsewhere"],
    });
    expect(notesOf(report, "shares")["share.incomplete"]).toEqual(["mixed"]);
    expect(await namesAt(house, "mixed")).toEqual(["good.txt"]);
  });

  test("may lie on another disk to which a link leads, all together", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    using disk = temporaryFolder();
    writePingvin(folder.path, { shares: [share("onDisk", [{ name: "x.txt", content: "far away" }])] });
    renameSync(join(folder.path, "uploads"), join(disk.path, "uploads"));
    symlinkSync(join(disk.path, "uploads"), join(folder.path, "uploads"));
    await run(house, folder.path);
    expect(String(await bytesAt(house, "/s/onDisk/x.txt"))).toBe("far away");
  });

  test("whose names cannot be used or are there twice get others", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    writePingvin(folder.path, {
      shares: [
        share("names", [
          { name: "same.txt", content: "one" },
          { name: "same.txt", content: "one" },
          { name: "SAME.txt", content: "two" },
          { name: "back\\slash\u0007.txt", content: "three" },
          { name: "../up.txt", content: "four" },
          { name: `${"ü".repeat(300)}.txt`, content: "five" },
          { name: "..", content: "six" },
          { name: "", content: "seven" },
          { name: ".satchel-staging-trash", content: "eight" },
        ]),
      ],
    });
    const report = await run(house, folder.path);
    expect(countsOf(report, "files")).toEqual([9, 9, 0, 0]);
    expect(kindOf(report, "files").notes.map(({ code, rows }) => [code, rows])).toEqual([["file.renamed", 8]]);
    const names = await namesAt(house, "names");
    expect(names).toHaveLength(9);
    expect(names).toContain("same (2).txt");
    expect(names).toContain("back_slash_.txt");
    expect(names.every((name) => !name.includes(".."))).toBeTrue();
  });

  test("that say folders come in folders, unless something is in the way or a path would be too long", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const long = Array.from({ length: 9 }, () => "x".repeat(250)).join("/");
    writePingvin(folder.path, {
      shares: [
        share("tree", [
          { name: "a/b/c.txt", content: "deep" },
          { name: "a", content: "beside" },
          { name: "plain", content: "plain" },
          { name: "plain/below.txt", content: "below" },
          { name: `${long}/end.txt`, content: "long" },
          { name: `${"d/".repeat(300)}end.txt`, content: "deeper" },
        ]),
      ],
    });
    const report = await run(house, folder.path);
    expect(reasonsOf(report, "files")).toEqual({ "file.name": ["plain/below.txt"] });
    expect(await namesAt(house, "tree")).toEqual(["a (2)", "a/", "end (2).txt", "end.txt", "plain"]);
    expect(String(await bytesAt(house, "/s/tree/a/b/c.txt"))).toBe("deep");
    expect(String(await bytesAt(house, "/s/tree/end%20(2).txt"))).toBe("deeper");
  });

  test("in a bucket stay there, where a mount shows it", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const view = await house.house.vfs.as({ kind: "admin", sessionId: null }, "mount");
    const put = (path: string, content: string) =>
      view.at(`/drive/bucket/${path}`).put({ body: new Response(content), length: content.length });
    await put("stored/one.txt", "first");
    await put("stored/sub/two.txt", "second");
    await put("stored/short.txt", "sho");
    await put("neighbour/secret.txt", "secret");
    const size = (name: string, size: number) => ({ name, content: null, size: String(size) });
    const files = [size("one.txt", 5), size("sub/two.txt", 6), size("short.txt", 5), size("gone.txt", 1)];
    writePingvin(folder.path, {
      shares: [
        share(
          "stored",
          [...files, size("../neighbour/secret.txt", 6)],
          { storageProvider: "S3" },
          { password: PASSWORD_HASH },
        ),
        share("local", [{ name: "x.txt", content: "x" }]),
      ],
    });
    const nowhere = await run(house, folder.path, { bucket: "/drive/nowhere" }).catch((error: unknown) => error);
    expect(nowhere).toMatchObject({ code: "path.missing" });
    const report = await run(house, folder.path, { bucket: "/drive/bucket" });
    expect(countsOf(report, "shares")).toEqual([2, 2, 0, 0]);
    expect(reasonsOf(report, "files")).toEqual({
      "file.size": ["short.txt"],
      "file.missing": ["gone.txt", "../neighbour/secret.txt"],
    });
    expect(await namesAt(house, "stored", PASSWORD)).toEqual(["one.txt", "sub/"]);
    expect(String(await bytesAt(house, "/s/stored/sub/two.txt", PASSWORD))).toBe("second");
    expect((await linksIn(house)).stored?.items.map(({ path }) => path)).toEqual([
      "/drive/bucket/stored/one.txt",
      "/drive/bucket/stored/sub/",
    ]);
    expect(await view.at("/drive/Pingvin Share/stored").find("read")).toBeUndefined();
  });

  test("larger than the largest upload are left out", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const most = house.house.transfers.largest();
    writePingvin(folder.path, {
      shares: [share("huge", [{ id: "huge", name: "huge.bin", content: "", size: String(most + 1) }])],
    });
    truncateSync(join(folder.path, "uploads/shares/huge/huge"), most + 1);
    expect(reasonsOf(await run(house, folder.path), "files")).toEqual({ "file.tooLarge": ["huge.bin"] });
  });

  test("that cannot be read to their end are left out, and the others come", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const whole = crypto.getRandomValues(new Uint8Array(65_536));
    const long = Buffer.concat(Array.from({ length: 32 }, () => whole));
    writePingvin(folder.path, {
      shares: [
        share("cut", [
          { id: "cut", name: "cut.bin", content: long },
          { name: "whole.bin", content: whole },
        ]),
      ],
    });
    const copied = (): void => truncateSync(join(folder.path, "uploads/shares/cut/cut"), 1000);
    const report = await run(house, folder.path, { copied });
    expect(reasonsOf(report, "files")).toEqual({ "file.unreadable": ["cut.bin"] });
    expect(notesOf(report, "shares")["share.incomplete"]).toEqual(["cut"]);
    expect(await namesAt(house, "cut")).toEqual(["whole.bin"]);
    expect((await bytesAt(house, "/s/cut/whole.bin")).equals(whole)).toBeTrue();
    const view = await house.house.vfs.as({ kind: "admin", sessionId: null }, "mount");
    expect(await view.at("/drive/Pingvin Share/cut/cut.bin").find("read")).toBeUndefined();
  });

  test("of which the system cannot even look for one are left out, and the others come", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const files = (id: string) => [{ id, name: `${id}.txt`, content: id }];
    writePingvin(folder.path, {
      shares: [
        share("longName", files("long")),
        share("deep", files("deep")),
        share("circle", files("circle")),
        share("fine", files("fine")),
      ],
      also: [
        `alter table "File" add column "storageName" text`,
        `alter table "Share" add column "storagePath" text`,
        `update "File" set "storageName" = '${"ü".repeat(200)}' where "id" = 'long'`,
        `update "Share" set "storagePath" = '${"a/".repeat(3000)}' where "id" = 'deep'`,
      ],
    });
    const circle = join(folder.path, "uploads/shares/circle");
    rmSync(circle, { recursive: true });
    symlinkSync("circle", circle);
    const report = await run(house, folder.path);
    expect(reasonsOf(report, "files")).toEqual({ "file.key": ["long.txt", "deep.txt"], "file.link": ["circle.txt"] });
    expect(Object.keys(await linksIn(house))).toEqual(["fine"]);
  });

  test("that the user may not read are said to be so", async () => {
    if (process.getuid?.() === 0) return;
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    writePingvin(folder.path, { shares: [share("denied", [{ id: "d", name: "d.txt", content: "d" }])] });
    chmodSync(join(folder.path, "uploads/shares/denied"), 0);
    const report = await run(house, folder.path);
    chmodSync(join(folder.path, "uploads/shares/denied"), 0o700);
    expect(reasonsOf(report, "files")).toEqual({ "file.denied": ["d.txt"] });
  });
});

describe("a reverse share", () => {
  test("becomes a link that collects files, with what is left of its uses", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const now = house.house.clock();
    const token = crypto.randomUUID();
    writePingvin(folder.path, {
      reverseShares: [
        reverseShare(token, now, { sendEmailNotification: 1 }),
        reverseShare("spentToken", now, { remainingUses: 0 }),
        reverseShare("oldToken", now, { shareExpiration: now }),
        reverseShare("nothingToken", now, { maxShareSize: "0" }),
      ],
    });
    const report = await run(house, folder.path);
    expect(countsOf(report, "reverse_shares")).toEqual([4, 1, 0, 3]);
    expect(Object.keys(notesOf(report, "reverse_shares"))).toEqual(["reverse.uses", "owner.user", "reverse.mail"]);
    const slug = token.replaceAll("-", "");
    expect((await linksIn(house))[slug]).toMatchObject({
      ...{ rights: ["upload"], max_opens: 2, max_bytes: 2000, max_file_bytes: 1000, sender_folders: true },
      ...{ expires_at: new Date(now + 24 * HOUR).toISOString(), url: `/in/${slug}` },
    });
    const send = (body: string) =>
      house.request(`/in/${slug}/report.txt`, { method: "PUT", body, headers: { "user-agent": "curl/8.9" } });
    expect((await send("what was asked for")).status).toBe(201);
    expect((await send("x".repeat(1001))).status).toBe(413);
    expect(countsOf(await run(house, folder.path), "reverse_shares")).toEqual([4, 0, 1, 3]);
  });
});

describe("an import that does not come to its end", () => {
  test("is completed by the next one, which copies nothing twice", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    writePingvin(folder.path, {
      shares: ["first", "second", "third"].map((id) =>
        share(id, [
          { name: "a.bin", content: large },
          { name: "b.txt", content: id },
        ]),
      ),
    });
    let files = 0;
    const copied = (bytes: number): void => {
      if (bytes > 0 && ++files === 3) throw new Error("the power is gone");
    };
    const failure = await house.house.imports
      .run(folder.path, { privateTexts: "protect", copied })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(Object.keys(await linksIn(house))).toEqual(["first"]);
    const here = join(house.objects, readdirSync(house.objects).find((name) => !name.startsWith(".")) ?? "");
    const found = join(here, "Pingvin Share/second/a.bin");
    expect(existsSync(found)).toBeFalse();

    // One more file of the second came, and its link did not.
    mkdirSync(join(here, "Pingvin Share/second"), { recursive: true });
    writeFileSync(found, large);
    const report = await run(house, folder.path);
    expect(countsOf(report, "shares")).toEqual([3, 2, 1, 0]);
    expect(countsOf(report, "files")).toEqual([6, 3, 3, 0]);
    for (const id of ["first", "second", "third"]) {
      expect(await namesAt(house, id)).toEqual(["a.bin", "b.txt"]);
      expect(readFileSync(join(here, `Pingvin Share/${id}/a.bin`)).equals(large)).toBeTrue();
    }
    expect(countsOf(await run(house, folder.path), "files")).toEqual([6, 0, 6, 0]);
  });

  test("and two at once leave each file once and each share whole", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const files = Array.from({ length: 3 }, (_, n) => ({ name: `${n}.bin`, content: large }));
    writePingvin(folder.path, { shares: [share("both", files)] });
    const view = await house.house.vfs.as({ kind: "admin", sessionId: null }, "mount");
    await view.at("/drive/beside.txt").put({ body: new Response("x"), length: 1 });
    const here = join(house.objects, readdirSync(house.objects).find((name) => !name.startsWith(".")) ?? "");
    const both = join(here, "Pingvin Share/both");
    // What another import does while this one copies the same file.
    const copied = (): void => {
      if (existsSync(join(both, "0.bin"))) return;
      mkdirSync(both, { recursive: true });
      writeFileSync(join(both, "0.bin"), large);
    };
    const report = await run(house, folder.path, { copied });
    expect(countsOf(report, "files")).toEqual([3, 2, 1, 0]);
    expect(await namesAt(house, "both")).toEqual(["0.bin", "1.bin", "2.bin"]);
  });

  test("writes over nothing that is there, and makes what was changed here as it was", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    writePingvin(folder.path, { shares: [share("mine", [{ name: "a.txt", content: "theirs" }])] });
    const view = await house.house.vfs.as({ kind: "admin", sessionId: null }, "mount");
    await view.at("/drive/Pingvin Share/mine/a.txt").put({ body: new Response("mine!!"), length: 6 });
    await run(house, folder.path);
    expect(await namesAt(house, "mine")).toEqual(["a (2).txt"]);
    expect(String(await bytesAt(house, "/s/mine/a%20(2).txt"))).toBe("theirs");
  });
});

describe("what is no data folder of Pingvin Share is refused with a sentence", () => {
  const refusal = async (house: TestHouse, path: string) =>
    String(await plan(house, path).catch((error: unknown) => error));

  test("a folder without a database, one of something else, and a damaged one", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const file = join(folder.path, "pingvin-share.db");
    expect(await refusal(house, folder.path)).toBe(
      `Error: There is no pingvin-share.db in ${folder.path}. Name the data folder of Pingvin Share, or its database.`,
    );
    writeFileSync(file, "no database at all, whatever it is called");
    expect(await refusal(house, folder.path)).toContain(`The file ${file} is no whole SQLite database`);
    writeFileSync(file, "");
    expect(await refusal(house, folder.path)).toContain("has no tables of Pingvin Share.");
    writeFileSync(file, "SQLite format 3\0");
    expect(await refusal(house, folder.path)).toContain(file);

    using other = temporaryFolder();
    const db = new Database(join(other.path, "pingvin-share.db"), { create: true });
    db.exec('create table something (id text); create view "Share" as select 1');
    db.close();
    expect(await refusal(house, other.path)).toContain("has no tables of Pingvin Share.");

    using whole = temporaryFolder();
    writePingvin(whole.path, { shares: Array.from({ length: 500 }, (_, n) => share(`share${n}`, [])) });
    const damaged = readFileSync(join(whole.path, "pingvin-share.db"));
    damaged.fill(0x5a, 8192, damaged.length - 4096);
    writeFileSync(join(whole.path, "pingvin-share.db"), damaged);
    expect(await refusal(house, whole.path)).toMatch(/is damaged|cannot be read|no whole SQLite database/);
    truncateSync(join(whole.path, "pingvin-share.db"), 5000);
    expect(await refusal(house, whole.path)).toMatch(/is damaged|cannot be read|no whole SQLite database/);
    expect(readdirSync(join(house.objects, ".incoming"))).toEqual([]);
  });

  test("a journal that names another file, which SQLite would delete", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    writePingvin(folder.path, { shares: [share("one", [{ name: "x.txt", content: "x" }])] });
    const journal = join(folder.path, "pingvin-share.db-journal");
    writeFileSync(journal, Buffer.concat([Buffer.alloc(512), Buffer.from("d9d505f920a163d7", "hex")]));
    expect(await refusal(house, folder.path)).toContain("is one of several databases");
    expect(readdirSync(join(house.objects, ".incoming"))).toEqual([]);
  });

  test("views are not read in place of tables, and nothing of a database with virtual ones", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const rows =
      "with recursive n(id) as (select 1 union all select id + 1 from n limit 1000) select id as rowid, id from n";
    writePingvin(folder.path, {
      shares: [share("good", [{ name: "x.txt", content: "x" }])],
      also: [
        'drop table "ReverseShare"',
        `create view "many" as ${rows}`,
        `create view "ReverseShare" as select rowid as _rowid_, * from "many"`,
      ],
    });
    const report = await run(house, folder.path);
    expect(countsOf(report, "reverse_shares")).toEqual([0, 0, 0, 0]);
    expect(Object.keys(await linksIn(house))).toEqual(["good"]);

    const db = new Database(join(folder.path, "pingvin-share.db"));
    db.exec(`create virtual table "Log" using fts5(id, content = 'many', content_rowid = 'rowid')`);
    db.close();
    expect(await refusal(house, folder.path)).toContain("has virtual tables, which are not read.");
    expect(readdirSync(join(house.objects, ".incoming"))).toEqual([]);
  });

  test("rows that are hostile are counted and named, and stop nothing", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    writePingvin(folder.path, {
      shares: [share("good", [{ name: "x.txt", content: "x" }])],
      also: [
        `insert into "Share" ("id", "uploadLocked", "expiration") values (x'00ff', 1, 0)`,
        `insert into "Share" ("id", "uploadLocked", "expiration") values ('badTime', 1, 'soon')`,
        `insert into "Share" ("id", "uploadLocked", "expiration") values ('badViews', 1, 0)`,
        `update "Share" set "views" = -5 where "id" = 'badViews'`,
        `insert into "Share" ("id", "uploadLocked", "expiration", "description") values ('long', 1, 0, printf('%.*c', 9000000, 'x'))`,
      ],
    });
    const report = await run(house, folder.path);
    expect(reasonsOf(report, "shares")).toEqual({
      "row.unreadable": ["row 2: id", "row 3: expiration", "row 4: views", "row 5: description"],
    });
    expect(Object.keys(await linksIn(house))).toEqual(["good"]);
  });
});
