import { describe, expect, test } from "bun:test";
import { languageCodes } from "#contract/languages";
import { expiryOf } from "../../../../src/fronts/drop/options.ts";
import { type Actor, scenarios, send } from "../../../support/scenario.ts";
import { openTestHouse } from "../../../support/test-house.ts";

/** What can be said with a drop, and where. */

const now = Date.UTC(2030, 0, 2, 3, 4, 5);

test.each([
  ["30m", "2030-01-02T03:34:05.000Z"],
  ["10min", "2030-01-02T03:14:05.000Z"],
  ["2h", "2030-01-02T05:04:05.000Z"],
  ["2 hours", "2030-01-02T05:04:05.000Z"],
  ["7d", "2030-01-09T03:04:05.000Z"],
  ["1 day", "2030-01-03T03:04:05.000Z"],
  ["2w", "2030-01-16T03:04:05.000Z"],
  ["24", "2030-01-03T03:04:05.000Z"],
  ["1900000000000", "2030-03-17T17:46:40.000Z"],
  ["2031-12-01", "2031-12-01T23:59:59.999Z"],
  ["2031-12-01T10:00:00+02:00", "2031-12-01T08:00:00.000Z"],
  ["never", null],
  ["0", null],
  ["", undefined],
  ["soon", undefined],
  ["-1h", undefined],
  ["1.5h", undefined],
  ["2mours", undefined],
  ["5weeks", "2030-02-06T03:04:05.000Z"],
  ["2031-13-01", undefined],
  ["9999999999999999", undefined],
  ["999999w", undefined],
] as const)("expire %p is %p", (said, instant) => {
  const read = () => expiryOf(said, now);
  if (instant === undefined) expect(read).toThrow("option.invalid");
  else expect(read()).toBe(instant);
});

const put = (url: string, headers: Record<string, string> = {}) =>
  ({
    as: "admin" as Actor,
    method: "PUT",
    url,
    body: "hello",
    headers: { accept: "application/json", ...headers },
  }) as const;

describe("an option", () => {
  scenarios([
    { ...put("/a.txt?views=3&expire=1d&slug=mine"), status: 201, has: ['"views":3', '"slug":"mine"', "2030-01-03T"] },
    { ...put("/a.txt", { "x-share-views": "3" }), status: 201, has: ['"views":3'] },
    { ...put("/a.txt?views=3", { "x-share-views": "4" }), status: 201, has: ['"views":4'] },
    { ...put("/a.txt", { "max-downloads": "2", "max-days": "2" }), status: 201, has: ['"views":2', "2030-01-04T"] },
    { ...put("/a.txt", { expire: "1h", filename: "b.txt" }), status: 201, has: ['"name":"b.txt"', "T04:04:05"] },
    { ...put("/a.txt", { "x-share-name": "%" }), status: 201, has: ['"name":"%"'] },
    { ...put("/a.txt?utm_source=x"), status: 201 },
    { ...put("/a.txt?expires=1d&max_views=3"), status: 201, has: ['"views":3', "2030-01-03T"] },
    { ...put("/a.txt?expires_at=2031-12-01"), status: 201, has: ["2031-12-01T"] },
    { ...put("/a.txt?max_views=1&views=0"), status: 400, has: ["option.invalid", "views"] },
    { ...put("/a.txt?expire=1h&expires=never"), status: 400, has: ["option.invalid", "expire"] },
    { ...put("/a.txt?max_views=many"), status: 400, has: ["option.invalid", "views"] },
    { ...put("/a.txt?toString=1"), status: 201, has: ['"views":null'] },
    { ...put("/a.txt?views=many"), status: 400, has: ["option.invalid", "views"] },
    { ...put("/a.txt?views=many&json", { accept: "*/*" }), status: 400, has: ['"error":"option.invalid"'] },
    { ...put("/a.txt?views=many", { accept: "*/*" }), status: 400, hasNot: ["option.invalid"] },
    { ...put("/a.txt?views=-1"), status: 400, has: ["option.invalid", "views"] },
    { ...put("/a.txt?views=1&views=2"), status: 400, has: ["option.invalid", "views"] },
    { ...put("/a.txt?expire=soon"), status: 400, has: ["option.invalid", "expire"] },
    // What it takes is said in each language.
    ...languageCodes.flatMap((language) =>
      (
        [
          ["views=many", "views (0, 1, 10)"],
          ["expire=soon", "expire (30m, 12h, 7d, 2026-12-31, never)"],
          ["plain=perhaps", "plain (true, false)"],
        ] as const
      ).map(([query, takes]) => ({
        ...put(`/a.txt?${query}`, { "accept-language": language, accept: "*/*" }),
        ...{ status: 400, has: [takes] },
      })),
    ),
    { ...put("/a.txt?expire=2020-01-01"), status: 400, has: ["expiry.past"] },
    { ...put("/a.txt", { "max-days": "x" }), status: 400, has: ["option.invalid", "expire"] },
    { ...put("/a.txt", { "x-share-plain": "perhaps" }), status: 400, has: ["option.invalid", "plain"] },
    { ...put("/a.txt", { "x-share-remark": "x".repeat(5000) }), status: 400, has: ["option.invalid", "remark"] },
    { ...put("/a.txt", { "x-share-password": "x".repeat(2000) }), status: 400, has: ["option.invalid", "password"] },
    { ...put("/a.txt?ttl=1d"), status: 400, has: ["option.unknown", "ttl"] },
    { ...put("/a.txt", { "x-share-expires": "1d" }), status: 400, has: ["option.unknown", "x-share-expires"] },
    { ...put("/a.txt?password=sesame"), status: 400, has: ["option.passwordInAddress"], hasNot: ["sesame"] },
    { ...put("/a.txt?slug=a%20b"), status: 400, has: ["slug.invalid"] },
    { ...put("/a.txt?slug=admin"), status: 400, has: ["slug.reserved"] },
    { ...put("/a.txt?name=a%2Fb"), status: 400, has: ["filename.invalid"] },
    { ...put("/a.txt?path=..%2Fup"), status: 400, has: ["path.invalid"] },
    { ...put("/a.txt?storage=none"), status: 404, has: ["storage.missing"] },
  ]);

  test("may be a password in UTF-8, which no answer repeats", async () => {
    await using house = await openTestHouse();
    const said = Buffer.from("sésame 密").toString("latin1");
    const response = await send(house, { ...put("/a.txt", { "x-share-password": said }), status: 201 });
    const { url } = (await response.json()) as { url: string };
    const ask = (password?: string) =>
      house.request(new URL(url).pathname, {
        headers: {
          "user-agent": "curl/8.5.0",
          ...(password && { authorization: `Basic ${Buffer.from(`:${password}`).toString("base64")}` }),
        },
      });
    expect((await ask()).status).toBe(401);
    expect((await ask("sesame")).status).toBe(401);
    expect(await (await ask("sésame 密")).text()).toBe("hello");
  });
});
