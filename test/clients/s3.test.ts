import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as sdk from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { KeyRecord } from "#contract/keys";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { bytesOf, MiB, same } from "../suites/store-bodies.ts";
import { basic } from "../support/clients/basic.ts";
import { makeTree, oddNames, openWorkshop, sizes } from "../support/clients/programs.ts";
import { startServer } from "../support/server.ts";

/** S3 with clients of Debian's packages (awscli, s3cmd, rclone, boto3, restic), of Bun, and of AWS for JavaScript. */

const server = await startServer();
const address = server.address.replace("localhost", "127.0.0.1");
const host = address.replace("http://", "");
const { accessKey, secret } = await makeKey();
const shop = openWorkshop({
  AWS_ACCESS_KEY_ID: accessKey,
  AWS_SECRET_ACCESS_KEY: secret,
  AWS_DEFAULT_REGION: "us-east-1",
  AWS_EC2_METADATA_DISABLED: "true",
});
afterAll(async () => {
  await server.stop();
  shop[Symbol.dispose]();
});

async function makeKey(): Promise<{ accessKey: string; secret: string }> {
  const response = await fetch(`${address}/api/admin/api-keys`, {
    method: "POST",
    headers: { ...basic("admin", server.adminPassword), "content-type": "application/json" },
    body: JSON.stringify({ name: "S3", permissions: ALL_PERMISSIONS, expires_at: null }),
  });
  const { data } = (await response.json()) as { data: KeyRecord };
  return { accessKey: data.s3_access_key_id, secret: data.key };
}

const small = 100;
const source = shop.folder("source");
makeTree(source, small);
const files = small + oddNames.length + Object.keys(sizes).length;
const sameAsSource = (folder: string) => shop.done(["diff", "-r", source, folder]);

describe("awscli", () => {
  const aws = (...words: string[]) => shop.done(["aws", "--endpoint-url", address, ...words]);
  const copied = (text: string, kind: string) => text.match(new RegExp(`^${kind}: `, "gm"))?.length ?? 0;

  test("syncs both ways, in parts, and sends nothing twice", async () => {
    expect(await aws("s3", "ls")).toContain("drive");
    expect(copied(await aws("s3", "sync", "--no-progress", source, "s3://drive/aws"), "upload")).toBe(files);
    expect(await aws("s3", "sync", "--no-progress", source, "s3://drive/aws")).toBe("");
    const back = shop.folder("aws-back");
    expect(copied(await aws("s3", "sync", "--no-progress", "s3://drive/aws", back), "download")).toBe(files);
    await sameAsSource(back);
    expect(await aws("s3", "ls", "--recursive", "s3://drive/aws/odd/")).toContain("数 据");
  });

  test("copies, moves, presigns and removes all of it", async () => {
    await aws("s3", "cp", "--no-progress", "s3://drive/aws/large/200 MB", "s3://drive/aws/copy of it");
    await aws("s3", "mv", "--no-progress", "s3://drive/aws/copy of it", "s3://drive/aws/moved");
    const url = (await aws("s3", "presign", "s3://drive/aws/odd/数 据")).trim();
    expect(await (await fetch(url)).text()).toBe("数 据");
    await aws("s3", "rm", "--quiet", "--recursive", "s3://drive/aws");
    expect(await aws("s3", "ls", "--recursive", "s3://drive/")).not.toContain("aws");
  });

  test("keeps metadata, reads ranges and attributes, and hears conditions", async () => {
    const body = join(source, "d1", "e1", "file 1.txt");
    const at = ["--bucket", "drive", "--key", "meta.txt"];
    const put = ["--metadata", "colour=blue", "--cache-control", "max-age=60", "--content-type", "text/x-own"];
    await aws("s3api", "put-object", ...at, "--body", body, ...put);
    const head = JSON.parse(await aws("s3api", "head-object", ...at));
    expect(head).toMatchObject({ Metadata: { colour: "blue" }, CacheControl: "max-age=60", ContentType: "text/x-own" });
    expect(await aws("s3api", "get-object", ...at, "--range", "bytes=0-6", join(shop.path, "part"))).toContain("0-6/9");
    expect(readFileSync(join(shop.path, "part"), "utf8")).toBe("content");
    const again = await shop.run([
      "aws",
      "--endpoint-url",
      address,
      "s3api",
      "put-object",
      ...at,
      "--if-none-match",
      "*",
    ]);
    // The version of Debian does not know the option.
    expect(again.text).toMatch(/PreconditionFailed|Unknown options/);
    await aws(
      "s3api",
      "delete-objects",
      "--bucket",
      "drive",
      "--delete",
      JSON.stringify({ Objects: [{ Key: "meta.txt" }] }),
    );
    expect((await shop.run(["aws", "--endpoint-url", address, "s3api", "head-object", ...at])).text).toContain("404");
  });
});

