import { describe, expect, test } from "bun:test";
import { sql } from "../../../../src/database/sql.ts";
import { makeTwoKeys, OTHER } from "../../../support/callers/two-keys.ts";
import { makeKey } from "../../../support/make-key.ts";
import { scenarios } from "../../../support/scenario.ts";
import { openTestHouse } from "../../../support/test-house.ts";

const url = "/api/admin/api-keys";
const admin = { as: "admin" } as const;
const create = (body: unknown) => ({ ...admin, method: "POST" as const, url, body });

const invalid = (field: string) => ({ status: 400, has: ["body.invalid", field] });

describe("making keys", () => {
  scenarios(
    [
      { ...create({ name: "new" }), as: "anyone", status: 401, has: ["auth.required"] },
      { ...create({ name: "new" }), as: "wrong token", status: 401, has: ["auth.expired"] },
      { ...create({ name: "new" }), as: "wrong key", status: 401, has: ["key.invalid"] },
      { ...create({ name: "new" }), as: "any key", status: 403, has: ["auth.forbidden"] },
      { ...create({ name: "new" }), as: "visitor", status: 401, has: ["auth.required"] },
      {
        name: "with nothing but a name",
        ...create({ name: " new " }),
        status: 201,
        has: [
          '"code":201',
          '"name":"new"',
          '"permissions":0',
          '"permission_names":[]',
          '"role":"GENERAL"',
          '"basic_path":"/"',
          '"is_guest":0',
          '"expires_at":"2030-01-03T03:04:05.678Z"',
          '"is_expired":false',
          '"last_used":null',
          '"created_at":"2030-01-02T03:04:05.678Z"',
        ],
      },
      {
        name: "as existing clients write it",
        ...create({
          name: "new",
          expires_at: null,
          permissions: 66_307,
          role: "ADMIN",
          custom_key: "My_own-Key9",
          basic_path: "/team//photos/",
          is_guest: 0,
        }),
        status: 201,
        has: [
          '"key":"My_own-Key9"',
          '"key_masked":"My_own..."',
          '"permissions":66307',
          '"permission_names":["text","file_share","mount_view","mount_upload","webdav_read"]',
          '"role":"ADMIN"',
          '"basic_path":"/team/photos"',
          '"expires_at":"9999-12-31T23:59:59.000Z"',
        ],
      },
      { ...create({}), ...invalid("name") },
      { ...create({ name: "" }), ...invalid("name") },
      { ...create({ name: " \t " }), ...invalid("name") },
      { ...create({ name: 7 }), ...invalid("name") },
      { ...create({ name: "n".repeat(101) }), ...invalid("name") },
      { ...create({ name: "n".repeat(100) }), status: 201 },
      { ...create({ name: "钥匙 🔑 'x' --" }), status: 201, has: ["钥匙 🔑 'x' --"] },
      { ...create({ name: "other" }), status: 409, has: ["key.nameTaken"] },
      { ...create({ name: "Other" }), status: 201 },
      {
        ...create({ name: "other" }),
        headers: { "accept-language": "zh" },
        status: 409,
        has: ["密钥名称已存在"],
      },
      { ...create({ name: "new", custom_key: OTHER }), status: 409, has: ["key.taken"], hasNot: [OTHER] },
      { ...create({ name: "new", custom_key: "" }), status: 201 },
      { ...create({ name: "new", custom_key: null }), status: 201 },
      { ...create({ name: "new", custom_key: "a".repeat(8) }), status: 201 },
      { ...create({ name: "new", custom_key: "a".repeat(128) }), status: 201 },
      { ...create({ name: "new", custom_key: "a".repeat(7) }), status: 400, has: ["key.length", "8 to 128"] },
      { ...create({ name: "new", custom_key: "a".repeat(129) }), status: 400, has: ["key.length"], hasNot: ["aaa"] },
      { ...create({ name: "new", custom_key: "with space" }), status: 400, has: ["key.characters"] },
      { ...create({ name: "new", custom_key: "schlüssel" }), status: 400, has: ["key.characters"] },
      { ...create({ name: "new", custom_key: "钥匙钥匙钥匙钥匙" }), status: 400, has: ["key.characters"] },
      { ...create({ name: "new", custom_key: "key:12345" }), status: 400, has: ["key.characters"] },
      { ...create({ name: "new", custom_key: "key-1234\n" }), status: 400, has: ["key.characters"] },
      { ...create({ name: "new", custom_key: 12_345_678 }), ...invalid("custom_key") },
      { ...create({ name: "new", permissions: -1 }), ...invalid("permissions") },
      { ...create({ name: "new", permissions: 4 }), ...invalid("permissions") },
      { ...create({ name: "new", permissions: 1.5 }), ...invalid("permissions") },
      { ...create({ name: "new", permissions: 2 ** 32 + 1 }), ...invalid("permissions") },
      { ...create({ name: "new", permissions: "1" }), ...invalid("permissions") },
      { ...create({ name: "new", permissions: null }), ...invalid("permissions") },
      { ...create({ name: "new", permissions: ["text"] }), ...invalid("permissions") },
      { ...create({ name: "new", permissions: { admin: true } }), ...invalid("permissions") },
      { ...create({ name: "new", permissions: { text: "yes" } }), ...invalid("permissions") },
      { ...create({ name: "new", permissions: 204_547 }), status: 201, has: ['"permissions":204547'] },
      { ...create({ name: "new", permissions: {} }), status: 201, has: ['"permissions":0'] },
      {
        ...create({ name: "new", permissions: { text: true, file: true, webdav_manage: true, mount_view: false } }),
        status: 201,
        has: ['"permissions":131075'],
      },
      { ...create({ name: "new", permissions: { file_share: true } }), status: 201, has: ['"permissions":2'] },
      { ...create({ name: "new", permissions: { file_share: false, file: true } }), status: 201, has: [":2,"] },
      { ...create({ name: "new", role: "OWNER" }), ...invalid("role") },
      { ...create({ name: "new", role: "GUEST" }), status: 201, has: ['"role":"GUEST"', '"is_guest":0'] },
      { ...create({ name: "new", basic_path: "/does/not/exist/" }), status: 201, has: ['"/does/not/exist"'] },
      { ...create({ name: "new", basic_path: "/a/../b" }), status: 400, has: ["basePath.invalid"] },
      { ...create({ name: "new", basic_path: "team" }), status: 400, has: ["basePath.invalid"] },
      { ...create({ name: "new", basic_path: "" }), status: 400, has: ["basePath.invalid"] },
      { ...create({ name: "new", basic_path: "/a\u0000" }), status: 400, has: ["basePath.invalid"] },
      { ...create({ name: "new", basic_path: "/a\\b" }), status: 400, has: ["basePath.invalid"] },
      { ...create({ name: "new", basic_path: `/${"a/".repeat(1000)}` }), status: 400, has: ["basePath.invalid"] },
      { ...create({ name: "new", basic_path: null }), ...invalid("basic_path") },
      { ...create({ name: "new", is_guest: 1 }), status: 201, has: ['"is_guest":1'] },
      { ...create({ name: "new", is_guest: 2 }), ...invalid("is_guest") },
      { ...create({ name: "new", expires_at: "never" }), status: 201, has: ["9999-12-31T23:59:59.000Z"] },
      { ...create({ name: "new", expires_at: "2030-01-02T04:04:05+01:00" }), status: 400, has: ["expiry.past"] },
      { ...create({ name: "new", expires_at: "2001-01-01T00:00:00Z" }), status: 400, has: ["expiry.past"] },
      { ...create({ name: "new", expires_at: "9999-12-31T23:59:59-12:00" }), ...invalid("expires_at") },
      { ...create({ name: "new", expires_at: "9999-12-31T23:59:59.000Z" }), status: 201, has: ["9999-12-31"] },
      {
        ...create({ name: "new", expires_at: "2031-02-03T04:05:06Z" }),
        status: 201,
        has: ["2031-02-03T04:05:06.000Z"],
      },
      { ...create({ name: "new", expires_at: "soon" }), ...invalid("expires_at") },
      { ...create({ name: "new", expires_at: 7 }), ...invalid("expires_at") },
      { ...create("{"), status: 400, has: ["body.malformed"] },
      { ...create("null"), status: 400, has: ["body.invalid"] },
    ],
    makeTwoKeys,
  );

  test("keys are made of 32 letters and digits, their S3 names of 20, and none comes twice", async () => {
    await using house = await openTestHouse();
    const made = await Promise.all(Array.from({ length: 50 }, () => makeKey(house)));
    for (const { key, s3_access_key_id } of made) {
      expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(s3_access_key_id).toMatch(/^[A-Z0-9]{20}$/);
    }
    expect(new Set(made.flatMap(({ key, s3_access_key_id }) => [key, s3_access_key_id])).size).toBe(100);
  });

  test("of two keys made at once under one name, or for visitors, one is refused", async () => {
    await using house = await openTestHouse();
    const codes = async (variants: readonly object[]) =>
      (await Promise.all(variants.map((fields) => makeKey(house, fields).catch((error) => error.code)))).filter(
        (made) => typeof made === "string",
      );
    expect(await codes([{ name: "same" }, { name: "same" }])).toEqual(["key.nameTaken"]);
    expect(await codes([{ custom_key: OTHER }, { custom_key: OTHER }])).toEqual(["key.taken"]);
    expect(await codes([{ is_guest: true }, { is_guest: true }])).toEqual(["key.guestTaken"]);
  });

  test("the database holds neither the key nor a plain hash of it", async () => {
    await using house = await openTestHouse();
    await makeKey(house, { custom_key: OTHER });
    const rows = JSON.stringify(await house.db.all(sql`select * from api_keys`));
    const digest = (algorithm: "sha256" | "md5", encoding: "hex" | "base64url") =>
      new Bun.CryptoHasher(algorithm).update(OTHER).digest(encoding);
    for (const trace of [OTHER, digest("sha256", "hex"), digest("sha256", "base64url"), digest("md5", "hex")])
      expect(rows).not.toContain(trace);
  });
});
