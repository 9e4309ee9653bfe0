import { describe, expect, test } from "bun:test";
import { files, type WholeFile } from "#contract/files";
import { uploads } from "#contract/uploads";
import { scenarios } from "../../../../../support/scenario.ts";
import { ask, filesOf, nameBySlug, presign, shareFile } from "../../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const admin = { as: "admin" } as const;
const get = (url: string) => ({ method: "GET" as const, url });
const put = (body: unknown) => ({ ...admin, method: "PUT" as const, url: "/api/files/mine", body });
const remove = (body: unknown) => ({ method: "DELETE" as const, url: "/api/files/batch-delete", body });

const read = async (house: TestHouse, id: string) => (await ask(house, files.read, { params: { id } })).data;
const update = (house: TestHouse, id: string, body: object) => ask(house, files.update, { params: { id }, body });
const statusOf = async (house: TestHouse, url: string) => (await house.request(url)).status;

/** A share without what any change of it renews. */
const stable = ({ grant: _grant, urls: _urls, ...rest }: WholeFile): object => rest;

async function furnish(house: TestHouse) {
  await shareFile(house, { slug: "mine", filename: "first.txt", password: "sesame", remark: "note", max_views: 5 });
  await shareFile(house, { slug: "other", filename: "second.png", content: "second" });
  await presign(house, { slug: "waits", filename: "third.txt" });
  await nameBySlug(house);
}

