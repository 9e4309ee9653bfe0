import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { fs } from "#contract/fs/fs";
import { bytesOf, MiB } from "../suites/store-bodies.ts";
import { s3Calls, textsOf } from "../support/clients/s3.ts";
import { postForm } from "../support/clients/s3-post.ts";
import { makeKey } from "../support/make-key.ts";
import { openS3Tree } from "../support/tree/on-s3.ts";

const MANY = 30;

test("many objects whose names have accents go with one question, and none of them by another form of Unicode", async () => {
  await using tree = await openS3Tree({ mount_path: "/cloud", trash: false });
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

test("metadata that is empty is kept, and objects go only in the size that is said", async () => {
  await using tree = await openS3Tree({ mount_path: "/cloud" });
  const s3 = s3Calls(tree.house, await makeKey(tree.house));
  await s3.put("/cloud/a", "hello", { "x-amz-meta-empty": "", "x-amz-meta-full": "1" });
  await s3.send("PUT", "/cloud/b", { headers: { "x-amz-copy-source": "/cloud/a" } });
  for (const path of ["/cloud/a", "/cloud/b"]) {
    const { headers } = await s3.send("HEAD", path);
    expect([path, headers.get("x-amz-meta-empty"), headers.get("x-amz-meta-full")]).toEqual([path, "", "1"]);
  }
  const remove = (size: string) => s3.outcome("DELETE", "/cloud/a", { headers: { "x-amz-if-match-size": size } });
  expect([await remove("4"), await remove("5")]).toEqual(["412 PreconditionFailed", "204"]);
});

test("a composite checksum is checked where the storage keeps none of the parts", async () => {
  await using tree = await openS3Tree({ mount_path: "/cloud" });
  const s3 = s3Calls(tree.house, await makeKey(tree.house));
  const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
  const begun = await s3.send("POST", "/cloud/big", {
    query: { uploads: "" },
    headers: { "x-amz-checksum-algorithm": "SHA256" },
  });
  const [uploadId = ""] = textsOf(begun, "UploadId");
  const contents = [bytesOf(5 * MiB, 1), bytesOf(12_345, 2)];
  const rows: string[] = [];
  for (const [index, body] of contents.entries()) {
    const checksum = sha256(body).toString("base64");
    const query = { uploadId, partNumber: String(index + 1) };
    const part = await s3.send("PUT", "/cloud/big", { query, body, headers: { "x-amz-checksum-sha256": checksum } });
    rows.push(
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>${part.headers.get("etag")}</ETag><ChecksumSHA256>${checksum}</ChecksumSHA256></Part>`,
    );
  }
  const body = `<CompleteMultipartUpload>${rows.join("")}</CompleteMultipartUpload>`;
  const complete = (own: string) =>
    s3.outcome("POST", "/cloud/big", { query: { uploadId }, body, headers: { "x-amz-checksum-sha256": own } });
  const own = sha256(Buffer.concat(contents.map(sha256))).toString("base64");
  expect(await complete(`${sha256(Buffer.from("x")).toString("base64")}-2`)).toBe("400 BadDigest");
  expect(await complete(`${own}-2`)).toBe("200");
  expect((await s3.send("HEAD", "/cloud/big")).headers.get("content-length")).toBe(String(5 * MiB + 12_345));
});

test("a form of a browser goes to a storage elsewhere as it arrives, and one of a size that its policy forbids leaves nothing", async () => {
  await using tree = await openS3Tree({ mount_path: "/cloud" });
  const key = await makeKey(tree.house);
  const s3 = s3Calls(tree.house, key);
  const file = "x".repeat(6 * 1024 * 1024);
  const post = (most: number) =>
    postForm(tree.house, key, { bucket: "cloud", file, conditions: [["content-length-range", 1, most]] });
  expect((await post(1000)).code).toBe("EntityTooLarge");
  expect((await post(file.length - 1)).code).toBe("EntityTooLarge");
  expect(await s3.list("cloud")).toEqual([]);
  expect(await tree.s3.unfinished()).toEqual([]);
  expect((await post(file.length)).status).toBe(204);
  expect((await s3.send("HEAD", "/cloud/a.txt")).headers.get("content-length")).toBe(String(file.length));
});
