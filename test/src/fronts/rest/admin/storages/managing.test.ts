import { describe, expect, test } from "bun:test";
import { statfsSync } from "node:fs";
import { storage } from "#contract/storage";
import { sql } from "../../../../../../src/database/sql.ts";
import { makeKey, withKey } from "../../../../../support/make-key.ts";
import { builtInStorage, makeMount } from "../../../../../support/make-mount.ts";
import { scenarios } from "../../../../../support/scenario.ts";
import { ask, presign, shareFile } from "../../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const GiB = 1024 ** 3;
const PiB = 1024 ** 2 * GiB;
const url = "/api/s3-configs";
const admin = { as: "admin" } as const;
const SECRET = "a-very-secret-access-key";
const whole = {
  name: "Cloud",
  provider_type: "MinIO",
  endpoint_url: "https://s3.example.com",
  bucket_name: "files",
  region: "eu-1",
  access_key_id: "AKIAEXAMPLE",
  secret_access_key: SECRET,
};

const create = (body: unknown) => ({ ...admin, method: "POST" as const, url, body, hasNot: [SECRET] });
const creating = (fields: object) => create({ ...whole, ...fields });
const change = (body: unknown) => ({ ...admin, method: "PUT" as const, url: `${url}/cloud`, body, hasNot: [SECRET] });
const invalid = (field: string) => ({ status: 400, has: ["body.invalid", field] });
const badBucket = { status: 400, has: ["storage.bucket"] };

const make = (house: TestHouse, fields: object = {}) =>
  ask(house, storage.create, { body: { ...whole, ...fields } as never });

/** A storage elsewhere, with an id that rows can name. */
async function furnish(house: TestHouse) {
  const { data } = await make(house);
  await house.configure(sql`update storage_configs set id = 'cloud' where id = ${data.id}`);
}

