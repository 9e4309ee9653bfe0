import { describe, expect, test } from "bun:test";
import { Failure } from "#contract/failures";
import { ALL_PERMISSIONS } from "#contract/permissions";
import type { Caller, KeyCaller } from "../../../src/access/principal.ts";
import { createTreeGrants } from "../../../src/vfs/grants.ts";
import { createTestClock, hours } from "../../support/test-clock.ts";

const admin: Caller = { kind: "admin", sessionId: "a session" };
const key: KeyCaller = {
  ...{ kind: "key", id: "0199-ab", name: "ci", permissions: ALL_PERMISSIONS, basePath: "/drive", visitor: false },
};
const visitor: KeyCaller = { ...key, visitor: true };

/** Grants of a house whose keys are these. */
function open(...keys: readonly KeyCaller[]) {
  const clock = createTestClock();
  const callerOf = async (owner: string): Promise<Caller | undefined> =>
    owner === "admin" ? { kind: "admin", sessionId: null } : keys.find(({ id }) => owner === `apikey:${id}`);
  const grants = createTreeGrants({ secret: "a secret", clock: clock.now, callerOf });
  return { clock, grants, others: createTreeGrants({ secret: "another", clock: clock.now, callerOf }) };
}

describe("a grant of the tree", () => {
  test("stands in for its owner for exactly its paths, however they are spelled and ordered", async () => {
    const { grants } = open(key);
    const { grant } = grants.make(key, ["/drive/b", "/drive//a/"]);
    expect(await grants.holder(grant, ["/drive/a", "/drive/b/"])).toEqual(key);
    for (const paths of [["/drive/a"], ["/drive/a", "/drive/b", "/drive/c"], ["/drive/a,/drive/b"], []])
      expect(await grants.holder(grant, paths)).toBeUndefined();
  });

  test("holds six hours, or as long as it says", async () => {
    const { clock, grants } = open(key);
    const [usual, short] = [grants.make(key, ["/a"]), grants.make(key, ["/a"], 60)];
    expect([usual.until - clock.now(), short.until - clock.now()]).toEqual([hours(6), 60_000]);
    clock.advance(60_000);
    expect(await grants.holder(short.grant, ["/a"])).toBeUndefined();
    clock.advance(hours(6) - 60_001);
    expect(await grants.holder(usual.grant, ["/a"])).toEqual(key);
    clock.advance(1);
    expect(await grants.holder(usual.grant, ["/a"])).toBeUndefined();
  });

  test("lets its owner do what they may now, and nobody whose key is gone", async () => {
    const { grant } = open(key).grants.make(key, ["/a"]);
    const less = { ...key, permissions: 0, basePath: "/team" };
    expect(await open(less).grants.holder(grant, ["/a"])).toEqual(less);
    expect(await open().grants.holder(grant, ["/a"])).toBeUndefined();
  });

  test("of a visitor holds for as long as the key is the visitors'; whoever has the key is no visitor", async () => {
    const [visitors, bearers] = [
      open(visitor).grants.make(visitor, ["/a"]).grant,
      open(key).grants.make(key, ["/a"]).grant,
    ];
    expect(await open(visitor).grants.holder(visitors, ["/a"])).toEqual(visitor);
    expect(await open(key).grants.holder(visitors, ["/a"])).toBeUndefined();
    expect(await open(visitor).grants.holder(bearers, ["/a"])).toEqual(key);
  });

  test("of the administrator outlives the session", async () => {
    const { grants } = open();
    expect(await grants.holder(grants.make(admin, ["/a"]).grant, ["/a"])).toEqual({ kind: "admin", sessionId: null });
  });

  test("is nothing that anybody can make, change or learn from", async () => {
    const { grants, others } = open(key, { ...key, id: "other" });
    const { grant } = grants.make(key, ["/a"]);
    const [said = "", owner = "", mac = ""] = grant.split(".");
    const forged = [
      ...["", "x", "..", grant.slice(0, -1), `${grant}A`, others.make(key, ["/a"]).grant],
      ...[`v${said.slice(1)}.${owner}.${mac}`, `${said}z.${owner}.${mac}`, `${said}.admin.${mac}`],
      ...[`${said}.apikey:other.${mac}`, `k.${owner}.${mac}`],
    ];
    for (const one of forged) expect(await grants.holder(one, ["/a"])).toBeUndefined();
    expect(grants.make(admin, ["/a"]).grant).not.toContain("a session");
  });

  test("is not made for what is no path", () => {
    const { grants } = open(key);
    for (const path of ["", "a", "/../a", "/a\\b", "/a\0", `/${"a".repeat(2000)}`])
      expect(() => grants.make(key, [path])).toThrow(new Failure("path.invalid"));
  });
});
