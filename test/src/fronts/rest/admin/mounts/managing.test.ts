import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { mounts } from "#contract/mounts";
import { sql } from "../../../../../../src/database/sql.ts";
import { makeKey, withKey } from "../../../../../support/make-key.ts";
import { builtInStorage, makeMount } from "../../../../../support/make-mount.ts";
import { scenarios } from "../../../../../support/scenario.ts";
import { ask, shareFile } from "../../../../../support/share-file.ts";
import { temporaryFolder } from "../../../../../support/temporary-folder.ts";
import { ignoringReferences } from "../../../../../support/test-database.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const url = "/api/admin/mounts";
const admin = { as: "admin" } as const;
const STORAGE = "the-storage";

/** The built-in storage and a mount on it, with ids that rows can name. */
async function furnish(house: TestHouse) {
  await makeMount(house, { name: "mine", mount_path: "/team" });
  await house.configure(
    ignoringReferences(house.db),
    sql`update storage_configs set id = ${STORAGE}`,
    sql`update mounts set storage = ${STORAGE}`,
    sql`update mounts set id = name where name = 'mine'`,
  );
}

const whole = { name: "New", storage_type: "S3", storage_config_id: STORAGE, mount_path: "/new" };
const create = (body: unknown) => ({ ...admin, method: "POST" as const, url, body });
const creating = (fields: object) => create({ ...whole, ...fields });
const change = (body: unknown) => ({ ...admin, method: "PUT" as const, url: `${url}/mine`, body });
const remove = { method: "DELETE" as const, url: `${url}/mine` };
const invalid = (field: string) => ({ status: 400, has: ["body.invalid", field] });
const badPath = { status: 400, has: ["mount.pathInvalid"] };
const reserved = { status: 400, has: ["mount.pathReserved"] };

