import { describe, expect, test } from "bun:test";
import type { Endpoint } from "#contract/endpoint";
import { fs } from "#contract/fs/fs";
import { asAdmin, davCalls, davUrl } from "../../support/clients/dav.ts";
import { answerOf, callsOf } from "../../support/clients/s3.ts";
import { slowBody } from "../../support/clients/slow-body.ts";
import { createHaltingDatabase } from "../../support/database/halting-database.ts";
import { makeAtOnce } from "../../support/stores/s3-completion.ts";
import { openTestHouse, type TestHouseOptions } from "../../support/test-house.ts";
import { treeCalls, urlOf } from "../../support/tree/tree-house.ts";

/** Changes of one path that depend on what is there take turns. Nobody has to wait for the body of somebody else, or for ever. */

async function open(options: TestHouseOptions = {}) {
  const house = await openTestHouse(options);
  const [tree, s3] = [await treeCalls(house), await callsOf(house)];
  const dav = davCalls(house);

  /** Begins to write a file through one of the doors; `end` sends the rest and answers the status. */
  const begin = async (door: "WebDAV" | "S3", headers: Readonly<Record<string, string>>) => {
    const { body, begun, finish } = slowBody("mi", "ne");
    const send = async (): Promise<number> => {
      if (door === "WebDAV") return await dav.status("PUT", "/drive/a", { body, headers });
      const length = { "content-length": "4" };
      const signed = s3.signed("PUT", "/drive/a", { hash: "UNSIGNED-PAYLOAD", headers });
      const init = { method: "PUT", headers: { ...signed.headers, ...length }, body };
      return (await answerOf(await house.request(signed.url, init))).status;
    };
    const sent = send();
    await Promise.race([begun, sent]);
    return {
      async end(): Promise<number> {
        finish();
        return await sent;
      },
    };
  };

  const etag = async (path = "/drive/a") => (await dav.send("HEAD", path)).headers.get("etag") ?? "";

  return { house, tree, s3, dav, begin, etag, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

type Room = Awaited<ReturnType<typeof open>>;

/** What others do meanwhile at the path of a slow writer, and the status that tells that they did it. */
const others: Readonly<Record<string, (room: Room) => Promise<number>>> = {
  "a PUT under a condition": async ({ dav, etag }) =>
    await dav.status("PUT", "/drive/a", { body: "theirs", headers: { "if-match": await etag() } }),
  "a PUT under a condition through S3": async ({ s3, etag }) =>
    (await s3.put("/drive/a", "theirs", { "if-match": await etag() })).status,
  "a DELETE under a condition": async ({ dav, etag }) =>
    await dav.status("DELETE", "/drive/a", { headers: { "if-match": await etag() } }),
  "a DELETE under a condition through S3": async ({ s3, etag }) =>
    (await s3.send("DELETE", "/drive/a", { headers: { "if-match": await etag() } })).status,
  "a MOVE": async ({ dav }) => (await dav.copyOrMove("MOVE", "/drive/a", "/drive/b")).status,
  "a rename": async ({ tree }) =>
    (await tree.call(fs.rename, { body: { oldPath: "/drive/a", newPath: "/drive/b" } })).status,
  "an edit of a version": async ({ tree, etag }) =>
    (await tree.call(fs.update, { body: { path: "/drive/a", content: "theirs", etag: await etag() } })).status,
};

describe.each(["WebDAV", "S3"] as const)("a PUT under a condition through %s whose body comes slowly", (door) => {
  test.each(Object.entries(others))("keeps %s from nothing, and is refused at its end", async (_, act) => {
    await using room = await open();
    await room.tree.write("/drive/a", "old");
    const slow = await room.begin(door, { "if-match": await room.etag() });
    expect(await act(room)).toBeWithin(200, 300);
    const before = [await room.dav.names("/drive"), await room.tree.text("/drive/a")];
    expect(await slow.end()).toBe(412);
    expect([await room.dav.names("/drive"), await room.tree.text("/drive/a")]).toEqual(before);
  });

  test("makes the file for one of two", async () => {
    await using room = await open();
    const slow = [await room.begin(door, { "if-none-match": "*" }), await room.begin(door, { "if-none-match": "*" })];
    const statuses = await Promise.all(slow.map(({ end }) => end()));
    expect(statuses.toSorted()).toEqual([door === "S3" ? 200 : 201, 412]);
    expect(await room.tree.text("/drive/a")).toBe("mine");
  });
});

test("of two uploads in parts that may only make a file one does", async () => {
  await using room = await open();
  expect(await makeAtOnce(room.s3, "/drive/a", 2)).toEqual(["200", "412 PreconditionFailed"]);
});

/** Somebody who has the turn at /drive/a and keeps it until the test says so; then there is a new file, or none. */
const holders = {
  writer: { method: "PUT", body: "new", halt: "insert into disk_attributes" },
  remover: { method: "DELETE", body: undefined, halt: "insert into change_intents" },
} as const;

async function openHeld(holder: keyof typeof holders, options: TestHouseOptions = {}) {
  const halting = createHaltingDatabase();
  const room = await open({ ...options, engine: halting.engine });
  await room.tree.put("/drive/a", "/drive/other");
  const { method, body, halt } = holders[holder];
  const headers = { "if-match": await room.etag() };
  const { reached, goOn } = halting.haltAt(halt);
  const holding = room.dav.status(method, "/drive/a", { headers, ...(body && { body }) });
  await reached;
  return {
    ...room,
    async goOn(): Promise<void> {
      goOn();
      expect(await holding).toBe(204);
    },
    /** Names in the folder, and what is in the file. */
    seen: async () => [await room.dav.names("/drive"), await room.tree.text("/drive/a")] as const,
  };
}

type Sent = readonly [url: string, init: RequestInit];

const byDav = (method: string, path: string, headers: Record<string, string>, body?: string): Sent => [
  davUrl(path),
  { method, headers: { ...asAdmin, ...headers }, ...(body !== undefined && { body }) },
];

const byRest = ({ tree }: Room, endpoint: Endpoint, body: unknown): Sent => [
  urlOf(endpoint),
  { method: endpoint.method, headers: tree.admin, body: JSON.stringify(body) },
];

const byS3 = ({ s3 }: Room, method: string, headers: Record<string, string>, body?: string): Sent => {
  const signed = s3.signed(method, "/drive/a", { headers, ...(body !== undefined && { body }) });
  const length: Record<string, string> = body === undefined ? {} : { "content-length": String(body.length) };
  return [signed.url, { method, headers: { ...signed.headers, ...length }, ...(body !== undefined && { body }) }];
};

const ANY = { "if-match": "*" };

/** What has to wait for somebody else's turn at /drive/a, and would do something after it. */
const waiting: readonly (readonly [string, keyof typeof holders, (room: Room) => Sent])[] = [
  ["a PUT", "writer", () => byDav("PUT", "/drive/a", ANY, "mine")],
  ["a DELETE", "writer", () => byDav("DELETE", "/drive/a", ANY)],
  ["a MOVE", "writer", () => byDav("MOVE", "/drive/a", { destination: davUrl("/drive/b") })],
  ["a MOVE over it", "writer", () => byDav("MOVE", "/drive/other", { destination: davUrl("/drive/a") })],
  ["a MKCOL", "remover", () => byDav("MKCOL", "/drive/a", {})],
  ["a rename", "writer", (room) => byRest(room, fs.rename, { oldPath: "/drive/a", newPath: "/drive/b" })],
  ["an edit", "writer", (room) => byRest(room, fs.update, { path: "/drive/a", content: "mine", etag: "*" })],
  ["a new folder", "remover", (room) => byRest(room, fs.mkdir, { path: "/drive/a" })],
  ["a PUT through S3", "writer", (room) => byS3(room, "PUT", ANY, "mine")],
  ["a DELETE through S3", "writer", (room) => byS3(room, "DELETE", ANY)],
];

describe("what waits for its turn", () => {
  test.each(waiting)("has no effect once its client has gone: %s", async (_, holder, request) => {
    await using room = await openHeld(holder);
    const [url, init] = request(room);
    const leave = new AbortController();
    const answer = room.house.request(url, { ...init, signal: leave.signal });
    await settle();
    leave.abort();
    // Before the other one has ended; a body may have been cut.
    expect((await answer).status).toBeOneOf([400, 503]);
    await room.goOn();
    expect(await room.seen()).toEqual(holder === "writer" ? [["a", "other"], "new"] : [["other"], "path.missing"]);
    expect(room.house.log()).not.toContain('"unhandled error"');
  });

  test.each(waiting)("is told to come again when it waits for too long: %s", async (_, holder, request) => {
    await using room = await openHeld(holder, { patience: 1 });
    const { status, headers } = await room.house.request(...request(room));
    expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
    await room.goOn();
    expect(await room.seen()).toEqual(holder === "writer" ? [["a", "other"], "new"] : [["other"], "path.missing"]);
  });

  test.each(waiting)("has its effect when the other one has ended: %s", async (_, holder, request) => {
    await using room = await openHeld(holder);
    const before = await room.seen();
    const answer = room.house.request(...request(room));
    await settle();
    expect(await room.seen()).toEqual(before);
    await room.goOn();
    expect((await answer).status).toBeWithin(200, 300);
  });
});

/** Returns when everything has begun to wait that nothing else keeps from it. */
async function settle(): Promise<void> {
  for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve));
}