describe("adding a storage", () => {
  scenarios([
    {
      ...create(whole),
      status: 201,
      has: [
        '"code":201',
        '"endpoint_url":"https://s3.example.com"',
        '"access_key_id":"AKIA..."',
        '"path_style":0',
        '"is_public":0',
        '"is_default":0',
        '"default_folder":""',
        '"total_storage_bytes":5368709120',
        '"signature_expires_in":3600',
        '"custom_host":null',
        '"used_bytes":0',
      ],
    },
    { ...create(whole), as: "anyone", status: 401 },
    { ...create(whole), as: "any key", status: 403 },
    { ...create("{"), status: 400, has: ["body.malformed"] },
    { ...creating({ name: "" }), ...invalid("name") },
    { ...creating({ name: "a\u0000" }), ...invalid("name") },
    { ...creating({ name: "\ud800" }), ...invalid("name") },
    { ...creating({ provider_type: "\u202eOSS" }), ...invalid("provider_type") },
    { ...creating({ name: "n".repeat(101) }), name: "101 characters", ...invalid("name") },
    { ...creating({ provider_type: "" }), ...invalid("provider_type") },
    { ...creating({ provider_type: "Cloudflare R2" }), status: 201, has: ['"total_storage_bytes":10737418240'] },
    { ...creating({ endpoint_url: "" }), ...invalid("endpoint_url") },
    { ...creating({ endpoint_url: "ftp://x" }), status: 400, has: ["storage.endpoint"] },
    { ...creating({ endpoint_url: "https://user:pass@x" }), status: 400, has: ["storage.endpoint"] },
    { ...creating({ endpoint_url: "https://x?y=1" }), status: 400, has: ["storage.endpoint"] },
    { ...creating({ endpoint_url: "https://s3.example.com/" }), status: 201 },
    { ...creating({ bucket_name: "" }), ...invalid("bucket_name") },
    { ...creating({ bucket_name: "a/b" }), ...badBucket },
    { ...creating({ bucket_name: ".." }), ...badBucket },
    { ...creating({ bucket_name: "a?b" }), ...badBucket },
    { ...creating({ access_key_id: "" }), ...invalid("access_key_id") },
    { ...creating({ secret_access_key: null }), ...invalid("secret_access_key") },
    { ...creating({ secret_access_key: "s".repeat(513) }), name: "513 characters", ...invalid("secret_access_key") },
    { ...creating({ region: "r".repeat(65) }), name: "65 characters", ...invalid("region") },
    { ...creating({ path_style: "perhaps" }), ...invalid("path_style") },
    { ...creating({ default_folder: "/a//b/" }), status: 201, has: ['"default_folder":"a/b/"'] },
    { ...creating({ default_folder: "a/../b" }), status: 400, has: ["path.invalid"] },
    ...[null, ""].map((total_storage_bytes) => ({
      ...creating({ total_storage_bytes }),
      name: `a capacity of ${JSON.stringify(total_storage_bytes)}`,
      status: 201,
      has: ['"total_storage_bytes":5368709120'],
    })),
    {
      ...creating({ total_storage_bytes: 0 }),
      status: 201,
      has: ['"total_storage_bytes":1125899906842624', '"limit_bytes":null'],
    },
    { ...creating({ total_storage_bytes: "1000" }), status: 201, has: ['"total_storage_bytes":1000'] },
    { ...creating({ total_storage_bytes: 0.5 }), ...invalid("total_storage_bytes") },
    { ...creating({ total_storage_bytes: "much" }), ...invalid("total_storage_bytes") },
    { ...creating({ total_storage_bytes: -5 }), ...invalid("total_storage_bytes") },
    { ...creating({ custom_host: "cdn.example.com/" }), status: 201, has: ['"https://cdn.example.com"'] },
    { ...creating({ custom_host: "javascript:alert(1)" }), status: 400, has: ["storage.customHost"] },
    { ...creating({ custom_host: "https://x?y" }), status: 400, has: ["storage.customHost"] },
    { ...creating({ signature_expires_in: 59 }), ...invalid("signature_expires_in") },
    { ...creating({ signature_expires_in: 604_801 }), ...invalid("signature_expires_in") },
    { ...creating({ is_default: 1, is_public: true }), status: 201, has: ['"is_default":1', '"is_public":1'] },
    {
      ...create({ name: "More", provider_type: "Built-in disk", bucket_name: "more" }),
      status: 201,
      has: ['"limit_bytes":null', '"endpoint_url":""'],
    },
    { ...create({ name: "More", provider_type: "Built-in disk", bucket_name: "drive" }), ...badBucket },
    { ...create({ name: "More", provider_type: "Built-in disk", bucket_name: "../up" }), ...badBucket },
    { ...create({ name: "More", provider_type: "Built-in disk", bucket_name: "A" }), ...badBucket },
  ]);
});

