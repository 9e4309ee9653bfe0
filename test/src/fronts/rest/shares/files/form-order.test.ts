import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type FileRecord, files } from "#contract/files";
import { settings } from "#contract/settings";
import { sql } from "../../../../../../src/database/sql.ts";
import { END, FORM_TYPE, field, filePart } from "../../../../../support/clients/form-body.ts";
import { slowBody } from "../../../../../support/clients/slow-body.ts";
import { makeKey, withKey } from "../../../../../support/make-key.ts";
import { listen } from "../../../../../support/servers/listening.ts";
import { ask, filesOf, nothing, remains } from "../../../../../support/share-file.ts";
import { temporaryFolder } from "../../../../../support/temporary-folder.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";
import { until } from "../../../../../support/until.ts";

/** Forms whose fields stand before their file, after it, or on both sides. */

const file = filePart("hello");
const fields = {
  slug: field("slug", "mine"),
  path: field("path", "docs"),
  remark: field("remark", "a remark"),
  password: field("password", "sesame"),
  expires_in: field("expires_in", "24"),
  max_views: field("max_views", "3"),
  filename: field("filename", "other.md"),
  size: field("size", "5"),
};

async function post(house: TestHouse, body: BodyInit) {
  const headers = { authorization: `Bearer ${await house.signIn()}`, "content-type": FORM_TYPE };
  const response = await house.request("/api/upload", { method: "POST", headers, body });
  const answer = (await response.json()) as { error?: string; data: FileRecord };
  return { ...answer, status: response.status };
}

/** Every way to have some of these before the file and the others after it. */
function sides(parts: readonly string[]): string[] {
  return Array.from({ length: 2 ** parts.length }, (_, mask) => {
    const before = parts.filter((_part, index) => mask & (1 << index));
    return [...before, file, ...parts.filter((part) => !before.includes(part))].join("") + END;
  });
}

describe("the order of a form", () => {
  test("does not matter: every split of the fields makes the same share", async () => {
    await using house = await openTestHouse();
    const { slug, path, password, max_views, filename } = fields;
    for (const body of sides([slug, path, password, max_views, filename])) {
      const { status, data } = await post(house, body);
      expect([status, data.slug, data.filename, data.max_views]).toEqual([201, "mine", "other.md", 3]);
      expect([data.storage_path, data.mimetype, data.size]).toEqual(["shares/docs/other.md", "text/markdown", 5]);
      expect(await (await house.request("/api/file-view/mine?password=sesame")).text()).toBe("hello");
      expect(filesOf(house)).toEqual(["drive/shares/docs/other.md"]);
      await ask(house, files.remove, { body: { ids: [data.id] } });
      expect(await remains(house)).toEqual(nothing);
    }
  });

  test("all fields after the file", async () => {
    await using house = await openTestHouse();
    const { status, data } = await post(house, file + Object.values(fields).join("") + END);
    expect(status).toBe(201);
    expect(data).toMatchObject({ slug: "mine", remark: "a remark", has_password: true, max_views: 3, size: 5 });
    expect(data.expires_at).toBe("2030-01-03T03:04:05.678Z");
  });

  test("a slug after the file that is taken leaves nothing, on whichever side the others are", async () => {
    await using house = await openTestHouse();
    expect(await post(house, fields.slug + file + END)).toMatchObject({ status: 201 });
    const before = await remains(house);
    for (const body of [
      file + fields.slug,
      fields.remark + file + fields.slug,
      fields.remark + file + fields.path + fields.slug,
    ])
      expect(await post(house, body + END)).toMatchObject({ status: 409, error: "slug.taken" });
    expect(await remains(house)).toEqual(before);
  });

  test("a storage that is named after the file gets it, and no other keeps a copy", async () => {
    await using house = await openTestHouse();
    await house.configure(sql`
      insert into storage_configs (id, name, provider_type, endpoint_url, bucket_name, region, access_key_id, sealed_secret,
        path_style, default_folder, is_public, is_default, total_storage_bytes, custom_host, signature_expires_in,
        created_at, updated_at, last_used)
      select 'second', 'second', provider_type, endpoint_url, 'second', region, access_key_id, sealed_secret, path_style,
        'in/', is_public, 0, total_storage_bytes, custom_host, signature_expires_in, created_at, updated_at, last_used
      from storage_configs where is_default = 1`);
    const named = field("s3_config_id", "second");
    for (const body of [file + named, fields.remark + file + named])
      expect(await post(house, body + END)).toMatchObject({ status: 201, data: { storage_config_id: "second" } });
    expect(filesOf(house).every((name) => name.startsWith("second/in/"))).toBe(true);
    expect(filesOf(house).length).toBe(2);
  });

  test("a file that comes first is written once: what waited for the end of the form becomes the object", async () => {
    await using house = await openTestHouse();
    const slow = slowBody(file, fields.slug + END);
    const posting = post(house, slow.body);
    const aside = join(house.objects, ".incoming");
    const [name = ""] = await until(
      () => filesOf(house).filter((one) => one.startsWith(".incoming/")),
      (names) => names.length === 1,
    );
    const { ino } = await stat(join(house.objects, name));
    slow.finish();
    expect(await posting).toMatchObject({ status: 201, data: { slug: "mine" } });
    expect((await stat(join(house.objects, "drive/shares/note.txt"))).ino).toBe(ino);
    expect(await readdir(aside)).toEqual([]);
  });

  test("a file that comes first is refused beyond the largest size, and nothing is left", async () => {
    await using house = await openTestHouse();
    await ask(house, settings.update, { params: { group: "1" }, body: { max_upload_size: 1 } });
    const large = filePart("x".repeat(1024 * 1024 + 1));
    expect(await post(house, large + fields.slug + END)).toMatchObject({ status: 413, error: "file.tooLarge" });
    expect(await remains(house)).toEqual(nothing);
  });

  test("whose key is revoked before the last field comes shares nothing", async () => {
    await using house = await openTestHouse();
    const key = await makeKey(house);
    const slow = slowBody(file, fields.slug + END);
    const headers = { ...withKey(key), "content-type": FORM_TYPE };
    const posting = house.request("/api/upload", { method: "POST", headers, body: slow.body });
    await slow.begun;
    await house.house.access.keys.remove(key.id);
    slow.finish();
    expect((await posting).status).toBe(401);
    expect(await remains(house)).toEqual(nothing);
  });

  test("the real curl, with the file first, in the middle and last", async () => {
    await using house = await openTestHouse();
    await using server = listen(house);
    using folder = temporaryFolder();
    const source = join(folder.path, "notes.md");
    writeFileSync(source, "# hi\n");
    const header = `Authorization: Bearer ${await house.signIn()}`;
    const forms = [
      ["-F", `file=@${source}`, "-F", "slug=a", "-F", "max_views=2"],
      ["-F", "slug=b", "-F", `file=@${source}`, "-F", "max_views=2"],
      ["-F", "slug=c", "-F", "max_views=2", "-F", `file=@${source}`],
    ];
    for (const form of forms) {
      const curl = Bun.spawn(["curl", "-sS", "-H", header, ...form, `${server.address}/api/upload`]);
      const { code, data } = (await new Response(curl.stdout).json()) as { code: number; data: FileRecord };
      expect([code, data.filename, data.max_views, data.size]).toEqual([201, "notes.md", 2, 5]);
    }
  });
});
