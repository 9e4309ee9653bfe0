import { describe, expect, test } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import { fsUploads } from "#contract/fs/uploads";
import { LEASE_LIFE } from "../../../src/cluster/lease-rows.ts";
import { sql } from "../../../src/database/sql.ts";
import { openServers, withClock } from "../../support/cluster/two-servers.ts";
import { createMortal } from "../../support/database/crash.ts";
import { makeKey } from "../../support/make-key.ts";
import { commit, presign, put } from "../../support/share-file.ts";
import { createTestClock } from "../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";
import { treeCalls } from "../../support/tree/tree-house.ts";

/** Writes of several servers to one place exclude each other, and what one leaves behind is told by another. */

const open = async () => {
  const servers = await openServers();
  const [one, other] = [await treeCalls(servers.here), await treeCalls(servers.there)];
  return { ...servers, one, other };
};

describe("of writes on two servers to one path", () => {
  test("that want to be the first one is made", async () => {
    await using servers = await open();
    const basic = { authorization: `Basic ${btoa(`x:${(await makeKey(servers.here)).key}`)}` };
    const put = (house: TestHouse, name: string, body: string) =>
      house.request(`/dav/drive/${name}`, { method: "PUT", headers: { ...basic, "if-none-match": "*" }, body });
    for (const name of ["a", "b", "c", "d"]) {
      const answers = await Promise.all([put(servers.here, name, "here"), put(servers.there, name, "there")]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 412]);
      const winner = answers[0]?.status === 201 ? "here" : "there";
      expect(await servers.other.text(`/drive/${name}`)).toBe(winner);
    }
  });

  test("that were made from one version one is kept", async () => {
    await using servers = await open();
    const etag = await servers.one.write("/drive/a", "first");
    const outcomes = await Promise.all(
      [servers.one, servers.other].map((calls, index) =>
        calls.outcome(api.update, { body: { path: "/drive/a", content: `${index}`, etag } }),
      ),
    );
    expect(outcomes.sort()).toEqual(["200", "412 path.changed"]);
  });

  test("that move there one arrives", async () => {
    await using servers = await open();
    const { one, other } = servers;
    await one.put("/drive/a", "/drive/b");
    const moves = await Promise.all([
      one.outcome(api.rename, { body: { oldPath: "/drive/a", newPath: "/drive/c" } }),
      other.outcome(api.rename, { body: { oldPath: "/drive/b", newPath: "/drive/c" } }),
    ]);
    expect(moves.sort()).toEqual(["200", "409 path.taken"]);
    expect((await one.names("/drive")).split(" ").length).toBe(2);
  });

  test("an upload that reserved it keeps it", async () => {
    await using servers = await open();
    const { data } = await presign(servers.here, { filename: "a.txt", size: 5 });
    const path = `/drive/${data.storage_path}`;
    expect(await servers.other.outcome(api.update, { body: { path, content: "x" } })).toBe("409 path.reserved");

    expect((await put(servers.here, data.upload_url, "hello")).status).toBe(200);
    expect((await commit(servers.there, data.file_id)).status).toBe(200);
    expect((await commit(servers.here, data.file_id)).status).toBe(200);
    expect(await servers.other.text(path)).toBe("hello");
  });
});

test("an upload that ended on one server is answered by the other again", async () => {
  await using servers = await open();
  const { one, other } = servers;
  const begin = { path: "/drive/", fileName: "a.txt", fileSize: 5, contentType: "text/plain" };
  const { data } = await one.call(fsUploads.presign, { body: begin });
  expect((await put(servers.here, data.presignedUrl, "hello")).status).toBe(200);
  const commit = { targetPath: data.targetPath, fileId: data.fileId };
  const outcomes = [
    await one.outcome(fsUploads.commit, { body: commit }),
    await other.outcome(fsUploads.commit, { body: commit }),
  ];
  expect(outcomes).toEqual(["200", "200"]);
});

test("a quota holds for both", async () => {
  await using servers = await open();
  const { one, other } = servers;
  const config = (await servers.here.house.stores.configs.list())[0];
  await servers.here.house.stores.configs.update(config?.id ?? "", { total_storage_bytes: 100 });
  const write = (calls: typeof one, name: string) =>
    calls.outcome(api.update, { body: { path: `/drive/${name}`, content: "x".repeat(60) } });
  const outcomes = await Promise.all([write(one, "a"), write(other, "b")]);
  expect(outcomes.sort()).toEqual(["200", "507 storage.full"]);
});

