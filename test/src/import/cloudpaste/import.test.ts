import { describe, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ImportKind, ImportKindReport, ImportReport } from "#contract/imports";
import { MAX_IMPORT_RECORDS } from "#contract/limits";
import { bitsOf, type Permission } from "#contract/permissions";
import { FOLDER } from "#contract/providers";
import { plainSql } from "../../../../src/database/sql.ts";
import * as cloudpaste from "../../../support/backups/cloudpaste.ts";
import { makeKey } from "../../../support/make-key.ts";
import { shareText } from "../../../support/share-text.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

const { backupOf, filePassword, hashOf, key, mount, paste, pastePassword, s3Config, setting, storage } = cloudpaste;

/** Imports a backup and reports what was done. */
async function importInto(house: TestHouse, backup: unknown, options = {}): Promise<ImportReport> {
  using folder = temporaryFolder();
  const path = await cloudpaste.writeBackup(folder.path, backup);
  return (await house.house.imports.run(path, { privateTexts: "protect", ...options })).read("en");
}

async function planFor(house: TestHouse, backup: unknown, options = {}): Promise<ImportReport> {
  using folder = temporaryFolder();
  const path = await cloudpaste.writeBackup(folder.path, backup);
  return (await house.house.imports.plan(path, { privateTexts: "protect", ...options })).read("en");
}

const kindOf = ({ kinds }: ImportReport, kind: ImportKind): ImportKindReport => {
  const found = kinds.find((one) => one.kind === kind);
  if (!found) throw new Error(`The report has no ${kind}.`);
  return found;
};
const countsOf = (report: ImportReport, kind: ImportKind) => {
  const { rows, added, present, left } = kindOf(report, kind);
  return { rows, added, present, left };
};
const codesOf = (lines: ImportKindReport["notes"]) => Object.fromEntries(lines.map(({ code, rows }) => [code, rows]));

const read = (house: TestHouse, slug: string, password?: string) =>
  house.request(`/api/raw/${slug}${password === undefined ? "" : `?password=${encodeURIComponent(password)}`}`);

/** Everything that a table has, as objects that compare alike on every database. */
const rowsOf = async (house: TestHouse, table: "pastes" | "files" | "api_keys" | "storage_configs" | "mounts") => {
  const rows = await house.db.all<Record<string, string | number | null>>(
    plainSql(`select * from ${table} order by created_at, id`),
  );
  return rows.map((row) => ({ ...row }));
};

/** One of everything, of the newer generation. */
function oneOfEach() {
  const bucket = storage();
  const program = key({ key: "a-program-key" });
  const open = paste({ slug: "open", content: "# an open text", created_by: `apikey:${program.id}`, views: 7 });
  const locked = paste({ slug: "locked", password: hashOf("a long phrase") });
  const shared = cloudpaste.file({ slug: "notes", storage_config_id: bucket.id, max_views: 9, views: 2 });
  const guarded = cloudpaste.file({
    slug: "guarded",
    storage_config_id: bucket.id,
    password: hashOf("another phrase"),
  });
  return {
    pastes: [open, locked],
    paste_passwords: [pastePassword(locked, "a long phrase")],
    files: [shared, guarded],
    file_passwords: [filePassword(guarded, "another phrase")],
    storage_configs: [bucket],
    principal_storage_acl: [],
    storage_mounts: [mount({ storage_config_id: bucket.id })],
    api_keys: [program],
    admins: [{ id: "a", username: "root", password: "x" }],
    admin_tokens: [],
    system_settings: [setting("max_upload_size", "250"), setting("schema_version", "34")],
    fs_meta: [{ id: 1, path: "/" }],
    vfs_nodes: [],
    tasks: [],
    scheduled_jobs: [{ task_id: "t" }],
    scheduled_job_runs: [],
    upload_sessions: [],
  };
}

