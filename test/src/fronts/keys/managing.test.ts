import { describe, expect, test } from "bun:test";
import { type KeyRecord, keys } from "#contract/keys";
import { sql } from "../../../../src/database/sql.ts";
import { makeTwoKeys, OTHER } from "../../../support/callers/two-keys.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { scenarios } from "../../../support/scenario.ts";
import { ask } from "../../../support/share-file.ts";
import { days, hours } from "../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

const url = "/api/admin/api-keys";
const admin = { as: "admin" } as const;
const list = { method: "GET" as const, url };
const change = (body: unknown) => ({ ...admin, method: "PUT" as const, url: `${url}/mine`, body });
const remove = { method: "DELETE" as const, url: `${url}/mine` };

const invalid = (field: string) => ({ status: 400, has: ["body.invalid", field] });

describe("listing, changing and deleting keys", () => {
  scenarios(
    [
      { ...list, status: 401, has: ["auth.required"], hasNot: [OTHER] },
      { ...list, as: "wrong token", status: 401, has: ["auth.expired"], hasNot: [OTHER] },
      { ...list, as: "any key", status: 403, has: ["auth.forbidden"], hasNot: [OTHER] },
      { ...list, as: "visitor", status: 401, has: ["auth.required"], hasNot: [OTHER] },
      {
        ...list,
        ...admin,
        status: 200,
        has: [`"key":"${OTHER}"`, '"key_masked":"other-..."', '"permission_names":["text"]', '"last_used":null'],
      },
      { ...change({ name: "x" }), as: "anyone", status: 401 },
      { ...change({ name: "x" }), as: "any key", status: 403 },
      { ...change({ name: "x" }), url: `${url}/nothing`, status: 404, has: ["key.missing"] },
      { ...change({ name: "fresh" }), status: 200, has: ['"success":true'] },
      { ...change({ name: "mine" }), status: 200 },
      { ...change({ name: "other" }), status: 409, has: ["key.nameTaken"] },
      { ...change({ name: " " }), ...invalid("name") },
      { ...change({ name: null }), ...invalid("name") },
      { ...change({}), status: 400, has: ["key.nothingToChange"] },
      { ...change({ custom_key: "another-key-1" }), status: 400, has: ["key.nothingToChange"] },
      { ...change({ permissions: 3 }), status: 200 },
      { ...change({ permissions: 8 }), ...invalid("permissions") },
      { ...change({ role: "GUEST" }), status: 200 },
      { ...change({ role: "" }), ...invalid("role") },
      { ...change({ basic_path: "/x/" }), status: 200 },
      { ...change({ basic_path: "" }), status: 400, has: ["basePath.invalid"] },
      { ...change({ basic_path: "/x/.." }), status: 400, has: ["basePath.invalid"] },
      { ...change({ is_guest: 1 }), status: 200 },
      { ...change({ is_guest: "maybe" }), ...invalid("is_guest") },
      { ...change({ expires_at: "2001-01-01T00:00:00Z" }), status: 400, has: ["expiry.past"] },
      { ...change({ expires_at: "never" }), status: 200 },
      { ...change({ expires_at: "later" }), ...invalid("expires_at") },
      { ...change("["), status: 400, has: ["body.malformed"] },
      { ...remove, status: 401 },
      { ...remove, as: "any key", status: 403 },
      { ...remove, ...admin, status: 200, has: ['"success":true'] },
      { ...remove, ...admin, url: `${url}/nothing`, status: 404, has: ["key.missing"] },
      {
        ...remove,
        ...admin,
        url: `${url}/nothing`,
        headers: { "accept-language": "zh" },
        status: 404,
        has: ["密钥不存在"],
      },
    ],
    makeTwoKeys,
  );

  const listed = async (house: TestHouse): Promise<KeyRecord[]> => (await ask(house, keys.list, {})).data;
  const update = (house: TestHouse, id: string, body: object) => ask(house, keys.update, { params: { id }, body });
  const status = async (house: TestHouse, key: { key: string }, path = "/api/pastes") =>
    (await house.request(path, { headers: withKey(key) })).status;

  test("a change leaves what it does not name, and works at once", async () => {
    await using house = await openTestHouse();
    const made = await makeKey(house, { name: "mine", permissions: ["file_share"], basic_path: "/team" });
    expect(await status(house, made)).toBe(403);
    house.clock.advance(hours(1));
    expect((await update(house, made.id, { permissions: { text: true } })).status).toBe(200);
    expect(await status(house, made)).toBe(200);
    expect(await status(house, made, "/api/files")).toBe(403);
    expect(await listed(house)).toMatchObject([
      {
        name: "mine",
        key: made.key,
        permissions: 1,
        role: "GENERAL",
        basic_path: "/team",
        s3_access_key_id: made.s3_access_key_id,
        expires_at: "9999-12-31T23:59:59.000Z",
        created_at: "2030-01-02T03:04:05.678Z",
        updated_at: "2030-01-02T04:04:05.678Z",
      },
    ]);
  });

  test("a second visitors' key is refused until the first gives its place up", async () => {
    await using house = await openTestHouse();
    const [first, second] = [await makeKey(house, { is_guest: true }), await makeKey(house)];
    const refused = await ask(house, keys.create, { body: { name: "third", is_guest: 1 } });
    expect(refused).toMatchObject({ status: 409, error: "key.guestTaken" });
    expect(await update(house, second.id, { is_guest: 1 })).toMatchObject({ status: 409, error: "key.guestTaken" });
    expect((await update(house, first.id, { is_guest: 1, name: "still" })).status).toBe(200);
    expect((await update(house, first.id, { is_guest: 0 })).status).toBe(200);
    expect((await update(house, second.id, { is_guest: 1 })).status).toBe(200);
  });

  test("the newest key comes first, and an expired one stays in the list", async () => {
    await using house = await openTestHouse();
    await ask(house, keys.create, { body: { name: "old" } });
    house.clock.advance(days(1));
    await ask(house, keys.create, { body: { name: "new" } });
    expect((await listed(house)).map(({ name, is_expired }) => [name, is_expired])).toEqual([
      ["new", false],
      ["old", true],
    ]);
  });

  test("an expired key can be edited with the expiry it has, and be given a new one", async () => {
    await using house = await openTestHouse();
    const { data } = await ask(house, keys.create, { body: { name: "old", permissions: 1 } });
    house.clock.advance(days(1));
    expect(await status(house, data)).toBe(401);
    expect((await update(house, data.id, { name: "older", expires_at: data.expires_at })).status).toBe(200);
    expect(await status(house, data)).toBe(401);
    expect((await update(house, data.id, { expires_at: "2030-02-01T00:00:00Z" })).status).toBe(200);
    expect(await status(house, data)).toBe(200);
    expect((await update(house, data.id, { expires_at: null })).status).toBe(200);
    house.clock.advance(days(10_000));
    expect(await status(house, data)).toBe(200);
  });

  test("the last use is known to the minute", async () => {
    await using house = await openTestHouse();
    const made = await makeKey(house);
    const lastUse = async () => (await listed(house))[0]?.last_used;
    await status(house, made);
    expect(await lastUse()).toBe("2030-01-02T03:04:05.678Z");
    house.clock.advance(59_000);
    await status(house, made);
    expect(await lastUse()).toBe("2030-01-02T03:04:05.678Z");
    house.clock.advance(1000);
    await status(house, made);
    expect(await lastUse()).toBe("2030-01-02T03:05:05.678Z");
  });

  test("a sealed key that was altered is not shown, and hides no other", async () => {
    await using house = await openTestHouse();
    await makeKey(house, { name: "a" });
    await makeKey(house, { name: "b", custom_key: OTHER });
    await house.db.run(sql`update api_keys set sealed_key = 'x' where name = 'a'`);
    const shown = Object.fromEntries((await listed(house)).map(({ name, key }) => [name, key]));
    expect(shown).toEqual({ a: "", b: OTHER });
  });
});