describe("changing, choosing and forgetting storages", () => {
  const chosen = { ...admin, method: "PUT" as const, url: `${url}/cloud/set-default` };
  const removed = { ...admin, method: "DELETE" as const, url: `${url}/cloud` };
  scenarios(
    [
      { ...admin, method: "GET", url: `${url}/cloud`, status: 200, has: ['"region":"eu-1"'], hasNot: [SECRET] },
      { ...admin, method: "GET", url: `${url}/nothing`, status: 404, has: ["storage.missing"] },
      { as: { key: ["file_share"] }, method: "GET", url: `${url}/cloud`, status: 404, has: ["storage.missing"] },
      { ...change({ name: "Sky" }), status: 200 },
      { ...change({}), status: 400, has: ["storage.nothingToChange"] },
      { ...change({ secret_access_key: "" }), name: "empty keeps it", status: 400, has: ["storage.nothingToChange"] },
      { ...change({ name: "" }), ...invalid("name") },
      { ...change({ bucket_name: "a b" }), ...badBucket },
      { ...change({ endpoint_url: "nowhere/../" }), name: "a path is kept", status: 200 },
      { ...change({ endpoint_url: "gopher://x" }), status: 400, has: ["storage.endpoint"] },
      { ...change({ provider_type: "Built-in disk" }), status: 400, has: ["storage.fixed"] },
      { ...change({ is_public: 1 }), as: "any key", status: 403 },
      { ...change({ name: "Sky" }), url: `${url}/nothing`, status: 404, has: ["storage.missing"] },
      { ...chosen, status: 200 },
      { ...chosen, url: `${url}/nothing/set-default`, status: 404, has: ["storage.missing"] },
      { ...chosen, as: "any key", status: 403 },
      { ...removed, status: 200 },
      { ...removed, as: "any key", status: 403 },
      { ...removed, url: `${url}/nothing`, status: 404, has: ["storage.missing"] },
    ],
    furnish,
  );

  test("a change touches what was sent, and an empty secret keeps the one there is", async () => {
    await using house = await openTestHouse();
    const { data: before } = await make(house);
    const sealed = () => house.db.first(sql`select sealed_secret from storage_configs where id = ${before.id}`);
    const secret = await sealed();
    const body = { name: "Sky", secret_access_key: "", access_key_id: before.access_key_id, region: "" };
    expect((await ask(house, storage.update, { params: { id: before.id }, body })).status).toBe(200);
    const { data: after } = await ask(house, storage.read, { params: { id: before.id } });
    expect(after).toEqual({ ...before, name: "Sky", region: "" });
    expect(await sealed()).toEqual(secret);
    await ask(house, storage.update, { params: { id: before.id }, body: { secret_access_key: "ks7-renewed-key" } });
    expect(await sealed()).not.toEqual(secret);
  });

  test.each<[string, number, object, number | null]>([
    ["0 is no limit", 1000, { total_storage_bytes: 0 }, null],
    ["a text of digits is a number", 1000, { total_storage_bytes: "2000" }, 2000],
    ["null is what the provider gives", 1000, { total_storage_bytes: null }, 5 * GiB],
    ["so is an empty text", 1000, { total_storage_bytes: "" }, 5 * GiB],
    ["the provider is that of the change", 1000, { total_storage_bytes: "", provider_type: "Backblaze B2" }, 10 * GiB],
    ["null that was shown for no limit stays so", 0, { total_storage_bytes: null, name: "Sky" }, null],
    ["what is not sent stays", 1000, { name: "Sky" }, 1000],
  ])("of capacities, %s", async (_, total_storage_bytes, body, expected) => {
    await using house = await openTestHouse();
    const { data } = await make(house, { total_storage_bytes });
    expect((await ask(house, storage.update, { params: { id: data.id }, body: body as never })).status).toBe(200);
    const after = await ask(house, storage.read, { params: { id: data.id } });
    expect(after.data.limit_bytes).toBe(expected);
    expect(after.data.total_storage_bytes).toBe(expected ?? PiB);
  });

  test("a form that sends back the capacity it was shown, rounded to two decimals, makes no limit of it", async () => {
    await using house = await openTestHouse();
    const { data } = await ask(house, storage.list, {});
    const disk = data[0]?.id ?? "";
    const read = async () => (await ask(house, storage.read, { params: { id: disk } })).data;
    const update = (total_storage_bytes: number) =>
      ask(house, storage.update, { params: { id: disk }, body: { name: "Disk", total_storage_bytes } });
    const { blocks, bsize } = statfsSync(house.objects);
    const shown = (await read()).total_storage_bytes ?? 0;
    expect([shown, (await read()).limit_bytes]).toEqual([blocks * bsize, null]);
    for (const unit of [1, GiB, 1024 * GiB]) {
      const rounded = Math.floor(Number((shown / unit).toFixed(2)) * unit);
      if (rounded < unit) continue;
      expect((await update(rounded)).status).toBe(200);
      expect(await read()).toMatchObject({ total_storage_bytes: shown, limit_bytes: null });
    }
    expect((await update(5 * GiB)).status).toBe(200);
    expect(await read()).toMatchObject({ total_storage_bytes: 5 * GiB, limit_bytes: 5 * GiB });
    expect((await update(shown)).status).toBe(200);
    expect(await read()).toMatchObject({ limit_bytes: shown });
  });

  test("one is the default, and takes what names no storage", async () => {
    await using house = await openTestHouse();
    await ask(house, storage.create, { body: { name: "More", provider_type: "Built-in disk", bucket_name: "more" } });
    const { data } = await ask(house, storage.list, {});
    const more = data.find(({ name }) => name === "More")?.id ?? "";
    await ask(house, storage.setDefault, { params: { id: more } });
    const { data: after } = await ask(house, storage.list, {});
    expect(after.map(({ name, is_default }) => [name, is_default])).toEqual([
      ["More", 1],
      ["Built-in storage", 0],
    ]);
    expect((await shareFile(house)).storage_config_id).toBe(more);
  });

  test("one that is in use stays until nothing uses it any more", async () => {
    await using house = await openTestHouse();
    const id = await builtInStorage(house);
    const remove = async () => await ask(house, storage.remove, { params: { id } });
    await presign(house);
    await shareFile(house);
    await makeMount(house);
    const refused = await remove();
    expect(refused).toMatchObject({ status: 409, error: "storage.inUse" });
    expect(refused.message).toContain("uploads: 2; mounts: 2");
    await house.configure(sql`delete from mounts`, sql`delete from files`);
    expect((await remove()).status).toBe(409);
    await house.db.run(sql`delete from uploads`);
    expect((await remove()).status).toBe(200);
    expect((await presign(house)).error).toBe("storage.missing");
  });

  test("what uses each is told to the administrator before one is removed", async () => {
    await using house = await openTestHouse();
    const id = await builtInStorage(house);
    const { data: more } = await make(house);
    await shareFile(house);
    await makeMount(house, { mount_path: "/team", is_active: false });
    const { data } = await ask(house, storage.uses, {});
    const paths = data.map((one) => [one.id, one.files, one.mounts.map(({ path }) => path)] as const);
    expect(new Map(paths.map(([one, ...uses]) => [one, uses]))).toEqual(
      new Map<string, [number, string[]]>([
        [id, [1, ["/drive", "/team"]]],
        [more.id, [0, []]],
      ]),
    );
  });

  test("one of which only deleted files are left says until when these may come back", async () => {
    await using house = await openTestHouse();
    const { data } = await make(house);
    const call = { params: { id: data.id } };
    const until = house.clock.now() + 90 * 60_000;
    const leave = (id: string, state: string) =>
      house.db.run(sql`insert into uploads (id, storage, key, content_type, size, state, created_by, created_at,
        touched_at, addressed_until) values (${id}, ${data.id}, ${id}, 'a/b', 1, ${state}, 'admin', 0, 0, ${until})`);
    await leave("a", "removing");
    await leave("b", "removing");
    await leave("c", "pending");
    const refused = await ask(house, storage.remove, call);
    expect([refused.error, refused.message]).toEqual([
      "storage.inUse",
      expect.stringContaining("uploads: 1; mounts: 0"),
    ]);
    await house.db.run(sql`delete from uploads where id = 'c'`);
    const waits = await ask(house, storage.remove, call);
    const shown = `${new Date(until).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    expect(waits).toMatchObject({ status: 409, error: "storage.leftovers" });
    expect(waits.message).toContain(`(2) can still be uploaded again: the last upload URL is valid until ${shown}`);
    const chinese = await ask(house, storage.remove, call, { "accept-language": "zh" });
    expect(chinese.message).toContain(`有 2 个已删除的文件仍可能被重新写入：已发出的上传地址最晚在 ${shown} 失效`);
    const moved = await ask(house, storage.update, { ...call, body: { bucket_name: "another" } });
    expect(moved.error).toBe("storage.leftovers");
  });

  test("when it was used last is noted to the minute", async () => {
    await using house = await openTestHouse();
    const last = async () => (await ask(house, storage.list, {})).data[0]?.last_used;
    expect(await last()).toBeNull();
    await shareFile(house);
    const used = await last();
    expect(used).toBe(new Date(house.clock.now()).toISOString());
    house.clock.advance(30_000);
    await shareFile(house);
    expect(await last()).toBe(used ?? "");
  });

  test("keys see public ones, without what is the administrator's", async () => {
    await using house = await openTestHouse();
    await make(house, { is_public: true });
    await make(house, { name: "Private" });
    const headers = withKey(await makeKey(house, { permissions: ["file_share"] }));
    const text = await (await house.request(url, { headers })).text();
    expect(JSON.parse(text).data.map(({ name }: { name: string }) => name)).toEqual(["Built-in storage", "Cloud"]);
    for (const hidden of ["example.com", "AKIA", "eu-1", SECRET]) expect(text).not.toContain(hidden);
  });
});
