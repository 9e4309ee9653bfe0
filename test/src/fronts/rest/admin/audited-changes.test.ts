import { expect, test } from "bun:test";
import { type AuditEntry, audit } from "#contract/admin";
import { mounts } from "#contract/mounts";
import { settings } from "#contract/settings";
import { storage } from "#contract/storage";
import { sql } from "../../../../../src/database/sql.ts";
import { makeMount } from "../../../../support/make-mount.ts";
import { ask } from "../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../support/test-house.ts";

/** What the audit log says of single changes, newest first. */
const entries = async (house: TestHouse): Promise<AuditEntry[]> => (await ask(house, audit.list, {})).data;

test("a mount and a storage are told by what they were called before", async () => {
  await using house = await openTestHouse();
  const mount = await makeMount(house, { name: "first mount" });
  const { id, storage_config_id } = mount;
  await ask(house, mounts.update, { params: { id }, body: { name: "second mount" } });
  await ask(house, storage.update, { params: { id: storage_config_id }, body: { name: "Attic" } });
  expect((await entries(house)).map(({ action, subject, name }) => [action, subject, name])).toEqual([
    ["storage.update", storage_config_id, "Built-in storage"],
    ["mount.update", id, "first mount"],
    ["mount.create", id, "first mount"],
  ]);
});

test("of settings only those are told that were set", async () => {
  await using house = await openTestHouse();
  const set = (group: string, body: Record<string, unknown>) =>
    ask(house, settings.update, { params: { group }, body });
  await set("2", { preview_text_types: "a b;c", preview_audio_types: "ogg", max_upload_size: 1 });
  await set("3", {});
  await set("4", { webdav_upload_mode: "multipart" });
  expect(await entries(house)).toMatchObject([
    { action: "settings.update", subject: "2", name: "preview", fields: ["preview_audio_types"] },
  ]);
});

test("what another version of the server called an action is told too", async () => {
  await using house = await openTestHouse();
  await makeMount(house);
  await house.db.run(sql`update audit set action = 'drive.vanish'`);
  expect((await entries(house)).map(({ action }) => action)).toEqual(["drive.vanish"]);
});
