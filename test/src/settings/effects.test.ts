import { expect, test } from "bun:test";
import { activity } from "#contract/activity";
import { fsCopies } from "#contract/fs/copies";
import { fs } from "#contract/fs/fs";
import { pastes } from "#contract/pastes";
import { settings } from "#contract/settings";
import { storage } from "#contract/storage";
import { createSite } from "../../../src/fronts/site/index.ts";
import { type SettingName, settingGroups } from "../../../src/settings/groups.ts";
import { davCalls } from "../../support/clients/dav.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { makeMount } from "../../support/make-mount.ts";
import type { waitingSettings } from "../../support/rules/waiting.ts";
import { ask, presign, shareFile } from "../../support/share-file.ts";
import { shareText } from "../../support/share-text.ts";
import { emptyBucket, openPretendS3 } from "../../support/stores/pretend-s3.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";
import { addressesOf, treeFile } from "../../support/tree/files.ts";

/** What a change of one setting does, seen from outside. */
interface Effect {
  readonly to: string;
  /** What has to be there first. */
  readonly prepare?: (house: TestHouse) => Promise<unknown>;
  /** Answers differently before and after the change. */
  readonly look: (house: TestHouse) => Promise<unknown>;
  readonly before: unknown;
  readonly after: unknown;
}

const MB = 1024 ** 2;

/** A file called notes.xyz is of this kind once the setting names its ending. */
const kind = (after: string): Effect => ({
  to: "xyz",
  look: async (house) => (await shareFile(house, { filename: "notes.xyz" })).typeName,
  before: "unknown",
  after,
});

/** A text of more than 0.001 MB is refused once the setting allows no more. */
const quota = (
  headers: (house: TestHouse) => Promise<Record<string, string>>,
  prepare: Effect["prepare"] = async () => undefined,
): Effect => ({
  to: "0.001",
  prepare,
  look: async (house) => {
    const body = JSON.stringify({ content: "x".repeat(2000) });
    const { method, path } = pastes.create;
    return (await house.request(`/api${path}`, { method, headers: await headers(house), body })).status;
  },
  before: 201,
  after: 507,
});

const asAdmin = async (house: TestHouse) => ({ authorization: `Bearer ${await house.signIn()}` });

/** Puts a file into the mount /team, which has public addresses. */
async function publish(house: TestHouse): Promise<void> {
  await makeMount(house, { web_proxy: true });
  await treeFile(house, "/team/a.txt", "public");
}

/** How WebDAV begins to write a file of six megabytes to a storage elsewhere. */
async function begunByDav(house: TestHouse): Promise<string | undefined> {
  const begun: string[] = [];
  await using s3 = openPretendS3(({ method, url }) => {
    const { search } = new URL(url);
    if (method === "PUT" || method === "POST") begun.push(search.includes("uploads") ? "in parts" : "in one piece");
    if (search.includes("list-type")) return emptyBucket();
    return new Response("<Error><Code>NoSuchKey</Code></Error>", { status: method === "PUT" ? 403 : 404 });
  });
  const name = `s${crypto.randomUUID().slice(0, 8)}`;
  const elsewhere = { provider_type: "MinIO", endpoint_url: `http://127.0.0.1:${s3.port}`, bucket_name: "b" } as const;
  const keys = { access_key_id: "a".repeat(20), secret_access_key: "s".repeat(20) };
  const { data } = await ask(house, storage.create, { body: { name, ...elsewhere, ...keys } as never });
  await makeMount(house, { name, mount_path: `/${name}`, storage_config_id: data.id });
  const headers = { "content-length": String(6 * MB) };
  await davCalls(house).send("PUT", `/${name}/a`, { body: "x".repeat(6 * MB), headers });
  return begun[0];
}

const setBackups = (house: TestHouse, body: Record<string, string>) =>
  ask(house, settings.update, { params: { group: "4" }, body });

/** Whether the timetable of backups is on. */
const timetable = (first: Record<string, string>) => ({
  prepare: (house: TestHouse) => setBackups(house, first),
  look: async ({ house }: TestHouse) => (await house.system.backups.status()).enabled,
});

/** When the next backup begins. */
const nextBackup = {
  prepare: (house: TestHouse) => setBackups(house, { backup_enabled: "true", backup_target: "/backups" }),
  look: async ({ house }: TestHouse) =>
    new Date((await house.system.backups.status()).next ?? 0).toISOString().slice(0, 13),
};

/** What is wanted of a backup. */
const wantedOf = (what: "keep" | "withObjects" | "withS3") => ({
  prepare: (house: TestHouse) => setBackups(house, { backup_target: "/backups" }),
  async look({ house: { system } }: TestHouse) {
    await system.backups.begin();
    await system.backups.ended();
    const { last } = await system.backups.status();
    return JSON.parse(last?.error ?? "{}")[what];
  },
});

const page = {
  ...{ path: "/index.html", type: "text/html; charset=utf-8", etag: '"i"', immutable: false },
  stored: () => new Blob(["<head><title>Satchel</title></head>"]),
};
const site = createSite(new Map([[page.path, page]]));

/** What the pages are told when they start. */
const told = async (house: TestHouse) => await (await house.request("/config.js")).text();

/** In hours from now, when a text expires that a visitor shares. */
const lasts = async (house: TestHouse) => {
  const made = await house.request("/api/paste", { method: "POST", body: JSON.stringify({ content: "x" }) });
  const { expiresAt } = (await made.json()) as { expiresAt: string | null };
  return expiresAt && (Date.parse(expiresAt) - house.clock.now()) / 3_600_000;
};
const asVisitor = (house: TestHouse) => makeKey(house, { is_guest: true });
const visitorsSend = async (house: TestHouse) => {
  const body = JSON.stringify({ filename: "a.bin", size: 2 * MB });
  return (await house.request("/api/s3/presign", { method: "POST", body })).status;
};