describe("making a mount", () => {
  scenarios(
    [
      {
        ...create(whole),
        status: 201,
        has: [
          '"code":201',
          '"name":"New"',
          '"storage_type":"S3"',
          `"storage_config_id":"${STORAGE}"`,
          '"mount_path":"/new"',
          '"remark":null',
          '"is_active":1',
          '"created_by":"admin"',
          '"sort_order":0',
          '"cache_ttl":300',
          '"web_proxy":0',
          '"webdav_policy":"native_proxy"',
          '"enable_sign":0',
          '"sign_expires":null',
          '"readme":1',
          '"last_used":null',
        ],
      },
      { ...create(whole), as: "anyone", status: 401 },
      { ...create(whole), as: "any key", status: 403 },
      { ...create(whole), as: "visitor", status: 401 },
      { ...create("["), status: 400, has: ["body.malformed"] },
      { ...create([]), status: 400, has: ["body.invalid"] },
      { ...creating({ name: undefined }), ...invalid("name") },
      { ...creating({ name: "  " }), ...invalid("name") },
      { ...creating({ name: "n".repeat(50) }), status: 201 },
      { ...creating({ name: "n".repeat(51) }), name: "51 characters", ...invalid("name") },
      { ...creating({ name: 7 }), ...invalid("name") },
      { ...creating({ storage_type: undefined }), ...invalid("storage_type") },
      { ...creating({ storage_type: "FTP" }), ...invalid("storage_type") },
      { ...creating({ storage_config_id: undefined }), ...invalid("storage_config_id") },
      { ...creating({ storage_config_id: "nothing" }), status: 400, has: ["mount.storageMissing"] },
      { ...creating({ mount_path: undefined }), ...invalid("mount_path") },
      { ...creating({ mount_path: "/team" }), status: 409, has: ["mount.pathTaken"] },
      { ...creating({ mount_path: "/team/below" }), status: 201 },
      { ...creating({ mount_path: "/团队/a_b-9" }), status: 201, has: ["/团队/a_b-9"] },
      { ...creating({ mount_path: "" }), ...badPath },
      { ...creating({ mount_path: "new" }), ...badPath },
      { ...creating({ mount_path: "/new/" }), ...badPath },
      { ...creating({ mount_path: "//new" }), ...badPath },
      { ...creating({ mount_path: "/new//x" }), ...badPath },
      { ...creating({ mount_path: "/a b" }), ...badPath },
      { ...creating({ mount_path: "/a.b" }), ...badPath },
      { ...creating({ mount_path: "/.." }), ...badPath },
      { ...creating({ mount_path: "/new/../x" }), ...badPath },
      { ...creating({ mount_path: "/new\\x" }), ...badPath },
      { ...creating({ mount_path: "/new%2f" }), ...badPath },
      { ...creating({ mount_path: "/new\n" }), ...badPath },
      { ...creating({ mount_path: "/new\u0000" }), ...badPath },
      { ...creating({ mount_path: "/🗂" }), ...badPath },
      { ...creating({ mount_path: `/${"a".repeat(256)}` }), name: "256 characters", ...badPath },
      { ...creating({ mount_path: `/${"a".repeat(2001)}` }), name: "2,002 characters", ...invalid("mount_path") },
      { ...creating({ mount_path: "/" }), ...reserved },
      { ...creating({ mount_path: "/etc" }), ...reserved },
      { ...creating({ mount_path: "/proc/self" }), ...reserved },
      { ...creating({ mount_path: "/assets" }), ...reserved },
      { ...creating({ mount_path: "/PROC" }), ...reserved },
      { ...creating({ mount_path: "/cafe\u0301" }), status: 201, has: ['"mount_path":"/caf\u00e9"'] },
      { ...creating({ name: "a\u202Eb" }), ...invalid("name") },
      { ...creating({ name: "\u200b" }), ...invalid("name") },
      { ...creating({ mount_path: "/library" }), status: 201 },
      { ...creating({ cache_ttl: 0 }), status: 201, has: ['"cache_ttl":0'] },
      { ...creating({ cache_ttl: "86400" }), status: 201, has: ['"cache_ttl":86400'] },
      { ...creating({ cache_ttl: 86_401 }), ...invalid("cache_ttl") },
      { ...creating({ cache_ttl: -1 }), ...invalid("cache_ttl") },
      { ...creating({ cache_ttl: 1.5 }), ...invalid("cache_ttl") },
      { ...creating({ cache_ttl: "soon" }), ...invalid("cache_ttl") },
      { ...creating({ sort_order: "-5" }), status: 201, has: ['"sort_order":-5'] },
      { ...creating({ sort_order: 0.5 }), ...invalid("sort_order") },
      { ...creating({ sort_order: 1e15 }), ...invalid("sort_order") },
      { ...creating({ is_active: false }), status: 201, has: ['"is_active":0'] },
      { ...creating({ is_active: "perhaps" }), ...invalid("is_active") },
      { ...creating({ web_proxy: 1, enable_sign: "true" }), status: 201, has: ['"web_proxy":1', '"enable_sign":1'] },
      { ...creating({ sign_expires: 0 }), status: 201, has: ['"sign_expires":0'] },
      { ...creating({ sign_expires: "" }), status: 201, has: ['"sign_expires":null'] },
      { ...creating({ sign_expires: -1 }), ...invalid("sign_expires") },
      { ...creating({ readme: false }), status: 201, has: ['"readme":0'] },
      { ...creating({ readme: "perhaps" }), ...invalid("readme") },
      { ...creating({ webdav_policy: "302_redirect" }), status: 201, has: ["302_redirect"] },
      { ...creating({ webdav_policy: "smoke" }), ...invalid("webdav_policy") },
      { ...creating({ remark: "for all" }), status: 201, has: ['"remark":"for all"'] },
      { ...creating({ remark: "r".repeat(501) }), name: "501 characters", ...invalid("remark") },
      { ...creating({ created_by: "apikey:x", id: "mine" }), status: 201, has: ['"created_by":"admin"'] },
    ],
    furnish,
  );
});

