import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { FileRecord } from "#contract/files";
import { sql } from "../../../../../../src/database/sql.ts";
import { BOUNDARY, END, FORM_TYPE, field, filePart } from "../../../../../support/clients/form-body.ts";
import { type Actor, scenarios } from "../../../../../support/scenario.ts";
import { filesOf, nothing, remains, shareFile } from "../../../../../support/share-file.ts";
import { temporaryFolder } from "../../../../../support/temporary-folder.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const MiB = 1024 * 1024;
const form = (body: string, type = FORM_TYPE) =>
  ({ as: "admin" as Actor, method: "POST", url: "/api/upload", body, headers: { "content-type": type } }) as const;
const file = filePart("hello");

/** Sends a form as the administrator and answers the share. */
async function post(house: TestHouse, body: BodyInit, type?: string) {
  const headers: Record<string, string> = { authorization: `Bearer ${await house.signIn()}` };
  if (type) headers["content-type"] = type;
  const response = await house.request("/api/upload", { method: "POST", headers, body });
  const answer = (await response.json()) as { error?: string; message: string; data: FileRecord };
  return { ...answer, status: response.status };
}

describe("sharing a file by a form", () => {
  scenarios(
    [
      { ...form(file + END), as: "anyone", status: 401, has: ["auth.required"] },
      { ...form(file + END), as: "wrong token", status: 401, has: ["auth.expired"] },
      {
        ...form(file + END),
        status: 201,
        has: ['"filename":"note.txt"', '"size":5', '"mimetype":"text/plain"', '"success":true', '"code":201'],
      },
      {
        name: "limits by the names that texts have for them",
        ...form(field("maxViews", "3") + file + field("expiresAt", "2031-01-01T00:00:00Z") + END),
        status: 201,
        has: ['"max_views":3', '"expires_at":"2031-01-01T00:00:00.000Z"'],
      },
      { ...form(field("ttl", "60") + file + END), status: 400, has: ["limit.unknown", "ttl"] },
      { ...form(file + field("one_time", "true") + END), status: 400, has: ["limit.unknown", "one_time"] },
      {
        name: "all fields",
        ...form(
          field("slug", "mine") +
            field("path", "deep/er") +
            field("remark", "备注") +
            field("password", "sesame") +
            field("expires_in", "24") +
            field("max_views", "3") +
            field("use_proxy", "true") +
            field("size", "5") +
            field("s3_config_id", "") +
            file +
            END,
        ),
        status: 201,
        has: [
          '"slug":"mine"',
          '"storage_path":"shares/deep/er/note.txt"',
          '"remark":"备注"',
          '"has_password":true',
          '"expires_at":"2030-01-03T03:04:05.678Z"',
          '"max_views":3',
          '"use_proxy":1',
          '"url":"/file/mine"',
        ],
        hasNot: ["sesame"],
      },
      {
        name: "empty fields",
        ...form(
          ["slug", "path", "remark", "password", "expires_in", "expires_at", "max_views", "use_proxy", "size"]
            .concat("filename", "mimetype", "s3_config_id")
            .map((name) => field(name, ""))
            .join("") +
            file +
            END,
        ),
        status: 201,
        has: ['"filename":"note.txt"', '"mimetype":"text/plain"', '"has_password":false', '"max_views":0'],
      },
      { ...form(field("unknown", "x") + file + END), status: 201 },
      { ...form(`preamble\r\n${file}${END}epilogue`), status: 201, has: ['"size":5'] },
      { name: "a field's name", ...form(field("filename", "其他.md") + file + END), status: 201, has: ["其他.md"] },
      {
        name: "a field's type",
        ...form(field("mimetype", "image/png") + filePart("x", 'filename="a"') + END),
        status: 201,
        has: ["image/png"],
      },
      {
        name: "the file's own type",
        ...form(filePart("x", 'filename="a"', "Image/PNG; a=b") + END),
        status: 201,
        has: ["image/png"],
      },
      { ...form(filePart("x", 'filename="文件 #1.txt"') + END), status: 201, has: ['"filename":"文件 #1.txt"'] },
      { ...form(filePart("x", "filename*=UTF-8''%E6%96%87.txt") + END), status: 201, has: ['"filename":"文.txt"'] },
      { ...form(filePart("x", "filename=\"a.txt\"; filename*=UTF-8''%E6%96%87.txt") + END), status: 201 },
      {
        name: "a name with its way",
        ...form(filePart("x", 'filename="/a/b.txt"') + END),
        status: 201,
        has: ['"b.txt"'],
      },
      { ...form(filePart("x", 'filename="C:\\\\a\\\\b.txt"') + END), status: 201, has: ['"filename":"b.txt"'] },
      { ...form(filePart("x", 'filename="a \\"b\\".txt"') + END), status: 201, has: ['"filename":"a \\"b\\".txt"'] },
      { ...form(filePart("x", 'filename="a %22b%22 100%.txt"') + END), status: 201, has: ['"a \\"b\\" 100%.txt"'] },
      { ...form(filePart("x", 'filename=".."') + END), status: 400, has: ["filename.invalid"] },
      { ...form(filePart("x", 'filename=""') + END), status: 400, has: ["filename.invalid"] },
      { ...form(filePart("x", `filename="${"n".repeat(256)}"`) + END), status: 400, has: ["filename.invalid"] },
      { ...form(field("filename", "a/b") + file + END), status: 400, has: ["filename.invalid"] },
      { ...form(field("path", "../..") + file + END), status: 400, has: ["path.invalid"] },
      { ...form(field("path", "other.txt") + file + END), status: 409, has: ["path.conflict"] },
      { ...form(field("slug", "taken") + file + END), status: 409, has: ["slug.taken"] },
      { ...form(field("slug", "a b") + file + END), status: 400, has: ["slug.invalid"] },
      { ...form(field("max_views", "many") + file + END), status: 400, has: ["body.invalid", "max_views"] },
      { ...form(field("remark", "r".repeat(501)) + file + END), status: 400, has: ["remark"], hasNot: ["rrr"] },
      { ...form(field("s3_config_id", "nothing") + file + END), status: 404, has: ["storage.missing"] },
      { ...form(field("expires_at", "2001-01-01T00:00:00Z") + file + END), status: 400, has: ["expiry.past"] },
      { ...form("", "application/json"), status: 400, has: ["form.malformed"] },
      { ...form("{}", "application/json"), status: 400, has: ["form.malformed"] },
      { ...form(file + END, "multipart/form-data"), status: 400, has: ["form.malformed"] },
      { ...form(file + END, "multipart/form-data; boundary="), status: 400, has: ["form.malformed"] },
      { ...form(file + END, `multipart/form-data; boundary=${"b".repeat(300)}`), status: 400, has: ["form.malformed"] },
      { ...form(file + END, "multipart/form-data; xboundary=x"), status: 400, has: ["form.malformed"] },
      { ...form(file + END, `multipart/form-data; boundary="${BOUNDARY}"`), status: 201 },
    ],
    async (house) => {
      await shareFile(house, { slug: "taken", filename: "other.txt" });
    },
  );

  test.each([
    ["without a file", field("slug", "mine") + END, "form.malformed"],
    ["without anything", END, "form.malformed"],
    ["with nothing but noise", "noise ".repeat(100), "form.malformed"],
    ["with two files", file + filePart("second", 'filename="b.txt"') + END, "form.malformed"],
    ["with a field twice before its file", field("slug", "a") + field("slug", "b") + file + END, "form.repeated"],
    ["with a field before and after its file", field("slug", "a") + file + field("slug", "b") + END, "form.repeated"],
    ["with a field twice after its file", file + field("slug", "a") + field("slug", "b") + END, "form.repeated"],
    ["with a bad field after its file", file + field("slug", "a b") + END, "slug.invalid"],
    [
      "with a bad field after its file and one before",
      field("path", "a") + file + field("slug", "a b") + END,
      "slug.invalid",
    ],
    ["with a wrong size after its file", file + field("size", "6") + END, "upload.length"],
    [
      "with a wrong size after its file, and a field before",
      field("slug", "a") + file + field("size", "6") + END,
      "upload.length",
    ],
    ["with two files, and a field between", file + field("slug", "a") + filePart("second") + END, "form.malformed"],
    ["with its file first, that ends before its end", file + field("slug", "a"), "form.malformed"],
    ["with its file first, that ends inside a field", file + field("slug", "mine").slice(0, -5), "form.malformed"],
    ["with another boundary", file.replaceAll(BOUNDARY, "----other") + END, "form.malformed"],
    ["that ends inside a field", field("slug", "mine").slice(0, -5), "form.malformed"],
    ["that ends inside the file", file.slice(0, -4), "form.malformed"],
    ["that ends before its end", file, "form.malformed"],
    ["with a field that is too long", field("remark", "r".repeat(10_001)) + file + END, "body.invalid"],
    [
      "with too many fields",
      Array.from({ length: 60 }, (_, i) => field(`f${i}`, "x")).join("") + file + END,
      "form.malformed",
    ],
    ["with a file shorter than it says", field("size", "6") + file + END, "upload.length"],
    ["with a file longer than it says", field("size", "4") + file + END, "upload.length"],
    [
      "with a large file longer than it says",
      field("size", "4") + filePart("x".repeat(3 * MiB)) + END,
      "upload.length",
    ],
    ["with a large file that is cut off", filePart("x".repeat(3 * MiB)), "form.malformed"],
  ])("a form %s leaves nothing behind", async (_, body, error) => {
    await using house = await openTestHouse();
    expect(await post(house, body, FORM_TYPE)).toMatchObject({ status: 400, error, data: null });
    expect(await remains(house)).toEqual(nothing);
    expect(house.log()).not.toContain('"unhandled error"');
  });

  test("a file beyond the limit is refused while it arrives, and leaves nothing", async () => {
    using folder = temporaryFolder();
    const database = { file: join(folder.path, "satchel.db") };
    {
      await using before = await openTestHouse(database);
      await before.db.run(sql`update settings set value = '1' where name = 'max_upload_size'`);
    }
    await using house = await openTestHouse(database);
    const chunk = new TextEncoder().encode("x".repeat(MiB / 4));
    let pulled = 0;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(filePart("").slice(0, -2))),
      pull(controller) {
        pulled += 1;
        if (pulled > 400) return controller.close();
        controller.enqueue(chunk);
      },
    });
    const answer = await post(house, body, FORM_TYPE);
    expect(answer).toMatchObject({ status: 413, error: "file.tooLarge" });
    expect(answer.message).toContain("1.00 MB");
    expect(pulled).toBeLessThan(100);
    expect(await post(house, field("size", String(MiB + 1)) + file + END, FORM_TYPE)).toMatchObject({ status: 413 });
    expect(await remains(house)).toEqual(nothing);
    expect(await post(house, filePart("x".repeat(MiB)) + END, FORM_TYPE)).toMatchObject({ status: 201 });
  });

  test("a file beyond the room that is left is refused, and leaves nothing", async () => {
    await using house = await openTestHouse();
    await house.configure(sql`update storage_configs set total_storage_bytes = 100`);
    expect(await post(house, filePart("x".repeat(101)) + END, FORM_TYPE)).toMatchObject({
      status: 507,
      error: "storage.full",
    });
    expect(await remains(house)).toEqual(nothing);
    const at60 = () => post(house, filePart("x".repeat(60)) + END, FORM_TYPE);
    const statuses = (await Promise.all([at60(), at60(), at60()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 507, 507]);
    expect(await remains(house)).toMatchObject({ shares: 1, uploads: 1, attributes: 1 });
    expect(filesOf(house).length).toBe(1);
  });

  test("the form that a browser makes", async () => {
    await using house = await openTestHouse();
    const bytes = new Uint8Array(3 * MiB).map((_, index) => index * 7);
    const made = new FormData();
    made.set("slug", "browser");
    made.set("password", "sesame");
    made.set("max_views", "2");
    made.set("file", new File([bytes], '文件 "quoted" 100%.png', { type: "image/png" }));
    const { status, data } = await post(house, made);
    expect(status).toBe(201);
    expect(data).toMatchObject({ filename: '文件 "quoted" 100%.png', size: bytes.length, mimetype: "image/png" });
    expect(data).toMatchObject({
      slug: "browser",
      has_password: true,
      max_views: 2,
      created_by: "admin",
      typeName: "image",
    });
    const stored = await (await house.request(`/api/file-view/browser?grant=${data.grant}`)).bytes();
    expect(Bun.hash(stored)).toBe(Bun.hash(bytes));
  });

  test("the form that curl -F makes", async () => {
    await using house = await openTestHouse();
    const boundary = "------------------------d74496d66958873e";
    const body = [
      `--${boundary}\r\nContent-Disposition: form-data; name="slug"\r\n\r\ncurl\r\n`,
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="notes.md"\r\n`,
      `Content-Type: application/octet-stream\r\n\r\n# hi\n\r\n--${boundary}--\r\n`,
    ].join("");
    const { status, data } = await post(house, body, `multipart/form-data; boundary=${boundary}`);
    expect([status, data.filename, data.size, data.mimetype]).toEqual([201, "notes.md", 5, "text/markdown"]);
    expect(await (await house.request("/api/file-view/curl")).text()).toBe("# hi\n");
  });

  test("what looks like the boundary inside the file is part of the file", async () => {
    await using house = await openTestHouse();
    const tricky = `\r\n--${BOUNDARY.slice(0, -1)}\r\n\r\n--\r\n${BOUNDARY}`;
    const { data } = await post(house, filePart(tricky) + END, FORM_TYPE);
    expect(await (await house.request(`/api/file-view/${data.slug}`)).text()).toBe(tricky);
  });

  test("a form that comes byte by byte is the same form", async () => {
    await using house = await openTestHouse();
    const text = field("slug", "slow") + file + END;
    const body = new ReadableStream({
      async start(controller) {
        for (const byte of new TextEncoder().encode(text)) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    expect(await post(house, body, FORM_TYPE)).toMatchObject({ status: 201, data: { slug: "slow", size: 5 } });
  });
});
