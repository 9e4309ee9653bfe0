import { describe, expect, test } from "bun:test";
import { noLinkLocal } from "../../../src/lib/addresses.ts";
import { createPinnedFetch, ForbiddenAddress } from "../../../src/lib/pinned-fetch.ts";

/** Of `s3.test` and `b.s3.test`, made for this test only; valid until 2126. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUCgAwIBAgIUWPZUGgb8YoKG04XObdZRldl0BNwwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHczMudGVzdDAgFw0yNjExMjIwMzQ1NTdaGA8yMTI2MTAyOTAz
NDU1N1owEjEQMA4GA1UEAwwHczMudGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABAyI+ffqP8pSwrfgkI+lAWOz9+NSung6uVFDFbJqMtnD+NsLVLkHc7Q/xqsQ
WFT5VJktFI8h+eWmmj/O3i4zAhujcjBwMB0GA1UdDgQWBBQMVGZXpiwq0JyD3rLB
IpzdizYB2zAfBgNVHSMEGDAWgBQMVGZXpiwq0JyD3rLBIpzdizYB2zAPBgNVHRMB
Af8EBTADAQH/MB0GA1UdEQQWMBSCB3MzLnRlc3SCCWIuczMudGVzdDAKBggqhkjO
PQQDAgNJADBGAiEAqEpoeq1ne0iUyc+0gCFnGTK+oVR0+EzLagn6/3dDwfoCIQCB
f7WmTs5Ars7ikQiXZmhiFgNJTuJbLVSRs+dQr8jdfw==
-----END CERTIFICATE-----`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgWSP2CuAeuLxQnpDv
n1YoGg9cDM/7d+qpyksEYrqEzBuhRANCAAQMiPn36j/KUsK34JCPpQFjs/fjUrp4
OrlRQxWyajLZw/jbC1S5B3O0P8arEFhU+VSZLRSPIfnlppo/zt4uMwIb
-----END PRIVATE KEY-----`;

const serve = () =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert, key },
    fetch: ({ headers }) => new Response(headers.get("host")),
  });

const pinned = (resolve: (host: string) => readonly string[], now = () => 0) =>
  createPinnedFetch({ fetch, policy: noLinkLocal, resolve: async (host) => resolve(host), clock: now });

describe("over TLS", () => {
  test("the certificate has to be that of the name, not of the address", async () => {
    await using server = serve();
    const get = pinned(() => ["127.0.0.1"]);
    const ask = (host: string) => get(`https://${host}:${server.port}/`, { tls: { ca: cert } });
    expect(await (await ask("s3.test")).text()).toBe(`s3.test:${server.port}`);
    expect(await (await ask("b.s3.test")).text()).toBe(`b.s3.test:${server.port}`);
    // Another name on the same address must not use the connection that was checked for the first.
    await expect(ask("other.test")).rejects.toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    expect(await (await ask("s3.test")).text()).toBe(`s3.test:${server.port}`);
  });
});

describe("a name", () => {
  test("is resolved once in five seconds, also by many at once", async () => {
    await using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("x") });
    let [asked, now] = [0, 0];
    const resolve = () => {
      asked += 1;
      return ["127.0.0.1"];
    };
    const get = pinned(resolve, () => now);
    const ask = async () => await (await get(`http://s3.test:${server.port}/`, {})).text();
    await Promise.all(Array.from({ length: 10 }, ask));
    now = 4999;
    await ask();
    expect(asked).toBe(1);
    for (const later of [5000, 0]) {
      now = later;
      await ask();
    }
    expect(asked).toBe(3);
  });

  test("that nobody resolves is waited for no longer than the signal says", async () => {
    const never = createPinnedFetch({
      ...{ fetch, policy: noLinkLocal, clock: () => 0 },
      resolve: () => Promise.withResolvers<string[]>().promise,
    });
    const stop = new AbortController();
    const asked = never("http://s3.test/", { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
  });

  test("that leads to one forbidden address among others is refused", async () => {
    const get = pinned(() => ["127.0.0.1", "169.254.169.254"]);
    await expect(get("http://s3.test:9/", {})).rejects.toBeInstanceOf(ForbiddenAddress);
  });
});
