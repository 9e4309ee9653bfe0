import { describe, expect, test } from "bun:test";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import type { NewPaste } from "#contract/pastes";
import { scenarios, send } from "../../support/scenario.ts";
import { days, hours } from "../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

const admin = { kind: "admin", sessionId: "" } as const;
const share = (house: TestHouse, wish: Partial<NewPaste>) =>
  house.house.shares.pastes.create(admin, { content: "hello", ...wish });

const create = { method: "POST", url: "/api/paste" } as const;

describe("creating a text", () => {
  scenarios(
    [
      { ...create, body: { content: "x" }, status: 401, has: ["auth.required"] },
      { ...create, as: "wrong token", body: { content: "x" }, status: 401, has: ["auth.expired"] },
      {
        ...create,
        as: "admin",
        body: { content: "x" },
        status: 201,
        has: ['"slug"', '"hasPassword":false', '"authorizedBy":"admin"'],
        hasNot: ["grant"],
      },
      { ...create, as: "admin", body: { content: "x", slug: "my_link-1" }, status: 201, has: ['"slug":"my_link-1"'] },
      {
        ...create,
        as: "admin",
        body: { content: "x", slug: "", password: "", remark: null, expiresAt: "", maxViews: null },
        status: 201,
        has: ['"hasPassword":false', '"maxViews":0'],
      },
      {
        ...create,
        as: "admin",
        body: { content: "x", password: "geheim" },
        status: 201,
        has: ['"hasPassword":true', '"grant"'],
        hasNot: ["geheim"],
      },
      { ...create, as: "admin", body: "{ not json", status: 400, has: ["body.malformed"] },
      { ...create, as: "admin", body: "", status: 400, has: ["body.malformed"] },
      { ...create, as: "admin", body: "[]", status: 400, has: ["body.invalid"] },
      { ...create, as: "admin", body: {}, status: 400, has: ["body.invalid", "content"] },
      { ...create, as: "admin", body: { content: 7 }, status: 400, has: ["body.invalid", "content"] },
      { ...create, as: "admin", body: { content: "" }, status: 400, has: ["content.empty"] },
      { ...create, as: "admin", body: { content: " \n\t" }, status: 400, has: ["content.empty"] },
      { ...create, as: "admin", body: { content: "x", slug: "a b" }, status: 400, has: ["slug.invalid"] },
      { ...create, as: "admin", body: { content: "x", slug: "a".repeat(51) }, status: 400, has: ["slug.invalid"] },
      { ...create, as: "admin", body: { content: "x", slug: "admin" }, status: 400, has: ["slug.reserved"] },
      {
        ...create,
        as: "admin",
        body: { content: "x", slug: "0b1c2d3e-0000-4000-8000-000000000000" },
        status: 400,
        has: ["slug.reserved"],
      },
      { ...create, as: "admin", body: { content: "x", slug: "taken" }, status: 409, has: ["slug.taken"] },
      {
        ...create,
        as: "admin",
        body: { content: "x", remark: "r".repeat(501) },
        status: 400,
        has: ["remark"],
        hasNot: ["rrr"],
      },
      {
        ...create,
        as: "admin",
        body: { content: "x", password: "p".repeat(129) },
        status: 400,
        has: ["password"],
        hasNot: ["ppp"],
      },
      { ...create, as: "admin", body: { content: "x", maxViews: -1 }, status: 400, has: ["maxViews"] },
      { ...create, as: "admin", body: { content: "x", maxViews: 1.5 }, status: 400, has: ["maxViews"] },
      { ...create, as: "admin", body: { content: "x", maxViews: "3" }, status: 400, has: ["maxViews"] },
      { ...create, as: "admin", body: { content: "x", expiresAt: "tomorrow" }, status: 400, has: ["expiresAt"] },
      {
        ...create,
        as: "admin",
        body: { content: "x", expiresAt: "2029-01-01T00:00:00Z" },
        status: 400,
        has: ["expiry.past"],
      },
      { ...create, as: "admin", body: { content: "a".repeat(MAX_CONTENT_BYTES) }, status: 201 },
      {
        ...create,
        name: "10 MB and one byte",
        as: "admin",
        body: { content: "a".repeat(MAX_CONTENT_BYTES + 1) },
        status: 413,
        has: ["content.tooLarge"],
      },
      {
        ...create,
        name: "10 MB of two-byte letters",
        as: "admin",
        body: { content: "é".repeat(MAX_CONTENT_BYTES / 2 + 1) },
        status: 413,
        has: ["content.tooLarge"],
      },
      {
        ...create,
        name: "a body beyond any content",
        as: "admin",
        body: "x".repeat(2 * MAX_CONTENT_BYTES + 1024 * 1024 + 1),
        status: 413,
        has: ["body.tooLarge"],
      },
    ],
    async (house) => {
      await share(house, { slug: "taken" });
    },
  );

  test("a refused text leaves nothing behind", async () => {
    await using house = await openTestHouse();
    for (const body of [{ content: "" }, { content: "x", slug: "a b" }, { content: "x", maxViews: -1 }, "{"]) {
      await send(house, { ...create, as: "admin", body, status: 400 });
    }
    const stored = await house.house.shares.pastes.list({ owner: undefined, limit: 10, offset: 0 });
    expect(stored.total).toBe(0);
  });

  test("a body of unknown length is counted while it arrives", async () => {
    await using house = await openTestHouse();
    const chunk = new Uint8Array(1024 * 1024).fill(97);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 100) return controller.close();
        controller.enqueue(chunk);
      },
    });
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const response = await house.request("/api/paste", { method: "POST", headers, body });
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(30);
  });

  test("random slugs have six characters without look-alikes", async () => {
    await using house = await openTestHouse();
    for (let index = 0; index < 50; index++)
      expect((await share(house, {})).slug).toMatch(/^[2-9a-hjkmnp-zA-HJ-NP-Z]{6}$/);
  });
});

