import { describe, expect, test } from "bun:test";
import { settings } from "#contract/settings";
import type { SettingName } from "../../../src/settings/groups.ts";
import { basic } from "../../support/clients/basic.ts";
import { davCalls } from "../../support/clients/dav.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { makeMount } from "../../support/make-mount.ts";
import { ask, put } from "../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** What visitors may have, and how long shares of anybody last: at every door, and of many who ask at once. */

const MB = 1024 ** 2;
const HOUR = 3_600_000;

type Limits = Partial<Record<SettingName, number>>;

async function open(limits: Limits) {
  const house = await openTestHouse();
  await makeMount(house, {});
  const guest = await makeKey(house, { is_guest: true });
  await set(house, limits);
  return { house, guest, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

const set = async (house: TestHouse, body: Limits) =>
  expect(await ask(house, settings.update, { params: { group: "6" }, body })).toMatchObject({ status: 200 });

interface Said {
  readonly error?: string;
  readonly message?: string;
  readonly data?: Record<string, string>;
  readonly expiresAt?: string | null;
}

/** Calls without a credential unless some are given, each time from another address. */
let caller = 0;
async function call(house: TestHouse, path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  caller += 1;
  const peer = `198.51.${caller >> 8}.${caller & 255}`;
  const response = await house.request(`/api${path}`, { method: "POST", headers, body: JSON.stringify(body) }, peer);
  const said = (await response.json()) as Said;
  return { ...said, told: `${response.status}${said.error ? ` ${said.error}` : ""}` };
}

const text = (house: TestHouse, more: object = {}, headers = {}) =>
  call(house, "/paste", { content: "x", ...more }, headers);
const file = (house: TestHouse, size: number, more: object = {}) =>
  call(house, "/s3/presign", { filename: "a.bin", size, ...more });

async function form(house: TestHouse, bytes: number): Promise<string> {
  const body = new FormData();
  body.set("file", new File(["x".repeat(bytes)], "form.bin"));
  const response = await house.request("/api/upload", { method: "POST", body });
  return `${response.status} ${((await response.json()) as Said).error ?? ""}`.trim();
}

describe("how many shares visitors have", () => {
  test("is exact however many ask at once, texts and files together", async () => {
    await using opened = await open({ visitor_max_shares: 3 });
    const { house, guest } = opened;
    const asked = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? text(house) : file(house, 5)));
    const told = (await Promise.all(asked)).map((one) => one.told);
    expect(told.filter((one) => one === "403 visitors.shares")).toHaveLength(5);
    expect((await text(house, {}, withKey(guest))).told).toBe("403 visitors.shares");
    expect((await text(house, {}, withKey(await makeKey(house)))).told).toBe("201");
  });

  test("is without those that have expired", async () => {
    await using opened = await open({ visitor_max_shares: 1, visitor_expiry_longest: 1 });
    const { house } = opened;
    expect((await text(house)).told).toBe("201");
    const refused = await text(house);
    expect(refused).toMatchObject({
      told: "403 visitors.shares",
      message: expect.stringContaining("at most 1 shares"),
    });
    house.clock.advance(HOUR);
    expect((await text(house)).told).toBe("201");
  });
});

