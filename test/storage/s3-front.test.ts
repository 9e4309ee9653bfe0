import { expect, test } from "bun:test";
import { makeKey } from "../support/make-key.ts";
import { s3Calls } from "../support/s3-front.ts";
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
