import { describe, expect, test } from "bun:test";
import { scenarios, send } from "../../../../../support/scenario.ts";
import { shareText as share } from "../../../../../support/share-text.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const create = { method: "POST", url: "/api/paste" } as const;

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
        has: ['"requiresPassword":true', '"createdAt"'],
        hasNot: ["hidden words", "for you", "remark", "created_by"],
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
        has: ["hidden words", '"views":1', "for you", '"created_by":"admin"'],
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

  test("views that are counted while an edit sets a limit use the share up", async () => {
    await using house = await openTestHouse();
    await share(house, { slug: "counted" });
    const edit = send(house, {
      as: "admin",
      method: "PUT",
      url: "/api/pastes/counted",
      body: { maxViews: 2, password: "sesame" },
      status: 200,
    });
    for (let index = 0; index < 5; index++) await house.request("/api/paste/counted");
    await edit;
    await house.house.shares.pastes.close();
    const cleared = await send(house, {
      as: "admin",
      method: "POST",
      url: "/api/pastes/clear-expired",
      body: { clearExpired: true },
      status: 200,
    });
    expect(await cleared.json()).toMatchObject({ data: { deleted: 1 } });
  });

  test("a text that is too large for memory is read from the database each time", async () => {
    await using house = await openTestHouse();
    const content = "a long text ".repeat(10_000);
    await share(house, { slug: "long", content });
    for (let views = 1; views <= 3; views++) {
      expect(await (await house.request("/api/paste/long")).json()).toMatchObject({ content, views });
    }
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
    // Two passwords are checked at a time, so the last two of the allowance may be under way together.
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(21);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(979);
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
