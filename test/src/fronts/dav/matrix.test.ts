import { describe, expect, test } from "bun:test";
import { type Permission, permissions } from "#contract/permissions";
import { basic } from "../../../support/clients/basic.ts";
import { asAdmin, davCalls, davUrl, lockInfo, setting } from "../../../support/clients/dav.ts";
import { makeKey } from "../../../support/make-key.ts";
import { type Actor, actorName, credentialOf } from "../../../support/scenario.ts";
import { ADMIN, openTestHouse, type TestHouse } from "../../../support/test-house.ts";

/** Who may call which method: nothing that is called here may fail for another reason than who calls. */

const reading = ["OPTIONS", "PROPFIND", "GET", "HEAD"];
const writing = ["PROPPATCH", "PUT", "DELETE", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK"];

const inits: Readonly<Record<string, { headers?: Record<string, string>; body?: string }>> = {
  PROPFIND: { headers: { depth: "0" } },
  PROPPATCH: { body: setting("<x:p/>") },
  PUT: { body: "new" },
  COPY: { headers: { destination: davUrl("/drive/copied"), overwrite: "T" } },
  MOVE: { headers: { destination: davUrl("/drive/moved"), overwrite: "T" } },
  LOCK: { body: lockInfo("shared"), headers: { timeout: "Second-1" } },
  UNLOCK: { headers: { "lock-token": "<opaquelocktoken:none>" } },
};

type Outcome = "passes" | 401 | 403;

const outcomeOf = (status: number): Outcome => (status === 401 || status === 403 ? status : "passes");

/** What each method meets, on a file that is there each time and a folder that is not. */
async function met(house: TestHouse, who: Readonly<Record<string, string>>): Promise<Record<string, Outcome>> {
  const [admin, dav] = [davCalls(house), davCalls(house, who)];
  const outcomes: Record<string, Outcome> = {};
  for (const method of [...reading, ...writing]) {
    await admin.send("PUT", "/drive/file", { body: "old" });
    await admin.send("DELETE", "/drive/folder");
    const { status } = await dav.send(method, method === "MKCOL" ? "/drive/folder" : "/drive/file", inits[method]);
    if (status >= 500) throw new Error(`${method}: ${status}`);
    outcomes[method] = outcomeOf(status);
    house.clock.advance(2000);
  }
  return outcomes;
}

const all = (outcome: Outcome, methods: readonly string[]) => Object.fromEntries(methods.map((one) => [one, outcome]));

/** Whoever may not read gets nowhere: a client begins by looking. */
const expected = (held: readonly Permission[]) => {
  const reads = held.includes("webdav_read");
  const writes = reads && held.includes("webdav_manage");
  return { ...all(reads ? "passes" : 403, reading), ...all(writes ? "passes" : 403, writing) };
};

describe("who may call WebDAV", () => {
  const nobody = all(401, [...reading, ...writing]);
  // Clients look for WebDAV before they sign in.
  const stranger = { ...nobody, OPTIONS: "passes" } as const;
  const actors: readonly [Actor, Readonly<Record<string, Outcome>>][] = [
    ["anyone", stranger],
    ["visitor", stranger],
    ["wrong token", nobody],
    ["wrong key", nobody],
    ["expired key", nobody],
    ["admin", all("passes", [...reading, ...writing])],
    ["any key", expected(permissions)],
    [{ key: [] }, expected([])],
    ...permissions.map((one): [Actor, Record<string, Outcome>] => [{ key: [one] }, expected([one])]),
    [{ key: ["webdav_read", "webdav_manage"] }, expected(["webdav_read", "webdav_manage"])],
    [{ key: permissions, basePath: "/other" }, all(403, [...reading.slice(1), ...writing])],
  ];
  for (const [actor, outcomes] of actors)
    test(actorName(actor), async () => {
      await using house = await openTestHouse();
      expect(await met(house, await credentialOf(house, actor))).toMatchObject(outcomes);
    });

  test("by name and password, and by a key under any name", async () => {
    await using house = await openTestHouse();
    const { key } = await makeKey(house, { permissions: ["webdav_read"] });
    const texts = await makeKey(house, { permissions: ["text"] });
    const look = (username: string, password: string) =>
      davCalls(house, basic(username, password)).status("PROPFIND", "/", { headers: { depth: "0" } });
    expect(await look(ADMIN.username, ADMIN.password)).toBe(207);
    for (const name of [key, "", "somebody", ADMIN.username]) expect(await look(name, key)).toBe(207);
    expect(await look(ADMIN.username, "wrong")).toBe(401);
    expect(await look(key, "wrong")).toBe(401);
    expect(await look(texts.key, texts.key)).toBe(401);
  });

  test("each request says who sends it, whoever came from the same address before", async () => {
    await using house = await openTestHouse();
    const look = (who: Record<string, string>) =>
      davCalls(house, who).send("PROPFIND", "/", { headers: { depth: "0" } });
    expect((await look(asAdmin)).status).toBe(207);
    const refused = await look({});
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      'Basic realm="Satchel", charset="UTF-8"',
    ]);
    expect((await look({ "user-agent": "the same" })).status).toBe(401);
  });

  test("a key that was deleted or has changed is out at once", async () => {
    await using house = await openTestHouse();
    const { key, id } = await makeKey(house);
    const dav = davCalls(house, basic("x", key));
    expect(await dav.status("PUT", "/drive/a", { body: "a" })).toBe(201);
    await house.house.access.keys.remove(id);
    expect(await dav.status("GET", "/drive/a")).toBe(401);
  });
});
