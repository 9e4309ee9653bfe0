import { describe, expect, test } from "bun:test";
import { scenarios } from "../support/scenario.ts";
import { openTestHouse } from "../support/test-house.ts";

describe("the entry point", () => {
  scenarios([
    { method: "GET", url: "/api/health", status: 200, has: ['{"status":"ok"'] },
    {
      method: "GET",
      url: "/api/version",
      status: 200,
      has: ['"name":"Satchel"', `"environment":"Bun ${Bun.version}"`, '"storage":"'],
    },
    {
      method: "GET",
      url: "/api/nothing",
      status: 404,
      has: ['"error":"route.missing"', '"success":false', '"data":null'],
    },
    {
      name: "in Chinese",
      method: "GET",
      url: "/api/nothing",
      headers: { "accept-language": "zh" },
      status: 404,
      has: ["未找到请求的资源"],
    },
    { method: "PATCH", url: "/api/paste", status: 404, has: ["route.missing"] },
    { method: "GET", url: "/api/raw", status: 404 },
    { method: "GET", url: "/api/raw/%E0%A4%A", status: 404 },
    { method: "GET", url: "/api/paste/%E0%A4", status: 404, has: ["route.missing"] },
    { method: "GET", url: "/api/pastes?limit=x", status: 401, has: ["auth.required"] },
    { method: "GET", url: "/api/raw/a/b", status: 404 },
    { method: "GET", url: "/api/paste/%00", status: 404 },
    { method: "GET", url: `/api/paste/${"a".repeat(3000)}`, status: 404 },
    { method: "GET", url: "/anything/else", status: 200, has: ["site"] },
    { method: "OPTIONS", url: "/api/paste", status: 204 },
    {
      method: "GET",
      url: "/docs/json",
      status: 200,
      has: ['"openapi":"3.1.2"', '"/api/paste"', '"/api/raw/{slug}"'],
    },
    { method: "HEAD", url: "/docs/json", status: 200 },
    { method: "POST", url: "/docs/json", body: "{}", status: 404, has: ["route.missing"] },
    { method: "DELETE", url: "/docs/json", status: 404, has: ["route.missing"] },
  ]);

  test("describes bodies of forms only where the contract has one", async () => {
    await using house = await openTestHouse();
    const { paths } = (await (await house.request("/docs/json")).json()) as {
      paths: Record<string, Record<string, { requestBody?: { content: Record<string, unknown> } }>>;
    };
    const forms = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) =>
        "application/x-www-form-urlencoded" in (requestBody?.content ?? {}) ? [`${method} ${path}`] : [],
      ),
    );
    expect(forms).toEqual(["post /api/fs/zip"]);
  });

  test("HEAD looks without spending a view", async () => {
    await using house = await openTestHouse();
    await house.house.shares.pastes.create(
      { kind: "admin", sessionId: "" },
      { content: "once", slug: "once", maxViews: 1 },
    );
    for (const path of ["/api/paste/once", "/api/raw/once"]) {
      expect((await house.request(path, { method: "HEAD" })).status).toBe(200);
    }
    expect((await house.request("/api/raw/once")).status).toBe(200);
    expect((await house.request("/api/raw/once", { method: "HEAD" })).status).toBe(410);
  });

  test("a Host header of one letter is refused", async () => {
    await using house = await openTestHouse();
    const response = await house.request("http://x/pub/api/pastes");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 400, error: "host.invalid", success: false });
  });

  test.each(["nas", "pi"])("a short host (%s) reaches its own route and no other", async (host) => {
    await using house = await openTestHouse();
    const send = (path: string, init?: RequestInit) => house.request(`http://${host}${path}`, init);
    expect(await (await send("/pub/api/health")).text()).toBe("site");
    expect((await send("/api/pastes")).status).toBe(401);
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const created = await send("/api/paste", { method: "POST", headers, body: '{"content":"short","slug":"short"}' });
    expect(created.status).toBe(201);
    expect(await (await send("/api/raw/short?x=1")).text()).toBe("short");
  });

  test("every answer carries the security headers, and may be read from other origins without credentials", async () => {
    await using house = await openTestHouse();
    for (const path of ["/api/health", "/api/nothing", "/api/raw/nothing", "/docs/json", "/"]) {
      const { headers } = await house.request(path, { headers: { origin: "http://elsewhere.test" } });
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBeTruthy();
      expect(headers.get("referrer-policy")).toBeTruthy();
      expect(headers.get("access-control-allow-origin")).toBe("*");
      expect(headers.get("access-control-allow-credentials")).toBeNull();
      expect(headers.get("access-control-expose-headers")).toContain("ETag");
    }
  });

  test("failures are never stored and name the retry", async () => {
    await using house = await openTestHouse();
    const missing = await house.request("/api/paste/nothing");
    expect(missing.headers.get("cache-control")).toBe("no-store");
    expect(missing.headers.get("vary")).toContain("accept-language");
  });

  test("a bug answers 500 with the number that stands in the log, and nothing more", async () => {
    await using house = await openTestHouse();
    await house.db.close();
    const response = await house.request("/api/paste/text");
    expect(response.status).toBe(500);
    const { message, error } = (await response.json()) as { message: string; error: string };
    expect(error).toBe("internal");
    const [number = ""] = message.match(/[0-9a-f]{8}-\w+/) ?? [];
    expect(house.log()).toContain(`"event":"unhandled error","request":"${number}"`);
    expect(message).not.toContain("database");
  });
});