describe("opening a text", () => {
  const furnish = async (house: TestHouse) => {
    await share(house, { slug: "plain", content: "# plain text", remark: "note" });
    await share(house, { slug: "secret", content: "hidden words", remark: "for you", password: "sesame" });
    await share(house, { slug: "once", content: "burn me", maxViews: 1 });
    await share(house, { slug: "old", content: "yesterday", expiresAt: new Date(house.clock.now() + 1).toISOString() });
    house.clock.advance(1);
  };
  const get = (url: string) => ({ method: "GET" as const, url });
  const unlock = (slug: string, body: unknown) => ({ method: "POST" as const, url: `/api/paste/${slug}`, body });

  scenarios(
    [
      {
        ...get("/api/paste/plain"),
        status: 200,
        has: ["# plain text", '"views":1', '"viewsLeft":null', '"isLastView":false'],
        hasNot: ['"success"'],
      },
      { ...get("/api/paste/plain?peek=1"), status: 200, has: ["# plain text"] },
      { ...get("/api/paste/PLAIN"), status: 404, has: ["share.missing"] },
      { ...get("/api/paste/nothing"), status: 404, has: ["share.missing"] },
      { ...get("/api/paste/old"), status: 410, has: ["share.gone"] },
      {
        ...get("/api/paste/secret"),
        status: 200,
        has: ['"requiresPassword":true', "for you"],
        hasNot: ["hidden words"],
      },
      {
        ...get("/api/paste/secret?peek=1"),
        status: 200,
        has: ['"requiresPassword":true', '"views":0'],
        hasNot: ["hidden words", "for you", "created"],
      },
      {
        ...get("/api/paste/once?peek=1"),
        status: 200,
        has: ['"viewsLeft":1', '"requiresPassword":false'],
        hasNot: ["burn me"],
      },
      { ...get("/api/paste/once"), status: 200, has: ["burn me", '"isLastView":true', '"viewsLeft":0'] },
      {
        ...unlock("secret", { password: "sesame" }),
        status: 200,
        has: ["hidden words", '"views":1'],
        hasNot: ["sesame"],
      },
      { ...unlock("secret", { password: "wrong" }), status: 401, has: ["password.wrong"], hasNot: ["wrong!"] },
      { ...unlock("secret", {}), status: 400, has: ["password"] },
      { ...unlock("secret", { password: "" }), status: 400, has: ["password"] },
      { ...unlock("secret", { password: 5 }), status: 400, has: ["password"] },
      { ...unlock("plain", { password: "x" }), status: 400, has: ["share.noPassword"] },
      { ...unlock("nothing", { password: "x" }), status: 404, has: ["share.missing"] },
      { ...get("/api/raw/plain"), status: 200, has: ["# plain text"] },
      { ...get("/api/raw/secret"), status: 401, has: ["password"], hasNot: ["hidden", "{"] },
      { ...get("/api/raw/secret?password=sesame"), status: 200, has: ["hidden words"] },
      { ...get("/api/raw/secret?password=wrong"), status: 401, hasNot: ["hidden", "{"] },
      { ...get("/api/raw/secret?grant=nonsense"), status: 401, hasNot: ["hidden"] },
      { ...get("/api/raw/old"), status: 410, hasNot: ["yesterday", "{"] },
      { ...get("/api/raw/nothing"), status: 404, hasNot: ["{"] },
      { method: "HEAD", url: "/api/raw/plain", status: 200, hasNot: ["plain"] },
      { method: "HEAD", url: "/api/raw/nothing", status: 404 },
    ],
    furnish,
  );

  test("the raw text is inert in a browser and says its length to HEAD without spending a view", async () => {
    await using house = await openTestHouse();
    await share(house, { slug: "script", content: "<script>alert(1)</script>", maxViews: 1 });
    const head = await house.request("/api/raw/script", { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe("25");
    const response = await house.request("/api/raw/script");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("sandbox");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-disposition")).toBe('inline; filename="script.txt"');
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("an owner's grant opens in place of the password until the share changes", async () => {
    await using house = await openTestHouse();
    const created = await send(house, {
      ...create,
      as: "admin",
      body: { content: "v1", slug: "granted", password: "sesame" },
      status: 201,
    });
    const { grant } = (await created.json()) as { grant: string };
    const url = `/api/raw/granted?grant=${grant}`;
    expect(await (await house.request(url)).text()).toBe("v1");
    await send(house, {
      as: "admin",
      method: "PUT",
      url: "/api/pastes/granted",
      body: { remark: "changed" },
      status: 200,
    });
    expect((await house.request(url)).status).toBe(401);
  });

  test("a view limit set after openings counts the openings before it", async () => {
    await using house = await openTestHouse();
    await share(house, { slug: "counted" });
    for (let index = 0; index < 3; index++) await house.request("/api/paste/counted");
    await send(house, { as: "admin", method: "PUT", url: "/api/pastes/counted", body: { maxViews: 4 }, status: 200 });
    expect((await house.request("/api/paste/counted")).status).toBe(200);
    expect((await house.request("/api/paste/counted")).status).toBe(410);
  });

  test("a thousand readers at once on five views: exactly five succeed", async () => {
    await using house = await openTestHouse();
    await share(house, { slug: "five", maxViews: 5 });
    const answers = await Promise.all(Array.from({ length: 1000 }, () => house.request("/api/paste/five")));
    const opened = answers.filter(({ status }) => status === 200);
    expect(opened.length).toBe(5);
    expect(answers.filter(({ status }) => status === 410).length).toBe(995);
    const views = await Promise.all(opened.map(async (answer) => ((await answer.json()) as { views: number }).views));
    expect(views.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  test("a thousand wrong passwords spend no view, are slowed down, and keep nobody else out", async () => {
    await using house = await openTestHouse();
    await share(house, { slug: "guarded", password: "sesame", maxViews: 1 });
    const guess = (password: string, peer: string) =>
      house.request("/api/paste/guarded", { method: "POST", body: JSON.stringify({ password }) }, peer);
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => guess(`guess ${index}`, "198.51.100.7")),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(22);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(970);
    const limited = answers.find(({ status }) => status === 429);
    expect(Number(limited?.headers.get("retry-after"))).toBe(600);
    expect((await guess("sesame", "203.0.113.8")).status).toBe(200);
    expect((await guess("sesame", "203.0.113.8")).status).toBe(410);
  });

  test("guessing slugs is slowed down per address", async () => {
    await using house = await openTestHouse();
    for (let index = 0; index < 60; index++) expect((await house.request(`/api/paste/guess${index}`)).status).toBe(404);
    expect((await house.request("/api/paste/guess60")).status).toBe(429);
    expect((await house.request("/api/paste/guess60", {}, "203.0.113.8")).status).toBe(404);
    house.clock.advance(60_000);
    expect((await house.request("/api/paste/guess60")).status).toBe(404);
  });
});

describe("managing texts", () => {
  const furnish = async (house: TestHouse) => {
    await share(house, { slug: "mine", content: "first", password: "sesame", remark: "note" });
    await share(house, { slug: "other", content: "second" });
  };
  const put = (body: unknown) => ({ as: "admin" as const, method: "PUT" as const, url: "/api/pastes/mine", body });

  scenarios(
    [
      { method: "GET", url: "/api/pastes", status: 401 },
      { method: "GET", url: "/api/pastes/mine", status: 401 },
      { method: "PUT", url: "/api/pastes/mine", body: { content: "x" }, status: 401 },
      { method: "DELETE", url: "/api/pastes/batch-delete", body: { ids: ["x"] }, status: 401 },
      { method: "POST", url: "/api/pastes/clear-expired", body: { clearExpired: true }, status: 401 },
      {
        as: "admin",
        method: "GET",
        url: "/api/pastes",
        status: 200,
        has: ['"pagination"', '"total":2', '"content_preview":"first"', '"has_password":1', '"grant"'],
      },
      {
        as: "admin",
        method: "GET",
        url: "/api/pastes?limit=1&page=2",
        status: 200,
        has: ['"first"', '"hasMore":false'],
        hasNot: ['"second"'],
      },
      {
        as: "admin",
        method: "GET",
        url: "/api/pastes?limit=1&offset=0",
        status: 200,
        has: ['"second"', '"hasMore":true'],
      },
      { as: "admin", method: "GET", url: "/api/pastes?created_by=apikey:1", status: 200, has: ['"total":0'] },
      { as: "admin", method: "GET", url: "/api/pastes?limit=0", status: 400, has: ["query.invalid", "limit"] },
      { as: "admin", method: "GET", url: "/api/pastes?limit=101", status: 400 },
      { as: "admin", method: "GET", url: "/api/pastes?page=x", status: 400 },
      {
        as: "admin",
        method: "GET",
        url: "/api/pastes/mine",
        status: 200,
        has: ['"content":"first"', '"has_password":true'],
      },
      { as: "admin", method: "GET", url: "/api/pastes/nothing", status: 404 },
      { ...put({ content: "changed" }), status: 200, has: ['"slug":"mine"'] },
      { ...put({ content: "" }), status: 400, has: ["content.empty"] },
      { ...put({ newSlug: "other" }), status: 409, has: ["slug.taken"] },
      { ...put({ newSlug: "a/b" }), status: 400, has: ["slug.invalid"] },
      { ...put({ newSlug: "fresh" }), status: 200, has: ['"slug":"fresh"'] },
      { ...put({ newSlug: "mine" }), status: 200, has: ['"slug":"mine"'] },
      { ...put({ newSlug: null }), status: 200, hasNot: ['"slug":"mine"'] },
      { ...put({ maxViews: -3 }), status: 400 },
      { ...put({ expiresAt: "2001-01-01T00:00:00Z" }), status: 400, has: ["expiry.past"] },
      { as: "admin", method: "PUT", url: "/api/pastes/nothing", body: { content: "x" }, status: 404 },
      { as: "admin", method: "DELETE", url: "/api/pastes/batch-delete", body: { ids: [] }, status: 400 },
      {
        as: "admin",
        method: "DELETE",
        url: "/api/pastes/batch-delete",
        body: { ids: ["nothing"] },
        status: 200,
        has: ['"deleted":0'],
      },
      {
        as: "admin",
        method: "POST",
        url: "/api/pastes/clear-expired",
        body: { clearExpired: true },
        status: 200,
        has: ['"deleted":0'],
      },
      {
        as: "admin",
        method: "POST",
        url: "/api/admin/pastes/clear-expired",
        body: { clearExpired: true },
        status: 200,
        has: ['"deleted":0'],
      },
      { as: "admin", method: "POST", url: "/api/pastes/clear-expired", body: { clearExpired: false }, status: 400 },
    ],
    furnish,
  );

  test("an edit keeps what it does not name, and the views", async () => {
    await using house = await openTestHouse();
    await furnish(house);
    await house.request("/api/raw/mine?password=sesame");
    await send(house, { ...put({ remark: "new" }), status: 200 });
    const row = await read(house, "mine");
    expect(row).toMatchObject({ content: "first", remark: "new", has_password: true, views: 1 });
    await send(house, { ...put({ clearPassword: true, resetViews: true }), status: 200 });
    expect(await read(house, "mine")).toMatchObject({ has_password: false, views: 0 });
  });

  test("an edit form may send back an expiry that has passed", async () => {
    await using house = await openTestHouse();
    const expiresAt = new Date(house.clock.now() + 1000).toISOString();
    await share(house, { slug: "mine", expiresAt });
    house.clock.advance(2000);
    await send(house, { ...put({ remark: "late", expiresAt }), status: 200 });
    expect(await read(house, "mine")).toMatchObject({ remark: "late", expires_at: expiresAt });
  });

  test("a spent share opens again when its limit is raised", async () => {
    await using house = await openTestHouse();
    await share(house, { slug: "mine", maxViews: 1 });
    expect((await house.request("/api/paste/mine")).status).toBe(200);
    expect((await house.request("/api/paste/mine")).status).toBe(410);
    await send(house, { ...put({ maxViews: 2 }), status: 200 });
    expect((await house.request("/api/paste/mine")).status).toBe(200);
    expect((await house.request("/api/paste/mine")).status).toBe(410);
  });

  test("gone shares answer 410 for a day and are then swept, with their text", async () => {
    await using house = await openTestHouse();
    await share(house, { slug: "short", expiresAt: new Date(house.clock.now() + hours(1)).toISOString() });
    await share(house, { slug: "once", maxViews: 1 });
    await share(house, { slug: "stays" });
    await house.request("/api/paste/once");
    house.clock.advance(hours(24));
    await house.house.system.sweeper.sweep();
    expect((await house.request("/api/paste/short")).status).toBe(410);
    expect((await house.request("/api/paste/once")).status).toBe(404);
    house.clock.advance(days(1));
    await house.house.system.sweeper.sweep();
    expect((await house.request("/api/paste/short")).status).toBe(404);
    expect((await house.request("/api/paste/stays")).status).toBe(200);
  });

  test("clearing removes what has expired and what is used up, and says how many", async () => {
    await using house = await openTestHouse();
    await share(house, { slug: "short", expiresAt: new Date(house.clock.now() + 1).toISOString() });
    await share(house, { slug: "once", maxViews: 1 });
    await share(house, { slug: "stays" });
    await house.request("/api/paste/once");
    house.clock.advance(1);
    const cleared = await send(house, {
      as: "admin",
      method: "POST",
      url: "/api/pastes/clear-expired",
      body: { clearExpired: true },
      status: 200,
    });
    expect(await cleared.json()).toMatchObject({ success: true, data: { deleted: 2 } });
  });

  test("a batch removes all it names", async () => {
    await using house = await openTestHouse();
    const made = [await share(house, {}), await share(house, {}), await share(house, { slug: "stays" })];
    const ids = made.slice(0, 2).map(({ id }) => id);
    const answer = await send(house, {
      as: "admin",
      method: "DELETE",
      url: "/api/pastes/batch-delete",
      body: { ids },
      status: 200,
    });
    expect(await answer.json()).toMatchObject({ data: { deleted: 2 } });
    expect((await house.request(`/api/raw/${made[0]?.slug}`)).status).toBe(404);
    expect((await house.request("/api/raw/stays")).status).toBe(200);
  });
});

async function read(house: TestHouse, slug: string): Promise<unknown> {
  const answer = await send(house, { as: "admin", method: "GET", url: `/api/pastes/${slug}`, status: 200 });
  return ((await answer.json()) as { data: unknown }).data;
}
