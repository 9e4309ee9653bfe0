import { expect, test } from "bun:test";
import { createCounter } from "../../../src/access/limiter.ts";
import type { LinkCaller } from "../../../src/access/principal.ts";
import { addressSet } from "../../../src/lib/addresses.ts";
import { createBasicVisits } from "../../../src/links/basic-visits.ts";

const [networks] = addressSet([]);

const callerNamed = (visitor: string): LinkCaller => ({
  ...{ kind: "link", id: "tapes", visitor, rights: ["view"], items: [], networks },
  owner: { kind: "admin", sessionId: null, account: "1" },
});

/** The visits of a link, whose lock is answered when a test says so. */
function openVisits(lock: "open" | "password") {
  const asked: PromiseWithResolvers<typeof lock>[] = [];
  const visits: string[] = [];
  const basic = createBasicVisits({
    kept: {
      lockOf: () => {
        const question = Promise.withResolvers<typeof lock>();
        asked.push(question);
        return question.promise;
      },
      slugOf: async (id) => id,
    },
    visitors: { callerOf: async (_id, visitor) => callerNamed(visitor) },
    open: async () => {
      visits.push(`visitor ${visits.length + 1}`);
      return { caller: callerNamed(visits.at(-1) ?? "") };
    },
    limiter: createCounter(() => 0),
    secret: "x".repeat(32),
    synced: async () => undefined,
  });
  const bothAsked = async () => {
    while (asked.length < 2) await Promise.resolve();
  };
  return { basic, visits, bothAsked, answer: (index: number) => asked[index]?.resolve(lock) };
}

const client = { address: "198.51.100.1", agent: null };

test.each(["open", "password"] as const)(
  "who asked for a link (%s) while somebody else opened it belongs to that opening, however late the database answers",
  async (lock) => {
    const { basic, visits, bothAsked, answer } = openVisits(lock);
    const credentials = { username: "tapes", password: "open sesame" };
    const enter = async () =>
      (await basic.known(credentials, client.address)) ?? (await basic.enter(credentials, client));
    const [first, second] = [enter(), enter()];
    await bothAsked();
    const entered = { caller: callerNamed("visitor 1"), byPassword: lock === "password" };
    answer(0);
    expect(await first).toEqual(entered);
    answer(1);
    expect(await second).toEqual(entered);
    expect(visits).toEqual(["visitor 1"]);
  },
);
