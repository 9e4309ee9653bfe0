import { describe, expect, test } from "bun:test";
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
