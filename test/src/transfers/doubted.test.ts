import { expect, test } from "bun:test";
import { storage as api } from "#contract/storage";
import { sql } from "../../../src/database/sql.ts";
import { davCalls } from "../../support/dav.ts";
import { makeMount } from "../../support/make-mount.ts";
import { openSmallBucket } from "../../support/pretend-s3.ts";
import { ask } from "../../support/share-file.ts";
import { openTestHouse } from "../../support/test-house.ts";

/** What a storage has done although it said that it failed: nobody lists the folder, and the next sweep finds it. */

test("a file and a folder that were made without an answer are in the index after the next sweep", async () => {
  await using bucket = openSmallBucket("files");
  await using house = await openTestHouse({ now: Date.now() });
  const body = {
    name: "Cloud",
    provider_type: "Other",
    endpoint_url: `http://127.0.0.1:${bucket.port}`,
    bucket_name: "files",
    access_key_id: "somebody",
    secret_access_key: "pass-word",
    path_style: true,
    is_public: true,
    default_folder: "",
  };
  const { data } = await ask(house, api.create, { body: body as never });
  await makeMount(house, { mount_path: "/cloud", storage_config_id: data?.id ?? "" });
  const { vfs, transfers } = house.house;
  const names = async () => {
    await vfs.search.settled();
    const rows = await house.db.all<{ name: string }>(
      sql`select name from nodes where name like 'doubted%' order by name`,
    );
    return rows.map(({ name }) => name);
  };
  const sweep = () => transfers.sweepChanges(new Set());
  const dav = davCalls(house);
  const put = async (name: string) => (await dav.send("PUT", `/cloud/${name}`, { body: "hello" })).status;

  bucket.lose("writes");
  expect(await put("doubted.txt")).toBe(502);
  bucket.lose("nothing");
  expect(bucket.keys()).toEqual(["doubted.txt"]);
  expect(await names()).toEqual([]);
  // While it cannot be asked it stays in doubt.
  bucket.lose("all");
  expect(await sweep()).toBe(0);
  bucket.lose("nothing");
  expect(await sweep()).toBe(1);
  expect(await names()).toEqual(["doubted.txt"]);
  expect(await house.db.all(sql`select * from change_intents`)).toEqual([]);

  bucket.lose("writes");
  expect((await dav.send("MKCOL", "/cloud/doubted-folder")).status).toBe(502);
  bucket.lose("nothing");
  expect(await sweep()).toBe(1);
  expect(await names()).toEqual(["doubted-folder/", "doubted.txt"]);

  // What was not made is not there.
  bucket.lose("all");
  expect(await put("doubted-too.txt")).toBe(502);
  bucket.lose("nothing");
  await sweep();
  expect(await names()).toEqual(["doubted-folder/", "doubted.txt"]);
});
