import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Endpoint } from "#contract/endpoint";
import { api } from "../../support/contract.ts";
import { attack, report } from "../../support/hostile/attack.ts";
import { startCanary } from "../../support/hostile/canary.ts";
import { furnish } from "../../support/hostile/furnish.ts";
import { hostileRequest } from "../../support/hostile/requests.ts";
import { testRoutes } from "../../support/hostile/routes.ts";
import { startServer, type TestServer } from "../../support/server.ts";
import { root } from "../../support/sources.ts";

/**
 * Hostile requests made from the contract against a real server in a process of its own: nearly right ones with one to three
 * things wrong. They go out as bytes on raw connections, because a client such as fetch would repair them.
 *
 * A failure names the seed, the number of each request that met a fault, and the bytes of the first of each kind. One request is
 * made by its number alone, so `SATCHEL_HOSTILE_FROM=9630 SATCHEL_HOSTILE_COUNT=1 bun test test/src/fronts/hostile.test.ts`
 * sends the same one again; only ids and credentials differ. What several requests at once have caused needs those around it:
 * begin at the thousand below. `SATCHEL_HOSTILE_SEED` makes others. The pages must have been built (`bun build.ts --web`).
 */
const seed = Number(process.env.SATCHEL_HOSTILE_SEED ?? 12);
const from = Number(process.env.SATCHEL_HOSTILE_FROM ?? 0);
const count = Number(process.env.SATCHEL_HOSTILE_COUNT ?? 20_000);

const passwords = ["correct horse battery", "another horse battery"] as const;
const endpoints: readonly Endpoint[] = Object.values(api).flatMap((family) => Object.values(family));

describe("hostile requests", () => {
  let server: TestServer;
  beforeAll(async () => {
    // Each request comes from an address of its own, so that limits per address do not keep the rest from being tried.
    const environment = { TRUSTED_PROXIES: "127.0.0.1" };
    server = await startServer({ adminPassword: passwords[0], environment });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("are the same for the same seed, and try every endpoint in many ways", async () => {
    const known = await furnish({ address: server.address, passwords }).restore();
    const numbers = Array.from({ length: testRoutes.length * 20 }, (_, index) => index);
    const requests = numbers.map((number) => hostileRequest(seed, number, known));
    expect(requests).toEqual(numbers.map((number) => hostileRequest(seed, number, known)));
    const tried = new Set(requests.map(({ route }) => route));
    expect(endpoints.filter(({ method, path }) => !tried.has(`${method} /api${path}`))).toEqual([]);
    for (const route of tried) {
      const ways = new Set(requests.flatMap((request) => (request.route === route ? request.breaches : [])));
      expect({ route, many: ways.size > 3 }).toEqual({ route, many: true });
    }
  });

  test("each get the answer that is documented, and keep nobody else from theirs", async () => {
    const met = new Map<number, number>();
    const canary = startCanary(server.address);
    const faults = await attack({
      ...{ address: server.address, passwords, seed, from, count },
      secrets: { folders: [server.dataDir, root] },
      seen: (_, { answers: [answer] }) => void met.set(answer?.status ?? 0, (met.get(answer?.status ?? 0) ?? 0) + 1),
    });
    const { asked, answered } = await canary.stop();
    if (faults.length > 0) throw new Error(report(seed, faults));
    expect({ asked: asked > 0, unanswered: asked - answered }).toEqual({ asked: true, unanswered: 0 });
    const all = [...met.values()].reduce((sum, one) => sum + one, 0);
    expect(all).toBe(count);
    // A generator of which nothing comes through tests no more than the first line of defence.
    const through = [...met].reduce((sum, [status, one]) => (status >= 200 && status < 400 ? sum + one : sum), 0);
    if (count >= 1000) expect(through).toBeGreaterThan(count / 10);
  });

  test("leave no error in the log, and none of the credentials that they carried", () => {
    const log = server.stdout();
    expect(log.split("\n").filter((line) => line.includes('"level":"error"'))).toEqual([]);
    for (const secret of passwords) expect(log.includes(secret)).toBe(false);
    expect(server.stderr()).not.toContain(server.dataDir);
  });
});