test("what a server that died had changed is told by another", async () => {
  await using servers = await open();
  const { here, there, present, one } = servers;
  await one.put("/drive/a");
  const { slug } = (await one.call(api.createShare, { body: { path: "/drive/a" } })).data;
  const storage = (await here.house.stores.configs.list())[0]?.id ?? "";
  const view = () => there.request(`/api/file-view/${slug}`);
  expect((await view()).status).toBe(200);
  // A server that was killed between the removal and its word of it.
  await here.db.run(
    sql`insert into leases (name, holder, until) values ('server dead', 'dead', ${present.now() + LEASE_LIFE})`,
  );
  await here.db.run(sql`insert into change_intents (id, storage, changes, certain, holder)
    values ('1', ${storage}, ${JSON.stringify([{ kind: "removed", at: { storage, key: "a" } }])}, 0, 'dead')`);
  await Bun.file(one.onDisk("a")).delete();
  // And what it had not completed.
  await Bun.write(one.onDisk(".satchel-staging-1/half"), "half");
  const staged = JSON.stringify([{ kind: "staged", at: { storage, key: ".satchel-staging-1" } }]);
  await here.db.run(sql`insert into change_intents (id, storage, changes, certain, holder)
    values ('2', ${storage}, ${staged}, 0, 'dead')`);
  for (let count = 0; count < 10; count++) await servers.beat();
  expect((await here.db.all(sql`select id from change_intents`)).length).toBe(2);
  present.advance(LEASE_LIFE + 1);
  for (let count = 0; count < 10; count++) await servers.beat();
  expect((await here.db.all(sql`select id from change_intents`)).length).toBe(0);
  expect((await view()).status).toBe(410);
  expect(await Bun.file(one.onDisk(".satchel-staging-1/half")).exists()).toBe(false);
});

/** Two servers that run, of which one can be killed, and a shared file in a folder. */
async function openMortalServer() {
  await using stack = new AsyncDisposableStack();
  const present = createTestClock();
  const mortal = createMortal();
  const there = stack.use(await openTestHouse({ clustered: true, engine: (db) => withClock(db, present.now) }));
  const here = await openTestHouse({ clustered: true, beside: there, engine: mortal.engine });
  for (const { house } of [there, here]) await house.start();
  const [one, other] = [await treeCalls(here), await treeCalls(there)];
  await one.put("/drive/d/file", "/drive/d/b");
  const { slug } = (await one.call(api.createShare, { body: { path: "/drive/d/file" } })).data;
  await here.house.vfs.search.settled();
  const moved = stack.move();
  return {
    there,
    one,
    other,
    mortal,
    shown: async () => (await there.request(`/api/file-view/${slug}`)).status,
    found: async () => (await other.call(api.search, { query: { q: "file" } })).data.results.map(({ path }) => path),
    intents: () => there.db.all(sql`select id from change_intents`),
    /** The leases of the server that was killed have ended, those of the other have not. */
    async takenForDead() {
      present.advance(LEASE_LIFE + 1);
      const { node } = there.house.cluster;
      await there.db.run(sql`update leases set until = ${present.now() + LEASE_LIFE} where holder = ${node}`);
      for (let count = 0; count < 10; count++) await there.house.cluster.beat();
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  };
}

test("what a server had not told that was killed while it removed a folder is told by another that runs", async () => {
  let isOver = false;
  for (let writes = 0; !isOver; writes++) {
    await using servers = await openMortalServer();
    const { one, mortal } = servers;
    mortal.allow(writes);
    const ended = one.call(api.batchRemove, { body: { paths: ["/drive/d/"] } }).then(() => true);
    isOver = await Promise.race([ended, mortal.stopped.then(() => false)]);
    mortal.allow(Number.NEGATIVE_INFINITY);
    await mortal.settled();
    await servers.takenForDead();
    const isThere = (await servers.other.text("/drive/d/file")) === "/drive/d/file";
    const { intents, shown, found } = servers;
    expect({ writes, intents: await intents(), shown: await shown(), found: await found() }).toEqual({
      writes,
      intents: [],
      shown: isThere ? 200 : 410,
      found: isThere ? ["/drive/d/file"] : [],
    });
  }
});
