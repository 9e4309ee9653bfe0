import { describe, expect, test } from "bun:test";
import * as sdk from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { NewLink } from "#contract/links";
import { compareBytes } from "#contract/paths";
import { bucketOf, connection, signedByLink } from "../../../support/callers/link-bucket.ts";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { callsOf, s3Calls, textsOf } from "../../../support/clients/s3.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { mountOther } from "../../../support/make-mount.ts";
import { listen } from "../../../support/servers/listening.ts";
import { hours } from "../../../support/test-clock.ts";
import { openTreeHouse, type TreeCalls } from "../../../support/tree/tree-house.ts";

const MiB = 1024 * 1024;

/** A link as a bucket: its slug is the access key id and the name of the bucket, its secret is made by the server. */

async function openBucket(tree: TreeCalls, items: readonly string[], fields: Partial<NewLink> = {}) {
  const link = await linkCalls(tree).make(items, { slug: "tapes", ...fields });
  return { link, s3: await signedByLink(tree, link.id) };
}

describe("a link as a bucket of S3", () => {
  test("has its items at its root, and nothing else is there", async () => {
    await using tree = await openTreeHouse();
    await tree.put(
      "/m/secret/f/a b.txt",
      "/m/secret/f/sub/ü.txt",
      "/m/secret/one.txt",
      "/m/secret/c.txt",
      "/m/secret/fx.txt",
    );
    const { s3 } = await openBucket(tree, ["/m/secret/f/", "/m/secret/one.txt"]);
    expect(textsOf(await s3.send("GET", "/"), "Name")).toEqual(["tapes"]);
    for (const name of ["location", "versioning"])
      expect(await s3.outcome("GET", "/tapes", { query: { [name]: "" } })).toBe("200");
    expect(await s3.outcome("HEAD", "/tapes")).toBe("200");
    expect(await s3.list("tapes")).toEqual(["f/a b.txt", "f/sub/ü.txt", "one.txt"]);
    expect(await s3.list("tapes", { delimiter: "/" })).toEqual(["one.txt", "f/"]);
    expect(await s3.list("tapes", { delimiter: "/", prefix: "f/" })).toEqual(["f/a b.txt", "f/sub/"]);
    expect(await s3.list("tapes", { prefix: "f/s" })).toEqual(["f/sub/ü.txt"]);
    for (const prefix of ["secret", "m", "fx", "one.txt/", "c"]) expect(await s3.list("tapes", { prefix })).toEqual([]);
    expect(await s3.text("/tapes/f/a b.txt")).toBe("/m/secret/f/a b.txt");
    expect(await s3.text("/tapes/one.txt")).toBe("/m/secret/one.txt");
    for (const key of ["c.txt", "fx.txt", "f/../c.txt", "secret/c.txt", "m/secret/c.txt", "one.txt/", "f/", "f/none"])
      expect({ key, said: await s3.text(`/tapes/${key}`) }).toEqual({
        key,
        said: expect.stringMatching(/^(NoSuchKey|InvalidA[a-zA-Z]+)$/),
      });
    for (const bucket of ["m", "drive", "Tapes", "f"]) expect(await s3.list(bucket)).toEqual(["NoSuchBucket"]);
    expect(await s3.text("/m/secret/c.txt")).toBe("NoSuchBucket");
    expect(await s3.list("tapes", { delimiter: "b" })).toEqual(["NotImplemented"]);
    const told = (await s3.send("GET", "/tapes")).text + (await s3.send("GET", "/")).text;
    expect(told).not.toContain("secret");
  });

  test("lists in the order of keys whatever the pages are, with mounts that stand in its folders", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/d/a", "/m/d/in/hidden-by-mount", "/m/d/in-a/x", "/m/d/in0", "/m/d/z/y");
    await tree.put("/m/d.txt", "/m/d-e/f", "/m/d0", "/m/é/x");
    await mountOther(tree.house, "/m/d/in");
    await tree.put("/m/d/in/b", "/m/d/in/c/d");
    const { s3 } = await openBucket(tree, ["/m/d0", "/m/d/", "/m/é/", "/m/d-e/", "/m/d.txt"]);
    const keys = await s3.list("tapes");
    expect(keys).toEqual(
      ["d-e/f", "d.txt", "d/a", "d/in-a/x", "d/in/b", "d/in/c/d", "d/in0", "d/z/y", "d0", "é/x"].sort(compareBytes),
    );
    const pagesOf = async (query: Record<string, string>, most: number, version: "1" | "2") => {
      const found: string[] = [];
      for (let next: string | undefined = ""; next !== undefined; ) {
        const going: Record<string, string> =
          version === "1" ? { marker: next } : { "list-type": "2", ...(next !== "" && { "continuation-token": next }) };
        const page = await s3.send("GET", "/tapes", { query: { ...query, ...going, "max-keys": String(most) } });
        const lines = [...textsOf(page, "Key"), ...textsOf(page, "Prefix").slice(1)];
        expect(lines.length).toBeLessThanOrEqual(most);
        found.push(...lines.sort(compareBytes));
        next = textsOf(page, version === "1" ? "NextMarker" : "NextContinuationToken")[0];
      }
      return found;
    };
    const folded = (prefix: string) => [
      ...new Set(
        keys
          .filter((key) => key.startsWith(prefix))
          .map((key) => prefix + (/^[^/]*\/?/.exec(key.slice(prefix.length))?.[0] ?? "")),
      ),
    ];
    for (const version of ["1", "2"] as const)
      for (const most of [1, 2, 3, 1000]) {
        expect(await pagesOf({}, most, version)).toEqual(keys);
        for (const prefix of ["", "d/", "d/in", "d/in/"])
          expect(await pagesOf({ prefix, delimiter: "/" }, most, version)).toEqual(folded(prefix));
      }
    for (const [index, key] of keys.entries())
      expect(await s3.list("tapes", { "start-after": key })).toEqual(keys.slice(index + 1));
  });

  test("lets do what the rights of the link say, and replaces nothing", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/f/a.txt");
    const { link, s3 } = await openBucket(tree, ["/m/f/"], { rights: ["view"] });
    const { update } = linkCalls(tree);
    expect(await s3.list("tapes")).toEqual(["f/a.txt"]);
    expect(await s3.text("/tapes/f/a.txt")).toBe("AccessDenied");
    expect(await s3.outcome("PUT", "/tapes/f/b.txt", { body: "b" })).toBe("403 AccessDenied");
    await update(link.id, { rights: ["view", "download", "upload"] });
    const put = await s3.put("/tapes/f/new/b.txt", "bytes");
    expect([put.status, put.headers.get("etag")]).toEqual([
      200,
      `"${new Bun.CryptoHasher("md5").update("bytes").digest("hex")}"`,
    ]);
    expect(await tree.text("/m/f/new/b.txt")).toBe("bytes");
    expect(await s3.outcome("PUT", "/tapes/f/empty/", { body: "" })).toBe("200");
    for (const [path, body] of [
      ["/tapes/f/a.txt", "evil"],
      ["/tapes/f/new/b.txt", "bytes"],
    ] as const)
      expect(await s3.outcome("PUT", path, { body })).toBe("409 OperationAborted");
    const whole = "0".repeat(64);
    expect(await s3.outcome("PUT", "/tapes/f/c.txt", { body: "c", hash: whole })).toBe("400 XAmzContentSHA256Mismatch");
    expect(await s3.outcome("PUT", "/tapes/x.txt", { body: "x" })).toBe("403 AccessDenied");
    expect(await s3.outcome("PUT", "/m/f/x.txt", { body: "x" })).toBe("404 NoSuchBucket");
    const refused = [
      ["DELETE", "/tapes/f/a.txt", {}],
      ["POST", "/tapes", { delete: "" }],
      ["GET", "/tapes", { uploads: "" }],
      ["GET", "/tapes/f/a.txt", { tagging: "" }],
      ["PUT", "/tapes/f/a.txt", { tagging: "" }],
    ] as const;
    for (const [method, path, query] of refused)
      expect({ method, path, said: await s3.outcome(method, path, { query }) }).toEqual({
        method,
        path,
        said: "403 AccessDenied",
      });
    expect(await s3.outcome("PUT", "/tapes")).toBe("409 BucketAlreadyOwnedByYou");
    expect(await s3.outcome("PUT", "/others")).toBe("404 NoSuchBucket");
    const copy = { headers: { "x-amz-copy-source": "/tapes/f/a.txt" } };
    expect(await s3.outcome("PUT", "/tapes/f/copy.txt", copy)).toBe("403 AccessDenied");
    expect(await tree.text("/m/f/a.txt")).toBe("/m/f/a.txt");
    expect(await tree.names("/m/f")).toBe("empty/ new/ a.txt");
    await update(link.id, { rights: ["upload"] });
    expect((await connection(tree, link.id)).s3).toBe(null);
    expect(await s3.list("tapes")).toEqual(["AccessDenied"]);
    expect(await s3.outcome("GET", "/")).toBe("403 AccessDenied");
    // What it still takes comes by doors that make names fit and ask who sends.
    expect(await s3.outcome("PUT", "/tapes/1/gpj.\u202efdp.exe", { body: "x" })).toBe("403 AccessDenied");
    expect(await tree.names("/m/f")).toBe("empty/ new/ a.txt");
  });

  test("takes an object in parts, which the link counts as they come", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/f/a.txt");
    const { link, s3 } = await openBucket(tree, ["/m/f/"], {
      ...{ rights: ["view", "download", "upload"], max_files: 2, max_bytes: 9 * MiB, max_file_bytes: 8 * MiB },
    });
    const { get, update } = linkCalls(tree);
    const begin = async (key: string) => {
      const answer = await s3.send("POST", `/tapes/${key}`, { query: { uploads: "" }, body: "" });
      return { answer, uploadId: textsOf(answer, "UploadId")[0] ?? "" };
    };
    const put = (key: string, uploadId: string, partNumber: number, body: Uint8Array<ArrayBuffer>) =>
      s3.send("PUT", `/tapes/${key}`, { query: { uploadId, partNumber: String(partNumber) }, body });
    const complete = (key: string, uploadId: string, etags: readonly string[]) => {
      const parts = etags.map(
        (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
      return s3.send("POST", `/tapes/${key}`, { query: { uploadId }, body });
    };
    expect((await begin("f/a.txt")).answer.status).toBe(409);
    expect((await begin("x.bin")).answer.code).toBe("AccessDenied");
    const { uploadId } = await begin("f/big.bin");
    const first = await put("f/big.bin", uploadId, 1, new Uint8Array(5 * MiB).fill(1));
    expect((await get(link.id)).data).toMatchObject({ files: 1, bytes: 5 * MiB });
    // Beyond what a file may have, and then beyond what is left for another one.
    expect((await put("f/big.bin", uploadId, 2, new Uint8Array(4 * MiB))).status).toBe(413);
    const other = await begin("f/other.bin");
    expect((await put("f/other.bin", other.uploadId, 1, new Uint8Array(5 * MiB))).status).toBe(413);
    expect((await get(link.id)).data).toMatchObject({ files: 2, bytes: 5 * MiB });
    expect((await begin("f/third.bin")).answer.status).toBe(409);
    const second = await put("f/big.bin", uploadId, 2, new Uint8Array(MiB).fill(2));
    expect(textsOf(await s3.send("GET", "/tapes/f/big.bin", { query: { uploadId } }), "Size")).toEqual([
      String(5 * MiB),
      String(MiB),
    ]);
    // A restart forgets who came before; whoever signs goes on all the same.
    tree.house.clock.advance(hours(7));
    const etags = [first, second].map(({ headers }) => headers.get("etag") ?? "");
    const made = await complete("f/big.bin", uploadId, etags);
    expect([made.status, textsOf(made, "Key")]).toEqual([200, ["f/big.bin"]]);
    expect((await s3.send("HEAD", "/tapes/f/big.bin")).headers.get("content-length")).toBe(String(6 * MiB));
    const aborted = { query: { uploadId: other.uploadId } };
    expect(await s3.outcome("DELETE", "/tapes/f/other.bin", aborted)).toBe("204");
    expect(await s3.outcome("DELETE", "/tapes/f/other.bin", aborted)).toBe("404 NoSuchUpload");
    expect((await get(link.id)).data).toMatchObject({ files: 1, bytes: 6 * MiB });
    await update(link.id, { rights: ["view", "download"] });
    expect((await begin("f/late.bin")).answer.code).toBe("AccessDenied");
  });

  test("goes on with uploads in parts of its own alone", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/f/a.txt", "/m/g/a.txt");
    const rights = ["view", "download", "upload"] as const;
    const { s3 } = await openBucket(tree, ["/m/f/"], { rights: [...rights] });
    const { s3: strange } = await openBucket(tree, ["/m/g/"], { rights: [...rights], slug: "others" });
    const begun = await strange.send("POST", "/others/g/b.bin", { query: { uploads: "" }, body: "" });
    const uploadId = textsOf(begun, "UploadId")[0] ?? "";
    const part = { query: { uploadId, partNumber: "1" }, body: "evil" };
    for (const key of ["f/b.bin", "g/b.bin"])
      expect(await s3.outcome("PUT", `/tapes/${key}`, part)).toMatch(/^(404 NoSuchUpload|403 AccessDenied)$/);
    const key = await callsOf(tree.house);
    const own = await key.send("POST", "/m/f/own.bin", { query: { uploads: "" }, body: "" });
    const ownPart = { query: { uploadId: textsOf(own, "UploadId")[0] ?? "", partNumber: "1" }, body: "evil" };
    expect(await s3.outcome("PUT", "/tapes/f/own.bin", ownPart)).toBe("404 NoSuchUpload");
    expect(await strange.outcome("PUT", "/others/g/b.bin", part)).toBe("200");
  });

  test("spends one opening for six hours, and counts each file once", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt", "/m/b.txt");
    const { link, s3 } = await openBucket(tree, ["/m/a.txt", "/m/b.txt"], { max_opens: 2, max_downloads: 1 });
    const { get } = linkCalls(tree);
    const lists = Array.from({ length: 20 }, () => s3.list("tapes"));
    for (const list of await Promise.all(lists)) expect(list).toEqual(["a.txt", "b.txt"]);
    expect(await s3.outcome("HEAD", "/tapes/a.txt")).toBe("200");
    expect((await get(link.id)).data).toMatchObject({ opens: 1, downloads: 0 });
    for (const range of ["bytes=0-3", "bytes=4-"])
      expect(await s3.outcome("GET", "/tapes/a.txt", { headers: { range } })).toBe("206");
    expect(await s3.text("/tapes/a.txt")).toBe("/m/a.txt");
    expect((await s3.send("GET", "/tapes/b.txt")).status).toBe(410);
    const signed = s3.presign("GET", "/tapes/a.txt");
    expect((await tree.house.request(signed)).status).toBe(200);
    expect((await get(link.id)).data).toMatchObject({ opens: 1, downloads: 1 });
    tree.house.clock.advance(hours(6));
    expect(await s3.list("tapes")).toEqual(["a.txt", "b.txt"]);
    tree.house.clock.advance(hours(6));
    expect((await s3.send("GET", "/tapes")).status).toBe(410);
    expect((await get(link.id)).data.opens).toBe(2);
  });

  test("ends with the link, its pause, its networks, its owner and its password", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const { update, remove, make } = linkCalls(tree);
    const { link, s3 } = await openBucket(tree, ["/m/a.txt"]);
    const signed = s3.presign("GET", "/tapes/a.txt");
    const status = async () => (await s3.send("GET", "/tapes/a.txt")).status;
    expect(await status()).toBe(200);
    await update(link.id, { is_active: false });
    expect(await status()).toBe(410);
    await update(link.id, { is_active: true, networks: ["203.0.113.0/24"] });
    expect(await s3.text("/tapes/a.txt")).toBe("AccessDenied");
    await update(link.id, { networks: [] });
    expect(await status()).toBe(200);
    await update(link.id, { password: "open sesame" });
    expect(await s3.text("/tapes/a.txt")).toBe("InvalidAccessKeyId");
    expect((await tree.house.request(signed)).status).toBe(403);
    const after = await signedByLink(tree, link.id);
    expect(await after.text("/tapes/a.txt")).toBe("/m/a.txt");
    const byPassword = { s3_access_key_id: "tapes", key: "open sesame" } as Parameters<typeof s3Calls>[1];
    expect(await s3Calls(tree.house, byPassword).text("/tapes/a.txt")).toBe("InvalidAccessKeyId");
    await remove(link.id);
    expect(await after.text("/tapes/a.txt")).toBe("InvalidAccessKeyId");
    // Another link of the same name has another secret.
    await make(["/m/a.txt"], { slug: "tapes" });
    expect(await s3.text("/tapes/a.txt")).toBe("InvalidAccessKeyId");
  });

  test("tells its secret to its owner alone, and lets no link take the place of a key", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/a.txt");
    const owner = await makeKey(tree.house);
    const other = await makeKey(tree.house);
    const { id } = await linkCalls(tree).make(["/m/a.txt"], { slug: "tapes" }, withKey(owner));
    expect((await connection(tree, id, withKey(owner))).s3?.access_key_id).toBe("tapes");
    expect((await connection(tree, id, withKey(other))).status).toBe(404);
    const { who } = await linkCalls(tree).visit(["/m/a.txt"]);
    expect((await connection(tree, id, who)).status).toBe(403);
    await linkCalls(tree).make(["/m/a.txt"], { slug: owner.s3_access_key_id });
    expect(await s3Calls(tree.house, owner).list("drive")).not.toEqual(["InvalidAccessKeyId"]);
  });

  test("works with the client of AWS", async () => {
    await using tree = await openTreeHouse();
    await tree.put("/m/f/a.txt", "/m/f/sub/b.txt", "/m/one.txt");
    const link = await linkCalls(tree).make(["/m/f/", "/m/one.txt"], { rights: ["view", "download", "upload"] });
    const { access_key_id: accessKeyId, secret_access_key: secretAccessKey, region } = await bucketOf(tree, link.id);
    await using server = listen(tree.house);
    const client = new sdk.S3Client({
      ...{ endpoint: server.address, region, forcePathStyle: true, maxAttempts: 1 },
      credentials: { accessKeyId, secretAccessKey },
    });
    tree.house.clock.advance(Date.now() - tree.house.clock.now());
    const Bucket = link.slug;
    expect((await client.send(new sdk.ListBucketsCommand())).Buckets?.map(({ Name }) => Name)).toEqual([Bucket]);
    const keys: unknown[] = [];
    for await (const { Contents = [] } of sdk.paginateListObjectsV2({ client, pageSize: 2 }, { Bucket }))
      keys.push(...Contents.map(({ Key }) => Key));
    expect(keys).toEqual(["f/a.txt", "f/sub/b.txt", "one.txt"]);
    const got = await client.send(new sdk.GetObjectCommand({ Bucket, Key: "f/a.txt", Range: "bytes=3-" }));
    expect([got.ContentRange, await got.Body?.transformToString()]).toEqual(["bytes 3-9/10", "f/a.txt"]);
    await client.send(new sdk.PutObjectCommand({ Bucket, Key: "f/new.txt", Body: "new" }));
    expect((await client.send(new sdk.HeadObjectCommand({ Bucket, Key: "f/new.txt" }))).ContentLength).toBe(3);
    const large = {
      client,
      partSize: 5 * MiB,
      params: { Bucket, Key: "f/large.bin", Body: Buffer.alloc(12 * MiB, 7) },
    };
    await new Upload(large).done();
    expect((await client.send(new sdk.HeadObjectCommand({ Bucket, Key: "f/large.bin" }))).ContentLength).toBe(12 * MiB);
    expect(client.send(new sdk.DeleteObjectCommand({ Bucket, Key: "f/new.txt" }))).rejects.toThrow();
  });
});