describe("the size of a visitor's file", () => {
  test("is limited in shares, forms, parts, the tree, WebDAV and copies, and for nobody else", async () => {
    await using opened = await open({ visitor_max_file: 1 });
    const { house, guest } = opened;
    expect((await file(house, MB)).told).toBe("200");
    expect((await file(house, MB + 1)).told).toBe("413 file.tooLarge");
    expect(await form(house, MB + 1)).toBe("413 file.tooLarge");
    const parts = { filename: "b.bin", size: 6 * MB, part_size: 5 * MB };
    expect((await call(house, "/s3/multipart/init", parts)).told).toBe("413 file.tooLarge");
    const dav = davCalls(house, basic("any", guest.key));
    expect((await dav.send("PUT", "/team/a.bin", { body: "x".repeat(MB + 1) })).status).toBe(413);
    expect((await dav.send("PUT", "/team/a.bin", { body: "x".repeat(MB) })).status).toBe(201);
    const other = await makeKey(house);
    expect(
      (await davCalls(house, basic("any", other.key)).send("PUT", "/team/b.bin", { body: "x".repeat(MB + 1) })).status,
    ).toBe(201);
  });

  test("holds for what arrives without saying how large it is", async () => {
    await using opened = await open({ visitor_max_file: 1 });
    const { house } = opened;
    const begun = await call(house, "/s3/presign", { filename: "a.bin" });
    const sent = await put(house, begun.data?.upload_url ?? "", "x".repeat(MB + 1), begun.data?.contentType);
    const { told } = await call(house, "/s3/commit", { file_id: begun.data?.file_id });
    expect([sent.status, told]).not.toContainEqual("200");
    expect(told).toMatch(/^4/);
  });
});

describe("the bytes of all files of visitors", () => {
  test("are exact however many ask at once", async () => {
    await using opened = await open({ visitor_max_files: 3 });
    const told = await Promise.all(Array.from({ length: 8 }, async () => (await file(opened.house, MB)).told));
    expect(told.filter((one) => one === "200")).toHaveLength(3);
    expect(told.filter((one) => one === "413 visitors.files")).toHaveLength(5);
  });

  test("count what visitors write into the tree, until it is gone", async () => {
    await using opened = await open({ visitor_max_files: 2 });
    const { house, guest } = opened;
    await ask(house, settings.update, { params: { group: "1" }, body: { trash_days: 0 } });
    const dav = davCalls(house, basic("any", guest.key));
    const write = async (name: string) =>
      (await dav.send("PUT", `/team/${name}`, { body: "x".repeat(MB), headers: { "content-length": String(MB) } }))
        .status;
    const written = await Promise.all(["a", "b", "c", "d"].map(write));
    expect(written.filter((status) => status === 201)).toHaveLength(2);
    expect(written.filter((status) => status === 413)).toHaveLength(2);
    expect((await file(house, 1)).told).toBe("413 visitors.files");
    const kept = ["a", "b", "c", "d"].filter((_, index) => written[index] === 201);
    await dav.send("MOVE", `/team/${kept[0]}`, { headers: { destination: "/dav/team/moved" } });
    expect((await file(house, 1)).told).toBe("413 visitors.files");
    expect((await dav.send("DELETE", "/team/moved")).status).toBe(204);
    expect((await file(house, MB)).told).toBe("200");
    expect((await file(house, 1)).told).toBe("413 visitors.files");
  });

  test("count a body whose length nobody says, and what is copied", async () => {
    await using opened = await open({ visitor_max_files: 2 });
    const { house, guest } = opened;
    const dav = davCalls(house, basic("any", guest.key));
    const chunked = (bytes: number) => new Blob(["x".repeat(bytes)]).stream();
    expect((await dav.send("PUT", "/team/a", { body: chunked(3 * MB) })).status).toBe(413);
    expect((await dav.send("PUT", "/team/a", { body: chunked(MB) })).status).toBe(201);
    const copy = (to: string) => dav.send("COPY", "/team/a", { headers: { destination: `/dav/team/${to}` } });
    expect((await copy("b")).status).toBe(201);
    expect((await copy("c")).status).toBe(413);
  });
});