describe("a backup of schema 34", () => {
  test("comes with texts, files, passwords, storages, mounts, keys and settings", async () => {
    await using house = await openTestHouse();
    const report = await importInto(house, backupOf(oneOfEach()));
    expect(report).toMatchObject({
      dry_run: false,
      checksum: "right",
      schema: "34",
      made_at: "2026-05-04T03:02:01.000Z",
    });
    for (const kind of ["storages", "keys", "mounts"] as const)
      expect(countsOf(report, kind)).toEqual({ rows: 1, added: 1, present: 0, left: 0 });
    for (const kind of ["texts", "files"] as const)
      expect(countsOf(report, kind)).toEqual({ rows: 2, added: 2, present: 0, left: 0 });
    expect(countsOf(report, "settings")).toEqual({ rows: 2, added: 1, present: 0, left: 1 });
    expect(report.tables.map(({ table, rows }) => [table, rows])).toEqual([
      ["admins", 1],
      ["fs_meta", 1],
      ["scheduled_jobs", 1],
    ]);

    expect(await (await read(house, "open")).text()).toBe("# an open text");
    expect((await read(house, "locked")).status).toBe(401);
    expect(await (await read(house, "locked", "a long phrase")).text()).toBe("# hello");
    const answer = await house.request("/api/paste", {
      method: "POST",
      headers: { "x-api-key": "a-program-key", "content-type": "application/json" },
      body: JSON.stringify({ content: "made with the old key" }),
    });
    expect(answer.status).toBe(201);
    expect(house.house.settings.get("max_upload_size")).toBe(250);
    expect((await house.house.vfs.mounts.list()).map(({ path }) => path)).toContain("/pictures");
  });

  test("keeps ids, owners, times, views and limits", async () => {
    await using house = await openTestHouse();
    const data = oneOfEach();
    await importInto(house, backupOf(data));
    const text = (await rowsOf(house, "pastes")).find(({ slug }) => slug === "open");
    expect(text).toMatchObject({
      id: String(data.pastes[0]?.id),
      created_by: `apikey:${data.api_keys[0]?.id}`,
      views: 7,
      created_at: Date.parse("2025-01-02T03:04:05Z"),
      updated_at: Date.parse("2025-02-03T04:05:06Z"),
      quota: `apikey:${data.api_keys[0]?.id}`,
    });
    const file = (await rowsOf(house, "files")).find(({ slug }) => slug === "notes");
    expect(file).toMatchObject({
      storage: String(data.storage_configs[0]?.id),
      key: "shared/notes.txt",
      upload: null,
      size: 5,
      max_views: 9,
      views: 2,
      use_proxy: 1,
      etag: "5d41402abc4b2a76b9719d911017c592",
    });
  });

  test("has its secrets sealed, and none of them in the report, the log or a column", async () => {
    await using house = await openTestHouse();
    const data = oneOfEach();
    const report = await importInto(house, backupOf(data));
    const { configs } = house.house.stores;
    const row = await configs.get(String(data.storage_configs[0]?.id));
    expect([row.access_key_id, configs.secretOf(row)]).toEqual(["an-access-id", "an-access-text"]);
    const seen = JSON.stringify([
      report,
      house.log(),
      await rowsOf(house, "storage_configs"),
      await rowsOf(house, "api_keys"),
      await rowsOf(house, "pastes"),
      await rowsOf(house, "files"),
    ]);
    for (const secret of ["an-access-text", "a-program-key", "a long phrase", "another phrase"])
      expect(seen).not.toContain(secret);
  });

  test("imported again, or after somebody has changed what it brought, doubles and overwrites nothing", async () => {
    await using house = await openTestHouse();
    const backup = backupOf(oneOfEach());
    await importInto(house, backup);
    await house.house.shares.pastes.update({ kind: "admin", sessionId: "" }, "open", {
      newSlug: "renamed",
      content: "changed",
    } as never);
    const before = await Promise.all(
      (["pastes", "files", "api_keys", "storage_configs", "mounts"] as const).map((table) => rowsOf(house, table)),
    );
    const report = await importInto(house, backup);
    for (const { kind, added, present, rows, left } of report.kinds)
      expect({ kind, added, present }).toEqual({ kind, added: 0, present: rows - left });
    const after = await Promise.all(
      (["pastes", "files", "api_keys", "storage_configs", "mounts"] as const).map((table) => rowsOf(house, table)),
    );
    expect(after).toEqual(before);
    expect(await (await read(house, "renamed")).text()).toBe("changed");
    expect((await read(house, "open")).status).toBe(404);
  });

  test("is only looked at by a dry run, which says what the import then does", async () => {
    await using house = await openTestHouse();
    const data = { ...oneOfEach(), pastes: [...oneOfEach().pastes, paste({ slug: "admin" }), { no: "row" }] };
    const before = await rowsOf(house, "storage_configs");
    const plan = await planFor(house, backupOf(data));
    expect([await rowsOf(house, "pastes"), await rowsOf(house, "files"), await rowsOf(house, "api_keys")]).toEqual([
      [],
      [],
      [],
    ]);
    expect(await rowsOf(house, "storage_configs")).toEqual(before);
    expect(house.house.settings.get("max_upload_size")).toBe(10_240);
    const done = await importInto(house, backupOf(data));
    expect(plan.dry_run).toBeTrue();
    const comparable = ({ kinds, tables }: ImportReport) => ({
      tables,
      kinds: kinds.map(({ notes, ...kind }) => ({ ...kind, notes: codesOf(notes) })),
    });
    expect(comparable(plan)).toEqual(comparable(done));
  });
});

