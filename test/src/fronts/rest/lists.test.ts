import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ApiKey } from "../../../../src/access/keys.ts";
import { sql } from "../../../../src/database/sql.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { scenarios } from "../../../support/scenario.ts";
import { shareFile } from "../../../support/share-file.ts";
import { shareText } from "../../../support/share-text.ts";
import { hours } from "../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

/** How the lists of shares are searched, filtered and sorted. */

interface Listed {
  readonly slug: string;
}

interface Answer {
  readonly data: readonly Listed[] & { readonly files?: readonly Listed[]; readonly pagination?: { total: number } };
  readonly pagination?: { readonly total: number };
}

async function list(house: TestHouse, path: string, headers: Readonly<Record<string, string>>) {
  const response = await house.request(path, { headers });
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}${house.log()}`);
  const { data, pagination = data.pagination } = (await response.json()) as Answer;
  return { slugs: (data.files ?? data).map(({ slug }) => slug), total: pagination?.total };
}

let house: TestHouse;
let admin: Record<string, string>;
let maker: ApiKey;

beforeAll(async () => {
  house = await openTestHouse();
  admin = { authorization: `Bearer ${await house.signIn()}` };
  maker = await makeKey(house, { name: "maker", permissions: ["text", "file_share"] });
  const now = house.clock.now();
  const soon = new Date(now + hours(1)).toISOString();
  const later = new Date(now + hours(9)).toISOString();
  await shareText(house, { slug: "plain", content: "Meeting notes: 会议记录", remark: "Budget 2026" });
  await shareText(house, { slug: "locked", content: "A résumé of the MEETING", password: "sesame", expiresAt: later });
  await shareText(house, { slug: "over", content: '100% "quoted" a_b', expiresAt: soon });
  await shareText(house, { slug: "used", content: "once", maxViews: 1 });
  await ownText({ slug: "own", content: "made by a key: budget" });
  await ownText({ slug: "own-locked", content: "secret", password: "x" });
  await shareFile(house, { slug: "f-plain", filename: "beta.txt", content: "12345", remark: "Budget 2026" });
  await shareFile(house, { slug: "f-locked", filename: "Alpha.png", content: "1", password: "sesame" });
  await shareFile(house, { slug: "f-over", filename: "会议.pdf", content: "123456789", expires_in: "1" });
  await shareFile(house, { slug: "f-used", filename: "gamma.bin", content: "12", max_views: 1 });
  for (const url of ["/api/paste/used", "/api/public/files/f-used"]) await house.request(url);
  for (const url of ["/api/paste/plain", "/api/paste/plain", "/api/paste/own", "/api/public/files/f-plain"])
    await house.request(url);
  house.clock.advance(hours(2));
});
afterAll(() => house[Symbol.asyncDispose]());

async function ownText(body: object) {
  const headers = { ...withKey(maker), "content-type": "application/json" };
  const made = await house.request("/api/paste", { method: "POST", headers, body: JSON.stringify(body) });
  expect(made.status).toBe(201);
}

describe("texts", () => {
  const all = ["own-locked", "own", "used", "over", "locked", "plain"];
  const rows: readonly (readonly [query: string, slugs: readonly string[]])[] = [
    ["", all],
    ["order=asc", all.toReversed()],
    ["sort=views", ["plain", "own", "used", "own-locked", "over", "locked"]],
    ["sort=views&order=asc", ["locked", "over", "own-locked", "used", "own", "plain"]],
    ["sort=expires&order=asc", ["over", "locked", "plain", "used", "own", "own-locked"]],
    ["sort=expires", ["own-locked", "own", "used", "plain", "locked", "over"]],
    ["state=active", ["own-locked", "own", "locked", "plain"]],
    ["state=expired", ["over"]],
    ["state=used_up", ["used"]],
    ["state=&protected=&search=", all],
    ["protected=true", ["own-locked", "locked"]],
    ["protected=0&state=active", ["own", "plain"]],
    ["created_by=admin", ["used", "over", "locked", "plain"]],
    ["created_by=apikey:{maker}&sort=expires", ["own-locked", "own"]],
    ["created_by={maker}&protected=true", ["own-locked"]],
    ["created_by=nobody", []],
    ["search=meeting", ["locked", "plain"]],
    ["search=MEET&sort=views", ["plain", "locked"]],
    ["search=budget 2026", ["plain"]],
    ["search=2026 budget", ["plain"]],
    ["search=resume", ["locked"]],
    ["search=RE\u0301SUME\u0301", ["locked"]],
    ["search=会议", ["plain"]],
    ["search=议记录", ["plain"]],
    ["search=ow", ["own-locked", "own"]],
    ["search=ed", ["own-locked", "used", "over", "locked"]],
    ["search=own-locked", ["own-locked"]],
    ["search=ed&state=used_up", ["used"]],
    ["search=budget&created_by=apikey:{maker}", ["own"]],
    ['search="quoted"', ["over"]],
    ["search=100%", ["over"]],
    ["search=a_b", ["over"]],
    ["search=axb", []],
    ["search=a b", []],
    ['search=" OR "', []],
    ["search=NEAR(meeting notes)", []],
    ["search=meeting*", []],
    ["search=\u0000\u0000", []],
    ["search=me\u0000et", ["locked", "plain"]],
    ["search=🎉🎉", []],
    ["search=🎉🎉 meeting", []],
    ["search=\u0301\u0301\u0301", []],
  ];
  for (const [query, slugs] of rows) {
    test(query || "nothing asked", async () => {
      const asked = new URLSearchParams(query.replaceAll("%", "%25").replace("{maker}", maker.id));
      expect(await list(house, `/api/pastes?${asked}`, admin)).toEqual({ slugs: [...slugs], total: slugs.length });
      const second = { slugs: slugs.slice(1, 2), total: slugs.length };
      expect(await list(house, `/api/pastes?${asked}&limit=1&offset=1`, admin)).toEqual(second);
    });
  }

  test("a key finds, sorts and counts only its own, whatever it asks for", async () => {
    for (const query of [
      "",
      "created_by=admin",
      "search=ow",
      "sort=views&created_by=admin",
      "sort=expires&state=active",
    ]) {
      const { slugs, total } = await list(house, `/api/pastes?${query}`, withKey(maker));
      expect({ query, slugs: slugs.toSorted(), total }).toEqual({ query, slugs: ["own", "own-locked"], total: 2 });
    }
    expect(await list(house, "/api/pastes?search=meeting", withKey(maker))).toEqual({ slugs: [], total: 0 });
  });

  test("what changes is found as it is now, and what is deleted no more", async () => {
    await using other = await openTestHouse();
    const headers = { authorization: `Bearer ${await other.signIn()}`, "content-type": "application/json" };
    const { id } = await shareText(other, { slug: "first", content: "before", remark: "old remark" });
    const change = { content: "afterwards", newSlug: "second", remark: null, password: "sesame" };
    await other.request(`/api/pastes/${id}`, { method: "PUT", headers, body: JSON.stringify(change) });
    const found = async (query: string) => (await list(other, `/api/pastes?${query}`, headers)).slugs;
    for (const gone of ["before", "first", "old remark"]) expect(await found(`search=${gone}`)).toEqual([]);
    expect(await found("search=afterw&protected=true")).toEqual(["second"]);
    await other.request(`/api/pastes/${id}`, { method: "PUT", headers, body: JSON.stringify({ clearPassword: true }) });
    expect(await found("search=second&protected=false")).toEqual(["second"]);
    const removal = { method: "DELETE", headers, body: JSON.stringify({ ids: [id] }) };
    expect((await other.request("/api/pastes/batch-delete", removal)).status).toBe(200);
    expect(await found("search=second")).toEqual([]);
  });
});

describe("files", () => {
  const all = ["f-used", "f-over", "f-locked", "f-plain"];
  const rows: readonly (readonly [query: string, slugs: readonly string[]])[] = [
    ["", all],
    ["order=asc", all.toReversed()],
    ["sort=name&order=asc", ["f-locked", "f-plain", "f-used", "f-over"]],
    ["sort=name", ["f-over", "f-used", "f-plain", "f-locked"]],
    ["sort=size", ["f-over", "f-plain", "f-used", "f-locked"]],
    ["sort=views", ["f-used", "f-plain", "f-over", "f-locked"]],
    ["sort=expires&order=asc", ["f-over", "f-plain", "f-locked", "f-used"]],
    ["state=expired", ["f-over"]],
    ["state=used_up", ["f-used"]],
    ["state=active&sort=name&order=asc", ["f-locked", "f-plain"]],
    ["protected=1", ["f-locked"]],
    ["storage={storage}&sort=size&order=asc", ["f-locked", "f-used", "f-plain", "f-over"]],
    ["storage=another", []],
    ["storage=", all],
    ["search=alpha", ["f-locked"]],
    ["search=会议", ["f-over"]],
    ["search=.txt budget", ["f-plain"]],
    ["search=f-&state=active", ["f-locked", "f-plain"]],
    ["created_by=apikey:{maker}", []],
  ];
  for (const [query, slugs] of rows) {
    test(query || "nothing asked", async () => {
      const storage = (await house.house.stores.configs.list())[0]?.id ?? "";
      const asked = new URLSearchParams(query.replace("{maker}", maker.id).replace("{storage}", storage));
      expect(await list(house, `/api/files?${asked}`, admin)).toEqual({ slugs: [...slugs], total: slugs.length });
    });
  }
});

describe("totals", () => {
  const insertion = (number: number, text: string) => sql`
    insert into pastes (id, slug, preview, size, max_views, created_by, created_at, updated_at)
    values (${`id ${number}`}, ${`slug ${number}`}, ${text}, 1, 0, 'admin', 1, 1)`;
  const openWith = async (texts: number, textOf: (number: number) => string) => {
    const full = await openTestHouse();
    const headers = { authorization: `Bearer ${await full.signIn()}` };
    for (let from = 0; from < texts; from += 1000) {
      const some = Array.from({ length: Math.min(1000, texts - from) }, (_, index) => from + index);
      await full.db.batch(some.map((number) => insertion(number, textOf(number))));
    }
    const pageOf = async (query: string) => {
      const answer = await full.request(`/api/pastes?${query}`, { headers });
      const { data, pagination } = (await answer.json()) as Answer & { data: unknown[] };
      return { ...pagination, rows: data.length };
    };
    return { pageOf, [Symbol.asyncDispose]: () => full[Symbol.asyncDispose]() };
  };

  test("of a search are counted up to a thousand, and grow with its pages behind that", async () => {
    await using full = await openWith(1003, (number) => (number < 1000 ? "many few" : "many"));
    const pageOf = (query: string) => full.pageOf(`limit=2&${query}`);
    const whole = { total_exact: true, rows: 2 };
    expect(await pageOf("")).toMatchObject({ ...whole, total: 1003, hasMore: true });
    expect(await pageOf("state=active")).toMatchObject({ ...whole, total: 1003, hasMore: true });
    expect(await pageOf("search=few")).toMatchObject({ ...whole, total: 1000, hasMore: true });
    expect(await pageOf("search=few&offset=998")).toMatchObject({ ...whole, total: 1000, hasMore: false });
    const more = { total_exact: false, hasMore: true, rows: 2 };
    expect(await pageOf("search=many")).toMatchObject({ ...more, total: 1000, totalPages: 500 });
    expect(await pageOf("search=many&offset=998")).toMatchObject({ ...more, total: 1001, totalPages: 501 });
    const sorted = "search=many&sort=views&state=active";
    expect(await pageOf(`${sorted}&offset=1000`)).toMatchObject({ ...more, total: 1003, totalPages: 502 });
    expect(await pageOf(`${sorted}&offset=1002`)).toMatchObject({ total: 1003, total_exact: true, hasMore: false });
    expect(await pageOf("search=many&offset=1004")).toMatchObject({ total: 1000, hasMore: false, rows: 0 });
  });

  test("are counted up to ten thousand, and who goes by them comes to the end", async () => {
    await using full = await openWith(10_030, () => "text");
    const pageOf = (page: number) => full.pageOf(`limit=20&page=${page}`);
    expect(await pageOf(1)).toMatchObject({ total: 10_000, total_exact: false, totalPages: 500, hasMore: true });
    expect(await pageOf(500)).toMatchObject({ total: 10_001, total_exact: false, totalPages: 501, hasMore: true });
    expect(await pageOf(501)).toMatchObject({ total: 10_021, total_exact: false, totalPages: 502, hasMore: true });
    expect(await pageOf(502)).toMatchObject({ total: 10_030, total_exact: true, totalPages: 502, rows: 10 });
  });
});

describe("what lists refuse", () => {
  const refused = (query: string, field: string) =>
    ["pastes", "files"].map((kind) => ({
      as: "admin" as const,
      method: "GET" as const,
      url: `/api/${kind}?${query}`,
      status: 400,
      has: ["query.invalid", field],
    }));
  scenarios([
    ...refused("search=x", "search"),
    ...refused("search=x", "search"),
    ...refused("search=🎉", "search"),
    ...refused(`search=${"x".repeat(201)}`, "search"),
    ...refused("sort=password_hash", "sort"),
    ...refused("sort=number%20desc;drop%20table%20pastes", "sort"),
    ...refused("order=up", "order"),
    ...refused("state=gone", "state"),
    ...refused("protected=maybe", "protected"),
  ]);
});
