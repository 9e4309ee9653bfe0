import { describe, expect, test } from "bun:test";
import { MAX_CONTENT_BYTES, MAX_CONTENT_JSON_BYTES } from "#contract/limits";
import { scenarios, send } from "../../../../../support/scenario.ts";
import { shareText as share } from "../../../../../support/share-text.ts";
import { days } from "../../../../../support/test-clock.ts";
import { openTestHouse } from "../../../../../support/test-house.ts";

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
      {
        ...create,
        name: "its whole address",
        as: "admin",
        body: { content: "x", slug: "with-address" },
        status: 201,
        has: ['"url":"http://satchel.test/paste/with-address"'],
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
      {
        name: "limits by the names that files have for them",
        ...create,
        as: "admin",
        body: { content: "x", expires_at: "2031-01-01T00:00:00Z", max_views: 3, expiresAt: null },
        status: 201,
        has: ['"expiresAt":"2031-01-01T00:00:00.000Z"', '"maxViews":3'],
      },
      {
        name: "a limit twice, alike",
        ...create,
        as: "admin",
        body: { content: "x", maxViews: 3, max_views: 3 },
        status: 201,
        has: ['"maxViews":3'],
      },
      {
        name: "a limit twice, differently",
        ...create,
        as: "admin",
        body: { content: "x", maxViews: 3, max_views: 1 },
        status: 400,
        has: ["limit.unknown", "max_views"],
      },
      ...["expires_in", "expire", "Expiry", "expiry_time", "ttl", "maxviews", "max-views", "views", "burnAfterReading"]
        .concat(["one_time", "passwd", "plain_password", "pass", "view_limit", "delete_after", "Password"])
        .map((name) => ({
          name: `a limit that is called ${name}`,
          ...create,
          as: "admin" as const,
          body: { content: "x", [name]: "1" },
          status: 400,
          has: ["limit.unknown", `field ${name} `, "password, expiresAt, maxViews"],
        })),
      {
        name: "fields of forms that nobody has filled in",
        ...create,
        as: "admin",
        body: { content: "x", expires_in: "0", expiry: "never", max_views: 0, ttl: null, burn: false, pass: "" },
        status: 201,
        has: ['"expiresAt":null', '"maxViews":0', '"hasPassword":false'],
      },
      {
        name: "what an answer has told of another text",
        ...create,
        as: "admin",
        body: {
          ...{ content: "x", remark: null, expiresAt: null, maxViews: null, views: 5, isLastView: true },
          ...{ hasPassword: true, createdAt: "2029-01-01T00:00:00.000Z", created_by: "admin", isExpired: true },
        },
        status: 201,
        has: ['"maxViews":0'],
      },
      {
        name: "a name that is no name is not repeated",
        ...create,
        as: "admin",
        body: { content: "x", [`expires ${"e".repeat(100)}`]: 1 },
        status: 201,
      },
      { ...create, as: "admin", body: "{ not json", status: 400, has: ["body.malformed"] },
      { ...create, as: "admin", body: "", status: 400, has: ["body.malformed"] },
      { ...create, as: "admin", body: "[]", status: 400, has: ["body.invalid", "field body"] },
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
        body: "x".repeat(MAX_CONTENT_JSON_BYTES + 1),
        status: 413,
        has: ["body.tooLarge"],
      },
    ],
    async (house) => {
      await share(house, { slug: "taken" });
    },
  );

  test("a creation that is repeated with its key, even at once, makes one share", async () => {
    await using house = await openTestHouse();
    const authorization = `Bearer ${await house.signIn()}`;
    const post = async (key: string, slug?: string) => {
      const headers = { authorization, "idempotency-key": key };
      const response = await house.request("/api/paste", {
        method: "POST",
        headers,
        body: JSON.stringify({ content: "x", slug }),
      });
      return { status: response.status, ...((await response.json()) as { id?: string }) };
    };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post("first", "only")));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect((await post("first", "other")).status).toBe(409);
    expect((await post("second")).id).not.toBe(answers[0]?.id);
    expect((await post("k".repeat(201))).status).toBe(400);
    house.clock.advance(days(1));
    await house.house.system.sweeper.sweep();
    expect((await post("first")).id).not.toBe(answers[0]?.id);
  });

  test("a refused text leaves nothing behind", async () => {
    await using house = await openTestHouse();
    for (const body of [{ content: "" }, { content: "x", slug: "a b" }, { content: "x", maxViews: -1 }, "{"]) {
      await send(house, { ...create, as: "admin", body, status: 400 });
    }
    const stored = await house.house.shares.pastes.list({
      owners: undefined,
      sort: "created",
      order: "desc",
      limit: 10,
      offset: 0,
    });
    expect(stored.total).toBe(0);
  });

  test("a body of unknown length is counted while it arrives", async () => {
    await using house = await openTestHouse();
    const chunk = new Uint8Array(1024 * 1024).fill(97);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 200) return controller.close();
        controller.enqueue(chunk);
      },
    });
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const response = await house.request("/api/paste", { method: "POST", headers, body });
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(70);
  });

  test("random slugs have six characters without look-alikes", async () => {
    await using house = await openTestHouse();
    for (let index = 0; index < 50; index++)
      expect((await share(house, {})).slug).toMatch(/^[2-9a-hjkmnp-zA-HJ-NP-Z]{6}$/);
  });
});
