import { expect, test } from "bun:test";
import { storage } from "#contract/storage";
import { sql } from "../../../../../../src/database/sql.ts";
import { ask, filesOf, presign, remains, shareFile } from "../../../../../support/share-file.ts";
import { days, hours } from "../../../../../support/test-clock.ts";
import { openTestHouse } from "../../../../../support/test-house.ts";

const elsewhere = (endpoint_url: string) => ({
  name: "Cloud",
  provider_type: "Other",
  endpoint_url,
  bucket_name: "b",
  path_style: true,
  access_key_id: "key",
  secret_access_key: "a word that opens a bucket",
});

/** One request and three more tries, of which a slow machine makes fewer. */
const ONCE = 4;

test("a sweep asks a storage that is in trouble once, and clears away what others have", async () => {
  await using house = await openTestHouse();
  let asked = 0;
  await using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(`${++asked}`, { status: 503 }),
  });
  const { data } = await ask(house, storage.create, { body: elsewhere(server.url.origin) as never });
  for (const filename of ["a", "b", "c", "d"]) await shareFile(house, { filename, expires_in: 1 });
  for (const filename of ["e", "f"]) await presign(house, { filename });
  await house.db.batch([
    sql`update files set storage = ${data.id} where filename <> 'd'`,
    sql`update uploads set storage = ${data.id} where id in (select upload from files where filename <> 'd')`,
  ]);
  house.clock.advance(days(1) + hours(2));
  const sweep = async () => {
    asked = 0;
    await house.house.system.sweeper.sweep();
    expect([1, 2, 3, ONCE]).toContain(asked);
  };
  await sweep();
  expect(await remains(house)).toMatchObject({ shares: 0, uploads: 5 });
  expect(filesOf(house)).not.toContain("drive/shares/d");
  await sweep();
});
