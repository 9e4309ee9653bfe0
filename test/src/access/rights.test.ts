import { describe, expect, test } from "bun:test";
import { type Permission, permissionBits, permissions } from "#contract/permissions";
import type { Caller } from "../../../src/access/principal.ts";
import { mayDo, maySee, mayTouch, owns, type Protocol, rights, type Verb } from "../../../src/access/rights.ts";

const admin: Caller = { kind: "admin", sessionId: null };
const key = (bits: number, basePath = "/"): Caller => ({
  kind: "key",
  id: "k1",
  name: "key",
  permissions: bits,
  basePath,
  isVisitor: false,
});

/** What SPEC section 6 and the wire say of the bits, written a second time. */
const expected: Readonly<Record<Permission, Partial<Record<Protocol, readonly Verb[]>>>> = {
  text: {},
  file_share: {},
  mount_view: {
    mount: ["list", "stat", "read", "download", "link", "search"],
    s3: ["list", "stat", "read", "download", "link", "search"],
  },
  mount_upload: { mount: ["mkdir", "write", "lock", "restore"], s3: ["mkdir", "write", "lock", "restore"] },
  mount_copy: { mount: ["copy"], s3: ["copy"] },
  mount_rename: { mount: ["move"], s3: ["move"] },
  mount_delete: { mount: ["remove"], s3: ["remove"] },
  webdav_read: { dav: ["list", "stat", "read", "download", "link", "search"] },
  webdav_manage: { dav: ["mkdir", "write", "lock", "move", "copy", "remove", "restore"] },
};

const all = Object.entries(rights).flatMap(([protocol, verbs]) =>
  Object.keys(verbs).map((verb) => [protocol as Protocol, verb as Verb] as const),
);

describe("what a right opens", () => {
  test.each(permissions.map((one) => [one] as const))("%s", (permission) => {
    const may = all.filter(([protocol, verb]) => mayDo(key(permissionBits[permission]), protocol, verb));
    const wanted = Object.entries(expected[permission]).flatMap(([protocol, verbs]) =>
      verbs.map((verb) => [protocol, verb]),
    );
    expect(may.map(String).sort()).toEqual(wanted.map(String).sort());
  });

  test("the administrator needs none", () => {
    expect(all.filter(([protocol, verb]) => !mayDo(admin, protocol, verb))).toEqual([]);
    expect(all.filter(([protocol, verb]) => mayDo(key(0), protocol, verb))).toEqual([]);
  });
});

describe("where", () => {
  test.each([
    ["/", "/", true, true],
    ["/", "/any/where", true, true],
    ["/team", "/team", true, true],
    ["/team", "/team/photos", true, true],
    ["/team", "/", false, true],
    ["/team", "/teams", false, false],
    ["/team", "/tea", false, false],
    ["/team", "/other/team", false, false],
    ["/team/photos", "/team", false, true],
    ["/team/photos", "/team/texts", false, false],
    ["/team/photos", "/team/photo", false, false],
    ["/团队", "/团队/照片", true, true],
    ["/Team", "/team", false, false],
  ])("base path %s and %s: touch %p, see %p", (base, path, touch, see) => {
    expect([mayTouch(key(0, base), path), maySee(key(0, base), path)]).toEqual([touch, see]);
    expect([mayTouch(admin, path), maySee(admin, path)]).toEqual([true, true]);
  });
});

test("a key owns what its id made, with and without the prefix; the admin owns all", () => {
  const names = ["apikey:k1", "k1", "apikey:k2", "k2", "admin", "system", ""];
  expect(names.filter((name) => owns(key(0), name))).toEqual(["apikey:k1", "k1"]);
  expect(names.filter((name) => owns(admin, name))).toEqual(names);
});