/** The logo is no setting that this call sets. */
type Set = Exclude<SettingName, keyof typeof waitingSettings | "site_logo">;

const effects: Readonly<Record<Set, Effect>> = {
  site_name: {
    to: "Acme Files",
    look: async (house) => (await told(house)).includes('"name":"Acme Files"'),
    before: false,
    after: true,
  },
  site_accent: {
    to: "#1D4ED8",
    look: async (house) => (await (await house.request("/")).text()).includes("--accent:#1d4ed8"),
    before: false,
    after: true,
  },
  share_expiry_default: { to: "24", prepare: asVisitor, look: lasts, before: null, after: 24 },
  share_expiry_longest: { to: "48", prepare: asVisitor, look: lasts, before: null, after: 48 },
  visitor_expiry_longest: { to: "12", prepare: asVisitor, look: lasts, before: null, after: 12 },
  visitor_max_file: { to: "1", prepare: asVisitor, look: visitorsSend, before: 200, after: 413 },
  visitor_max_files: { to: "3", prepare: asVisitor, look: visitorsSend, before: 200, after: 413 },
  visitor_max_shares: { to: "1", prepare: asVisitor, look: visitorsSend, before: 200, after: 403 },
  max_upload_size: {
    to: "1",
    look: async (house) => (await presign(house, { size: 2 * MB })).status,
    before: 200,
    after: 413,
  },
  proxy_sign_all: {
    to: "false",
    prepare: publish,
    look: async (house) => (await house.request("/api/p/team/a.txt")).status,
    before: 401,
    after: 200,
  },
  proxy_sign_expires: {
    to: "60",
    prepare: publish,
    look: async (house) => {
      const { preview_url } = await addressesOf(house, "/team/a.txt");
      house.clock.advance(61_000);
      return (await house.request(preview_url)).status;
    },
    before: 200,
    after: 401,
  },
  trash_days: {
    to: "0",
    prepare: publish,
    look: async (house) => {
      await treeFile(house, "/team/b.txt", "b");
      const { data } = await ask(house, fs.batchRemove, { body: { paths: ["/team/b.txt"] } });
      return data.trashed.length;
    },
    before: 1,
    after: 0,
  },
  file_naming_strategy: {
    to: "random_suffix",
    prepare: publish,
    look: async (house) => {
      await treeFile(house, "/team/b.txt", "old");
      const items = [{ sourcePath: "/team/a.txt", targetPath: "/team/b.txt" }];
      await ask(house, fsCopies.batchCopy, { body: { items, skipExisting: false } });
      const { download_url } = await addressesOf(house, "/team/b.txt");
      return await (await house.request(download_url)).text();
    },
    before: "public",
    after: "old",
  },
  webdav_upload_mode: { to: "multipart", look: begunByDav, before: "in one piece", after: "in parts" },
  default_use_proxy: { to: "true", look: async (house) => (await shareFile(house)).use_proxy, before: 0, after: 1 },
  max_visitor_texts: quota(
    async () => ({}),
    (house) => makeKey(house, { is_guest: true }),
  ),
  max_key_texts: quota(async (house) => withKey(await makeKey(house))),
  max_total_texts: quota(asAdmin),
  activity_log: {
    to: "false",
    look: async (house) => {
      const { slug, id } = await shareText(house, {});
      await house.request(`/api/raw/${slug}`);
      return (await ask(house, activity.paste, { params: { id } })).data.entries.length;
    },
    before: 1,
    after: 0,
  },
  activity_days: {
    to: "1",
    look: async (house) => {
      const { slug, id } = await shareText(house, {});
      await house.request(`/api/raw/${slug}`);
      await ask(house, activity.paste, { params: { id } });
      house.clock.advance(2 * 86_400_000);
      await house.house.activity.sweep();
      return (await ask(house, activity.paste, { params: { id } })).data.entries.length;
    },
    before: 1,
    after: 0,
  },
  backup_enabled: { ...timetable({ backup_target: "/backups" }), to: "true", before: false, after: true },
  backup_target: { ...timetable({ backup_enabled: "true" }), to: "/backups", before: false, after: true },
  backup_interval: { ...nextBackup, to: "6", before: "2030-01-03T03", after: "2030-01-02T09" },
  backup_hour: { ...nextBackup, to: "5", before: "2030-01-03T03", after: "2030-01-02T05" },
  backup_keep: { ...wantedOf("keep"), to: "3", before: 14, after: 3 },
  backup_objects: { ...wantedOf("withObjects"), to: "false", before: true, after: false },
  backup_s3: { ...wantedOf("withS3"), to: "true", before: false, after: true },
  preview_text_types: kind("text"),
  preview_audio_types: kind("audio"),
  preview_video_types: kind("video"),
  preview_image_types: kind("image"),
  preview_office_types: kind("office"),
  preview_document_types: kind("document"),
};

test.each(Object.entries(effects))("%s holds at once", async (name, { to, prepare, look, before, after }) => {
  const makeBackup = async (wanted: object) => ({ error: JSON.stringify(wanted) });
  await using house = await openTestHouse({ makeBackup, site });
  await prepare?.(house);
  const group = settingGroups.find((one) => name in one.settings)?.id;
  expect(await look(house)).toEqual(before);
  expect(await ask(house, settings.update, { params: { group: String(group) }, body: { [name]: to } })).toMatchObject({
    status: 200,
  });
  expect(await look(house)).toEqual(after);
});
