import { expect, test } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import { type Database, Unavailable } from "../../../src/database/database.ts";
import { type Sql, sql } from "../../../src/database/sql.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";
import { openTreeHouse, type TreeCalls, treeCalls } from "../../support/tree/tree-house.ts";

/** Renames and removals that are broken off between being done and being told: the next start tells them. */

/** What a share shows, or the status of the refusal. */
async function shown(house: TestHouse, slug: string): Promise<string> {
  const response = await house.request(`/api/file-view/${slug}`);
  const text = await response.text();
  return response.ok ? text : String(response.status);
}

const share = async ({ call }: TreeCalls, path: string): Promise<string> =>
  (await call(api.createShare, { body: { path } })).data.slug;

const rename = ({ call }: TreeCalls, oldPath: string, newPath: string) =>
  call(api.rename, { body: { oldPath, newPath } });

const remove = ({ call }: TreeCalls, ...paths: string[]) => call(api.batchRemove, { body: { paths } });

test("what the storage refuses leaves no record behind", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/a", "/m/b");
  expect((await rename(tree, "/m/a", "/m/b")).status).toBe(409);
  expect((await rename(tree, "/m/missing", "/m/c")).status).toBe(404);
  expect((await remove(tree, "/m/a")).status).toBe(200);
  expect(await tree.house.db.all(sql`select * from change_intents`)).toEqual([]);
});

test("a change whose teller failed is told by the sweeper, and as long as its file is there it is none", async () => {
  await using tree = await openTreeHouse();
  await tree.put("/m/gone", "/m/there");
  const slugs = [await share(tree, "/m/gone"), await share(tree, "/m/there")];
  const { id: storage } = (await tree.house.db.first<{ id: string }>(sql`select id from storage_configs`)) ?? {
    id: "",
  };
  for (const key of ["gone", "there"]) {
    const changes = JSON.stringify([{ kind: "removed", at: { storage, key } }]);
    await tree.house.db.run(sql`insert into change_intents (id, storage, changes, certain)
      values (${key}, ${storage}, ${changes}, 0)`);
  }
  await tree.house.db.run(sql`insert into change_intents (id, storage, changes, certain)
    values ('x', 'a storage that is no more', '[{"kind":"removed","at":{"storage":"x","key":"x"}}]', 0)`);
  await Bun.file(tree.onDisk("gone")).delete();
  await tree.house.house.system.sweeper.sweep();
  expect(await Promise.all(slugs.map((slug) => shown(tree.house, slug)))).toEqual(["410", "/m/there"]);
  expect(await tree.house.db.all(sql`select * from change_intents`)).toEqual([]);
});

/** A house whose database fails a statement with this text once, after it was run. */
async function failingOnce(part: string) {
  let left = 0;
  const pass = async <Result>({ text }: Sql, run: () => Promise<Result>): Promise<Result> => {
    const result = await run();
    if (left === 0 || !text.includes(part)) return result;
    left -= 1;
    throw new Unavailable("the answer was lost");
  };
  const engine = (db: Database): Database => ({
    ...db,
    get now() {
      return db.now;
    },
    all: <Row>(query: Sql) => pass(query, () => db.all<Row>(query)),
    run: (query) => pass(query, () => db.run(query)),
  });
  const house = await openTestHouse({ clustered: true, engine });
  const failNext = () => {
    left = 1;
  };
  return { house, failNext };
}

test("a record whose answer was lost is settled, and the change is not made", async () => {
  const { house, failNext } = await failingOnce("insert into change_intents");
  await using _house = house;
  const tree = await treeCalls(house);
  await tree.put("/drive/a");
  failNext();
  expect((await rename(tree, "/drive/a", "/drive/b")).status).toBe(503);
  await house.house.system.sweeper.sweep();
  expect(await tree.names("/drive")).toBe("a");
  expect(await house.db.all(sql`select * from change_intents`)).toEqual([]);
});

test("a server that cannot read what another has left lets the next one try", async () => {
  const { house, failNext } = await failingOnce("where holder is not null and holder <>");
  await using _house = house;
  await house.db.run(sql`insert into change_intents (id, storage, changes, certain, holder)
    values ('x', 'a storage that is no more', '[]', 0, 'dead')`);
  failNext();
  for (let count = 0; count < 10; count++) await house.house.cluster.beat();
  expect(house.log()).toContain("not in step with the other servers");
  expect(await house.db.all(sql`select name from leases where name = 'changes that were not told'`)).toEqual([]);
});
