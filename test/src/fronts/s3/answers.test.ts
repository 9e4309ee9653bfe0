import { describe, expect, test } from "bun:test";
import { answerOf, s3Calls, textsOf } from "../../../support/clients/s3.ts";
import { makeKey } from "../../../support/make-key.ts";
import { makeMount } from "../../../support/make-mount.ts";
import { openTestHouse } from "../../../support/test-house.ts";

/** What answers of S3 tell beside the names, and what of requests they obey. */

async function open() {
  const house = await openTestHouse();
  const key = await makeKey(house);
  const s3 = s3Calls(house, key);
  return { house, key, s3, owner: `apikey:${key.id}`, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

describe("ListBuckets", () => {
  test("is told in pages, of names with a beginning, and of a region", async () => {
    await using here = await open();
    for (const name of ["team-a", "team-b", "team-c"]) await makeMount(here.house, { name, mount_path: `/${name}` });
    const list = (query: Record<string, string>) => here.s3.send("GET", "/", { query });
    expect(textsOf(await list({}), "Name")).toEqual(["drive", "team-a", "team-b", "team-c"]);
    const first = await list({ "max-buckets": "2", prefix: "team-" });
    expect([textsOf(first, "Name"), textsOf(first, "Prefix")]).toEqual([["team-a", "team-b"], ["team-"]]);
    const [token = ""] = textsOf(first, "ContinuationToken");
    const second = await list({ "max-buckets": "2", prefix: "team-", "continuation-token": token });
    expect([textsOf(second, "Name"), textsOf(second, "ContinuationToken")]).toEqual([["team-c"], []]);
    expect(textsOf(await list({ "continuation-token": "", "bucket-region": "us-east-1" }), "Name")).toHaveLength(4);
    expect(textsOf(await list({ "bucket-region": "eu-central-1" }), "Name")).toEqual([]);
    const wrong: readonly Record<string, string>[] = [{ "max-buckets": "0" }, { "max-buckets": "10001" }];
    for (const query of [...wrong, { "continuation-token": "?" }])
      expect((await list(query)).code).toBe("InvalidArgument");
  });
});

test("lists of objects and uploads name their owner", async () => {
  await using here = await open();
  const { s3, owner, key } = here;
  await s3.put("/drive/a");
  const ids = async (path: string, query: Record<string, string> = {}) => {
    const answer = await s3.send("GET", path, { query });
    return [textsOf(answer, "ID"), new Set(textsOf(answer, "DisplayName"))];
  };
  const told = (times: number) => [Array<string>(times).fill(owner), new Set(times > 0 ? [key.name] : [])];
  expect(await ids("/")).toEqual(told(1));
  expect(await ids("/drive")).toEqual(told(1));
  expect(await ids("/drive", { "list-type": "2" })).toEqual(told(0));
  expect(await ids("/drive", { "list-type": "2", "fetch-owner": "true" })).toEqual(told(1));
  const [uploadId = ""] = textsOf(await s3.send("POST", "/drive/b", { query: { uploads: "" } }), "UploadId");
  expect(await ids("/drive", { uploads: "" })).toEqual(told(2));
  expect(await ids("/drive/b", { uploadId })).toEqual(told(2));
  const other = s3Calls(here.house, await makeKey(here.house, { name: "Other" }));
  const parts = await other.send("GET", "/drive/b", { query: { uploadId } });
  expect(textsOf(parts, "ID")[0]).toBe(owner);
  expect(textsOf(parts, "DisplayName")).toEqual([owner, "Other"]);
});

test("an empty continuation token is none", async () => {
  await using here = await open();
  for (const key of ["a", "b"]) await here.s3.put(`/drive/${key}`);
  const answer = await here.s3.send("GET", "/drive", { query: { "list-type": "2", "continuation-token": "" } });
  expect([textsOf(answer, "Key"), textsOf(answer, "ContinuationToken")]).toEqual([["a", "b"], [""]]);
});

test("metadata that is empty is kept", async () => {
  await using here = await open();
  const headers = { "x-amz-meta-empty": "", "x-amz-meta-full": "1", "cache-control": "" };
  await here.s3.put("/drive/a", "a", headers);
  await here.s3.send("PUT", "/drive/b", { headers: { "x-amz-copy-source": "/drive/a" } });
  for (const path of ["/drive/a", "/drive/b"]) {
    const head = await here.s3.send("HEAD", path);
    expect(head.headers.get("x-amz-meta-empty")).toBe("");
    expect([head.headers.get("x-amz-meta-full"), head.headers.has("cache-control")]).toEqual(["1", false]);
  }
});

test("a request that expects another owner of its bucket is refused, whatever it asks for", async () => {
  await using here = await open();
  const { s3, owner } = here;
  await s3.put("/drive/a", "kept");
  const source = { "x-amz-copy-source": "/drive/a" };
  const calls: readonly (readonly [string, string, Record<string, string>, Record<string, string>?])[] = [
    ["GET", "/drive/a", {}],
    ["HEAD", "/drive/a", {}],
    ["PUT", "/drive/a", {}],
    ["DELETE", "/drive/a", {}],
    ["GET", "/drive", {}],
    ["HEAD", "/drive", {}],
    ["POST", "/drive/b", { uploads: "" }],
    ["PUT", "/drive/b", {}, source],
  ];
  for (const [method, path, query, headers] of calls) {
    const asked = { query, headers: { ...headers, "x-amz-expected-bucket-owner": "111122223333" } };
    expect([method, path, (await s3.send(method, path, asked)).status]).toEqual([method, path, 403]);
  }
  const other = { ...source, "x-amz-source-expected-bucket-owner": "111122223333" };
  expect(await s3.outcome("PUT", "/drive/b", { headers: other })).toBe("403 AccessDenied");
  const own = { ...source, "x-amz-source-expected-bucket-owner": owner, "x-amz-expected-bucket-owner": owner };
  expect(await s3.outcome("PUT", "/drive/b", { headers: own })).toBe("200");
  expect(await s3.text("/drive/a")).toBe("kept");
});

describe("a key with a dot for a name, which is gone from its address before anybody reads it", () => {
  const key = "/drive/a/./b";
  test.each([
    ["signed in a header", "InvalidArgument", "GET", key, "/drive/a/b"],
    ["signed in a header, to write", "InvalidArgument", "PUT", key, "/drive/a/b"],
    ["at the beginning", "InvalidArgument", "GET", "/drive/./a/b", "/drive/a/b"],
    ["at the end", "InvalidArgument", "GET", "/drive/a/.", "/drive/a/"],
    ["in another place than what was sent", "SignatureDoesNotMatch", "GET", "/drive/a/./b", "/drive/a/c"],
  ])("%s -> %s", async (_, code, method, signedFor, sentTo) => {
    await using here = await open();
    const { headers } = here.s3.signed(method, signedFor);
    const answer = await answerOf(await here.house.request(`http://satchel.test${sentTo}`, { method, headers }));
    expect(answer.code).toBe(code);
  });

  test("is InvalidArgument by a presigned address too", async () => {
    await using here = await open();
    const url = here.s3.presign("GET", key).replace("/./", "/");
    expect((await answerOf(await here.house.request(url))).code).toBe("InvalidArgument");
  });
});
