import { describe, expect, test } from "bun:test";
import { makeKey, withKey } from "../../../../../support/make-key.ts";
import { scenarios, send } from "../../../../../support/scenario.ts";
import { shareText as share } from "../../../../../support/share-text.ts";
import { days, hours } from "../../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

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
      { as: "admin", method: "GET", url: "/api/pastes?limit=1e0", status: 400, has: ["limit"] },
      { as: "admin", method: "GET", url: "/api/pastes?content=some", status: 400, has: ["content"] },
      { as: "admin", method: "GET", url: "/api/pastes?content=false", status: 200, has: ['"content_preview":'] },
      {
        as: "admin",
        method: "GET",
        url: "/api/pastes/mine",
        status: 200,
        has: ['"content":"first"', '"has_password":true'],
      },
      { as: "admin", method: "GET", url: "/api/pastes/nothing", status: 404 },
      { ...put({ content: "changed" }), status: 200, has: ['"slug":"mine"'] },
      { ...put({ content: "changed", version: 1 }), status: 200, has: ['"slug":"mine"'] },
      { ...put({ content: "changed", version: 2 }), status: 409, has: ["share.changed"] },
      { ...put({ remark: "changed", version: 0 }), status: 409, has: ["share.changed"] },
      { ...put({ content: "changed", version: "1" }), status: 400, has: ["version"] },
      { ...put({ content: "" }), status: 400, has: ["content.empty"] },
      { ...put({ newSlug: "other" }), status: 409, has: ["slug.taken"] },
      { ...put({ newSlug: "a/b" }), status: 400, has: ["slug.invalid"] },
      { ...put({ newSlug: "fresh" }), status: 200, has: ['"slug":"fresh"'] },
      { ...put({ newSlug: "mine" }), status: 200, has: ['"slug":"mine"'] },
      { ...put({ newSlug: null }), status: 200, hasNot: ['"slug":"mine"'] },
      { ...put({ maxViews: -3 }), status: 400 },
      { ...put({ expiresAt: "2001-01-01T00:00:00Z" }), status: 400, has: ["expiry.past"] },
      { ...put({ expiresAt: "9999-12-31T23:59:59-23:59" }), status: 400, has: ["expiresAt"] },
      { as: "admin", method: "PUT", url: "/api/pastes/nothing", body: { content: "x" }, status: 404 },
      { as: "admin", method: "DELETE", url: "/api/pastes/batch-delete", body: { ids: [] }, status: 400 },
      {
        as: "admin",
        method: "DELETE",
        url: "/api/pastes/batch-delete",
        body: { ids: ["nothing"] },
        status: 404,
        has: ['"deleted":0', '"success":false', "share.missing", '"failed":[{"id":"nothing"'],
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

  test("an edit whose answer was lost is no conflict when it comes again; another one is", async () => {
    await using house = await openTestHouse();
    await furnish(house);
    const edit = { content: "changed", remark: "new", maxViews: 3, expiresAt: null, version: 1 };
    for (const _ of [1, 2]) await send(house, { ...put(edit), status: 200, has: ['"slug":"mine"'] });
    expect(await read(house, "mine")).toMatchObject({ content: "changed", remark: "new", max_views: 3, version: 2 });
    const others = [
      ...[{ content: "else" }, { remark: "else" }, { maxViews: 4 }, { expiresAt: "2100-01-01T00:00:00Z" }],
      ...[
        { newSlug: "else" },
        { newSlug: null },
        { password: "sesame" },
        { clearPassword: true },
        { resetViews: true },
      ],
    ];
    for (const other of others)
      await send(house, { ...put({ ...edit, ...other }), status: 409, has: ["share.changed"] });
  });

  describe("under a key,", () => {
    const under = (key: string, body: object) => ({ ...put(body), headers: { "idempotency-key": key } });
    const edit = { content: "one", password: "new", resetViews: true, version: 1 };

    test("an edit whose answer was lost is done once, whatever it changes", async () => {
      await using house = await openTestHouse();
      await furnish(house);
      await send(house, { ...under("a", edit), status: 200 });
      await house.request("/api/raw/mine?password=new");
      await send(house, { ...under("a", edit), status: 200, has: ['"slug":"mine"'] });
      expect(await read(house, "mine")).toMatchObject({ content: "one", views: 1, version: 2 });
      await send(house, { ...under("a", { ...edit, content: "two" }), status: 409, has: ["request.differs"] });
    });

    test("two that come at once are one", async () => {
      await using house = await openTestHouse();
      await furnish(house);
      await Promise.all([1, 2].map(() => send(house, { ...under("a", edit), status: 200 })));
      expect(await read(house, "mine")).toMatchObject({ content: "one", version: 2 });
    });

    test("an edit goes on from those before it whose answers were lost", async () => {
      await using house = await openTestHouse();
      await furnish(house);
      await send(house, { ...under("a", edit), status: 200 });
      await send(house, { ...under("b", { content: "two", version: 1 }), status: 409, has: ["share.changed"] });
      await send(house, { ...under("b", { content: "two", version: 1, after: ["0", "a"] }), status: 200 });
      await send(house, { ...under("c", { content: "three", version: 1, after: ["a", "b"] }), status: 200 });
      expect(await read(house, "mine")).toMatchObject({ content: "three", has_password: true, version: 4 });
    });

    test("what somebody else has changed since is theirs", async () => {
      await using house = await openTestHouse();
      await furnish(house);
      await send(house, { ...under("a", edit), status: 200 });
      await send(house, { ...put({ content: "theirs" }), status: 200 });
      await send(house, { ...under("a", edit), status: 409, has: ["share.changed"] });
      await send(house, { ...under("b", { content: "two", version: 1, after: ["a"] }), status: 409 });
      expect(await read(house, "mine")).toMatchObject({ content: "theirs" });
    });

    test("what somebody else changed before the first of one's own is theirs, too", async () => {
      await using house = await openTestHouse();
      await furnish(house);
      await send(house, { ...put({ content: "theirs" }), status: 200 });
      await send(house, { ...under("a", { remark: "mine" }), status: 200 });
      await send(house, { ...under("b", { content: "two", version: 1, after: ["a"] }), status: 409 });
      expect(await read(house, "mine")).toMatchObject({ content: "theirs", remark: "mine" });
      await send(house, { ...under("c", { content: "two", version: 2, after: ["a"] }), status: 200 });
    });

    test("somebody else's key of the same name is another one", async () => {
      await using house = await openTestHouse();
      const headers = { ...withKey(await makeKey(house)), "idempotency-key": "a" };
      const body = { slug: "mine", content: "first" };
      await send(house, { method: "POST", url: "/api/paste", body, headers, status: 201 });
      await send(house, { ...put({ content: "one", version: 1 }), as: "anyone", headers, status: 200 });
      const other = { content: "two", version: 1, after: ["a"] };
      await send(house, { ...under("a", other), status: 409, has: ["share.changed"] });
      await send(house, { ...under("", {}), status: 400, has: ["Idempotency-Key"] });
      const many = Array.from({ length: 101 }, String);
      await send(house, { ...under("a", { content: "x", after: many }), status: 400 });
    });
  });

  test("edits at once all come through, each to what it names", async () => {
    await using house = await openTestHouse();
    await furnish(house);
    const edits = [{ remark: "r" }, { maxViews: 9 }, { content: "c" }, { password: "new" }];
    const answers = await Promise.all(edits.map((body) => send(house, { ...put(body), status: 200 })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await read(house, "mine")).toMatchObject({ remark: "r", max_views: 9, content: "c" });
    expect((await house.request("/api/raw/mine?password=new")).status).toBe(200);
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
    expect(await answer.json()).toMatchObject({ success: true, failed: [], data: { deleted: 2, failed: [] } });
    expect((await house.request(`/api/raw/${made[0]?.slug}`)).status).toBe(404);
    expect((await house.request("/api/raw/stays")).status).toBe(200);
    const url = "/api/pastes/batch-delete";
    const body = { ids: [ids[0], made[2]?.id] };
    const half = await send(house, { as: "admin", method: "DELETE", url, body, status: 200 });
    const failed = [{ id: ids[0] ?? "" }];
    expect(await half.json()).toMatchObject({ code: 200, success: true, failed, data: { deleted: 1, failed } });
  });
});

async function read(house: TestHouse, slug: string): Promise<unknown> {
  const answer = await send(house, { as: "admin", method: "GET", url: `/api/pastes/${slug}`, status: 200 });
  return ((await answer.json()) as { data: unknown }).data;
}
