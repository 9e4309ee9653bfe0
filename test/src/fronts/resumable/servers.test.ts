import { expect, test } from "bun:test";
import { PART_SIZE } from "#contract/limits";
import { LEASE_LIFE } from "../../../../src/cluster/lease-rows.ts";
import { bytesOf } from "../../../suites/store-bodies.ts";
import { slowBody } from "../../../support/clients/slow-body.ts";
import { offsetIn, tusClient } from "../../../support/clients/tus.ts";
import { openServers } from "../../../support/cluster/two-servers.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";

/** Uploads to two servers on one database. */

const TYPE = { "content-type": "application/offset+octet-stream" };

async function openBoth() {
  const servers = await openServers();
  const credential = withKey(await makeKey(servers.here));
  await servers.beat();
  /** Has the servers hear of each other until something has happened. */
  const hearing = async <Result>(happens: Promise<Result>): Promise<Result> => {
    let isOver = false;
    const over = happens.finally(() => {
      isOver = true;
    });
    while (!isOver) await Promise.all([servers.beat(), Bun.sleep(5)]);
    return await over;
  };
  return {
    hearing,
    here: tusClient(servers.here, credential),
    there: tusClient(servers.there, credential),
    house: servers.there,
    present: servers.present,
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  };
}

test("a request to one goes on where one to the other has ended", async () => {
  await using both = await openBoth();
  const { here, there, house, hearing } = both;
  const bytes = bytesOf(PART_SIZE + 2000);
  const path = await hearing(here.begin(bytes.length));
  let [at, turn] = [0, 0];
  for (const size of [1000, PART_SIZE, 1000]) {
    const server = turn++ % 2 === 0 ? there : here;
    const answer = await hearing(server.patch(path, at, bytes.slice(at, at + size)));
    at += size;
    expect([answer.status, offsetIn(answer)]).toEqual([204, at]);
    const page = answer.headers.get("x-share-url");
    if (page)
      expect(Bun.hash(await (await house.request(`${new URL(page).pathname}?raw`)).bytes())).toBe(Bun.hash(bytes));
  }
  expect(at).toBe(bytes.length);
});

test("a newer request to one ends an older one to the other, whose bytes count", async () => {
  await using both = await openBoth();
  const { here, there, hearing } = both;
  const path = await hearing(here.begin(10));
  const sent = Promise.withResolvers<void>();
  const stream = new ReadableStream<Uint8Array>(
    { start: (own) => own.enqueue(new TextEncoder().encode("hello")), pull: () => sent.resolve() },
    { highWaterMark: 0 },
  );
  const older = here.send("PATCH", path, { ...TYPE, "upload-offset": "0" }, stream);
  await hearing(sent.promise);
  expect(offsetIn(await hearing(there.head(path)))).toBe(5);
  expect((await older).status).toBe(409);
  expect((await hearing(there.patch(path, 5, "world"))).status).toBe(204);
});

test("of many requests to both one alone appends the bytes", async () => {
  await using both = await openBoth();
  const { here, there, house, hearing } = both;
  const path = await hearing(here.begin(10));
  const answers = await hearing(
    Promise.all(Array.from({ length: 8 }, (_, index) => (index % 2 ? here : there).patch(path, 0, "hello"))),
  );
  for (const { status } of answers) expect([204, 409]).toContain(status);
  expect(answers.filter(({ status }) => status === 204).length).toBeLessThanOrEqual(1);
  const offset = offsetIn(await hearing(here.head(path)));
  const last = await hearing(there.patch(path, offset, "helloworld".slice(offset)));
  const page = new URL(last.headers.get("x-share-url") ?? "").pathname;
  expect(await (await house.request(`${page}?raw`)).text()).toBe("helloworld");
});

test.each([
  { name: "less than a part", before: "", first: "hello", rest: " w" },
  { name: "a whole part", before: "a".repeat(PART_SIZE - 7), first: "hello", rest: " w" },
])("one that stood still takes nothing back of what came to the other meanwhile: $name", async (sent) => {
  await using both = await openBoth();
  const { here, there, house, present } = both;
  const all = `${sent.before}hello world`;
  const path = await here.begin(all.length);
  if (sent.before !== "") expect((await there.patch(path, 0, sent.before)).status).toBe(204);
  const at = sent.before.length;
  const slow = slowBody(sent.first, sent.rest);
  const older = here.send("PATCH", path, { ...TYPE, "upload-offset": `${at}` }, slow.body);
  await slow.begun;
  present.advance(LEASE_LIFE + 1);
  expect((await there.patch(path, at, "hello worl")).status).toBe(204);
  slow.finish();
  expect((await older).status).toBe(503);
  expect(offsetIn(await there.head(path))).toBe(all.length - 1);
  const last = await there.patch(path, all.length - 1, "d");
  const page = new URL(last.headers.get("x-share-url") ?? "").pathname;
  expect(await (await house.request(`${page}?raw`)).text()).toBe(all);
});
