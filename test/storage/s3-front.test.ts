import { expect, test } from "bun:test";
import { fs } from "#contract/fs";
import { makeKey } from "../support/make-key.ts";
import { s3Calls, textsOf } from "../support/s3-front.ts";
import { openS3Tree } from "../support/tree-s3.ts";

const MANY = 30;

test("many objects whose names have accents go with one question, and none of them by another form of Unicode", async () => {
  await using tree = await openS3Tree({ mount_path: "/cloud" });
  const s3 = s3Calls(tree.house, await makeKey(tree.house));
  const names = Array.from({ length: MANY }, (_, index) => `dé/é ${index}`);
  for (const name of names) await s3.put(`/cloud/${name}`, "x");
  const asked = tree.proxy.requests;
  const remove = async (keys: readonly string[]) => {
    const xml = `<Delete>${keys.map((key) => `<Object><Key>${key}</Key></Object>`).join("")}</Delete>`;
    asked.length = 0;
    const answer = await s3.send("POST", "/cloud", { query: { delete: "" }, body: xml });
    return [answer.status, answer.text.match(/<Deleted>/g)?.length];
  };
  expect(await remove(names.slice(2))).toEqual([200, MANY - 2]);
  // One DeleteObjects.
  expect(asked.length).toBe(1);
  expect(await s3.list("cloud")).toEqual(names.slice(0, 2));
  expect(await remove(names.slice(0, 2).map((name) => name.normalize("NFD")))).toEqual([200, 2]);
  // What is not there is gone, as S3 says.
  expect(await s3.list("cloud")).toEqual(names.slice(0, 2));
});

test("tags of an object on a storage elsewhere stand here, and follow a rename that the storage makes by copies", async () => {
  await using tree = await openS3Tree({ mount_path: "/cloud" });
  const s3 = s3Calls(tree.house, await makeKey(tree.house));
  expect((await s3.put("/cloud/d/a", "x", { "x-amz-tagging": "a=1" })).status).toBe(200);
  const { error } = await tree.call(fs.rename, { body: { oldPath: "/cloud/d", newPath: "/cloud/e" } });
  expect(error).toBeUndefined();
  expect(textsOf(await s3.send("GET", "/cloud/e/a", { query: { tagging: "" } }), "Key")).toEqual(["a"]);
  const copied = await s3.send("PUT", "/drive/a", { headers: { "x-amz-copy-source": "/cloud/e/a" } });
  expect(copied.status).toBe(200);
  expect((await s3.send("HEAD", "/drive/a")).headers.get("x-amz-tagging-count")).toBe("1");
});
