import { describe, expect, test } from "bun:test";
import { storage } from "#contract/storage";
import { examinations } from "#contract/storage-report";
import { sql } from "../../../../../../src/database/sql.ts";
import { builtInStorage } from "../../../../../support/make-mount.ts";
import { scenarios } from "../../../../../support/scenario.ts";
import { ask, filesOf, remains, shareFile } from "../../../../../support/share-file.ts";
import { examine } from "../../../../../support/stores/examine.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const admin = { as: "admin", method: "POST" } as const;
const url = "/api/s3-configs/disk";
const invalid = { status: 400, has: ["body.invalid", "origins"] };

/** Gives the built-in storage an id that rows can name. */
async function furnish(house: TestHouse): Promise<void> {
  await house.configure(sql`delete from mounts`, sql`update storage_configs set id = 'disk'`);
}

describe("testing the built-in storage", () => {
  scenarios(
    [
      {
        ...admin,
        url: `${url}/test`,
        status: 200,
        has: ['"message":"Everything works."', '"success":true', '"id":"write"', '"provider":"Built-in disk"'],
      },
      { ...admin, name: "a body", url: `${url}/test`, body: {}, status: 200 },
      { ...admin, name: "no object", url: `${url}/test`, body: [], status: 400 },
      { ...admin, url: `${url}/test`, body: "{", status: 400, has: ["body.malformed"] },
      { ...admin, url: "/api/s3-configs/nothing/test", status: 404, has: ["storage.missing"] },
      { ...admin, as: "anyone", url: `${url}/test`, status: 401 },
      { ...admin, as: "visitor", url: `${url}/test`, status: 401 },
      { ...admin, as: "any key", url: `${url}/test`, status: 403 },
      { ...admin, as: "wrong token", url: `${url}/test`, status: 401 },
    ],
    furnish,
  );

  test("tries all that is done with it, and leaves nothing", async () => {
    await using house = await openTestHouse();
    await shareFile(house);
    const before = { ...(await remains(house)), files: filesOf(house) };
    const { data, step } = await examine(house, await builtInStorage(house));
    const { steps, read, write, cors, frontendSim } = data.result;
    expect(data.success).toBe(true);
    expect(steps.map(({ id }) => id)).toEqual([...examinations]);
    expect(steps.filter(({ skipped }) => skipped).map(({ id }) => id)).toEqual([
      "cors",
      "etag_exposed",
      "clock_skew",
      "path_style",
      "public",
    ]);
    expect(step("cors").message).toContain("this server itself");
    expect(read).toMatchObject({ success: true, objectCount: 1, prefix: "shares/" });
    expect(write).toMatchObject({ success: true, cleaned: true });
    expect(write.testFile).toStartWith("shares/.satchel-test-");
    expect([cors.success, frontendSim.success, frontendSim.failedAt]).toEqual([true, true, null]);
    expect({ ...(await remains(house)), files: filesOf(house) }).toEqual(before);
  });

  test("speaks the caller's language", async () => {
    await using house = await openTestHouse();
    const { message, data } = await examine(house, await builtInStorage(house), { "accept-language": "zh-CN" });
    expect(message).toBe("一切正常。");
    for (const { name, message } of data.result.steps) expect(name + message).toMatch(/^[^a-z]*\p{Script=Han}/u);
  });

  test("is written down", async () => {
    await using house = await openTestHouse();
    const id = await builtInStorage(house);
    await examine(house, id);
    const { entries } = await house.house.access.audit.list({ limit: 1, offset: 0 });
    expect(entries).toMatchObject([{ action: "storage.test", subject: id, actor: "admin" }]);
  });

  test("runs once at a time", async () => {
    await using house = await openTestHouse();
    const id = await builtInStorage(house);
    const both = await Promise.all([1, 2].map(() => ask(house, storage.test, { params: { id }, body: {} })));
    expect(both.map(({ status, error }) => error ?? status).sort()).toEqual([200, "storage.testing"]);
    expect((await examine(house, id)).status).toBe(200);
  });

  test("tells what a disk refuses", async () => {
    await using house = await openTestHouse();
    const file = await shareFile(house, { filename: "in-the-way" });
    await house.configure(sql`update storage_configs set default_folder = ${`${file.storage_path}/`}`);
    const { data, failed, untried, step } = await examine(house, await builtInStorage(house));
    expect([data.success, failed]).toEqual([false, ["write"]]);
    expect(untried).toEqual(["head", "read", "range", "copy", "multipart", "delete"]);
    expect(step("head").message).toBe("Skipped, because this check failed: Write.");
    expect(filesOf(house).length).toBe(1);
  });
});

describe("setting CORS rules", () => {
  const setting = (origins: unknown) => ({ ...admin, url: `${url}/cors`, body: { origins } });
  scenarios(
    [
      { ...setting(["https://a.example"]), status: 400, has: ["storage.corsBuiltIn", "this server"] },
      { ...setting(["https://a.example"]), as: "anyone", status: 401 },
      { ...setting(["https://a.example"]), as: "any key", status: 403 },
      { ...setting(["*"]), url: "/api/s3-configs/nothing/cors", status: 404, has: ["storage.missing"] },
      { ...setting([]), ...invalid },
      { ...setting("*"), ...invalid },
      { ...setting([1]), ...invalid },
      { ...setting(Array(21).fill("*")), name: "21 origins", ...invalid },
      { ...setting([`https://${"a".repeat(300)}`]), name: "308 characters", ...invalid },
      { ...admin, url: `${url}/cors`, body: {}, ...invalid },
      { ...admin, url: `${url}/cors`, body: "[", status: 400, has: ["body.malformed"] },
    ],
    furnish,
  );

  const elsewhere = async (house: TestHouse) => {
    const body = {
      name: "Cloud",
      provider_type: "Other",
      endpoint_url: "http://127.0.0.1:1",
      bucket_name: "b",
      access_key_id: "key",
      secret_access_key: "a-secret-of-a-storage",
    };
    const { data } = await ask(house, storage.create, { body });
    await house.configure(sql`update storage_configs set id = 'cloud' where id = ${data.id}`);
  };
  const refused = (origin: string) => ({
    ...setting([origin]),
    url: "/api/s3-configs/cloud/cors",
    name: origin,
    status: 400,
    has: ["storage.origin"],
  });
  scenarios(
    [
      refused(""),
      refused("null"),
      refused("a.example"),
      refused("ftp://a.example"),
      refused("https://a.example/path"),
      refused("https://a.example?query"),
      refused("https://a.example#part"),
      refused("https://user@a.example"),
      refused("https://*.a.example"),
      refused("https://a.example\n<x>"),
      refused("https://<a>"),
      refused("https://"),
    ],
    elsewhere,
  );
});
