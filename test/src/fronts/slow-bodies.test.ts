import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { JSON_PATIENCE, SLOWEST_LINE } from "#contract/limits";
import { bitsOf } from "#contract/permissions";
import { END, FORM_TYPE, field, filePart } from "../../support/clients/form-body.ts";
import { slowBody } from "../../support/clients/slow-body.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { nothing, remains } from "../../support/share-file.ts";
import { ADMIN, openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** What may change while a body is on its way, and how long one is waited for. */

type Headers = Record<string, string>;
const device = { address: "192.0.2.1", userAgent: "" };
const changeAccount = ({ house }: TestHouse) =>
  house.access.admin.change({ currentPassword: ADMIN.password, newPassword: "battery staple" }, device);

/** A credential, and what takes it away. */
interface Row {
  readonly name: string;
  readonly arrange: (house: TestHouse) => Promise<{ headers: Headers; revoke: () => Promise<unknown> }>;
  readonly status?: number;
}

const withAKey =
  (revoke: (house: TestHouse, id: string) => Promise<unknown>): Row["arrange"] =>
  async (house) => {
    const key = await makeKey(house);
    return { headers: withKey(key), revoke: () => revoke(house, key.id) };
  };

const removeKey = ({ house }: TestHouse, id: string) => house.access.keys.remove(id);

const rows: readonly Row[] = [
  {
    name: "a token, when the password was changed",
    arrange: async (house) => ({
      headers: { authorization: `Bearer ${await house.signIn()}` },
      revoke: () => changeAccount(house),
    }),
  },
  {
    name: "a token, when its session was ended",
    arrange: async (house) => ({
      headers: { authorization: `Bearer ${await house.signIn()}` },
      revoke: () => house.house.access.sessions.endOthers(null),
    }),
  },
  {
    name: "name and password, when the password was changed",
    arrange: async (house) => ({
      headers: { authorization: `Basic ${btoa(`${ADMIN.username}:${ADMIN.password}`)}` },
      revoke: () => changeAccount(house),
    }),
  },
  { name: "a key, when it was deleted", arrange: withAKey(removeKey) },
  {
    name: "a key, when the right was taken from it",
    arrange: withAKey(({ house }, id) => house.access.keys.update(id, { permissions: bitsOf(["mount_view"]) })),
    status: 403,
  },
  {
    name: "nobody, when the visitors' key was deleted",
    arrange: async (house) => {
      const key = await makeKey(house, { is_guest: true });
      return { headers: {}, revoke: () => removeKey(house, key.id) };
    },
  },
];

describe("a request whose body is still on its way is refused", () => {
  test.each([...rows])("with $name", async ({ arrange, status = 401 }) => {
    await using house = await openTestHouse();
    const { headers, revoke } = await arrange(house);
    const { body, begun, finish } = slowBody('{"con', 'tent":"late","slug":"late"}');
    const response = house.request("/api/paste", { method: "POST", headers, body });
    await begun;
    await revoke();
    finish();
    expect((await response).status).toBe(status);
    expect((await house.request("/api/raw/late")).status).toBe(404);
  });

  test.each([...rows])("also when it is a form's file, with $name", async ({ arrange, status = 401 }) => {
    await using house = await openTestHouse();
    const { headers, revoke } = await arrange(house);
    const whole = field("slug", "late") + filePart("x".repeat(1000)) + END;
    const { body, begun, finish } = slowBody(whole.slice(0, -500), whole.slice(-500));
    const sent = { ...headers, "content-type": FORM_TYPE };
    const response = house.request("/api/upload", { method: "POST", headers: sent, body });
    await begun;
    await revoke();
    finish();
    expect((await response).status).toBe(status);
    expect(await remains(house)).toEqual(nothing);
  });

  test("and is none when nothing has changed", async () => {
    await using house = await openTestHouse();
    const headers = withKey(await makeKey(house));
    const { body, begun, finish } = slowBody('{"con', 'tent":"late","slug":"late"}');
    const response = house.request("/api/paste", { method: "POST", headers, body });
    await begun;
    finish();
    expect((await response).status).toBe(201);
  });
});

describe("a JSON body that does not come", () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const isAnswered = async (response: Promise<Response>) => {
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    return Bun.peek.status(response) === "fulfilled";
  };

  test.each([
    ["/api/admin/login", 100],
    ["/api/paste", 30_000_000],
  ])("to %s with %d bytes is waited for as long as a slow line needs", async (path, length) => {
    await using house = await openTestHouse();
    const { body, begun, finish } = slowBody("{", "}");
    const headers = {
      authorization: `Bearer ${await house.signIn()}`,
      "content-type": "application/octet-stream",
      "content-length": String(length),
    };
    const response = house.request(path, { method: "POST", headers, body });
    await begun;
    jest.advanceTimersByTime(JSON_PATIENCE + (length / SLOWEST_LINE) * 1000 - 1);
    expect(await isAnswered(response)).toBe(false);
    jest.advanceTimersByTime(2);
    const late = await response;
    expect(late.status).toBe(408);
    expect(late.headers.get("connection")).toBe("close");
    expect(await late.json()).toMatchObject({ code: 408, error: "body.late", success: false });
    finish();
  });
});