test("a backup of version 0.7, with s3_configs, comes too, with and without metadata", async () => {
  await using house = await openTestHouse();
  const bucket = s3Config();
  const { is_public: _, title: __, ...text } = paste({ slug: "older" }) as Record<string, unknown>;
  const { is_enable: ___, ...program } = key({ permissions: 1 | 2, is_guest: 1, key: "an-older-key" }) as Record<
    string,
    unknown
  >;
  const data = {
    pastes: [text],
    files: [cloudpaste.file({ slug: "old-file", storage_config_id: bucket.id })],
    s3_configs: [bucket],
    storage_mounts: [mount({ storage_config_id: bucket.id })],
    api_keys: [program],
    system_settings: [],
  };
  const report = await importInto(house, backupOf(data, null));
  expect(report).toMatchObject({ schema: null, checksum: "right" });
  for (const kind of ["storages", "keys", "mounts", "texts", "files"] as const)
    expect(countsOf(report, kind)).toEqual({ rows: 1, added: 1, present: 0, left: 0 });
  // A key of then could do with its bits what ours can.
  expect(codesOf(kindOf(report, "keys").notes)).toEqual({ "key.visitors": 1 });
  expect(await rowsOf(house, "api_keys")).toMatchObject([{ permissions: bitsOf(["text", "file_share"]), is_guest: 0 }]);
  const { data: tables } = backupOf(data);
  for (const nothing of [{ metadata: null, data: tables }, { data: tables }])
    expect(await importInto(house, nothing)).toMatchObject({ checksum: "missing", schema: null, made_at: null });
});

describe("a file that is no whole backup", () => {
  const whole = JSON.stringify(backupOf(oneOfEach()));
  const tampered = whole.replace("# an open text", "# another text");

  test("is refused where its checksum is wrong, unless that is to be ignored", async () => {
    await using house = await openTestHouse();
    const refused = expect(importInto(house, tampered)).rejects;
    await refused.toMatchObject({ code: "import.checksum" });
    expect(await rowsOf(house, "pastes")).toEqual([]);
    expect(await importInto(house, tampered, { ignoreChecksum: true })).toMatchObject({ checksum: "ignored" });
  });

  test("is told from one that was only formatted", async () => {
    await using house = await openTestHouse();
    using folder = temporaryFolder();
    const path = await cloudpaste.writeBackup(folder.path, backupOf(oneOfEach()), 2);
    expect((await house.house.imports.plan(path, { privateTexts: "skip" })).read("zh")).toMatchObject({
      checksum: "right",
    });
  });

  test.each([
    ["nothing", ""],
    ["an array", "[]"],
    ["no data", '{"metadata":{}}'],
    ["data that is no object", '{"data":[]}'],
    ["a table that is no array", '{"data":{"pastes":{}}}'],
    ["a table twice", '{"data":{"pastes":[],"pastes":[]}}'],
    ["metadata that is none", '{"metadata":[],"data":{}}'],
    ["more behind it", `${whole} {}`],
    ["half of it", whole.slice(0, whole.length / 2)],
    ["no text", "\0\u0001PNG"],
    [
      "a thousand tables",
      JSON.stringify({ data: Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`t${n}`, []])) }),
    ],
  ])("is refused: %s", async (_, text) => {
    await using house = await openTestHouse();
    await expect(importInto(house, text, { ignoreChecksum: true })).rejects.toMatchObject({ code: "import.malformed" });
  });

  test.each([
    ["nests", `{"data":{"pastes":[${"[".repeat(100)}${"]".repeat(100)}]}}`],
    ["has too many values", `{"data":{"pastes":[[${"1,".repeat(200_000)}1]]}}`],
    ["is too long", `{"data":{"pastes":["${"x".repeat(70 * 1024 * 1024)}"]}}`],
    ["says too much of itself", `{"metadata":{"a":"${"x".repeat(2 * 1024 * 1024)}"},"data":{}}`],
  ])("is refused where a row %s", async (_, text) => {
    await using house = await openTestHouse();
    await expect(importInto(house, text)).rejects.toMatchObject({ code: "import.bounds" });
  });
});

