import { expect, test } from "bun:test";
import { MAX_OPEN_UPLOADS, MAX_OPEN_UPLOADS_OF_ADDRESS, PART_SIZE } from "#contract/limits";
import { sql } from "../../../../../../src/database/sql.ts";
import { s3Calls } from "../../../../../support/clients/s3.ts";
import { makeKey, withKey } from "../../../../../support/make-key.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

/** How many uploads in parts one caller may have begun and not finished. */

const SIZE = 2 * PART_SIZE;

type Headers = Readonly<Record<string, string>>;

const post = (house: TestHouse, path: string, headers: Headers, body: unknown, peer?: string) =>
  house.request(`/api${path}`, { method: "POST", headers, body: JSON.stringify(body) }, peer);

const share = (house: TestHouse, headers: Headers, peer?: string) =>
  post(house, "/s3/multipart/init", headers, { filename: "film", size: SIZE, part_size: PART_SIZE }, peer);

const inTree = (house: TestHouse, headers: Headers, name: string, peer?: string) =>
  post(house, "/fs/multipart/init", headers, { path: "/drive", fileName: name, fileSize: SIZE }, peer);

/** Adds records like that of the upload which began last, until there are as many; from its network, or from nowhere known. */
async function fill(house: TestHouse, count = MAX_OPEN_UPLOADS, network = sql`null`): Promise<void> {
  const copies = Array.from({ length: count - 1 }, (_, index) => index);
  const last = sql`select max(id) from uploads`;
  await house.db.run(sql`
    insert into uploads (id, storage, key, content_type, size, state, part_size, created_by, credential, created_at, touched_at, overwrites,
      network)
    select uploads.id || copies.value, uploads.storage, uploads.key || copies.value, uploads.content_type, 0, uploads.state, uploads.part_size,
      uploads.created_by, uploads.credential, uploads.created_at, uploads.touched_at, uploads.overwrites,
      ${network}
    from uploads, (select value from json_each(${JSON.stringify(copies)})) as copies where uploads.id = (${last})`);
}

const refusedWith = async (response: Response, limit = MAX_OPEN_UPLOADS) => {
  const { error, message } = (await response.json()) as { error: string; message: string };
  expect([response.status, error]).toEqual([429, "upload.tooMany"]);
  expect(message).toContain(String(limit));
};

test("a key may have so many at every door together, and one more once it gave one up", async () => {
  await using house = await openTestHouse();
  const key = await makeKey(house);
  const s3 = s3Calls(house, key);
  const first = (await (await inTree(house, withKey(key), "first")).json()) as { data: { uploadId: string } };
  await fill(house);
  await refusedWith(await share(house, withKey(key)));
  await refusedWith(await inTree(house, withKey(key), "second"));
  await refusedWith(
    await post(house, "/url/multipart/init", withKey(key), {
      url: "http://example.com/film",
      total_size: SIZE,
      part_size: PART_SIZE,
    }),
  );
  const refused = await s3.send("POST", "/drive/film", { query: { uploads: "" } });
  expect([refused.status, refused.code]).toEqual([503, "SlowDown"]);
  expect(refused.text).toContain(String(MAX_OPEN_UPLOADS));
  // Whole files and other callers pass.
  expect((await s3.put("/drive/small")).status).toBe(200);
  expect((await share(house, withKey(await makeKey(house)))).status).toBe(200);
  expect((await share(house, { authorization: `Bearer ${await house.signIn()}` })).status).toBe(200);

  const { uploadId } = first.data;
  expect((await post(house, "/fs/multipart/abort", withKey(key), { path: "/drive/first", uploadId })).status).toBe(200);
  expect((await share(house, withKey(key))).status).toBe(200);
  await refusedWith(await share(house, withKey(key)));
});

test("visitors have as many together, and do not take those of the key that they act with", async () => {
  await using house = await openTestHouse();
  const guest = await makeKey(house, { is_guest: true });
  expect((await share(house, {}, "192.0.2.1")).status).toBe(200);
  await fill(house);
  await refusedWith(await share(house, {}, "192.0.2.2"));
  expect((await share(house, withKey(guest))).status).toBe(200);
});

test("visitors from one address, or one network of IPv6, have fewer, and keep no others out", async () => {
  await using house = await openTestHouse();
  const guest = await makeKey(house, { is_guest: true });
  const [here, near, far] = ["2001:db8:0:2::1", "2001:db8:0:2:ffff::9", "2001:db8:0:3::1"];
  const first = (await (await share(house, {}, here)).json()) as { data: { file_id: string; upload_id: string } };
  await fill(house, MAX_OPEN_UPLOADS_OF_ADDRESS, sql`uploads.network`);
  const refused = await share(house, { "accept-language": "en" }, near);
  expect(((await refused.clone().json()) as { message: string }).message).toContain("Visitors from one address");
  await refusedWith(refused, MAX_OPEN_UPLOADS_OF_ADDRESS);
  await refusedWith(await inTree(house, {}, "film", here), MAX_OPEN_UPLOADS_OF_ADDRESS);
  expect((await share(house, {}, far)).status).toBe(200);
  expect((await share(house, {}, "192.0.2.2")).status).toBe(200);
  expect((await share(house, withKey(guest), here)).status).toBe(200);

  const { file_id, upload_id } = first.data;
  expect((await post(house, "/s3/multipart/abort", {}, { file_id, upload_id }, far)).status).toBe(200);
  expect((await inTree(house, {}, "film", near)).status).toBe(200);
  await refusedWith(await share(house, {}, here), MAX_OPEN_UPLOADS_OF_ADDRESS);
});
