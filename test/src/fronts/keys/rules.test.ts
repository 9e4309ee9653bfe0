import { describe, expect, test } from "bun:test";
import { type KeyRecord, keys, NEVER } from "#contract/keys";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { makeMount } from "../../../support/make-mount.ts";
import { scenarios } from "../../../support/scenario.ts";
import { ask } from "../../../support/share-file.ts";
import { days } from "../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

const create = (body: object) =>
  ({ as: "admin", method: "POST", url: "/api/admin/api-keys", body: { name: "new", ...body } }) as const;
const badName = { status: 400, has: ["body.invalid", "name"] };
const badPath = { status: 400, has: ["basePath.invalid"] };

describe("names and base paths", () => {
  scenarios([
    { ...create({ name: "a\u0000" }), ...badName },
    { ...create({ name: "\u200b\u200b" }), ...badName },
    { ...create({ name: "\ud800" }), ...badName },
    { ...create({ name: "txt.\u202Eexe" }), ...badName },
    { ...create({ name: "👩‍👧" }), status: 201, has: ["👩‍👧"] },
    { ...create({ basic_path: "/team " }), ...badPath },
    { ...create({ basic_path: "/ team" }), ...badPath },
    { ...create({ basic_path: "/team/ /photos" }), ...badPath },
    { ...create({ basic_path: "/team\u3000/photos" }), ...badPath },
    { ...create({ basic_path: "/our team" }), status: 201, has: ['"basic_path":"/our team"'] },
  ]);

  test("two names that look alike are one", async () => {
    await using house = await openTestHouse();
    await ask(house, keys.create, { body: { name: "caf\u00e9" } });
    const again = await ask(house, keys.create, { body: { name: "cafe\u0301" } });
    expect(again).toMatchObject({ status: 409, error: "key.nameTaken" });
  });

  test("a base path leads to its mount, however its letters are written", async () => {
    await using house = await openTestHouse();
    await makeMount(house, { mount_path: "/cafe\u0301" });
    const body = { name: "k", permissions: 256, basic_path: "/caf\u00e9/menu" };
    const key = (await ask(house, keys.create, { body })).data;
    const seen = await house.request("/api/user/mounts", { headers: withKey(key) });
    expect(await seen.json()).toMatchObject({ data: [{ mount_path: "/caf\u00e9" }] });
    const decomposed = await ask(house, keys.create, { body: { name: "d", basic_path: "/cafe\u0301/menu" } });
    expect(decomposed.data.basic_path).toBe("/caf\u00e9/menu");
  });
});

describe("an expiry that is left blank", () => {
  const update = (house: TestHouse, id: string, body: object) => ask(house, keys.update, { params: { id }, body });
  const expiryOf = async (house: TestHouse) => (await ask(house, keys.list, {})).data[0]?.expires_at;

  test("is that of a key of which nobody says when it expires, and changes none", async () => {
    await using house = await openTestHouse();
    const { data } = await ask(house, keys.create, { body: { name: "new", expires_at: "" } });
    const tomorrow = new Date(house.clock.now() + days(1)).toISOString();
    expect(data.expires_at).toBe(tomorrow);
    expect((await update(house, data.id, { name: "newer", expires_at: "" })).status).toBe(200);
    expect(await expiryOf(house)).toBe(tomorrow);
    expect(await update(house, data.id, { expires_at: "" })).toMatchObject({ error: "key.nothingToChange" });
    expect((await update(house, data.id, { expires_at: "never" })).status).toBe(200);
    expect(await expiryOf(house)).toBe(NEVER);
  });
});

describe("an expired visitors' key", () => {
  /** A house whose visitors' key, `old`, has just expired. */
  async function openAfterwards() {
    const house = await openTestHouse();
    const expires_at = new Date(house.clock.now() + 1000).toISOString();
    const old = await makeKey(house, { name: "old", is_guest: true, expires_at });
    house.clock.advance(999);
    expect(await heir(house)).toMatchObject({ status: 409, error: "key.guestTaken" });
    house.clock.advance(1);
    return { house, old };
  }

  const heir = (house: TestHouse, fields: object = {}) =>
    ask(house, keys.create, { body: { name: "heir", is_guest: 1, permissions: 1, expires_at: null, ...fields } });
  const guests = async (house: TestHouse) =>
    (await ask(house, keys.list, {})).data.filter((key: KeyRecord) => key.is_guest).map(({ name }) => name);
  const visit = async (house: TestHouse) =>
    (await house.request("/api/paste", { method: "POST", body: '{"content":"hi"}' })).status;

  test("gives way to a new one", async () => {
    const { house, old } = await openAfterwards();
    await using _house = house;
    expect(await visit(house)).toBe(401);
    expect((await heir(house)).status).toBe(201);
    expect(await guests(house)).toEqual(["heir"]);
    expect(await visit(house)).toBe(201);
    const again = { params: { id: old.id }, body: { is_guest: 1, expires_at: null } };
    expect(await ask(house, keys.update, again)).toMatchObject({ status: 409, error: "key.guestTaken" });
  });

  test("gives way to one that becomes it", async () => {
    const { house } = await openAfterwards();
    await using _house = house;
    const { id } = await makeKey(house, { name: "another" });
    expect((await ask(house, keys.update, { params: { id }, body: { is_guest: true } })).status).toBe(200);
    expect(await guests(house)).toEqual(["another"]);
  });

  test("keeps its place when nobody can take it", async () => {
    const { house, old } = await openAfterwards();
    await using _house = house;
    const { id } = await makeKey(house, { name: "another" });
    expect(await heir(house, { name: "another" })).toMatchObject({ error: "key.nameTaken" });
    expect(await heir(house, { custom_key: old.key })).toMatchObject({ error: "key.taken" });
    const change = { params: { id }, body: { is_guest: true, name: "old" } };
    expect(await ask(house, keys.update, change)).toMatchObject({ error: "key.nameTaken" });
    expect(await guests(house)).toEqual(["old"]);
    const renewed = { params: { id: old.id }, body: { is_guest: true, expires_at: null } };
    expect((await ask(house, keys.update, renewed)).status).toBe(200);
    expect(await visit(house)).toBe(201);
  });
});