test("s3cmd puts, syncs, copies, signs, gets and deletes, and compares MD5s", async () => {
  const config = join(shop.path, "s3cfg");
  writeFileSync(
    config,
    `[default]\naccess_key = ${accessKey}\nsecret_key = ${secret}\nhost_base = ${host}\nhost_bucket = ${host}\nuse_https = False\nbucket_location = us-east-1\n`,
  );
  const s3cmd = (...words: string[]) => shop.done(["s3cmd", "-c", config, "--no-progress", ...words]);
  expect(await s3cmd("ls")).toContain("s3://drive");
  await s3cmd("sync", `${source}/`, "s3://drive/s3cmd/");
  expect(await s3cmd("sync", `${source}/`, "s3://drive/s3cmd/")).not.toContain("upload:");
  const back = shop.folder("s3cmd-back");
  await s3cmd("sync", "s3://drive/s3cmd/", `${back}/`);
  await sameAsSource(back);
  await s3cmd("cp", "s3://drive/s3cmd/odd/100%", "s3://drive/s3cmd/copy");
  await s3cmd("mv", "s3://drive/s3cmd/copy", "s3://drive/s3cmd/moved");
  expect(await s3cmd("info", "s3://drive/s3cmd/moved")).toContain("File size: 4");
  const url = (await s3cmd("signurl", "s3://drive/s3cmd/odd/a'b(c)*!~", "+60", "--content-type=text/x-own")).trim();
  expect(url).toContain("AWSAccessKeyId=");
  const signed = await fetch(url);
  expect([await signed.text(), signed.headers.get("content-type")]).toEqual(["a'b(c)*!~", "text/x-own"]);
  await s3cmd("del", "--recursive", "--force", "s3://drive/s3cmd/");
  expect(await s3cmd("ls", "s3://drive/s3cmd/")).toBe("");
});