describe("managing file shares", () => {
  scenarios(
    [
      { ...get("/api/files"), status: 401, has: ["auth.required"] },
      { ...get("/api/files"), as: "wrong token", status: 401, has: ["auth.expired"] },
      { ...get("/api/files/mine"), status: 401, has: ["auth.required"] },
      { ...get("/api/files/mine"), as: "wrong token", status: 401, has: ["auth.expired"] },
      { ...put({ remark: "x" }), as: "anyone", status: 401, has: ["auth.required"] },
      { ...put({ remark: "x" }), as: "wrong token", status: 401, has: ["auth.expired"] },
      { ...remove({ ids: ["mine"] }), status: 401, has: ["auth.required"] },
      { ...remove({ ids: ["mine"] }), as: "wrong token", status: 401, has: ["auth.expired"] },
      {
        ...admin,
        ...get("/api/files"),
        status: 200,
        has: [
          '"pagination":{"total":2,"total_exact":true,"limit":30,"offset":0,"hasMore":false}',
          '"filename":"first.txt"',
          '"storage_config_name":"Built-in storage"',
          '"storage_provider_type":"Built-in disk"',
          '"storage_type":"S3"',
          '"storage_path":"shares/first.txt"',
          '"file_path":null',
          '"file_stays":false',
          '"has_password":true',
          '"use_proxy":0',
          '"typeName":"image"',
          '"created_by":"admin"',
          '"grant"',
        ],
        hasNot: ["third.txt", '"pending"', '"version"', '"upload"', "sesame"],
      },
      {
        ...admin,
        ...get("/api/files?limit=1&offset=1"),
        status: 200,
        has: ["first.txt", '"hasMore":false'],
        hasNot: ["second"],
      },
      { ...admin, ...get("/api/files?limit=1"), status: 200, has: ["second.png", '"hasMore":true'], hasNot: ["first"] },
      { ...admin, ...get("/api/files?offset=9"), status: 200, has: ['"files":[]', '"total":2', '"hasMore":false'] },
      { ...admin, ...get("/api/files?created_by=admin"), status: 200, has: ['"total":2'] },
      { ...admin, ...get("/api/files?created_by="), status: 200, has: ['"total":2'] },
      { ...admin, ...get("/api/files?created_by=apikey:1"), status: 200, has: ['"total":0', '"files":[]'] },
      { ...admin, ...get("/api/files?limit=0"), status: 400, has: ["query.invalid", "limit"] },
      { ...admin, ...get("/api/files?limit=101"), status: 400, has: ["query.invalid", "limit"] },
      { ...admin, ...get("/api/files?offset=-1"), status: 400, has: ["query.invalid", "offset"] },
      { ...admin, ...get("/api/files?offset=x"), status: 400, has: ["query.invalid", "offset"] },
      {
        ...admin,
        ...get("/api/files/mine"),
        status: 200,
        has: [
          '"urls":{"previewUrl":"http://satchel.test/api/file-view/mine?grant=',
          '"proxyDownloadUrl":"http://satchel.test/api/file-download/mine?grant=',
          '"remark":"note"',
          '"max_views":5',
        ],
        hasNot: ["sesame"],
      },
      { ...admin, ...get("/api/files/other"), status: 200, has: ["/api/file-view/other"], hasNot: ["grant"] },
      { ...admin, ...get("/api/files/nothing"), status: 404, has: ["share.missing"] },
      { ...admin, ...get("/api/files/waits"), status: 404, has: ["share.missing"] },
      { ...put({}), status: 200, has: ['"slug":"mine"', '"id":"mine"'] },
      { ...put({ slug: "fresh" }), status: 200, has: ['"slug":"fresh"'] },
      { ...put({ slug: "mine" }), status: 200, has: ['"slug":"mine"'] },
      { ...put({ slug: null }), status: 200, hasNot: ['"slug":"mine"'] },
      { ...put({ slug: "" }), status: 200, hasNot: ['"slug":"mine"'] },
      { ...put({ slug: "other" }), status: 409, has: ["slug.taken"] },
      { ...put({ slug: "waits" }), status: 409, has: ["slug.taken"] },
      { ...put({ slug: "other" }), headers: { "accept-language": "zh" }, status: 409, has: ["已被占用"] },
      { ...put({ slug: "a/b" }), status: 400, has: ["slug.invalid"] },
      { ...put({ slug: "file" }), status: 400, has: ["slug.reserved"] },
      { ...put({ remark: "r".repeat(501) }), status: 400, has: ["body.invalid", "remark"] },
      { ...put({ password: "p".repeat(129) }), status: 400, has: ["body.invalid", "password"], hasNot: ["ppp"] },
      { ...put({ max_views: -1 }), status: 400, has: ["body.invalid", "max_views"] },
      { ...put({ max_views: 1.5 }), status: 400, has: ["body.invalid", "max_views"] },
      { ...put({ use_proxy: "maybe" }), status: 400, has: ["body.invalid", "use_proxy"] },
      { ...put({ expires_at: "soon" }), status: 400, has: ["body.invalid", "expires_at"] },
      { ...put({ expires_at: "2001-01-01T00:00:00Z" }), status: 400, has: ["expiry.past"] },
      { ...put({ expires_at: "9999-12-31T23:59:59-23:59" }), status: 400, has: ["body.invalid", "expires_at"] },
      { ...put("{"), status: 400, has: ["body.malformed"] },
      { ...put({ remark: "x" }), url: "/api/files/nothing", status: 404, has: ["share.missing"] },
      {
        ...admin,
        ...remove({ ids: ["mine", "nothing", "waits"] }),
        status: 200,
        has: ['"success":2', '"id":"nothing"'],
      },
      { ...admin, ...remove({ ids: ["mine", "mine"] }), status: 200, has: ['"success":1', '"failed":[]'] },
      {
        ...admin,
        ...remove({ ids: ["nothing"] }),
        status: 404,
        has: ['"success":false', '"error":"share.missing"', '"success":0', "This share does not exist (404)."],
      },
      {
        ...admin,
        ...remove({ ids: ["nothing"] }),
        headers: { "accept-language": "zh" },
        status: 404,
        has: ["分享不存在"],
      },
      { ...admin, ...remove({ ids: ["mine"], delete_mode: "record_only" }), status: 200, has: ['"success":1'] },
      { ...admin, ...remove({ ids: ["mine"], delete_mode: "both" }), status: 200, has: ['"success":1'] },
      { ...admin, ...remove({ ids: ["mine"], delete_mode: "all" }), status: 400, has: ["body.invalid", "delete_mode"] },
      { ...admin, ...remove({ ids: [] }), status: 400, has: ["body.invalid", "ids"] },
      { ...admin, ...remove({ ids: "mine" }), status: 400, has: ["body.invalid", "ids"] },
      { ...admin, ...remove({ ids: [7] }), status: 400, has: ["body.invalid", "ids"] },
      { ...admin, ...remove({}), status: 400, has: ["body.invalid", "ids"] },
      { ...admin, ...remove({ ids: Array.from({ length: 1001 }, (_, i) => `${i}`) }), status: 400, has: ["ids"] },
      {
        ...admin,
        ...remove({ ids: Array.from({ length: 1000 }, (_, i) => `${i}`) }),
        status: 404,
        has: ['"success":0'],
      },
    ],
    furnish,
  );

  test("what is refused changes nothing", async () => {
    await using house = await openTestHouse();
    await furnish(house);
    const before = await read(house, "mine");
    const variants = [{ slug: "other" }, { slug: "a b" }, { max_views: -1 }, { expires_at: "2001-01-01T00:00:00Z" }];
    for (const fields of variants)
      expect((await update(house, "mine", { remark: "x", ...fields })).status).not.toBe(200);
    expect(await read(house, "mine")).toEqual(before);
    await ask(house, files.remove, { body: { ids: ["nothing"] } });
    expect(filesOf(house).length).toBe(2);
  });

  test("an edit changes what it names and keeps the rest, and the views", async () => {
    await using house = await openTestHouse();
    await furnish(house);
    await house.request("/api/file-view/mine?password=sesame");
    house.clock.advance(1000);
    const before = await read(house, "mine");
    expect(before.views).toBe(1);
    expect((await update(house, "mine", { remark: "new" })).status).toBe(200);
    const { updated_at } = await read(house, "mine");
    expect(updated_at).toBe("2030-01-02T03:04:06.678Z");
    const changes = [
      [{ remark: null }, { remark: null }],
      [{ max_views: 9 }, { max_views: 9 }],
      [{ max_views: null }, { max_views: 0 }],
      [{ max_views: 7 }, { max_views: 7 }],
      [{ use_proxy: true }, { use_proxy: 1 }],
      [{ use_proxy: 0 }, { use_proxy: 0 }],
      [{ expires_at: "2031-01-01T00:00:00+01:00" }, { expires_at: "2030-12-31T23:00:00.000Z" }],
      [{ expires_at: null }, { expires_at: null }],
      [{ slug: "moved" }, { slug: "moved", url: "/file/moved" }],
      [{ password: "other" }, { has_password: true }],
    ] as const;
    let expected: object = stable({ ...before, updated_at, remark: "new" });
    for (const [change, result] of changes) {
      expect((await update(house, "mine", change)).status).toBe(200);
      expected = { ...expected, ...result };
      expect(stable(await read(house, "mine"))).toEqual(expected);
    }
    expect(await statusOf(house, "/api/file-view/moved?password=sesame")).toBe(401);
    expect(await statusOf(house, "/api/file-view/moved?password=other")).toBe(200);
    await update(house, "mine", { password: "", resetViews: true });
    expect(await read(house, "mine")).toMatchObject({ has_password: false, views: 0 });
    expect(await statusOf(house, "/api/file-view/moved")).toBe(200);
  });

  test("what an edit form sends back whole keeps the share as it is", async () => {
    await using house = await openTestHouse();
    await furnish(house);
    await house.request("/api/file-view/mine?password=sesame");
    const { slug, remark, max_views, expires_at } = await read(house, "mine");
    const sent = { id: "mine", slug, remark, max_views, use_proxy: false, expires_at };
    expect((await update(house, "mine", sent)).status).toBe(200);
    expect(await read(house, "mine")).toMatchObject({
      slug,
      remark,
      max_views,
      expires_at,
      views: 1,
      has_password: true,
    });
  });

  test("an edit form may send back an expiry that has passed", async () => {
    await using house = await openTestHouse();
    const expires_at = new Date(house.clock.now() + 1000).toISOString();
    const { id } = await shareFile(house, { expires_at });
    house.clock.advance(2000);
    expect((await update(house, id, { remark: "late", expires_at })).status).toBe(200);
    expect(await read(house, id)).toMatchObject({ remark: "late", expires_at });
  });

  test("edits at once all come through, each to what it names", async () => {
    await using house = await openTestHouse();
    await furnish(house);
    const edits = [{ remark: "r" }, { max_views: 9 }, { slug: "moved" }, { password: "new" }];
    const answers = await Promise.all(edits.map((body) => update(house, "mine", body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await read(house, "mine")).toMatchObject({ remark: "r", max_views: 9, slug: "moved" });
    expect(await statusOf(house, "/api/file-view/moved?password=new")).toBe(200);
  });

  test("one slug that two shares want at once is one's", async () => {
    await using house = await openTestHouse();
    const made = await Promise.all([shareFile(house), shareFile(house)]);
    const answers = await Promise.all(made.map(({ id }) => update(house, id, { slug: "wanted" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("a spent share opens again when its limit is raised or its views are reset", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "mine", max_views: 1 });
    const spent = async () => [
      await statusOf(house, "/api/file-view/mine"),
      await statusOf(house, "/api/file-view/mine"),
    ];
    expect(await spent()).toEqual([200, 410]);
    await update(house, id, { max_views: 2 });
    expect(await spent()).toEqual([200, 410]);
    await update(house, id, { resetViews: true, max_views: 1 });
    expect(await spent()).toEqual([200, 410]);
    await update(house, id, { max_views: 0 });
    expect(await spent()).toEqual([200, 200]);
  });

  test("a limit below the views that were spent closes the share", async () => {
    await using house = await openTestHouse();
    const { id } = await shareFile(house, { slug: "mine" });
    for (let index = 0; index < 3; index++) await house.request("/api/file-view/mine");
    await update(house, id, { max_views: 3 });
    expect(await statusOf(house, "/api/file-view/mine")).toBe(410);
    expect(await read(house, id)).toMatchObject({ views: 3, max_views: 3 });
  });

  test("a batch removes what it can, with its files, and says what it could not", async () => {
    await using house = await openTestHouse();
    await furnish(house);
    const ids = ["mine", "nothing", "waits"];
    const { data } = await ask(house, files.remove, { body: { ids } });
    expect(data).toEqual({ success: 2, failed: [{ id: "nothing", error: "This share does not exist (404)." }] });
    expect(filesOf(house)).toEqual(["drive/shares/second.png"]);
    expect(await statusOf(house, "/api/file-view/mine?password=sesame")).toBe(404);
    expect(await statusOf(house, "/api/file-view/other")).toBe(200);
  });
});

test("no password, grant or signature stands in the log", async () => {
  await using house = await openTestHouse();
  const { data } = await presign(house, { slug: "logged", password: "sesame" });
  await house.request(data.upload_url, {
    method: "PUT",
    headers: { "content-type": "text/plain", "content-length": "5" },
    body: "hello",
  });
  const { data: shared } = await ask(house, uploads.commit, { body: { file_id: data.file_id } });
  await house.request(`/api/file-view/logged?grant=${shared.grant}`);
  await house.request("/api/file-view/logged?password=sesame");
  const log = house.log();
  expect(log).toContain("/api/file-view/logged");
  const signature = new URL(data.upload_url).searchParams.get("X-Amz-Signature") ?? "none";
  for (const secret of ["sesame", shared.grant ?? "none", signature]) expect(log).not.toContain(secret);
});
