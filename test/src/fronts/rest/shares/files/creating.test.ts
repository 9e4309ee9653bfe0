import { describe, expect, test } from "bun:test";
import { scenarios } from "../../../../../support/scenario.ts";
import {
  commit,
  type FileOptions,
  filesOf,
  nameBySlug,
  nothing,
  presign,
  put,
  remains,
  shareFile,
} from "../../../../../support/share-file.ts";
import { hours } from "../../../../../support/test-clock.ts";
import { openTestHouse } from "../../../../../support/test-house.ts";

const begin = { method: "POST", url: "/api/s3/presign" } as const;
const end = { method: "POST", url: "/api/s3/commit" } as const;
const GiB = 1024 ** 3;

describe("beginning a file share", () => {
  const fields = (more: object) => ({ ...begin, as: "admin", body: { filename: "a.txt", size: 5, ...more } }) as const;

  scenarios(
    [
      { ...begin, body: { filename: "a.txt" }, status: 401, has: ["auth.required"] },
      { ...begin, as: "wrong token", body: { filename: "a.txt" }, status: 401, has: ["auth.expired"] },
      { name: "nobody is told what is wrong", ...begin, body: "{", status: 401, has: ["auth.required"] },
      {
        ...fields({}),
        status: 200,
        has: ['"file_id"', '"upload_url"', '"storage_path":"shares/a.txt"', '"provider_type":"Built-in disk"'],
        hasNot: ['"grant"', "pending", '"storage"'],
      },
      { ...fields({}), status: 200, has: ['"contentType":"text/plain"', '"expiresAt":null', '"maxViews":0'] },
      { ...fields({ slug: "mine_1-A" }), status: 200, has: ['"slug":"mine_1-A"', '"url":"/file/mine_1-A"'] },
      { ...fields({ size: undefined }), status: 200 },
      { ...fields({ size: "5" }), status: 200 },
      { ...fields({ size: 0 }), status: 200 },
      { ...fields({ expires_in: "24" }), status: 200, has: ['"expiresAt":"2030-01-03T03:04:05.678Z"'] },
      { ...fields({ expires_in: 1 }), status: 200, has: ['"expiresAt":"2030-01-02T04:04:05.678Z"'] },
      { ...fields({ expires_in: "0" }), status: 200, has: ['"expiresAt":null'] },
      {
        ...fields({ expires_at: "2031-01-01T00:00:00Z" }),
        status: 200,
        has: ['"expiresAt":"2031-01-01T00:00:00.000Z"'],
      },
      {
        name: "limits by the names that texts have for them",
        ...fields({ expiresAt: "2031-01-01T00:00:00Z", maxViews: 3 }),
        status: 200,
        has: ['"expiresAt":"2031-01-01T00:00:00.000Z"', '"maxViews":3'],
      },
      {
        name: "a limit that is called otherwise",
        ...fields({ max_downloads: 1 }),
        status: 400,
        has: ["limit.unknown", "max_downloads", "password, expires_in, expires_at, max_views"],
      },
      ...[
        "/api/s3/multipart/init",
        "/api/url/presign",
        "/api/url/multipart/init",
        "/api/fs/create-share",
        "/api/links",
      ].map((url) => ({ ...fields({ expiry: "1d" }), url, status: 400, has: ["limit.unknown", "expiry"] })),
      { ...fields({ max_views: "3" }), status: 200, has: ['"maxViews":3'] },
      { ...fields({ max_views: 3 }), status: 200, has: ['"maxViews":3'] },
      { ...fields({ password: "geheim" }), status: 200, has: ['"hasPassword":true', '"grant"'], hasNot: ["geheim"] },
      {
        name: "everything empty, as a form has it",
        ...fields({
          s3_config_id: "",
          mimetype: "",
          path: "",
          slug: "",
          remark: "",
          password: "",
          expires_in: "",
          expires_at: "",
          max_views: "",
          use_proxy: "",
          size: "",
        }),
        status: 200,
        has: ['"hasPassword":false', '"expiresAt":null', '"maxViews":0', '"storage_path":"shares/a.txt"'],
      },
      {
        name: "everything null",
        ...fields({
          s3_config_id: null,
          mimetype: null,
          path: null,
          slug: null,
          remark: null,
          password: null,
          expires_in: null,
          expires_at: null,
          max_views: null,
          use_proxy: null,
          size: null,
        }),
        status: 200,
      },
      { ...fields({ mimetype: "image/png" }), status: 200, has: ['"contentType":"text/plain"'] },
      { ...fields({ filename: "a", mimetype: "Image/PNG; x=y" }), status: 200, has: ['"contentType":"image/png"'] },
      { ...fields({ filename: "a", mimetype: "no type" }), status: 200, has: ['"application/octet-stream"'] },
      { ...fields({ filename: "文件 #1?+%😀.md" }), status: 200, has: ["文件 #1_+%😀.md", '"text/markdown"'] },
      { ...fields({ filename: "字".repeat(255) }), status: 200 },
      { ...fields({ path: "/deep//er/" }), status: 200, has: ['"storage_path":"shares/deep/er/a.txt"'] },
      { ...fields({ filename: undefined }), status: 400, has: ["body.invalid", "filename"] },
      { ...fields({ filename: 7 }), status: 400, has: ["body.invalid", "filename"] },
      { ...fields({ size: -1 }), status: 400, has: ["body.invalid", "size"] },
      { ...fields({ size: 1.5 }), status: 400, has: ["body.invalid", "size"] },
      { ...fields({ size: "five" }), status: 400, has: ["body.invalid", "size"], hasNot: ["five"] },
      { ...fields({ expires_in: "1.5" }), status: 400, has: ["body.invalid", "expires_in"] },
      { ...fields({ expires_in: -1 }), status: 400, has: ["body.invalid", "expires_in"] },
      { ...fields({ expires_at: "soon" }), status: 400, has: ["body.invalid", "expires_at"] },
      { ...fields({ expires_at: "2001-01-01T00:00:00Z" }), status: 400, has: ["expiry.past"] },
      { ...fields({ expires_at: "9999-12-31T23:59:59-23:59" }), status: 400, has: ["body.invalid", "expires_at"] },
      { ...fields({ max_views: -1 }), status: 400, has: ["body.invalid", "max_views"] },
      { ...fields({ max_views: "many" }), status: 400, has: ["body.invalid", "max_views"] },
      { ...fields({ remark: "r".repeat(501) }), status: 400, has: ["remark"], hasNot: ["rrr"] },
      { ...fields({ password: "p".repeat(129) }), status: 400, has: ["password"], hasNot: ["ppp"] },
      { ...fields({ slug: "a b" }), status: 400, has: ["slug.invalid"] },
      { ...fields({ slug: "a".repeat(51) }), status: 400, has: ["slug.invalid"] },
      { ...fields({ slug: "upload" }), status: 400, has: ["slug.reserved"] },
      { ...fields({ slug: "taken" }), status: 409, has: ["slug.taken"] },
      { name: "by one that still waits", ...fields({ slug: "waits" }), status: 409, has: ["slug.taken"] },
      { ...fields({ s3_config_id: "nothing" }), status: 404, has: ["storage.missing"] },
      { ...fields({ size: 10 * GiB + 1 }), status: 413, has: ["file.tooLarge", "10.00 GB"] },
      {
        ...fields({ size: 10 * GiB + 1 }),
        headers: { "accept-language": "zh" },
        status: 413,
        has: ["文件大小超过系统限制，最大允许 10.00 GB"],
      },
      { ...end, body: { file_id: "waits" }, status: 401, has: ["auth.required"] },
      { ...end, as: "wrong token", body: { file_id: "waits" }, status: 401, has: ["auth.expired"] },
      { ...end, as: "admin", body: {}, status: 400, has: ["body.invalid", "file_id"] },
      { ...end, as: "admin", body: { file_id: "" }, status: 404, has: ["upload.missing"] },
      { ...end, as: "admin", body: { file_id: "nothing" }, status: 404, has: ["upload.missing"] },
      {
        ...end,
        as: "admin",
        body: { file_id: "waits" },
        status: 409,
        has: ["upload.incomplete", "0 of 5 bytes"],
        hasNot: ["drive"],
      },
      {
        ...end,
        as: "admin",
        body: { file_id: "taken", size: "999999999", etag: "made up", filename: "other.txt" },
        status: 200,
        has: ['"size":5', '"filename":"note.txt"', '"slug":"taken"', '"storage_type":"S3"', '"url":"/file/taken"'],
        hasNot: ["made up", "999999999"],
      },
      { method: "GET", url: "/api/file-view/waits", status: 503 },
      { as: "admin", method: "GET", url: "/api/files/waits", status: 404, has: ["share.missing"] },
      { as: "admin", method: "GET", url: "/api/files", status: 200, has: ['"total":1'], hasNot: ["waits"] },
    ],
    async (house) => {
      await shareFile(house, { slug: "taken" });
      await presign(house, { slug: "waits", filename: "waits.txt" });
      await nameBySlug(house);
    },
  );

  const badNames = ["", ".", "..", "a/b", "/etc/passwd", "..\\x", "a\u0000b", "a\nb", "n".repeat(256), "\ud800.txt"];
  test.each(badNames)("a file must not be called %j, and nothing is kept of it", async (filename) => {
    await using house = await openTestHouse();
    const before = await remains(house);
    expect(await presign(house, { filename })).toMatchObject({ status: 400, error: "filename.invalid" });
    expect(await remains(house)).toEqual(before);
  });

  test.each(["..", "a/../b", "../../etc", "a\\b", "a/./b", "a\u0000b", "b/\ud800"])(
    "a folder must not be %j, and nothing is kept of it",
    async (path) => {
      await using house = await openTestHouse();
      expect(await presign(house, { path })).toMatchObject({ status: 400, error: "path.invalid" });
      expect(await remains(house)).toEqual(nothing);
    },
  );

  test.each([
    { slug: "a b" },
    { slug: "admin" },
    { slug: "taken" },
    { size: 10 * GiB + 1 },
    { s3_config_id: "nothing" },
    { path: `${"字".repeat(250)}` },
    { expires_at: "2001-01-01T00:00:00Z" },
  ] as FileOptions[])("what is refused keeps no key, no bytes and no slug: %j", async (fields) => {
    await using house = await openTestHouse();
    await shareFile(house, { slug: "taken", filename: "other.txt" });
    const before = await remains(house);
    expect((await presign(house, fields)).status).toBeGreaterThanOrEqual(400);
    expect(await remains(house)).toEqual(before);
  });

  test("two files of one name get two keys, even at once, and keep their ending", async () => {
    await using house = await openTestHouse();
    const begun = await Promise.all(Array.from({ length: 5 }, () => presign(house)));
    const keys = new Set(begun.map(({ data }) => data.storage_path));
    expect(keys.size).toBe(5);
    for (const key of keys) expect(key).toMatch(/^shares\/note(-\w{6})?\.txt$/);
    const first = await shareFile(house, { filename: "same.txt", content: "one" });
    const second = await shareFile(house, { filename: "same.txt", content: "two" });
    expect(await (await house.request(`/api/file-view/${first.slug}`)).text()).toBe("one");
    expect(await (await house.request(`/api/file-view/${second.slug}`)).text()).toBe("two");
    expect(second.filename).toBe("same.txt");
  });

  test("one slug, wanted by many at once, is one share's", async () => {
    await using house = await openTestHouse();
    const begun = await Promise.all(Array.from({ length: 10 }, () => presign(house, { slug: "wanted" })));
    expect(begun.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(await remains(house)).toMatchObject({ shares: 1, uploads: 1 });
  });

  test("a name of 255 characters in Chinese is kept for people and cut for the disk", async () => {
    await using house = await openTestHouse();
    const filename = `${"字".repeat(251)}.txt`;
    const shared = await shareFile(house, { filename });
    expect(shared.filename).toBe(filename);
    const [stored = ""] = filesOf(house);
    expect(Buffer.byteLength(stored.split("/").at(-1) ?? "")).toBeLessThanOrEqual(255);
    expect(stored).toEndWith("字.txt");
  });

  test("expiry counts from the beginning", async () => {
    await using house = await openTestHouse();
    const shared = await shareFile(house, { slug: "short", expires_in: "1" });
    expect(shared.expires_at).toBe("2030-01-02T04:04:05.678Z");
    house.clock.advance(hours(1));
    expect((await house.request("/api/public/files/short")).status).toBe(410);
  });
});

describe("finishing a file share", () => {
  test("twice gives the same answer, and a third PUT changes nothing", async () => {
    await using house = await openTestHouse();
    const { data } = await presign(house, { slug: "twice", password: "sesame" });
    await put(house, data.upload_url, "hello");
    const first = await commit(house, data.file_id);
    house.clock.advance(1000);
    expect(await commit(house, data.file_id)).toEqual(first);
    expect(first.data).toMatchObject({ slug: "twice", size: 5, has_password: true, views: 0, created_by: "admin" });
    expect((await put(house, data.upload_url, "HELLO")).status).toBe(409);
    expect(await (await house.request("/api/file-view/twice?password=sesame")).text()).toBe("hello");
  });

  test("many times at once makes one share", async () => {
    await using house = await openTestHouse();
    const { data } = await presign(house);
    await put(house, data.upload_url, "hello");
    const answers = await Promise.all(Array.from({ length: 10 }, () => commit(house, data.file_id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(await remains(house)).toMatchObject({ shares: 1, uploads: 1, files: ["drive/shares/note.txt"] });
  });

  test("before the file is there says so, and the upload goes on", async () => {
    await using house = await openTestHouse();
    const { data } = await presign(house);
    expect(await commit(house, data.file_id)).toMatchObject({ status: 409, error: "upload.incomplete" });
    expect((await put(house, data.upload_url, "hell")).status).toBe(400);
    expect(await commit(house, data.file_id)).toMatchObject({ status: 409, error: "upload.incomplete" });
    expect((await put(house, data.upload_url, "hello!")).status).toBe(400);
    expect(filesOf(house)).toEqual([]);
    expect((await put(house, data.upload_url, "hello")).status).toBe(200);
    expect(await commit(house, data.file_id)).toMatchObject({ status: 200, data: { size: 5 } });
  });

  test("a file shorter on the disk than was declared is not shared", async () => {
    await using house = await openTestHouse();
    const { data } = await presign(house);
    await put(house, data.upload_url, "hello");
    await Bun.write(`${house.objects}/drive/shares/note.txt`, "hel");
    const answer = await commit(house, data.file_id);
    expect(answer).toMatchObject({ status: 409, error: "upload.incomplete" });
    expect(answer.message).toContain("3 of 5 bytes");
  });

  test("a file whose size nobody said has the size that the storage tells", async () => {
    await using house = await openTestHouse();
    const { data } = await presign(house, { size: undefined });
    expect(await commit(house, data.file_id)).toMatchObject({ status: 409, error: "upload.incomplete" });
    expect((await put(house, data.upload_url, "as long as it is")).status).toBe(200);
    expect(await commit(house, data.file_id)).toMatchObject({ status: 200, data: { size: 16 } });
  });

  test("an empty file is a file", async () => {
    await using house = await openTestHouse();
    const shared = await shareFile(house, { slug: "empty", content: "" });
    expect(shared.size).toBe(0);
    const response = await house.request("/api/file-download/empty");
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });

  test("what was not said of the proxy is as the setting says", async () => {
    await using house = await openTestHouse();
    expect(await shareFile(house)).toMatchObject({ use_proxy: 0 });
    for (const use_proxy of [true, 1, "1", "true"]) {
      expect(await shareFile(house, { use_proxy })).toMatchObject({ use_proxy: 1 });
    }
    expect(await shareFile(house, { use_proxy: "false" })).toMatchObject({ use_proxy: 0 });
  });
});