describe("rows that are hostile or broken", () => {
  const nonsense = [
    null,
    5,
    "text",
    [],
    {},
    { id: "" },
    { id: 5, slug: "a" },
    { id: "x".repeat(1000) },
    { __proto__: { id: "a" } },
  ];

  test("are counted and named, and stop nothing", async () => {
    await using house = await openTestHouse();
    const data = { ...oneOfEach() };
    const report = await importInto(
      house,
      backupOf({
        ...data,
        pastes: [...nonsense, ...data.pastes],
        files: [...nonsense, ...data.files],
        api_keys: [...nonsense, ...data.api_keys],
        storage_configs: [...nonsense, ...data.storage_configs, storage({ config_json: "{" } as never)],
        storage_mounts: [...nonsense, ...data.storage_mounts],
        system_settings: [...nonsense, ...data.system_settings],
        paste_passwords: [...nonsense, ...data.paste_passwords],
        file_passwords: [...nonsense, ...data.file_passwords],
        principal_storage_acl: nonsense,
        "a table; drop table pastes": nonsense,
      }),
    );
    for (const { kind, reasons } of report.kinds)
      expect([kind, codesOf(reasons)["row.unreadable"]]).toEqual([kind, nonsense.length + Number(kind === "storages")]);
    expect(kindOf(report, "texts").reasons[0]).toMatchObject({
      text: "not readable as rows of their table",
      examples: expect.arrayContaining(["row 6: id"]),
    });
    expect(await (await read(house, "locked", "a long phrase")).text()).toBe("# hello");
  });

  test("show no control characters and no long names in a report", async () => {
    await using house = await openTestHouse();
    const report = await importInto(
      house,
      backupOf({ storage_configs: [storage({ name: `\u001b[2J\u202e${"a".repeat(500)}`, storage_type: "LOCAL" })] }),
    );
    const [line] = kindOf(report, "storages").reasons;
    expect(line?.examples[0]).toMatch(/^\?\[2J\?a{50,}\.\.\.$/);
    expect(line?.examples[0]?.length).toBeLessThan(70);
  });

  test("of texts: empty, too long, gone, twice, with a time that is none", async () => {
    await using house = await openTestHouse();
    const twice = paste({ slug: "twice" });
    const report = await importInto(
      house,
      backupOf({
        pastes: [
          paste({ content: " \n" }),
          paste({ content: "x".repeat(10 * 1024 * 1024 + 1) }),
          paste({ expires_at: "2025-01-01 00:00:00" }),
          paste({ max_views: 3, views: 3 }),
          paste({ expires_at: "soon" }),
          twice,
          twice,
          paste({ max_views: 0, remark: "r".repeat(600), title: "A title" }),
          paste({ slug: "later", expires_at: "9000-01-01 00:00:00", max_views: 5, created_by: "apikey:gone" }),
        ],
      }),
    );
    const texts = kindOf(report, "texts");
    expect(codesOf(texts.reasons)).toEqual({
      "text.empty": 1,
      "text.tooLong": 1,
      "share.gone": 2,
      "row.unreadable": 1,
      "row.repeated": 1,
    });
    expect(codesOf(texts.notes)).toEqual({ "title.remark": 1, "remark.cut": 1, "owner.admin": 1 });
    const rows = await rowsOf(house, "pastes");
    expect(rows.find(({ slug }) => slug === "later")).toMatchObject({
      expires_at: Date.UTC(9000, 0, 1),
      max_views: 5,
      views: 3,
      created_by: "admin",
    });
    expect(rows.map(({ remark }) => String(remark ?? "").length).sort()).toEqual([0, 0, 500]);
  });

  test("of files: on storages that are not there, folders, names and keys that lead elsewhere", async () => {
    await using house = await openTestHouse();
    const bucket = storage();
    const disk = storage({ storage_type: "LOCAL", name: "Disk" });
    const on = (row: object) => cloudpaste.file({ storage_config_id: bucket.id, ...row });
    const report = await importInto(
      house,
      backupOf({
        storage_configs: [bucket, disk],
        files: [
          on({ storage_config_id: disk.id, storage_type: "LOCAL" }),
          on({ storage_config_id: "nowhere" }),
          on({ storage_path: "folder/" }),
          on({ storage_path: "a/../../b" }),
          on({ storage_path: "a\\b" }),
          on({ storage_path: "k".repeat(2000) }),
          on({ filename: "../etc/passwd" }),
          on({ filename: "" }),
          on({ size: -1 }),
          on({ size: 1e30 }),
          on({ slug: "good", storage_path: "//deep//file.txt", mimetype: "nonsense" }),
        ],
      }),
    );
    expect(codesOf(kindOf(report, "files").reasons)).toEqual({
      "storage.missing": 2,
      "file.key": 4,
      "file.name": 2,
      "row.unreadable": 2,
    });
    expect(await rowsOf(house, "files")).toMatchObject([
      { slug: "good", key: "deep/file.txt", content_type: "text/plain" },
    ]);
  });
});

describe("links of shares", () => {
  test("that are taken, reserved or impossible here are replaced, and the report names both", async () => {
    await using house = await openTestHouse();
    await shareText(house, { slug: "taken", content: "mine" });
    const slugs = ["taken", "API", "a b", "x".repeat(60), crypto.randomUUID(), "", "free", "Free"];
    const report = await importInto(
      house,
      backupOf({ pastes: slugs.map((slug) => paste({ slug, content: `was ${slug}` })) }),
    );
    const { notes, added } = kindOf(report, "texts");
    expect([added, codesOf(notes)]).toEqual([8, { "slug.replaced": 6 }]);
    expect(await (await read(house, "taken")).text()).toBe("mine");
    expect(await (await read(house, "free")).text()).toBe("was free");
    expect(await (await read(house, "Free")).text()).toBe("was Free");
    const [, replaced = ""] = /^taken -> (\w{6})$/.exec(notes[0]?.examples[0] ?? "") ?? [];
    expect(await (await read(house, replaced)).text()).toBe("was taken");
  });
});

describe("passwords of shares", () => {
  const locked = (slug: string, password: string | null, row = {}) => paste({ slug, password, ...row });

  test("open by their text; what the backup has no text of stays closed", async () => {
    await using house = await openTestHouse();
    const texts = {
      known: locked("known", hashOf("the right words")),
      lost: locked("lost", hashOf("nobody wrote it down")),
      stale: locked("stale", hashOf("the newer words")),
      early: locked("early", "kept as it is"),
      long: locked("long", hashOf("w".repeat(200))),
      open: locked("open", null),
    };
    const report = await importInto(
      house,
      backupOf({
        pastes: Object.values(texts),
        paste_passwords: [
          pastePassword(texts.known, "the right words"),
          pastePassword(texts.stale, "the older words"),
          pastePassword(texts.long, "w".repeat(200)),
          pastePassword(texts.open, "of a share that has none"),
        ],
      }),
    );
    expect(codesOf(kindOf(report, "texts").notes)).toEqual({ "password.closed": 3 });
    const statuses = async (slug: string, ...passwords: (string | undefined)[]) =>
      await Promise.all(passwords.map(async (one) => (await read(house, slug, one)).status));
    expect(await statuses("known", undefined, "the right words", "wrong words")).toEqual([401, 200, 401]);
    expect(await statuses("early", undefined, "kept as it is")).toEqual([401, 200]);
    expect(await statuses("lost", undefined, "nobody wrote it down")).toEqual([401, 401]);
    expect(await statuses("stale", "the older words", "the newer words")).toEqual([401, 401]);
    expect(await statuses("open", undefined)).toEqual([200]);
    const hashes = (await rowsOf(house, "pastes")).flatMap(({ password_hash }) => password_hash ?? []);
    expect(hashes.every((hash) => String(hash).startsWith("$argon2id$"))).toBeTrue();
  });

  test("close texts that were not public, unless those are to be left out", async () => {
    const text = paste({ slug: "own", is_public: 0, password: hashOf("the right words") });
    const backup = backupOf({
      pastes: [text, paste({ slug: "all" })],
      paste_passwords: [pastePassword(text, "the right words")],
    });
    await using house = await openTestHouse();
    const skipped = await importInto(house, backup, { privateTexts: "skip" });
    expect(codesOf(kindOf(skipped, "texts").reasons)).toEqual({ "text.private": 1 });
    expect((await read(house, "own")).status).toBe(404);
    const report = await importInto(house, backup);
    expect(codesOf(kindOf(report, "texts").notes)).toEqual({ "text.protected": 1 });
    expect(countsOf(report, "texts")).toMatchObject({ added: 1, present: 1 });
    expect([(await read(house, "own")).status, (await read(house, "own", "the right words")).status]).toEqual([
      401, 401,
    ]);
  });
});

describe("API keys", () => {
  const all: readonly Permission[] = [
    "text",
    "file_share",
    "mount_view",
    "mount_upload",
    "mount_copy",
    "mount_rename",
    "mount_delete",
    "webdav_read",
    "webdav_manage",
  ];

  test("never may more than before, and what is different is said", async () => {
    await using house = await openTestHouse();
    const given = {
      whole: 1 | 2 | 4 | 8 | 256 | 512 | 1024 | 2048 | 4096 | 65536 | 131072,
      creates: 1 | 2,
      manages: 4 | 8,
      unknown: 1 | 4 | 16 | 8192,
      limited: 1 | 4 | 2 | 8 | 256 | 65536,
      none: 0,
    };
    const keys = Object.entries(given).map(([name, permissions]) => key({ name, permissions }));
    const limited = keys.find(({ name }) => name === "limited");
    const report = await importInto(
      house,
      backupOf({
        api_keys: keys,
        // Those of keys that are gone stay in CloudPaste.
        principal_storage_acl: [...Array(MAX_IMPORT_RECORDS).fill("gone"), limited?.id].map((subject_id) => ({
          subject_type: "API_KEY",
          subject_id,
          storage_config_id: "s",
        })),
      }),
    );
    expect(codesOf(kindOf(report, "keys").notes)).toEqual({
      "key.manages": 1,
      "key.createLess": 1,
      "key.bits": 1,
      "key.storages": 1,
    });
    const rights = Object.fromEntries(
      (await rowsOf(house, "api_keys")).map(({ name, permissions }) => [name, permissions]),
    );
    expect(rights).toEqual({
      whole: bitsOf(all),
      creates: bitsOf(["text", "file_share"]),
      manages: 0,
      unknown: bitsOf(["text"]),
      limited: bitsOf(["text"]),
      none: 0,
    } as never);
  });

  test("that are off, expired or no keys here are left out; names that are taken get a number", async () => {
    await using house = await openTestHouse();
    const mine = await makeKey(house, { name: "Phone" });
    const report = await importInto(
      house,
      backupOf({
        api_keys: [
          key({ name: "Phone" }),
          key({ name: "Same text", key: mine.key }),
          key({ is_enable: 0 }),
          key({ expires_at: "2025-01-01T00:00:00.000Z" }),
          key({ key: "short" }),
          key({ key: "with a blank in it" }),
          key({ basic_path: "/a/../b" }),
          key({ name: "\u0000" }),
          key({ name: "For visitors", role: "GUEST" }),
        ],
      }),
    );
    const keys = kindOf(report, "keys");
    expect([keys.added, keys.present]).toEqual([2, 1]);
    expect(codesOf(keys.reasons)).toEqual({
      "key.disabled": 1,
      "key.expired": 1,
      "key.text": 2,
      "key.path": 1,
      "key.name": 1,
    });
    expect(codesOf(keys.notes)).toEqual({ "key.name": 1, "key.visitors": 1 });
    expect((await rowsOf(house, "api_keys")).map(({ name, is_guest }) => [name, is_guest]).sort()).toEqual([
      ["For visitors", 0],
      ["Phone (2)", 0],
      ["Phone", 0],
    ]);
  });
});

describe("storages and mounts", () => {
  test("of other kinds, of this machine's disk or with impossible addresses are left out with what is on them", async () => {
    await using house = await openTestHouse();
    const kept = storage({
      name: "Kept",
      status: "DISABLED",
      is_default: 1,
      config: { custom_host: "https://a:b@example.com", signature_expires_in: 1 },
    });
    const forged = storage({ name: "Forged", config: { provider_type: "Built-in disk", bucket_name: "drive" } });
    const prefixed = storage({ name: "Prefixed", config: { bucket_name: "other", root_prefix: "/inner/" } });
    const local = storage({ name: "Local", storage_type: "LOCAL", config: { root_path: "/etc" } });
    const on = (one: cloudpaste.Row, row: object = {}) => mount({ storage_config_id: one.id, ...row });
    const report = await importInto(
      house,
      backupOf({
        storage_configs: [
          kept,
          forged,
          prefixed,
          local,
          storage({ name: "Drive", storage_type: "GOOGLE_DRIVE" }),
          storage({ name: "Metadata", config: { endpoint_url: "http://169.254.169.254" } }),
          storage({ name: "No keys", config: { secret_access_key: null } }),
          storage({ name: "Broken", config: { secret_access_key: "encrypted:a" } }),
        ],
        storage_mounts: [
          on(kept, { mount_path: "/kept", webdav_policy: "use_proxy_url", cache_ttl: 1e6 }),
          on(kept, { mount_path: "/drive" }),
          on(kept, { mount_path: "/assets" }),
          on(kept, { mount_path: "relative" }),
          on(prefixed, { mount_path: "/prefixed" }),
          on(local, { mount_path: "/local" }),
        ],
        files: [cloudpaste.file({ slug: "inner", storage_config_id: prefixed.id, storage_path: "a.txt" })],
      }),
    );
    const [storages, mounts] = [kindOf(report, "storages"), kindOf(report, "mounts")];
    expect(codesOf(storages.reasons)).toEqual({ "storage.local": 1, "storage.kind": 1, "storage.refused": 3 });
    expect(codesOf(storages.notes)).toEqual({
      "storage.default": 1,
      "storage.disabled": 1,
      "storage.host": 1,
      "storage.seconds": 1,
      "storage.provider": 1,
    });
    expect(codesOf(mounts.reasons)).toEqual({
      "mount.pathTaken": 1,
      "mount.path": 2,
      "mount.prefix": 1,
      "storage.missing": 1,
    });
    expect(codesOf(mounts.notes)).toEqual({ "mount.policy": 1, "mount.bounds": 1 });
    const rows = await rowsOf(house, "storage_configs");
    expect(rows.find(({ name }) => name === "Kept")).toMatchObject({
      is_default: 0,
      is_public: 0,
      custom_host: null,
      signature_expires_in: 60,
    });
    expect(rows.find(({ name }) => name === "Forged")).toMatchObject({
      provider_type: "Other",
      endpoint_url: "https://s3.example.com",
    });
    expect(await rowsOf(house, "files")).toMatchObject([{ slug: "inner", key: "inner/a.txt" }]);
  });

  test("on the disk of the other machine are the folders that FOLDERS names at the same paths", async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "a.txt"), "as it was");
    await using house = await openTestHouse({ folders: [{ id: "photos", path: folder.path, readOnly: false }] });
    const config = { root_path: `${folder.path}/`, readonly: 1, default_folder: "in" };
    const local = storage({ name: "Local", storage_type: "LOCAL", config });
    const other = storage({ name: "Other", storage_type: "LOCAL", config: { root_path: dirname(folder.path) } });
    const inside = storage({ name: "Inside", storage_type: "LOCAL", config: { root_path: join(folder.path, "in") } });
    const forged = storage({ name: "Forged", config: { provider_type: FOLDER, bucket_name: "photos" } });
    const data = {
      storage_configs: [local, other, inside, forged],
      storage_mounts: [mount({ storage_config_id: local.id, storage_type: "LOCAL", mount_path: "/photos" })],
      files: [
        cloudpaste.file({ slug: "kept", storage_config_id: local.id, storage_type: "LOCAL", storage_path: "a.txt" }),
      ],
    };
    const report = await importInto(house, backupOf(data));
    const storages = kindOf(report, "storages");
    expect(codesOf(storages.reasons)).toEqual({ "storage.local": 2 });
    expect(codesOf(storages.notes)).toEqual({ "storage.readOnly": 1, "storage.provider": 1 });
    const rows = await rowsOf(house, "storage_configs");
    expect(rows.find(({ name }) => name === "Local")).toMatchObject({ provider_type: FOLDER, bucket_name: "photos" });
    expect(rows.find(({ name }) => name === "Forged")).toMatchObject({ provider_type: "Other" });
    expect(await (await house.request("/api/file-download/kept")).text()).toBe("as it was");
    const again = await importInto(house, backupOf(data));
    expect(countsOf(again, "storages")).toEqual({ rows: 4, added: 0, present: 2, left: 2 });
    expect(countsOf(again, "mounts")).toEqual({ rows: 1, added: 0, present: 1, left: 0 });
  });

  test("that are configured here already are those", async () => {
    await using house = await openTestHouse();
    const own = await house.house.stores.configs.create({
      name: "Mine",
      provider_type: "Other",
      endpoint_url: "https://s3.example.com/",
      bucket_name: "pictures",
      region: "",
      access_key_id: "an-access-id",
      secret_access_key: "rotated",
      path_style: true,
      default_folder: "",
      is_public: false,
      is_default: false,
      custom_host: null,
      signature_expires_in: 3600,
    } as never);
    const bucket = storage();
    const report = await importInto(
      house,
      backupOf({ storage_configs: [bucket], files: [cloudpaste.file({ storage_config_id: bucket.id })] }),
    );
    expect(countsOf(report, "storages")).toEqual({ rows: 1, added: 0, present: 1, left: 0 });
    expect(await rowsOf(house, "files")).toMatchObject([{ storage: own.id }]);
    expect(house.house.stores.configs.secretOf(await house.house.stores.configs.get(own.id))).toBe("rotated");
  });

  test("are written without a request to anybody", async () => {
    let asked = 0;
    await using house = await openTestHouse({
      resolve: async () => {
        asked += 1;
        return ["192.0.2.1"];
      },
    });
    await importInto(house, backupOf(oneOfEach()));
    expect(asked).toBe(0);
  });
});