test("rclone copies, checks and syncs both ways with times, lists 2,000 keys, and purges", async () => {
  const config = join(shop.path, "rclone.conf");
  const fields = {
    type: "s3",
    provider: "Other",
    access_key_id: accessKey,
    secret_access_key: secret,
    endpoint: address,
  };
  const lines = Object.entries({ ...fields, force_path_style: "true" }).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(config, `[s]\n${lines.join("")}`);
  const rclone = (...words: string[]) => shop.done(["rclone", "--config", config, "--retries", "1", "-v", ...words]);
  const there = "s:drive/rclone";
  expect((await rclone("copy", source, there)).match(/: Copied \(/g)).toHaveLength(files);
  expect(await rclone("check", source, there)).toContain("0 differences found");
  expect(await rclone("sync", source, there)).toContain("There was nothing to transfer");
  const back = shop.folder("rclone-back");
  await rclone("sync", there, back);
  await sameAsSource(back);
  // Times that changed alone are written without the bytes.
  await shop.done(["touch", "-d", "2020-01-01", join(source, "large", "200 MB")]);
  expect(await rclone("sync", source, there)).toContain("Updated modification time");
  const many = shop.folder("many");
  for (let index = 0; index < 2000; index++) writeFileSync(join(many, `key ${index}`), String(index));
  await rclone("copy", "--transfers", "16", many, "s:drive/many");
  expect((await rclone("lsf", "s:drive/many")).match(/^key \d+$/gm)).toHaveLength(2000);
  expect(await rclone("check", many, "s:drive/many")).toContain("0 differences found");
  await rclone("purge", "s:drive/many");
  await rclone("purge", there);
  expect(await rclone("lsf", "s:drive")).not.toContain("rclone");
});

test("boto3 sends parts at once, copies them, and streams", async () => {
  const script = `
import boto3, hashlib, io, sys
from boto3.s3.transfer import TransferConfig
from botocore.exceptions import ClientError
s3 = boto3.client("s3", endpoint_url="${address}")
data = bytes(range(256)) * 80000
config = TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20, max_concurrency=8)
s3.upload_fileobj(io.BytesIO(data), "drive", "boto/a b", Config=config, ExtraArgs={"Metadata": {"a": "b"}})
got = io.BytesIO()
s3.download_fileobj("drive", "boto/a b", got, Config=config)
assert got.getvalue() == data
head = s3.head_object(Bucket="drive", Key="boto/a b")
md5s = b"".join(hashlib.md5(data[i:i + (5 << 20)]).digest() for i in range(0, len(data), 5 << 20))
assert head["ETag"] == '"%s-4"' % hashlib.md5(md5s).hexdigest(), head["ETag"]
assert head["Metadata"] == {"a": "b"}
upload = s3.create_multipart_upload(Bucket="drive", Key="boto/copy")["UploadId"]
names = dict(Bucket="drive", Key="boto/copy", UploadId=upload)
copied = s3.upload_part_copy(PartNumber=1, CopySource={"Bucket": "drive", "Key": "boto/a b"}, CopySourceRange="bytes=0-5242879", **names)
part = s3.upload_part(PartNumber=2, Body=b"end", **names)
assert [p["Size"] for p in s3.list_parts(**names)["Parts"]] == [5242880, 3]
assert s3.list_multipart_uploads(Bucket="drive")["Uploads"][0]["Key"] == "boto/copy"
parts = [{"PartNumber": 1, "ETag": copied["CopyPartResult"]["ETag"]}, {"PartNumber": 2, "ETag": part["ETag"]}]
s3.complete_multipart_upload(MultipartUpload={"Parts": parts}, **names)
s3.complete_multipart_upload(MultipartUpload={"Parts": parts}, **names)
assert s3.get_object(Bucket="drive", Key="boto/copy")["Body"].read() == data[:5242880] + b"end"
keys = [o["Key"] for page in s3.get_paginator("list_objects_v2").paginate(Bucket="drive", Prefix="boto/", PaginationConfig={"PageSize": 1}) for o in page["Contents"]]
assert keys == ["boto/a b", "boto/copy"], keys
s3.delete_objects(Bucket="drive", Delete={"Objects": [{"Key": k} for k in keys]})
try:
  s3.get_object(Bucket="drive", Key="boto/copy")
  sys.exit("still there")
except ClientError as error:
  assert error.response["Error"]["Code"] == "NoSuchKey"
print("well")`;
  expect(await shop.done(["python3", "-c", script])).toBe("well\n");
});

test("boto3 makes forms for browsers, signed by either version", async () => {
  const name = "$".concat("{filename}");
  const script = `
import boto3, urllib3
from botocore.config import Config
for version in [None, "s3v4"]:
  s3 = boto3.client("s3", endpoint_url="${address}", config=Config(signature_version=version) if version else None)
  conditions = [["content-length-range", 1, 10], ["starts-with", "$Content-Type", "text/"], {"x-amz-meta-a": "b"}]
  form = s3.generate_presigned_post("drive", "forms/${name}", Fields={"x-amz-meta-a": "b"}, Conditions=conditions)
  assert ("AWSAccessKeyId" in form["fields"]) == (version is None), form
  def send(data):
    fields = {**form["fields"], "Content-Type": "text/x-own", "file": ("a b.txt", data)}
    return urllib3.PoolManager().request("POST", form["url"], fields=fields)
  assert send(b"hello").status == 204
  head = s3.head_object(Bucket="drive", Key="forms/a b.txt")
  assert head["ContentType"] == "text/x-own" and head["Metadata"] == {"a": "b"}, head
  assert b"EntityTooLarge" in send(b"hello again").data
  s3.delete_object(Bucket="drive", Key="forms/a b.txt")
print("well")`;
  expect(await shop.done(["python3", "-c", script])).toBe("well\n");
});

test("boto3 presigns by version 2 where nothing else is said: to write, read, list parts and remove", async () => {
  const script = `
import boto3, urllib.request
s3 = boto3.client("s3", endpoint_url="${address}")
def send(method, operation, body=None, headers={}, **params):
  url = s3.generate_presigned_url(operation, Params=dict(Bucket="drive", **params))
  assert "AWSAccessKeyId=" in url, url
  request = urllib.request.Request(url, data=body, method=method, headers=headers)
  with urllib.request.urlopen(request) as answer:
    return answer.headers, answer.read()
for key in ["v2/a b", "v2/\u6570 \u636e+~(1)'&=%#?.txt"]:
  send("PUT", "put_object", b"hello", {"content-type": "text/x-own"}, Key=key, ContentType="text/x-own", Metadata={"a": "b"})
  name = 'attachment; filename="a & b=c.txt"'
  headers, body = send("GET", "get_object", Key=key, ResponseContentDisposition=name, ResponseContentType="text/x-other")
  assert body == b"hello" and headers["content-disposition"] == name and headers["content-type"] == "text/x-other"
  headers, body = send("HEAD", "head_object", Key=key)
  assert headers["content-type"] == "text/x-own" and headers["x-amz-meta-a"] == "b", headers
  send("DELETE", "delete_object", Key=key)
upload = s3.create_multipart_upload(Bucket="drive", Key="v2/parts")["UploadId"]
send("PUT", "upload_part", b"end", {"content-type": ""}, Key="v2/parts", UploadId=upload, PartNumber=1)
assert b"<Size>3</Size>" in send("GET", "list_parts", Key="v2/parts", UploadId=upload)[1]
send("DELETE", "abort_multipart_upload", Key="v2/parts", UploadId=upload)
assert b"v2/" not in send("GET", "list_objects")[1]
print("well")`;
  expect(await shop.done(["python3", "-c", script])).toBe("well\n");
});

test("restic makes, checks and restores a backup", async () => {
  const environment = { RESTIC_REPOSITORY: `s3:${address}/drive/restic`, RESTIC_PASSWORD: "for tests" };
  const restic = (...words: string[]) => shop.done(["restic", ...words], { environment });
  await restic("init");
  await restic("backup", source);
  expect(await restic("check", "--read-data")).toContain("no errors were found");
  const back = shop.folder("restic-back");
  await restic("restore", "latest", "--target", back);
  await sameAsSource(join(back, source));
  await restic("forget", "--keep-last", "1", "--prune");
});

describe("Bun", () => {
  const client = new Bun.S3Client({
    endpoint: address,
    bucket: "drive",
    accessKeyId: accessKey,
    secretAccessKey: secret,
  });

  test("writes in parts, reads, lists, presigns and deletes", async () => {
    const bytes = bytesOf(23 * MiB);
    const writer = client.file("bun/large").writer({ partSize: 5 * MiB, queueSize: 4 });
    for (let at = 0; at < bytes.length; at += MiB) writer.write(bytes.subarray(at, at + MiB));
    await writer.end();
    expect(same(new Uint8Array(await client.file("bun/large").arrayBuffer()), bytes)).toBe(true);
    await client.write("bun/a b #1?.txt", "text");
    expect((await client.list({ prefix: "bun/" })).contents?.map(({ key }) => key)).toEqual([
      "bun/a b #1?.txt",
      "bun/large",
    ]);
    expect((await client.stat("bun/large")).size).toBe(bytes.length);
    const url = client.presign("bun/put", { method: "PUT" });
    expect((await fetch(url, { method: "PUT", body: "by address" })).status).toBe(200);
    expect(await (await fetch(client.presign("bun/put"))).text()).toBe("by address");
    for (const name of ["a b #1?.txt", "large", "put"]) await client.delete(`bun/${name}`);
    expect(await client.exists("bun/large")).toBe(false);
  });
});

describe("AWS for JavaScript", () => {
  const client = new sdk.S3Client({
    endpoint: address,
    region: "eu-somewhere-1",
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secret },
  });

  test.each(["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"] as const)(
    "sends %s with what it puts",
    async (algorithm) => {
      const body = Buffer.from(bytesOf(300_000));
      const at = { Bucket: "drive", Key: `sdk/${algorithm}` };
      if (algorithm !== "CRC64NVME")
        await client.send(new sdk.PutObjectCommand({ ...at, Body: body, ChecksumAlgorithm: algorithm }));
      else await client.send(new sdk.PutObjectCommand({ ...at, Body: body }));
      const got = await client.send(new sdk.GetObjectCommand(at));
      expect(same(await got.Body?.transformToByteArray(), body)).toBe(true);
      await client.send(new sdk.DeleteObjectCommand(at));
    },
  );

  test("uploads a stream of unknown length in parts at once (lib-storage)", async () => {
    const body = bytesOf(26 * 1024 ** 2);
    const at = { Bucket: "drive", Key: "sdk/in parts" };
    const stream = new Blob([body]).stream();
    await new Upload({ client, params: { ...at, Body: stream }, queueSize: 4, partSize: 5 * 1024 ** 2 }).done();
    const got = await client.send(new sdk.GetObjectCommand(at));
    expect(same(await got.Body?.transformToByteArray(), Buffer.from(body))).toBe(true);
    await client.send(new sdk.DeleteObjectCommand(at));
  });

  test("lists in pages and hears what is wrong", async () => {
    for (const name of ["a", "b/c", "b/d", "e"])
      await client.send(new sdk.PutObjectCommand({ Bucket: "drive", Key: `js/${name}`, Body: name }));
    const page = await client.send(
      new sdk.ListObjectsV2Command({ Bucket: "drive", Prefix: "js/", Delimiter: "/", MaxKeys: 2 }),
    );
    expect([page.Contents?.map(({ Key }) => Key), page.CommonPrefixes]).toEqual([["js/a"], [{ Prefix: "js/b/" }]]);
    const next = new sdk.ListObjectsV2Command({
      Bucket: "drive",
      Prefix: "js/",
      Delimiter: "/",
      ContinuationToken: page.NextContinuationToken,
    });
    expect((await client.send(next)).Contents?.map(({ Key }) => Key)).toEqual(["js/e"]);
    const missing = client.send(new sdk.GetObjectCommand({ Bucket: "drive", Key: "js/none" }));
    await expect(missing).rejects.toBeInstanceOf(sdk.NoSuchKey);
    await expect(client.send(new sdk.HeadBucketCommand({ Bucket: "none" }))).rejects.toMatchObject({
      name: "NotFound",
    });
  });
});
