import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ChecksumName, checksumNames, createDigests } from "../../../../src/lib/digests/digests.ts";
import { bytesOf, MiB } from "../../../suites/store-bodies.ts";
import { asAdmin } from "../../../support/clients/dav.ts";
import { callsOf, type S3Answer, textsOf } from "../../../support/clients/s3.ts";
import { openTestHouse } from "../../../support/test-house.ts";

const ENABLED = { headers: { "x-amz-checksum-mode": "ENABLED" } } as const;
const headerOf = (name: ChecksumName) => `x-amz-checksum-${name}`;

function digest(name: ChecksumName, content: string | Uint8Array): string {
  const digests = createDigests([name]);
  digests.update(Buffer.from(content));
  return digests.finish()[name]?.toString("base64") ?? "";
}

/** The checksums that an answer tells. */
const told = ({ headers }: S3Answer) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("x-amz-checksum-")));

async function open() {
  const house = await openTestHouse();
  const s3 = await callsOf(house);
  return {
    house,
    s3,
    put: (path: string, content: string, ...names: ChecksumName[]) =>
      s3.put(path, content, Object.fromEntries(names.map((name) => [headerOf(name), digest(name, content)]))),
    told: async (path: string, method = "HEAD") => told(await s3.send(method, path, ENABLED)),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

describe("a checksum that came with an object", () => {
  test.each(checksumNames)("is told when it is asked for, %s", async (name) => {
    await using here = await open();
    const own = { [headerOf(name)]: digest(name, "hello"), "x-amz-checksum-type": "FULL_OBJECT" };
    expect(told(await here.put("/drive/a", "hello", name))).toEqual(own);
    for (const method of ["HEAD", "GET"]) {
      expect(await here.told("/drive/a", method)).toEqual(own);
      expect(told(await here.s3.send(method, "/drive/a"))).toEqual({});
    }
    const range = { headers: { ...ENABLED.headers, range: "bytes=1-2" } };
    expect(told(await here.s3.send("GET", "/drive/a", range))).toEqual({});
    const headers = { "x-amz-object-attributes": "Checksum,ETag" };
    const attributes = await here.s3.send("GET", "/drive/a", { query: { attributes: "" }, headers });
    expect(textsOf(attributes, `Checksum${name.toUpperCase()}`)).toEqual([digest(name, "hello")]);
    expect(textsOf(attributes, "ChecksumType")).toEqual(["FULL_OBJECT"]);
  });

  test("goes with its bytes: copied, moved and described anew", async () => {
    await using here = await open();
    const { s3 } = here;
    const own = { [headerOf("crc32")]: digest("crc32", "hello"), "x-amz-checksum-type": "FULL_OBJECT" };
    await here.put("/drive/a", "hello", "crc32");
    const replace = { "x-amz-metadata-directive": "REPLACE", "x-amz-meta-a": "1" };
    const copied = await s3.send("PUT", "/drive/b", { headers: { "x-amz-copy-source": "/drive/a", ...replace } });
    expect(textsOf(copied, "ChecksumCRC32")).toEqual([digest("crc32", "hello")]);
    await s3.send("PUT", "/drive/a", { headers: { "x-amz-copy-source": "/drive/a", ...replace } });
    const headers = { ...asAdmin, destination: "http://satchel.test/dav/drive/c/d" };
    await here.house.request("/dav/drive/c", { method: "MKCOL", headers });
    expect((await here.house.request("/dav/drive/b", { method: "MOVE", headers })).status).toBe(201);
    for (const path of ["/drive/a", "/drive/c/d"]) expect(await here.told(path)).toEqual(own);
  });

  test("is forgotten with its bytes, whoever writes others", async () => {
    await using here = await open();
    const { house } = here;
    const headers = asAdmin;
    const writers: [string, () => unknown][] = [
      ["S3", () => here.s3.put("/drive/a", "other")],
      ["WebDAV", () => house.request("/dav/drive/a", { method: "PUT", headers, body: "other" })],
      ["a program of the machine", () => writeFileSync(join(house.objects, "drive/a"), "other")],
    ];
    for (const [name, write] of writers) {
      await here.put("/drive/a", "hello", "sha256");
      await write();
      expect([name, await here.s3.text("/drive/a"), await here.told("/drive/a")]).toEqual([name, "other", {}]);
    }
  });

  test("that is wrong leaves what was there", async () => {
    await using here = await open();
    await here.put("/drive/a", "hello", "crc32c");
    const answer = await here.s3.put("/drive/a", "other", { [headerOf("crc32c")]: digest("crc32c", "hello") });
    expect(answer.code).toBe("BadDigest");
    expect(await here.told("/drive/a")).toMatchObject({ [headerOf("crc32c")]: digest("crc32c", "hello") });
  });
});

describe("an object of parts", () => {
  const contents = [bytesOf(5 * MiB, 1), bytesOf(5 * MiB, 2), bytesOf(6 * MiB, 3), bytesOf(12_345, 4)];
  const all = Buffer.concat(contents);

  /** An upload whose parts came with checksums of a kind. */
  async function begun(name: ChecksumName, headers: Record<string, string> = {}, of = contents) {
    const here = await open();
    const { s3 } = here;
    const begun = await s3.send("POST", "/drive/big", { query: { uploads: "" }, headers });
    const [id = ""] = textsOf(begun, "UploadId");
    const rows: string[] = [];
    for (const [index, body] of of.entries()) {
      const checksum = digest(name, body);
      const query = { uploadId: id, partNumber: String(index + 1) };
      const part = await s3.send("PUT", "/drive/big", { query, body, headers: { [headerOf(name)]: checksum } });
      const element = `Checksum${name.toUpperCase()}`;
      rows.push(
        `<Part><PartNumber>${index + 1}</PartNumber><ETag>${part.headers.get("etag")}</ETag><${element}>${checksum}</${element}></Part>`,
      );
    }
    const complete = (headers: Record<string, string> = {}, change = (xml: string) => xml) => {
      const body = change(`<CompleteMultipartUpload>${rows.join("")}</CompleteMultipartUpload>`);
      return s3.send("POST", "/drive/big", { query: { uploadId: id }, body, headers });
    };
    return { ...here, id, begun: told(begun), complete };
  }

  /** Enough where each part is as good as any other. */
  const few = [bytesOf(5 * MiB, 1), bytesOf(12_345, 4)];

  const compositeOf = (name: ChecksumName, of = few) => {
    const own = Buffer.concat(of.map((content) => Buffer.from(digest(name, content), "base64")));
    return `${digest(name, own)}-${of.length}`;
  };
  const algorithm = (name: ChecksumName) => ({ "x-amz-checksum-algorithm": name.toUpperCase() });
  const [whole, composite] = [{ "x-amz-checksum-type": "FULL_OBJECT" }, { "x-amz-checksum-type": "COMPOSITE" }];

  test.each([
    ["sha256", {}],
    ["sha1", composite],
    ["crc32", {}],
    ["crc32c", composite],
  ] as const)("has the checksum of those of its parts where it was begun so, %s %o", async (name, type) => {
    await using here = await begun(name, { ...algorithm(name), ...type }, few);
    const { s3, id } = here;
    expect(here.begun).toEqual({ ...algorithm(name), ...composite });
    const listed = await s3.send("GET", "/drive/big", { query: { uploadId: id } });
    for (const answer of [listed, await s3.send("GET", "/drive", { query: { uploads: "" } })])
      expect([textsOf(answer, "ChecksumAlgorithm"), textsOf(answer, "ChecksumType")]).toEqual([
        [name.toUpperCase()],
        ["COMPOSITE"],
      ]);
    const element = `Checksum${name.toUpperCase()}`;
    expect(textsOf(listed, element)).toEqual(few.map((content) => digest(name, content)));
    const own = compositeOf(name);
    for (const wrong of [`${digest(name, "other")}-2`, own.replace("-2", "-3"), digest(name, Buffer.concat(few))])
      expect([wrong, (await here.complete({ [headerOf(name)]: wrong })).code]).toEqual([wrong, "BadDigest"]);
    expect((await here.complete({ [headerOf(name)]: own, ...whole })).code).toBe("InvalidRequest");
    expect(await s3.outcome("HEAD", "/drive/big")).toBe("404");
    const done = await here.complete({ [headerOf(name)]: own, ...composite });
    expect([textsOf(done, element), textsOf(done, "ChecksumType")]).toEqual([[own], ["COMPOSITE"]]);
    for (const method of ["HEAD", "GET"])
      expect(await here.told("/drive/big", method)).toEqual({ [headerOf(name)]: own, ...composite });
    // The copy has not come in parts.
    await s3.send("PUT", "/drive/copy", { headers: { "x-amz-copy-source": "/drive/big" } });
    expect(await here.told("/drive/copy")).toEqual({});
  });

  test.each([
    ["crc32", whole],
    ["crc64nvme", {}],
  ] as const)("has that of all its bytes where it was begun so, %s %o", async (name, type) => {
    await using here = await begun(name, { ...algorithm(name), ...type }, few);
    expect(here.begun).toEqual({ ...algorithm(name), ...whole });
    expect((await here.complete({ [headerOf(name)]: digest(name, "other") })).code).toBe("BadDigest");
    expect((await here.complete({ [headerOf(name)]: digest(name, Buffer.concat(few)), ...whole })).status).toBe(200);
    expect(await here.told("/drive/big")).toEqual({ [headerOf(name)]: digest(name, Buffer.concat(few)), ...whole });
  });

  test("is begun for a checksum that there is, and takes parts with no other", async () => {
    await using here = await open();
    const { s3 } = here;
    const begin = (headers: Record<string, string>) => s3.send("POST", "/drive/a", { query: { uploads: "" }, headers });
    const wrong: readonly Record<string, string>[] = [
      { "x-amz-checksum-algorithm": "MD4" },
      { ...algorithm("crc32"), "x-amz-checksum-type": "HALF" },
      { ...algorithm("sha256"), ...whole },
      { ...algorithm("crc64nvme"), ...composite },
      composite,
    ];
    for (const headers of wrong) expect([headers, (await begin(headers)).code]).toEqual([headers, "InvalidRequest"]);
    const [uploadId = ""] = textsOf(await begin(algorithm("sha256")), "UploadId");
    const put = (partNumber: string, headers: Record<string, string> = {}) =>
      s3.send("PUT", "/drive/a", { query: { uploadId, partNumber }, body: "hello", headers });
    expect((await put("1", { [headerOf("crc32")]: digest("crc32", "hello") })).code).toBe("InvalidRequest");
    // Where none comes with a part, the server takes it.
    expect(told(await put("1"))).toEqual({ [headerOf("sha256")]: digest("sha256", "hello") });
    await s3.put("/drive/source", "hello");
    const from = { headers: { "x-amz-copy-source": "/drive/source" }, query: { uploadId, partNumber: "2" } };
    expect(textsOf(await s3.send("PUT", "/drive/a", from), "ChecksumSHA256")).toEqual([digest("sha256", "hello")]);
  });

  test.each(["crc32", "crc32c", "crc64nvme"] as const)("has the checksum of all its bytes, %s", async (name) => {
    await using here = await begun(name);
    const wrong = { [headerOf(name)]: digest(name, "other") };
    expect((await here.complete(wrong)).code).toBe("BadDigest");
    expect((await here.complete({ "x-amz-mp-object-size": "7" })).code).toBe("InvalidRequest");
    expect(
      (await here.complete({}, (xml) => xml.replace(/Checksum\w+>[^<]+/, `Checksum${name.toUpperCase()}>AAAA`))).code,
    ).toBe("InvalidPart");
    expect(await here.s3.outcome("HEAD", "/drive/big")).toBe("404");
    const own = { [headerOf(name)]: digest(name, all) };
    const done = await here.complete({ ...own, "x-amz-mp-object-size": String(all.length) });
    expect(textsOf(done, `Checksum${name.toUpperCase()}`)).toEqual([digest(name, all)]);
    expect((await here.complete(own)).status).toBe(200);
    expect(await here.told("/drive/big")).toEqual({ ...own, "x-amz-checksum-type": "FULL_OBJECT" });
  });

  test("has none of all its bytes that cannot be made of those of its parts, and says so", async () => {
    await using here = await begun("sha1");
    expect((await here.complete({ [headerOf("sha1")]: digest("sha1", all) })).code).toBe("InvalidRequest");
    expect((await here.complete({ [headerOf("crc32")]: digest("crc32", all) })).code).toBe("InvalidRequest");
    expect((await here.complete({ [headerOf("sha1")]: `${digest("sha1", "x")}-4` })).code).toBe("BadDigest");
    expect((await here.complete()).status).toBe(200);
    expect(await here.told("/drive/big")).toEqual({ [headerOf("sha1")]: compositeOf("sha1", contents), ...composite });
  });

  test("is handed out part by part", async () => {
    await using here = await begun("crc32");
    await here.complete();
    const { s3 } = here;
    let from = 0;
    for (const [index, content] of contents.entries()) {
      const range = `bytes ${from}-${from + content.length - 1}/${all.length}`;
      from += content.length;
      for (const method of ["HEAD", "GET"]) {
        const init = { query: { partNumber: String(index + 1) }, ...ENABLED };
        const { status, headers } = await s3.send(method, "/drive/big", init);
        expect([status, headers.get("content-range"), headers.get("x-amz-mp-parts-count")]).toEqual([206, range, "4"]);
        if (method === "HEAD") expect(headers.get("content-length")).toBe(String(content.length));
        expect(headers.get("x-amz-checksum-crc32")).toBe(null);
      }
    }
    const second = await here.house.request(s3.presign("GET", "/drive/big", { partNumber: "2" }));
    expect(Buffer.from(await second.arrayBuffer()).equals(Buffer.from(contents[1] ?? []))).toBe(true);
    const get = (partNumber: string, headers: Record<string, string> = {}) =>
      s3.outcome("GET", "/drive/big", { query: { partNumber }, headers });
    expect(await get("5")).toBe("416 InvalidPartNumber");
    for (const number of ["0", "10001", "x", "-1", ""])
      expect([number, await get(number)]).toEqual([number, "400 InvalidArgument"]);
    expect(await get("1", { range: "bytes=0-1" })).toBe("400 InvalidRequest");
    expect(await get("1", { "if-match": "no" })).toBe("412 PreconditionFailed");
    const attributes = await s3.send("GET", "/drive/big", {
      query: { attributes: "" },
      headers: { "x-amz-object-attributes": "ObjectParts" },
    });
    expect(textsOf(attributes, "PartsCount")).toEqual(["4"]);
    const told = async (headers: Record<string, string> = {}) => {
      const wanted = { "x-amz-object-attributes": "ObjectParts", ...headers };
      const answer = await s3.send("GET", "/drive/big", { query: { attributes: "" }, headers: wanted });
      if (answer.code) return answer.code;
      const [next, truncated] = [textsOf(answer, "NextPartNumberMarker"), textsOf(answer, "IsTruncated")];
      return [textsOf(answer, "PartNumber"), textsOf(answer, "Size").map(Number), ...next, ...truncated];
    };
    const sizes = contents.map((content) => content.length);
    expect(await told()).toEqual([["1", "2", "3", "4"], sizes, "false"]);
    expect(await told({ "x-amz-max-parts": "2" })).toEqual([["1", "2"], sizes.slice(0, 2), "2", "true"]);
    const rest = { "x-amz-max-parts": "2", "x-amz-part-number-marker": "2" };
    expect(await told(rest)).toEqual([["3", "4"], sizes.slice(2), "false"]);
    expect(await told({ "x-amz-max-parts": "many" })).toBe("InvalidArgument");
  });
});

test("an object that came in one piece is its own first part", async () => {
  await using here = await open();
  await here.s3.put("/drive/a", "hello");
  await here.s3.put("/drive/empty", "");
  const get = (path: string, partNumber: string) => here.s3.send("GET", path, { query: { partNumber } });
  const whole = await get("/drive/a", "1");
  expect([whole.status, whole.text, whole.headers.get("content-range")]).toEqual([206, "hello", "bytes 0-4/5"]);
  expect(whole.headers.get("x-amz-mp-parts-count")).toBe(null);
  expect((await get("/drive/empty", "1")).status).toBe(200);
  expect((await get("/drive/a", "2")).code).toBe("InvalidPartNumber");
});