describe("reading, changing and deleting mounts", () => {
  const read = { ...admin, method: "GET" as const, url };
  scenarios(
    [
      { ...read, status: 200, has: ['"name":"mine"', '"mount_path":"/drive"', '"created_by":"system"'] },
      { ...read, as: "any key", status: 403, hasNot: ["/team"] },
      { ...read, as: "anyone", status: 401, hasNot: ["/team"] },
      { ...read, url: `${url}/mine`, status: 200, has: ['"name":"mine"'] },
      { ...read, url: `${url}/nothing`, status: 404, has: ["mount.missing"] },
      { ...change({ is_active: false }), status: 200, has: ['"success":true'] },
      { ...change({ is_active: false }), url: `${url}/nothing`, status: 404, has: ["mount.missing"] },
      { ...change({ is_active: false }), as: "any key", status: 403 },
      { ...change({}), status: 400, has: ["mount.nothingToChange"] },
      { ...change({ id: "other" }), status: 400, has: ["mount.nothingToChange"] },
      { ...change({ name: "" }), ...invalid("name") },
      { ...change({ name: null }), ...invalid("name") },
      { ...change({ mount_path: "/drive" }), status: 409, has: ["mount.pathTaken"] },
      { ...change({ mount_path: "/team" }), name: "its own", status: 200 },
      { ...change({ mount_path: "/x/" }), ...badPath },
      { ...change({ mount_path: "/sys" }), ...reserved },
      { ...change({ mount_path: "/Sys/below" }), ...reserved },
      { ...change({ storage_config_id: "nothing" }), status: 400, has: ["mount.storageMissing"] },
      { ...change({ storage_type: "FTP" }), ...invalid("storage_type") },
      { ...change({ cache_ttl: 86_401 }), ...invalid("cache_ttl") },
      { ...remove, ...admin, status: 200 },
      { ...remove, as: "any key", status: 403 },
      { ...remove, ...admin, url: `${url}/nothing`, status: 404, has: ["mount.missing"] },
    ],
    furnish,
  );

  test("a change touches what was sent and nothing else", async () => {
    await using house = await openTestHouse();
    const before = await makeMount(house, { remark: "old", sign_expires: 60, cache_ttl: 10, web_proxy: true });
    house.clock.advance(1000);
    const body = { remark: null, sort_order: 3, sign_expires: null };
    await ask(house, mounts.update, { params: { id: before.id }, body });
    const after = await ask(house, mounts.read, { params: { id: before.id } });
    const changed = { remark: null, sort_order: 3, sign_expires: null };
    // Its index is made whenever there is time.
    const { indexing } = after.data;
    const updated_at = new Date(house.clock.now()).toISOString();
    expect(after.data).toEqual({ ...before, ...changed, updated_at, indexing });
  });

  test("two changes of different fields at once are both kept", async () => {
    await using house = await openTestHouse();
    const { id } = await makeMount(house);
    const sent = [{ remark: "one" }, { cache_ttl: 7 }, { sort_order: 4 }, { web_proxy: true }];
    await Promise.all(sent.map((body) => ask(house, mounts.update, { params: { id }, body })));
    const { data } = await ask(house, mounts.read, { params: { id } });
    expect(data).toMatchObject({ remark: "one", cache_ttl: 7, sort_order: 4, web_proxy: 1 });
  });

  test("only one of several mounts at one path is made", async () => {
    await using house = await openTestHouse();
    const made = await Promise.allSettled([1, 2, 3, 4].map((n) => makeMount(house, { name: `${n}` })));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("they come by sort order and then by name", async () => {
    await using house = await openTestHouse();
    await makeMount(house, { name: "b", mount_path: "/b" });
    await makeMount(house, { name: "a", mount_path: "/a" });
    await makeMount(house, { name: "z", mount_path: "/z", sort_order: -1 });
    const { data } = await ask(house, mounts.list, {});
    expect(data.map(({ name }) => name)).toEqual(["z", "Drive", "a", "b"]);
  });

  test("deleting a mount leaves the files of its storage", async () => {
    await using house = await openTestHouse();
    const { slug } = await shareFile(house, { content: "still here" });
    const { data } = await ask(house, mounts.list, {});
    for (const { id } of data) await ask(house, mounts.remove, { params: { id } });
    expect((await ask(house, mounts.list, {})).data).toEqual([]);
    const response = await house.request(`/api/file-download/${slug}`);
    expect(await response.text()).toBe("still here");
  });
});

describe("what a caller sees of the mounts", () => {
  const seen = async (house: TestHouse, headers: Record<string, string>) => {
    const response = await house.request("/api/user/mounts", { headers });
    const { data } = (await response.json()) as { data: { mount_path: string }[] };
    return data.map(({ mount_path }) => mount_path).sort();
  };

  async function furnished() {
    const house = await openTestHouse();
    for (const mount_path of ["/team", "/team/photos", "/teams", "/off"])
      await makeMount(house, { name: mount_path, mount_path, is_active: mount_path !== "/off" });
    return house;
  }

  test.each([
    ["/", ["/drive", "/team", "/team/photos", "/teams"]],
    ["/team", ["/team", "/team/photos"]],
    ["/team/photos", ["/team", "/team/photos"]],
    ["/team/photos/2030", ["/team", "/team/photos"]],
    ["/team/texts", ["/team"]],
    ["/elsewhere", []],
    ["/off", []],
  ])("a key with base path %s", async (basic_path, expected) => {
    await using house = await furnished();
    const key = await makeKey(house, { permissions: ["mount_view"], basic_path });
    expect(await seen(house, withKey(key))).toEqual(expected);
  });

  test("the administrator sees every active one, and visitors what their key sees", async () => {
    await using house = await furnished();
    await house.configure(sql`update storage_configs set is_public = 0`);
    await makeKey(house, { is_guest: true, permissions: ["mount_view"] });
    expect(await seen(house, { authorization: `Bearer ${await house.signIn()}` })).toHaveLength(4);
    expect(await seen(house, {})).toEqual([]);
    await house.configure(sql`update storage_configs set is_public = 1`);
    expect(await seen(house, {})).toHaveLength(4);
  });

  test("one that is hidden looks missing", async () => {
    await using house = await furnished();
    const [team, off] = (await ask(house, mounts.list, {})).data.filter(
      ({ name }) => name === "/off" || name === "/team",
    );
    const key = withKey(await makeKey(house, { permissions: ["mount_view"], basic_path: "/teams" }));
    const every = withKey(await makeKey(house, { permissions: ["mount_view"] }));
    const statusOf = async (id: string | undefined, headers: Record<string, string>) =>
      (await house.request(`/api/user/mounts/${id}`, { headers })).status;
    const ids = [team, off].sort((a, b) => (a?.name ?? "").localeCompare(b?.name ?? "")).map((mount) => mount?.id);
    expect([await statusOf(ids[0], every), await statusOf(ids[1], every), await statusOf(ids[1], key)]).toEqual([
      404, 200, 404,
    ]);
  });
});

describe("the first mount", () => {
  const paths = async (house: TestHouse) =>
    (await ask(house, mounts.list, {})).data.map(({ mount_path }) => mount_path);

  test("stands on the built-in storage and comes back for nobody", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "satchel.db");
    {
      await using house = await openTestHouse({ file });
      const { data } = await ask(house, mounts.list, {});
      expect(data).toMatchObject([{ mount_path: "/drive", storage_config_id: await builtInStorage(house) }]);
      await ask(house, mounts.remove, { params: { id: data[0]?.id ?? "" } });
    }
    await using again = await openTestHouse({ file });
    expect(await paths(again)).toEqual([]);
  });

  test("is added to a data folder of the time before there were mounts", async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "satchel.db");
    {
      await using house = await openTestHouse({ file });
      await house.db.batch([sql`delete from mounts`, sql`delete from facts where name = 'first mount'`]);
    }
    await using again = await openTestHouse({ file });
    expect(await paths(again)).toEqual(["/drive"]);
  });
});
