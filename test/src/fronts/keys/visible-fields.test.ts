import { expect, test } from "bun:test";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { makeMount } from "../../../support/make-mount.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

/** Which fields of storages and mounts visitors see, and which more callers with a credential see. */

type KeyRecord = Readonly<Record<string, unknown>>;

async function furnished(): Promise<TestHouse> {
  const house = await openTestHouse();
  await makeMount(house, { remark: "not for everybody" });
  await makeKey(house, { is_guest: true });
  return house;
}

async function readKeys(house: TestHouse, path: string, headers: Record<string, string> = {}): Promise<KeyRecord[]> {
  const { data } = (await (await house.request(`/api${path}`, { headers })).json()) as {
    data: KeyRecord[] | KeyRecord;
  };
  return [data].flat();
}

/** All of a list, and each of it by its id. */
async function toldTwice(house: TestHouse, path: string, headers: Record<string, string> = {}) {
  const list = await readKeys(house, path, headers);
  const each = await Promise.all(list.map(({ id }) => readKeys(house, `${path}/${id}`, headers)));
  // Others write to the same disk.
  const settled = (one: KeyRecord) => ({ ...one, free_bytes: undefined });
  expect(each.flat().map(settled)).toEqual(list.map(settled));
  return list;
}

test("visitors learn of a storage what it takes to choose one", async () => {
  await using house = await furnished();
  expect(await toldTwice(house, "/s3-configs")).toEqual([
    { id: expect.any(String), name: "Built-in storage", provider_type: "Built-in disk", is_public: 1, is_default: 1 },
  ]);
});

test("a key learns where it keeps files and how much it takes, also the visitors' key itself", async () => {
  await using house = await furnished();
  const whole = { bucket_name: "drive", default_folder: "shares/", used_bytes: 0, limit_bytes: null };
  const [ordinary, guest] = [await makeKey(house), (await house.house.access.keys.list())[0]];
  for (const key of [ordinary, guest ?? ordinary])
    expect(await toldTwice(house, "/s3-configs", withKey(key))).toMatchObject([whole]);
});

test("visitors do not learn who made a mount and what was noted of it", async () => {
  await using house = await furnished();
  const mounts = await toldTwice(house, "/user/mounts");
  expect(mounts.map(({ mount_path }) => mount_path)).toEqual(["/drive", "/team"]);
  for (const mount of mounts) expect(Object.keys(mount)).not.toContain("remark");
  for (const mount of mounts) expect(Object.keys(mount)).not.toContain("created_by");
  const [, team] = await toldTwice(house, "/user/mounts", withKey(await makeKey(house)));
  expect(team).toMatchObject({ remark: "not for everybody", created_by: "admin" });
});
