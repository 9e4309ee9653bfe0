import { expect, test } from "bun:test";
import { createLog } from "../../../src/lib/log.ts";
import { openStores } from "../../../src/stores/stores.ts";
import { openDiskStore } from "../../support/stores/disk-store.ts";

const cloud = {
  name: "Cloud",
  provider_type: "Other",
  endpoint_url: "https://s3.example.com",
  bucket_name: "b",
  access_key_id: "before",
  secret_access_key: "the secret before",
  path_style: true,
  is_public: false,
  is_default: false,
  signature_expires_in: 60,
};

async function openBeside({ db, outside: folder }: Awaited<ReturnType<typeof openDiskStore>>) {
  const log = createLog("silent", () => undefined);
  return await openStores({
    db,
    clock: () => 0,
    log,
    secret: "a secret for tests only",
    folder,
    holdsDataFolder: false,
  });
}

test("an answer of the database that comes late leaves no store with keys that were changed", async () => {
  await using disk = await openDiskStore();
  const { configs, of, get } = await openBeside(disk);
  const late = await configs.create(cloud);
  const address = { method: "GET", key: "k", expires: 60, base: "" } as const;
  const signed = async () => (await get(late.id)).store.presign(address);
  const before = await signed();
  await configs.update(late.id, { secret_access_key: "the secret after" });
  expect(of(late).store.presign(address)).toBe(before);
  expect(await signed()).not.toBe(before);
  await configs.update(late.id, { access_key_id: "after" });
  of(late);
  expect(new URL(await signed()).searchParams.get("X-Amz-Credential")).toStartWith("after/");
});

test("a store stays open while nothing changes that it is made of", async () => {
  await using disk = await openDiskStore();
  const { configs, get } = await openBeside(disk);
  const [{ id }, builtIn] = [await configs.create(cloud), await get()];
  const { store } = await get(id);
  await configs.update(id, { name: "Sky", is_public: true, total_storage_bytes: 7 });
  await configs.update(builtIn.config.id, { name: "Attic", path_style: true });
  // The built-in one has to know of all that is being written.
  expect([(await get(id)).store === store, (await get()).store === builtIn.store]).toEqual([true, true]);
});