test("settings that were changed here stay, and those that cannot be used are named", async () => {
  await using house = await openTestHouse();
  await house.house.settings.update(1, new Map([["default_use_proxy", "true"]]));
  const report = await importInto(
    house,
    backupOf({
      system_settings: [
        setting("default_use_proxy", "false"),
        setting("proxy_sign_all", "true"),
        setting("proxy_sign_expires", "60"),
        setting("webdav_upload_mode", "chunked"),
        setting("site_title", "Home"),
        setting("backup_enabled", "true"),
        setting("backup_target", "s3://mallorys-bucket/x"),
        setting("trash_days", "0"),
      ],
    }),
  );
  const settings = kindOf(report, "settings");
  expect(codesOf(settings.reasons)).toEqual({
    ...{ "setting.changed": 1, "setting.value": 1, "setting.unknown": 1, "setting.own": 3 },
  });
  expect(settings.reasons.find(({ code }) => code === "setting.own")?.examples).toContain("backup_target");
  expect([house.house.settings.get("backup_enabled"), house.house.settings.get("backup_target")]).toEqual([false, ""]);
  expect(house.house.settings.get("trash_days")).toBe(7);
  expect([settings.added, settings.present]).toEqual([1, 1]);
  expect(house.house.settings.get("default_use_proxy")).toBeTrue();
  expect(house.house.settings.get("proxy_sign_expires")).toBe(60);
});

