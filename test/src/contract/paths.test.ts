import { expect, test } from "bun:test";
import { cleanPath } from "#contract/paths";
import { ALL_PERMISSIONS, allows, bitsOf, permissionBits, permissions, permissionsOf } from "#contract/permissions";

test.each([
  ["/", "/"],
  ["//", "/"],
  ["/team", "/team"],
  ["/team/", "/team"],
  ["/team//photos///", "/team/photos"],
  ["/a b/%20/#?+", "/a b/%20/#?+"],
  ["/团队/照片 🔑", "/团队/照片 🔑"],
  ["/cafe\u0301/\u1112\u1161\u11ab", "/caf\u00e9/\ud55c"],
  ["/...", "/..."],
  ["/.hidden", "/.hidden"],
  ["/team/ ", "/team/ "],
  [`/${"a".repeat(255)}`, `/${"a".repeat(255)}`],
  ["", undefined],
  ["team", undefined],
  [" /team", undefined],
  ["./team", undefined],
  ["/..", undefined],
  ["/team/..", undefined],
  ["/team/../other", undefined],
  ["/./team", undefined],
  ["/team/.", undefined],
  ["/team\\photos", undefined],
  ["\\team", undefined],
  ["/team\u0000", undefined],
  ["/team\n", undefined],
  ["/team\u007f", undefined],
  ["/\ud800", undefined],
  ["/a/.satchel-staging-trash/b", undefined],
  ["/.SATCHEL-STAGING-x", undefined],
  // Disks that do not tell small letters from large ones take these for the same name.
  ["/.\u017fatchel-staging-trash", undefined],
  ["/.sat\u200dchel-staging-trash", undefined],
  ["/\ufeff.satchel-staging-writes", undefined],
  ["/\u017fatchel", "/\u017fatchel"],
  [`/${"a".repeat(256)}`, undefined],
  [`/${"a/".repeat(1000)}`, undefined],
])("%j is cleaned to %j", (path, clean) => {
  expect(cleanPath(path)).toBe(clean);
});

test("rights and bits are the same, one by one and together", () => {
  expect(ALL_PERMISSIONS).toBe(204_547);
  expect(permissionsOf(ALL_PERMISSIONS)).toEqual([...permissions]);
  for (const one of permissions) {
    expect(bitsOf([one])).toBe(permissionBits[one]);
    expect(permissionsOf(permissionBits[one])).toEqual([one]);
    expect(permissions.filter((other) => allows(permissionBits[one], other))).toEqual([one]);
  }
  expect(bitsOf([])).toBe(0);
});
