import { describe, expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { storage } from "#contract/storage";
import { sql } from "../../../../../../src/database/sql.ts";
import { makeMount } from "../../../../../support/make-mount.ts";
import { scenarios } from "../../../../../support/scenario.ts";
import { ask } from "../../../../../support/share-file.ts";
import { emptyBucket, openPretendS3 } from "../../../../../support/stores/pretend-s3.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";
import { treeCalls } from "../../../../../support/tree/tree-house.ts";
import { until } from "../../../../../support/until.ts";

/** Link-local and metadata addresses are no storage, however they are written and whatever leads there. */

const url = "/api/s3-configs";
const cloud = {
  name: "Cloud",
  provider_type: "MinIO",
  endpoint_url: "https://s3.example.com",
  bucket_name: "files",
  path_style: true,
  access_key_id: "AKIAEXAMPLE",
  secret_access_key: "a-very-secret-access-key",
};

const make = (house: TestHouse, fields: object) =>
  ask(house, storage.create, { body: { ...cloud, ...fields } as never });

const spellings = [
  ...[
    "169.254.169.254",
    "http://169.254.0.1:9000",
    "http://2852039166",
    "http://0xA9FEA9FE/",
    "http://0251.0376.0251.0376",
  ],
  ...["http://169.254.43518", "http://169.254.169.254.", "http://①⑥⑨.254.169.254", "http://%31%36%39.254.169.254"],
  ...["http://[fe80::1]:9000", "http://[FEBF::1]", "http://[fd00:ec2::254]", "http://[fd00:0ec2:0:0:0:0:0:0254]"],
  ...["http://[::ffff:169.254.169.254]", "http://[::ffff:a9fe:a9fe]", "http://[::169.254.169.254]"],
  ...["http://[64:ff9b::a9fe:a9fe]", "http://[64:ff9b:1::169.254.1.1]", "http://[2002:a9fe:a9fe::1]"],
  ...["http://[::ffff:0:169.254.169.254]"],
  // Where Alibaba Cloud and Azure serve their machines.
  ...["http://100.100.100.200", "http://168.63.129.16:32526", "http://[::ffff:100.100.100.200]"],
];
const ordinary = [
  ...["http://127.0.0.1:9000", "http://10.0.0.5:9000", "http://192.168.1.2", "http://172.16.0.1", "http://localhost"],
  ...[
    "http://[::1]:9000",
    "http://[fd00::1]",
    "http://[fd00:ec2::253]",
    "http://[::ffff:10.0.0.1]",
    "https://169.253.0.1",
    "http://100.100.100.201",
  ],
];

describe("where an administrator enters an address", () => {
  const refused = { status: 400, has: ["storage.linkLocal"] };
  scenarios([
    ...spellings.flatMap((address) => [
      {
        ...({ as: "admin", method: "POST", url, name: `endpoint ${address}` } as const),
        ...{ body: { ...cloud, endpoint_url: address }, ...refused },
      },
      {
        ...({ as: "admin", method: "POST", url, name: `host ${address}` } as const),
        ...{ body: { ...cloud, custom_host: address }, ...refused },
      },
    ]),
    ...ordinary.map((address) => ({
      ...({ as: "admin", method: "POST", url, name: address, status: 201 } as const),
      body: { ...cloud, endpoint_url: address, custom_host: address },
    })),
  ]);

  test("a change is refused too, and changes nothing", async () => {
    await using house = await openTestHouse();
    const { data } = await make(house, {});
    for (const body of [{ endpoint_url: "http://169.254.169.254" }, { custom_host: "http://[fe80::1]" }]) {
      const change = { params: { id: data.id }, body: body as never };
      expect(await ask(house, storage.update, change)).toMatchObject({ code: 400, error: "storage.linkLocal" });
    }
    expect((await ask(house, storage.read, { params: { id: data.id } })).data).toMatchObject({
      ...{ endpoint_url: cloud.endpoint_url, custom_host: null },
    });
  });
});

/** A house whose names of storages lead to what the test says, and a storage behind such a name at /s. */
async function openNamed(endpoint: string, addresses: () => readonly string[]) {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return addresses();
  };
  const house = await openTestHouse({ resolve });
  const { data } = await make(house, { endpoint_url: endpoint });
  await makeMount(house, { name: "S", mount_path: "/s", storage_config_id: data.id });
  const { outcome } = await treeCalls(house);
  const list = () => outcome(fs.list, { query: { path: "/s", refresh: "true" } });
  /** Until nothing in the background asks the storage any more. */
  const indexed = () =>
    until(
      () => house.db.first(sql`select 1 from search_builds where storage = ${data.id} and built_at is not null`),
      (built) => built !== undefined && built !== null,
    );
  return { house, id: data.id, list, asked, indexed, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

const REFUSED = "502 storage.addressRefused";

describe("where a name leads is asked before each connection", () => {
  test("and the connection goes to the address that was checked", async () => {
    await using s3 = openPretendS3();
    await using named = await openNamed(`http://s3.nowhere.invalid:${s3.port}`, () => ["127.0.0.1"]);
    expect(await named.list()).toBe("200");
    expect(new Set(s3.hosts)).toEqual(new Set([`s3.nowhere.invalid:${s3.port}`]));
    expect(new Set(named.asked)).toEqual(new Set(["s3.nowhere.invalid"]));
  });

  test("a name that leads elsewhere after it was saved and used is refused", async () => {
    await using s3 = openPretendS3();
    let addresses = ["127.0.0.1"];
    await using named = await openNamed(`http://rebound.invalid:${s3.port}`, () => addresses);
    expect(await named.list()).toBe("200");
    await named.indexed();
    const before = s3.hosts.length;
    for (const next of [
      ["169.254.169.254"],
      ["127.0.0.1", "169.254.169.254"],
      ["100.100.100.200"],
      ["::ffff:a9fe:a9fe"],
      ["fe80::1%eth0"],
    ]) {
      addresses = next;
      named.house.clock.advance(6000);
      expect([next, await named.list()]).toEqual([next, REFUSED]);
    }
    expect(s3.hosts.length).toBe(before);
    addresses = ["127.0.0.1"];
    named.house.clock.advance(6000);
    expect(await named.list()).toBe("200");
  });

  test("an address that was stored before is refused as well", async () => {
    await using named = await openNamed("http://s3.nowhere.invalid", () => []);
    await named.house.configure(
      sql`update storage_configs set endpoint_url = 'http://169.254.169.254' where id = ${named.id}`,
    );
    expect(await named.list()).toBe(REFUSED);
  });

  test("the test of a storage says why it asks nothing", async () => {
    await using named = await openNamed("http://s3.nowhere.invalid", () => ["169.254.169.254"]);
    const { data } = await ask(named.house, storage.test, { params: { id: named.id }, body: {} });
    expect(data.result.steps.find(({ id }) => id === "write")).toMatchObject({
      ...{ success: false, message: expect.stringContaining("link-local") },
    });
    const origins = { params: { id: named.id }, body: { origins: ["*"] } };
    expect(await ask(named.house, storage.setCors, origins)).toMatchObject({ error: "storage.addressRefused" });
  });

  test("of several addresses one that answers is taken", async () => {
    await using s3 = openPretendS3();
    // Nobody listens there: the server has 127.0.0.1 only.
    await using named = await openNamed(`http://many.invalid:${s3.port}`, () => ["127.0.0.2", "127.0.0.1"]);
    expect(await named.list()).toBe("200");
  });

  test("a name that nobody knows is an unreachable storage", async () => {
    const unknown = () => {
      throw Object.assign(new Error("unknown"), { code: "ENOTFOUND" });
    };
    await using named = await openNamed("http://s3.nowhere.invalid", unknown);
    expect(await named.list()).toBe("502 storage.unreachable");
  });
});

test.each([301, 302, 303, 307, 308])("a redirect %i is not followed", async (status) => {
  await using other = openPretendS3(emptyBucket);
  const location = `http://127.0.0.1:${other.port}/files?list-type=2`;
  await using s3 = openPretendS3(() => new Response(null, { status, headers: { location } }));
  await using named = await openNamed(`http://127.0.0.1:${s3.port}`, () => []);
  expect(await named.list()).toBe("502 storage.region");
  expect([s3.hosts.length > 0, other.hosts.length]).toEqual([true, 0]);
});