describe("an import that does not come to its end", () => {
  const many = (count: number) =>
    backupOf({ pastes: Array.from({ length: count }, (_, n) => paste({ slug: `many-${n}`, content: `text ${n}` })) });

  test("is completed by the next one, without doubles", async () => {
    await using house = await openTestHouse();
    const backup = many(350);
    const gone = new AbortController();
    const ended = expect(
      importInto(house, backup, {
        signal: gone.signal,
        progress: (kind: string, rows: number) => kind === "texts" && rows >= 200 && gone.abort(new Error("gone")),
      }),
    ).rejects;
    await ended.toThrow("gone");
    expect((await rowsOf(house, "pastes")).length).toBe(200);
    expect(countsOf(await importInto(house, backup), "texts")).toEqual({
      rows: 350,
      added: 150,
      present: 200,
      left: 0,
    });
    expect(new Set((await rowsOf(house, "pastes")).map(({ slug }) => slug)).size).toBe(350);
  });

  test("stops where there is no more room for texts, and goes on when there is", async () => {
    await using house = await openTestHouse();
    const backup = many(300);
    expect(codesOf(kindOf(await planFor(house, backup), "texts").notes)).toEqual({});
    await house.house.settings.update(1, new Map([["max_total_texts", "0.2"]]));
    const without = codesOf(kindOf(await planFor(house, backup), "texts").notes)["text.room"] ?? 0;
    // Of the last hundred, which are written together, not all have no room.
    expect([without > 0, without <= 100]).toEqual([true, true]);
    await expect(importInto(house, backup)).rejects.toMatchObject({ code: "storage.full" });
    expect((await rowsOf(house, "pastes")).length).toBe(200);
    await house.house.settings.update(1, new Map([["max_total_texts", "0"]]));
    expect(codesOf(kindOf(await planFor(house, backup), "texts").notes)).toEqual({});
    expect(countsOf(await importInto(house, backup), "texts")).toMatchObject({ added: 100, present: 200 });
    const quota = await house.db.all<{ quota: string; bytes: number }>(
      plainSql("select quota, bytes from text_quotas"),
    );
    const kept = (await rowsOf(house, "pastes")).reduce((sum, { quota_bytes }) => sum + Number(quota_bytes), 0);
    expect(Object.fromEntries(quota.map(({ quota: name, bytes }) => [name, bytes]))).toEqual({
      admin: kept,
      total: kept,
    });
  });

  test("lets no other one begin, and leaves no file open", async () => {
    await using house = await openTestHouse();
    const backup = many(400);
    const first = importInto(house, backup);
    await expect(importInto(house, backup)).rejects.toMatchObject({ code: "import.running" });
    expect(countsOf(await first, "texts")).toMatchObject({ added: 400 });
    const open = readdirSync("/proc/self/fd").length;
    for (let time = 0; time < 5; time++)
      await expect(importInto(house, "{")).rejects.toMatchObject({ code: "import.malformed" });
    expect(readdirSync("/proc/self/fd").length).toBeLessThanOrEqual(open + 1);
  });
});
