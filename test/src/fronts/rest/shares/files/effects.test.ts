import { describe, expect, test } from "bun:test";
import { storage as storages } from "#contract/storage";
import { uploads } from "#contract/uploads";
import { type Loss, losses } from "../../../../../support/callers/losses.ts";
import { END, FORM_TYPE, field, filePart } from "../../../../../support/clients/form-body.ts";
import { slowBody } from "../../../../../support/clients/slow-body.ts";
import { createHaltingDatabase } from "../../../../../support/database/halting-database.ts";
import { makeKey, withKey } from "../../../../../support/make-key.ts";
import { builtInStorage } from "../../../../../support/make-mount.ts";
import { ask, filesOf, nothing, put, remains } from "../../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";
import type { Who } from "../../../../../support/tree/tree-house.ts";

/** Whoever may not share any more when a file has come does not share it. */

const isForKeys = async (house: TestHouse, is_public: boolean) => {
  const params = { id: await builtInStorage(house) };
  await ask(house, storages.update, { params, body: { is_public } as never });
};

const all: readonly Loss[] = [
  ...losses,
  {
    name: "a storage that is no longer for keys",
    said: "403 storage.forbidden",
    arrange: async (house) => ({ who: withKey(await makeKey(house)), lose: () => isForKeys(house, false) }),
  },
];

async function post(house: TestHouse, path: string, body: unknown, who: Who) {
  const response = await house.request(`/api${path}`, { method: "POST", headers: who, body: JSON.stringify(body) });
  const { error, data } = (await response.json()) as { error?: string; data: Record<string, string> };
  return { said: error === undefined ? String(response.status) : `${response.status} ${error}`, data };
}

const fields = { filename: "a.txt", size: 9, slug: "late" };
const isShared = async (house: TestHouse): Promise<boolean> =>
  (await house.request("/api/public/files/late")).status === 200;

describe("a PUT to a share's address", () => {
  test.each([...all])("stores nothing with $name", async ({ arrange }) => {
    await using house = await openTestHouse();
    const { who, lose } = await arrange(house);
    const { data } = await post(house, uploads.presign.path, fields, who);
    const slow = slowBody("half ", "more");
    const headers = { "content-type": data.contentType ?? "" };
    const sending = house.request(data.upload_url ?? "", { method: "PUT", headers, body: slow.body });
    await slow.begun;
    await lose();
    slow.finish();
    const sent = await sending;
    expect([sent.status, (await sent.text()).includes("<Code>AccessDenied</Code>")]).toEqual([403, true]);
    expect(filesOf(house)).toEqual([]);
    expect((await put(house, data.upload_url ?? "", "half more")).status).toBe(403);
  });
});

describe("the end of an upload", () => {
  test.each([...all])("by commit shares nothing with $name", async ({ arrange, said }) => {
    const database = createHaltingDatabase();
    await using house = await openTestHouse({ engine: database.engine });
    const { who, lose } = await arrange(house);
    const { data } = await post(house, uploads.presign.path, fields, who);
    expect((await put(house, data.upload_url ?? "", "half more")).status).toBe(200);
    // Storages are in memory; behind a change of another server they are read anew.
    await house.house.cluster.publish("storages");
    const { reached, goOn } = database.haltAt("from storage_configs order by");
    const ending = post(house, uploads.commit.path, { file_id: data.file_id }, who);
    await reached;
    await lose();
    goOn();
    expect((await ending).said).toBe(said);
    expect(await isShared(house)).toBe(false);
  });

  test.each([...all])("in parts stores and shares nothing with $name", async ({ arrange, said }) => {
    const database = createHaltingDatabase();
    await using house = await openTestHouse({ engine: database.engine });
    const { who, lose } = await arrange(house);
    const { data } = await post(house, uploads.begin.path, { ...fields, part_size: 5 * 1024 * 1024 }, who);
    const [first] = data.presigned_urls as never as readonly { readonly url: string }[];
    const sent = await put(house, first?.url ?? "", "half more", "application/octet-stream");
    const parts = [{ partNumber: 1, etag: sent.headers.get("etag") }];
    const { reached, goOn } = database.haltAt("insert into disk_attributes");
    const body = { file_id: data.file_id, upload_id: data.upload_id, parts };
    const ending = post(house, uploads.complete.path, body, who);
    await reached;
    await lose();
    goOn();
    expect((await ending).said).toBe(said);
    expect(await isShared(house)).toBe(false);
    expect(filesOf(house).filter((path) => path.startsWith("drive/"))).toEqual([]);
  });
});

test.each([...all])("a form's file is not shared with $name, and nothing is left of it", async ({ arrange, said }) => {
  await using house = await openTestHouse();
  const { who, lose } = await arrange(house);
  const whole = field("slug", "late") + filePart("x".repeat(1000)) + END;
  const slow = slowBody(whole.slice(0, -500), whole.slice(-500));
  const headers = { ...who, "content-type": FORM_TYPE };
  const sending = house.request("/api/upload", { method: "POST", headers, body: slow.body });
  await slow.begun;
  await lose();
  slow.finish();
  const response = await sending;
  expect(`${response.status} ${((await response.json()) as { error: string }).error}`).toBe(said);
  expect(await remains(house)).toEqual(nothing);
});
