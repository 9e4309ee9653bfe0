import { describe, expect, test } from "bun:test";
import { failed } from "../../../web/transfer/failures.ts";
import type { Put } from "../../../web/transfer/ports.ts";
import { isSameAs, largeFile, PARTS, putFrom, reaches } from "../../support/page-servers/uploads-at.ts";
import { came, kinds, sending, serverWithStorage } from "./elsewhere.ts";

describe("a storage that this browser reaches", () => {
  test.each(kinds)("takes a file %s itself", async (_, make, count) => {
    await using server = serverWithStorage();
    const file = make();
    const here = sending(server, file);
    await reaches(here, "a", { state: "completed" });
    expect(came(server)).toEqual([count, 0]);
    expect(here.item().relayed).toBe(false);
    expect(await isSameAs(server.bytes("mine"), file)).toBe(true);
  });

  test("may hide its ETags: the server is asked for them", async () => {
    await using server = serverWithStorage();
    server.storage.setRules({ exposesEtags: false });
    const here = sending(server, largeFile("a"));
    await reaches(here, "a", { state: "completed" });
    expect(server.lines()).toEqual([
      "POST /s3/multipart/init",
      "POST /s3/multipart/parts",
      "POST /s3/multipart/complete",
    ]);
    expect(server.calls.some(({ body }) => body.relay)).toBe(false);
  });

  test.each(kinds)(
    "is tried again %s when it is busy, and when it finds an address too old",
    async (_, make, count) => {
      await using server = serverWithStorage();
      server.onPut(() => {
        if (server.puts.length === 1) return new Response(null, { status: 503 });
        if (server.puts.length === 2) server.expireAddresses();
        return undefined;
      });
      const here = sending(server, make());
      await reaches(here, "a", { state: "completed" });
      expect(came(server)[1]).toBe(0);
      expect(came(server)[0]).toBeGreaterThanOrEqual(count + 2);
      expect(here.clock.slept).toEqual([1000]);
    },
  );

  test.each(kinds)("that refuses fresh addresses too (%s) is not asked for ever", async (_, make) => {
    await using server = serverWithStorage();
    server.onPut(() => new Response(null, { status: 403 }));
    const here = sending(server, make());
    await reaches(here, "a", { state: "failed" });
    expect(here.item().failure?.status).toBe(403);
    expect(here.clock.slept).toEqual([]);
    const tries = server.parts().map((part) => server.parts().filter((other) => other === part).length);
    expect(Math.max(...tries)).toBe(2);
  });

  test("that has answered may be silent for a moment", async () => {
    await using server = serverWithStorage();
    const through = putFrom(server.base);
    const silent = new Set<string>();
    const put: Put = (request) => {
      if (!/\/[45]\?/.test(request.url) || silent.has(request.url)) return through(request);
      silent.add(request.url);
      return Promise.reject(failed("network"));
    };
    const here = sending(server, largeFile("a"), { put });
    await reaches(here, "a", { state: "completed" });
    expect([silent.size, came(server), here.item().relayed]).toEqual([2, [PARTS, 0], false]);
  });

  test("that has answered and says nothing any more is gone round", async () => {
    await using server = serverWithStorage();
    const through = putFrom(server.base);
    let sent = 0;
    const put: Put = (request) => {
      if (request.url.startsWith(server.base)) return through(request);
      sent += 1;
      return sent <= 3 ? through(request) : Promise.reject(failed("network"));
    };
    const here = sending(server, largeFile("a"), { put });
    await reaches(here, "a", { state: "completed" });
    expect(came(server)).toEqual([3, 4]);
    expect(here.item()).toMatchObject({ relayed: true, sent: here.item().file.size });
    expect(await isSameAs(server.bytes("mine"), largeFile("a"))).toBe(true);
  });

  test("and a server that both are gone are waited for, and nothing changes its way", async () => {
    await using server = serverWithStorage();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(({ part }) => (part > 1 ? gate.promise : undefined));
    const here = sending(server, largeFile("a"));
    here.clock.stand();
    await here.clock.until(() => server.inFlight() === 3 && server.puts.length === 4);
    await Promise.all([server.cutOff(), server.storage.cutOff()]);
    await reaches(here, "a", { waiting: "connection" });
    server.onPut(() => undefined);
    gate.resolve(undefined);
    server.comeBack();
    server.storage.comeBack();
    await here.clock.elapse();
    await reaches(here, "a", { state: "completed" });
    expect([here.item().relayed, came(server)[1]]).toEqual([false, 0]);
  });
});