describe("how long shares last", () => {
  const hoursOf = (house: TestHouse, expires: string | null | undefined) =>
    expires == null ? expires : (Date.parse(expires) - house.clock.now()) / HOUR;
  const inHours = (house: TestHouse, hours: number) => new Date(house.clock.now() + hours * HOUR).toISOString();

  test("is the default where nobody says, and never longer than allowed", async () => {
    await using opened = await open({ share_expiry_default: 24, share_expiry_longest: 168 });
    const { house } = opened;
    const asAdmin = { authorization: `Bearer ${await house.signIn()}` };
    expect(hoursOf(house, (await text(house, {}, asAdmin)).expiresAt)).toBe(24);
    expect(hoursOf(house, (await text(house, { expiresAt: inHours(house, 100) }, asAdmin)).expiresAt)).toBe(100);
    // The clock of a browser is a little ahead.
    expect(hoursOf(house, (await text(house, { expiresAt: inHours(house, 168.2) }, asAdmin)).expiresAt)).toBe(168);
    const refused = await text(house, { expiresAt: inHours(house, 200) }, asAdmin);
    expect(refused).toMatchObject({ told: "400 expiry.tooLong", message: expect.stringContaining("within 7 days") });
    expect((await text(house, { expiresAt: null }, asAdmin)).told).toBe("400 expiry.tooLong");
    expect((await file(house, 5, { expires_in: 0 })).told).toBe("400 expiry.tooLong");
    expect((await file(house, 5, { expires_in: 720 })).told).toBe("400 expiry.tooLong");
    expect(hoursOf(house, (await file(house, 5)).data?.expiresAt)).toBe(24);
  });

  test("holds for links, shares of stored files and edits, and lets be what is there", async () => {
    await using opened = await open({});
    const { house } = opened;
    const asAdmin = { authorization: `Bearer ${await house.signIn()}` };
    await davCalls(house).send("PUT", "/team/a.txt", { body: "a" });
    const eternal = await house.house.shares.pastes.create({ kind: "admin", sessionId: "" }, { content: "x" });
    await set(house, { share_expiry_longest: 24 });
    const make = (body: object) => call(house, "/fs/create-share", { path: "/team/a.txt", ...body }, asAdmin);
    expect((await make({ expires_in: 48 })).told).toBe("400 expiry.tooLong");
    expect((await make({})).told).toBe("201");
    const link = (body: object) => call(house, "/links", { items: ["/team/"], ...body }, asAdmin);
    expect((await link({ expires_at: inHours(house, 48) })).told).toBe("400 expiry.tooLong");
    expect((await link({})).told).toBe("201");
    const edit = async (body: object) => {
      const init = { method: "PUT", headers: asAdmin, body: JSON.stringify(body) };
      return (await house.request(`/api/pastes/${eternal.slug}`, init)).status;
    };
    expect(await edit({ remark: "still for ever", expiresAt: null })).toBe(200);
    expect(await edit({ expiresAt: inHours(house, 48) })).toBe(400);
    expect(await edit({ expiresAt: inHours(house, 12) })).toBe(200);
    expect(await edit({ expiresAt: null })).toBe(400);
  });

  test("is shorter for visitors where that is said", async () => {
    await using opened = await open({ share_expiry_longest: 168, visitor_expiry_longest: 12 });
    const { house } = opened;
    expect(hoursOf(house, (await text(house)).expiresAt)).toBe(12);
    expect((await text(house, { expiresAt: inHours(house, 24) })).told).toBe("400 expiry.tooLong");
    const other = withKey(await makeKey(house));
    expect((await text(house, { expiresAt: inHours(house, 24) }, other)).told).toBe("201");
  });
});

test("drops are bound by all of them", async () => {
  await using opened = await open({ visitor_max_shares: 2, visitor_max_file: 1, visitor_expiry_longest: 24 });
  const { house } = opened;
  const drop = async (body: string, query = "") => {
    caller += 1;
    const headers = { accept: "application/json", "content-length": String(body.length) };
    const init = { method: "PUT", body, headers };
    const response = await house.request(`/a.bin?json${query}`, init, `198.51.${caller >> 8}.${caller & 255}`);
    const said = (await response.json()) as Said & { expires?: string | null };
    return `${response.status} ${said.error ?? said.expires}`;
  };
  expect(await drop("x".repeat(MB + 1))).toStartWith("413");
  expect(await drop("x", "&expire=2d")).toBe("400 expiry.tooLong");
  expect(await drop("x")).toStartWith("201 2030-01-03T");
  expect(await drop("x", "&expire=1h")).toStartWith("201 2030-01-02T");
  expect(await drop("x")).toBe("403 visitors.shares");
});
