import { describe, expect, test } from "bun:test";
import { pageHostsOf } from "../../../src/fronts/context.ts";
import { openTestHouse } from "../../support/test-house.ts";

describe("the address of a caller", () => {
  test("X-Forwarded-For may carry ports and nonsense, and forges no log line", async () => {
    await using house = await openTestHouse({ trustedProxies: ["10.0.0.0/8"] });
    const health = (forwarded: string) =>
      house.request("/api/health", { headers: { "x-forwarded-for": forwarded } }, "10.0.0.1");
    for (const forwarded of ["203.0.113.5:4711", "[2001:db8::1]:80", 'x"y', "10.0.0.7, 10.0.0.8", ""])
      await health(forwarded);
    const addresses = house
      .log()
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { address?: string }).address);
    expect(addresses).toEqual(["203.0.113.5", "2001:db8::1", "10.0.0.1", "10.0.0.7", "10.0.0.1"]);
  });

  test("a hop that is no address ends the chain at the peer", async () => {
    await using house = await openTestHouse({ trustedProxies: ["10.0.0.0/8"] });
    for (const chain of ["192.0.2.7, unknown", "192.0.2.7,", "192.0.2.7, _x, 10.0.0.2", "192.0.2.7, 203.0.113.5 x"])
      await house.request("/api/health", { headers: { "x-forwarded-for": chain } }, "10.0.0.1");
    expect([...house.log().matchAll(/"address":"([^"]+)"/g)].map(([, address]) => address)).toEqual(
      Array(4).fill("10.0.0.1"),
    );
  });

  test("X-Forwarded-For counts from a trusted proxy only", async () => {
    await using house = await openTestHouse({ trustedProxies: ["10.0.0.0/8"] });
    const attempt = (peer: string, forwarded: string) => {
      const headers = { "x-forwarded-for": forwarded };
      const body = JSON.stringify({ token: "made-up" });
      return house.request("/api/admin/sign-in-link", { method: "POST", headers, body }, peer);
    };
    for (let index = 0; index < 10; index++) await attempt("10.0.0.1", "1.1.1.1, 203.0.113.5");
    expect((await attempt("10.0.0.1", "2.2.2.2, 203.0.113.5")).status).toBe(429);
    expect((await attempt("10.0.0.1", "203.0.113.6")).status).toBe(401);
    for (let index = 0; index < 10; index++) await attempt("198.51.100.9", `192.0.2.${index}`);
    expect((await attempt("198.51.100.9", "192.0.2.99")).status).toBe(429);
  });
});

describe("the hosts that a page's policy names", () => {
  const known = (publicUrl?: string, trusted = false) => ({ publicUrl, trusted });
  const PUBLIC = "https://share.test";
  test.each<[string, ReturnType<typeof known>, Record<string, string>, string[]]>([
    ["are none where nobody told", known(), { host: "nas.test:8787" }, []],
    ["are none for an address", known("http://192.168.1.5:8787"), { host: "192.168.1.5:8787" }, []],
    ["are none for an address of IPv6", known("http://[::1]:8787"), { host: "[::1]:8787" }, []],
    ["are none behind a proxy that nobody named", known(), { host: "nas.test", "x-forwarded-for": "192.0.2.1" }, []],
    ["are that of this machine", known("http://127.0.0.1:8787"), { host: "127.0.0.1:8787" }, ["127.0.0.1:8787"]],
    ["are PUBLIC_URL's too", known(PUBLIC), { host: "nas.test", via: "1.1 x" }, ["nas.test", "share.test"]],
    ["are one where both are the same", known(PUBLIC), { host: "share.test" }, ["share.test"]],
    [
      "are what a trusted proxy reports",
      known(undefined, true),
      { host: "upstream:80", "x-forwarded-host": "share.test" },
      ["upstream:80", "share.test"],
    ],
    [
      "are none where a trusted proxy reports none",
      known(undefined, true),
      { host: "upstream", "x-forwarded-for": "192.0.2.1" },
      [],
    ],
  ])("%s", (_, told, headers, hosts) => {
    expect(pageHostsOf({ headers: new Headers(headers) }, told)).toEqual(hosts);
  });
});
