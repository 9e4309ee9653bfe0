import { describe, expect, test } from "bun:test";
import * as sdk from "@aws-sdk/client-s3";
import type { LinkBucket, NewLink } from "#contract/links";
import { compareBytes } from "#contract/paths";
import { linkCalls } from "../../../support/link-visit.ts";
import { listen } from "../../../support/listening.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { mountOther } from "../../../support/make-mount.ts";
import { s3Calls, textsOf } from "../../../support/s3-front.ts";
import { hours } from "../../../support/test-clock.ts";
import { openTreeHouse, type TreeCalls, type Who } from "../../../support/tree-house.ts";

/** A link as a bucket: its slug is the access key id and the name of the bucket, its secret is made by the server. */

async function connection({ house, admin }: TreeCalls, id: string, who: Who = admin) {
  const response = await house.request(`/api/links/${id}/connection`, { headers: who });
  const { data } = (await response.json()) as { data: { s3: LinkBucket | null } | null };
  return { status: response.status, s3: data?.s3 };
}

async function bucketOf(tree: TreeCalls, id: string): Promise<LinkBucket> {
  const { s3 } = await connection(tree, id);
  if (!s3) throw new Error("no bucket");
  return s3;
}

/** Requests that are signed with the secret of a link. */
async function signedBy(tree: TreeCalls, id: string) {
  const { access_key_id, secret_access_key } = await bucketOf(tree, id);
  return s3Calls(tree.house, { s3_access_key_id: access_key_id, key: secret_access_key } as Parameters<
    typeof s3Calls
  >[1]);
}

async function openBucket(tree: TreeCalls, items: readonly string[], fields: Partial<NewLink> = {}) {
  const link = await linkCalls(tree).make(items, { slug: "tapes", ...fields });
  return { link, s3: await signedBy(tree, link.id) };
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
      ["POST", "/tapes/f/c.txt", { uploads: "" }],
      ["PUT", "/tapes/f/c.txt", { uploadId: "x", partNumber: "1" }],
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
    const after = await signedBy(tree, link.id);
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
    expect(client.send(new sdk.DeleteObjectCommand({ Bucket, Key: "f/new.txt" }))).rejects.toThrow();
  });
});
