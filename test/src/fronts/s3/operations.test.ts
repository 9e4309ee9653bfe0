import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { bytesOf, MiB } from "../../../suites/store-bodies.ts";
import { callsOf, textsOf } from "../../../support/clients/s3.ts";
import { mountOther } from "../../../support/make-mount.ts";
import { openTestHouse } from "../../../support/test-house.ts";

async function open() {
  const house = await openTestHouse();
  return { house, s3: await callsOf(house), [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

const md5 = (content: string | Uint8Array) => createHash("md5").update(content).digest("hex");

describe("objects", () => {
  test("have the MD5 of their bytes as their ETag, in answers and lists", async () => {
    await using here = await open();
    for (const content of ["", "hello", Buffer.from(bytesOf(MiB + 1)).toString("latin1")]) {
      const tag = `"${md5(content)}"`;
      expect((await here.s3.put("/drive/a", content)).headers.get("etag")).toBe(tag);
      expect((await here.s3.send("HEAD", "/drive/a")).headers.get("etag")).toBe(tag);
      expect(textsOf(await here.s3.send("GET", "/drive"), "ETag")).toEqual([tag]);
    }
  });

  test("keep what is said of them, and leave by our own headers all the same", async () => {
    await using here = await open();
    const said = {
      "content-type": "text/html; charset=gbk",
      "cache-control": "max-age=60",
      "content-disposition": "inline",
      "content-encoding": "gzip",
      "content-language": "zh",
      expires: "Wed, 21 Oct 2026 07:28:00 GMT",
      "x-amz-meta-colour": "blue",
      "x-amz-meta-naïve": "é",
    };
    const { "x-amz-meta-naïve": _, ...plain } = said;
    await here.s3.put("/drive/a", "<script>", plain);
    const overrides = { "response-content-type": "text/html", "response-content-disposition": "inline" };
    for (const [method, query] of [
      ["HEAD", {}],
      ["GET", {}],
      ["GET", overrides],
    ] as const) {
      const { headers } = await here.s3.send(method, "/drive/a", { query });
      expect(Object.fromEntries(headers)).toMatchObject({
        ...plain,
        ...(query === overrides && { "content-type": "text/html" }),
      });
      expect(headers.get("content-security-policy")).toStartWith("sandbox;");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
    for (const name of ["response-content-security-policy", "response-x-content-type-options"])
      expect(
        (await here.s3.send("GET", "/drive/a", { query: { [name]: "x" } })).headers.get("x-content-type-options"),
      ).toBe("nosniff");
    for (const value of ["a\r\nb: c", "\u0000", "数", "x".repeat(1025)])
      expect(await here.s3.outcome("GET", "/drive/a", { query: { "response-content-type": value } })).toBe(
        "400 InvalidArgument",
      );
  });

  test("are copied with what is said of them, or with something else, also onto themselves", async () => {
    await using here = await open();
    const { s3 } = here;
    await s3.put("/drive/a b", "hello", { "x-amz-meta-a": "1", "content-type": "text/x-own" });
    const copy = (to: string, headers: Record<string, string> = {}) =>
      s3.send("PUT", to, { headers: { "x-amz-copy-source": "/drive/a%20b", ...headers } });
    expect(textsOf(await copy("/drive/b"), "ETag")).toEqual([`"${md5("hello")}"`]);
    const of = async (path: string) => {
      const { headers } = await s3.send("HEAD", path);
      return [headers.get("content-type"), headers.get("x-amz-meta-a"), headers.get("etag")];
    };
    expect(await of("/drive/b")).toEqual(["text/x-own", "1", `"${md5("hello")}"`]);
    const replace = { "x-amz-metadata-directive": "REPLACE", "x-amz-meta-a": "2", "content-type": "a/b" };
    await copy("/drive/c", replace);
    expect(await of("/drive/c")).toEqual(["a/b", "2", `"${md5("hello")}"`]);
    expect((await copy("/drive/a b")).code).toBe("InvalidRequest");
    expect((await copy("/drive/a b", replace)).status).toBe(200);
    expect(await of("/drive/a b")).toEqual(["a/b", "2", `"${md5("hello")}"`]);
    expect(await s3.text("/drive/a b")).toBe("hello");
    for (const [condition, value, code] of [
      ["x-amz-copy-source-if-match", "no", "PreconditionFailed"],
      ["x-amz-copy-source-if-none-match", md5("hello"), "PreconditionFailed"],
      ["if-none-match", "*", "PreconditionFailed"],
      ["x-amz-metadata-directive", "MAYBE", "InvalidArgument"],
      ["x-amz-copy-source", "/drive/none", "NoSuchKey"],
      ["x-amz-copy-source", "/none/a", "NoSuchBucket"],
      ["x-amz-copy-source", "/drive/a?versionId=1", "NoSuchVersion"],
      ["x-amz-copy-source", "/drive/%2e%2e/x", "InvalidArgument"],
      ["x-amz-copy-source", "%zz", "InvalidURI"],
      ["x-amz-copy-source", "", "InvalidArgument"],
    ] as const)
      expect([condition, (await copy("/drive/b", { [condition]: value })).code]).toEqual([condition, code]);
  });

  test("go without the folders that nobody made, and never take another with them", async () => {
    await using here = await open();
    const { s3 } = here;
    for (const key of ["d/e/1", "d/2", "x/y/3"]) await s3.put(`/drive/${key}`);
    for (const key of ["d", "d/", "d/e/", "x"]) expect(await s3.outcome("DELETE", `/drive/${key}`)).toBe("204");
    expect(await s3.list("drive")).toEqual(["d/2", "d/e/1", "x/y/3"]);
    await s3.send("DELETE", "/drive/x/y/3");
    expect(await s3.list("drive")).toEqual(["d/2", "d/e/1"]);
    await s3.send("PUT", "/drive/made/");
    expect(await s3.list("drive")).toEqual(["d/2", "d/e/1", "made/"]);
    expect((await s3.send("HEAD", "/drive/made/")).status).toBe(200);
    expect(await s3.outcome("HEAD", "/drive/made")).toBe("404");
    expect(await s3.outcome("PUT", "/drive/made/", { body: "x" })).toBe("400 InvalidArgument");
    expect(await s3.outcome("PUT", "/drive/d", { body: "x" })).toBe("409 OperationAborted");
    expect(await s3.outcome("PUT", "/drive/d/2/3", { body: "x" })).toBe("409 OperationAborted");
    await s3.send("DELETE", "/drive/made/");
    expect(await s3.list("drive")).toEqual(["d/2", "d/e/1"]);
  });

  test("removed together go with all folders that this leaves empty, in whatever order they were named", async () => {
    await using here = await open();
    for (const key of ["a/b/1", "a/c/2", "a/b/3", "b/4", "b/c/5", "b/6"]) await here.s3.put(`/drive/${key}`);
    const objects = ["a/b/1", "a/c/2", "a/b/3", "b/4", "b/c/5"].map((key) => `<Object><Key>${key}</Key></Object>`);
    await here.s3.send("POST", "/drive", { query: { delete: "" }, body: `<Delete>${objects.join("")}</Delete>` });
    expect(await here.s3.list("drive")).toEqual(["b/6"]);
  });

  test("that WebDAV has locked are not written, moved over or removed", async () => {
    await using here = await open();
    await here.s3.put("/drive/a", "kept");
    const body = `<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>`;
    const authorization = `Basic ${Buffer.from("admin:correct horse").toString("base64")}`;
    expect(
      (await here.house.request("/dav/drive/a", { method: "LOCK", headers: { authorization }, body })).status,
    ).toBe(200);
    for (const [method, init] of [
      ["PUT", { body: "x" }],
      ["DELETE", {}],
      ["POST", { query: { uploads: "" } }],
    ] as const)
      expect(await here.s3.outcome(method, "/drive/a", init)).toBe("409 OperationAborted");
    expect(await here.s3.text("/drive/a")).toBe("kept");
  });
});

describe("lists", () => {
  test("in pages of any size are the whole, by any delimiter, in both versions", async () => {
    await using here = await open();
    const keys = ["a b", "a/1", "a/2", "b-x-1", "b-x-2", "b-y", "c", "文/é", "😀&<"];
    for (const key of keys) await here.s3.put(`/drive/${key}`);
    for (const [delimiter, expected] of [
      ["", keys],
      ["/", ["a b", "a/", "b-x-1", "b-x-2", "b-y", "c", "文/", "😀&<"]],
      ["-", ["a b", "a/1", "a/2", "b-", "c", "文/é", "😀&<"]],
      ["-x", ["a b", "a/1", "a/2", "b-x", "b-y", "c", "文/é", "😀&<"]],
    ] as const)
      for (const size of [1, 2, 3, 1000])
        for (const version of ["1", "2"]) {
          const found: string[] = [];
          let from: Record<string, string> = {};
          for (let page = 0; page < 20; page++) {
            const kind: Record<string, string> = version === "2" ? { "list-type": "2" } : {};
            const query = { ...kind, ...from, delimiter, "max-keys": String(size), "encoding-type": "url" };
            const answer = await here.s3.send("GET", "/drive", { query });
            const names = [...textsOf(answer, "Key"), ...textsOf(answer, "Prefix").slice(1)].map(decodeURIComponent);
            expect(names.length).toBeLessThanOrEqual(size);
            found.push(...names);
            if (textsOf(answer, "IsTruncated")[0] !== "true") break;
            const [marker = "", token = ""] = [
              textsOf(answer, "NextMarker")[0],
              textsOf(answer, "NextContinuationToken")[0],
            ];
            from = version === "2" ? { "continuation-token": token } : { marker: decodeURIComponent(marker) };
          }
          expect({ delimiter, size, version, found: found.toSorted() }).toEqual({
            ...{ delimiter, size, version },
            found: [...expected].toSorted(),
          });
        }
  });

  test("go on behind a key inside of a folder with the rest of that folder", async () => {
    await using here = await open();
    for (const key of ["a/1", "a/2", "b"]) await here.s3.put(`/drive/${key}`);
    expect(await here.s3.list("drive", { delimiter: "/", "start-after": "a/1" })).toEqual(["b", "a/"]);
    expect(await here.s3.list("drive", { delimiter: "/", "start-after": "a/2" })).toEqual(["b"]);
    expect(await here.s3.list("drive", { "max-keys": "0" })).toEqual([]);
    for (const query of [
      { "max-keys": "-1" },
      { "max-keys": "x" },
      { "encoding-type": "xml" },
      { "continuation-token": "***" },
    ])
      expect(await here.s3.outcome("GET", "/drive", { query: { "list-type": "2", ...(query as object) } })).toBe(
        "400 InvalidArgument",
      );
  });
});

describe("uploads in parts", () => {
  const part = (size: number) => Buffer.from(bytesOf(size)).toString("latin1");
  const completion = (tags: readonly string[], numbers = tags.map((_, index) => index + 1)) =>
    `<CompleteMultipartUpload>${tags.map((tag, index) => `<Part><PartNumber>${numbers[index]}</PartNumber><ETag>${tag}</ETag></Part>`).join("")}</CompleteMultipartUpload>`;

  async function begun() {
    const here = await open();
    const started = await here.s3.send("POST", "/drive/big", {
      query: { uploads: "" },
      headers: { "x-amz-meta-a": "b" },
    });
    const [uploadId = ""] = textsOf(started, "UploadId");
    const put = (partNumber: number, body: string) =>
      here.s3.send("PUT", "/drive/big", { query: { uploadId, partNumber: String(partNumber) }, body });
    const complete = (body: string) => here.s3.send("POST", "/drive/big", { query: { uploadId }, body });
    return { ...here, uploadId, put, complete };
  }

  test("answer the same when they are completed again, and keep what was said", async () => {
    await using here = await begun();
    const body = part(5 * MiB + 3);
    const bytes = Buffer.from(body);
    const tags = [];
    for (const [number, content] of [
      [2, "end"],
      [1, body],
    ] as const)
      tags[number - 1] = (await here.put(number, content)).headers.get("etag") ?? "";
    expect(textsOf(await here.s3.send("GET", "/drive/big", { query: { uploadId: here.uploadId } }), "Size")).toEqual([
      String(bytes.byteLength),
      "3",
    ]);
    expect(textsOf(await here.s3.send("GET", "/drive", { query: { uploads: "" } }), "Key")).toEqual(["big"]);
    const whole = createHash("md5")
      .update(Buffer.from(md5(bytes) + md5("end"), "hex"))
      .digest("hex");
    for (let times = 0; times < 2; times++)
      expect(textsOf(await here.complete(completion(tags)), "ETag")).toEqual([`"${whole}-2"`]);
    expect((await here.s3.send("HEAD", "/drive/big")).headers.get("x-amz-meta-a")).toBe("b");
    expect((await here.put(1, "late")).code).toBe("NoSuchUpload");
    expect(textsOf(await here.s3.send("GET", "/drive", { query: { uploads: "" } }), "Key")).toEqual([]);
  });

  test("are all listed, page by page, beside those that another mount shadows", async () => {
    await using here = await open();
    for (const key of ["a/1", "a/2", "a/2", "b.bin", "c.bin", "c.bin"])
      await here.s3.send("POST", `/drive/${key}`, { query: { uploads: "" } });
    await mountOther(here.house, "/drive/a");
    const listed: string[] = [];
    let from: Record<string, string> | undefined = {};
    while (from) {
      const answer = await here.s3.send("GET", "/drive", { query: { uploads: "", "max-uploads": "1", ...from } });
      expect(textsOf(answer, "Key")).toHaveLength(1);
      listed.push(...textsOf(answer, "Key"));
      const [key = "", id = ""] = [textsOf(answer, "NextKeyMarker")[0], textsOf(answer, "NextUploadIdMarker")[0]];
      from = textsOf(answer, "IsTruncated")[0] === "true" ? { "key-marker": key, "upload-id-marker": id } : undefined;
    }
    expect(listed).toEqual(["b.bin", "c.bin", "c.bin"]);
  });

  test("are refused as S3 does, and nothing is stored", async () => {
    await using here = await begun();
    const tags = [
      (await here.put(1, "small")).headers.get("etag") ?? "",
      (await here.put(2, "end")).headers.get("etag") ?? "",
    ];
    expect((await here.complete(completion(tags))).code).toBe("EntityTooSmall");
    expect((await here.complete(completion(tags, [2, 1]))).code).toBe("InvalidPartOrder");
    expect((await here.complete(completion([tags[1] ?? ""]))).code).toBe("InvalidPart");
    for (const body of [
      "",
      "<a/>",
      "<CompleteMultipartUpload/>",
      "nonsense",
      completion(["x"], [0]),
      completion(["x"], [10_001]),
    ])
      expect([body, (await here.complete(body)).code]).toEqual([body, "MalformedXML"]);
    for (const number of [0, 10_001, Number.NaN]) expect((await here.put(number, "x")).code).toBe("InvalidArgument");
    const other = { query: { uploadId: here.uploadId, partNumber: "1" }, body: "x" };
    expect(await here.s3.outcome("PUT", "/drive/other", other)).toBe("404 NoSuchUpload");
    expect(await here.s3.text("/drive/big")).toBe("NoSuchKey");
    expect(await here.s3.outcome("DELETE", "/drive/big", { query: { uploadId: here.uploadId } })).toBe("204");
    expect(await here.s3.outcome("DELETE", "/drive/big", { query: { uploadId: here.uploadId } })).toBe(
      "404 NoSuchUpload",
    );
    expect((await here.complete(completion(tags))).code).toBe("NoSuchUpload");
  });

  test("count against the quota from their first part on", async () => {
    await using here = await begun();
    const [{ config } = { config: undefined }] = await here.house.house.transfers.storages();
    await here.house.house.stores.configs.update(config?.id ?? "", { total_storage_bytes: 1000 } as never);
    expect((await here.put(1, "x".repeat(600))).status).toBe(200);
    expect((await here.put(2, "x".repeat(600))).code).toBe("InsufficientStorage");
    expect((await here.s3.put("/drive/b", "x".repeat(600))).code).toBe("InsufficientStorage");
    await here.s3.send("DELETE", "/drive/big", { query: { uploadId: here.uploadId } });
    expect((await here.s3.put("/drive/b", "x".repeat(600))).status).toBe(200);
  });
});
