import { describe, expect, test } from "bun:test";
import { Failure } from "#contract/failures";
import { ALL_PERMISSIONS } from "#contract/permissions";
import type { Callers } from "../../../src/access/callers.ts";
import type { Caller, KeyCaller } from "../../../src/access/principal.ts";
import { createTreeGrants } from "../../../src/vfs/grants.ts";
import { createTestClock, hours } from "../../support/test-clock.ts";

const admin: Caller = { kind: "admin", sessionId: "0199-session" };
const key: KeyCaller = {
  ...{ kind: "key", id: "0199-ab", name: "ci", permissions: ALL_PERMISSIONS, basePath: "/drive", isVisitor: false },
};
const visitor: KeyCaller = { ...key, isVisitor: true };

/** Grants of a house whose keys are these. */
function open(...keys: readonly KeyCaller[]) {
  const clock = createTestClock();
  const callerOf = async (owner: string): Promise<Caller | undefined> =>
    owner === "admin" ? { kind: "admin", sessionId: null } : keys.find(({ id }) => owner === `apikey:${id}`);
  const epoch = async (owner: string): Promise<string | undefined> => {
    const caller = await callerOf(owner);
    return caller?.kind === "key" ? `${caller.permissions} ${caller.basePath}` : caller && "the account";
  };
  const ended = new Set<string | null>();
  const now = async (caller: Caller): Promise<Caller> => {
    if (caller.kind === "admin" && ended.has(caller.sessionId)) throw new Failure("auth.expired");
    return caller;
  };
  const deps = { clock: clock.now, callers: { now, epoch, callerOf } as Pick<Callers, "now" | "epoch" | "callerOf"> };
  const grants = createTreeGrants({ ...deps, secret: "a secret" });
  return { clock, grants, ended, others: createTreeGrants({ ...deps, secret: "another" }) };
}

describe("a grant of the tree", () => {
  test("stands in for its owner for exactly its paths, however they are spelled and ordered", async () => {
    const { grants } = open(key);
    const { grant } = await grants.make(key, ["/drive/b", "/drive//a/"]);
    expect(await grants.holder(grant, ["/drive/a", "/drive/b/"])).toEqual(key);
    for (const paths of [["/drive/a"], ["/drive/a", "/drive/b", "/drive/c"], ["/drive/a,/drive/b"], []])
      expect(await grants.holder(grant, paths)).toBeUndefined();
  });

  test("holds six hours, or as long as it says", async () => {
    const { clock, grants } = open(key);
    const [usual, short] = [await grants.make(key, ["/a"]), await grants.make(key, ["/a"], { seconds: 60 })];
    expect([usual.until - clock.now(), short.until - clock.now()]).toEqual([hours(6), 60_000]);
    clock.advance(60_000);
    expect(await grants.holder(short.grant, ["/a"])).toBeUndefined();
    clock.advance(hours(6) - 60_001);
    expect(await grants.holder(usual.grant, ["/a"])).toEqual(key);
    clock.advance(1);
    expect(await grants.holder(usual.grant, ["/a"])).toBeUndefined();
  });

  test("ends when the rights or the base path of its owner change, and with the key", async () => {
    const { grant } = await open(key).grants.make(key, ["/a"]);
    expect(await open({ ...key, name: "new name" }).grants.holder(grant, ["/a"])).toMatchObject({ name: "new name" });
    for (const changed of [{ permissions: 0 }, { basePath: "/team" }])
      expect(await open({ ...key, ...changed }).grants.holder(grant, ["/a"])).toBeUndefined();
    expect(await open().grants.holder(grant, ["/a"])).toBeUndefined();
  });

  test("of a visitor holds for as long as the key is the visitors'; whoever has the key is no visitor", async () => {
    const [visitors, bearers] = [
      (await open(visitor).grants.make(visitor, ["/a"])).grant,
      (await open(key).grants.make(key, ["/a"])).grant,
    ];
    expect(await open(visitor).grants.holder(visitors, ["/a"])).toEqual(visitor);
    expect(await open(key).grants.holder(visitors, ["/a"])).toBeUndefined();
    expect(await open(visitor).grants.holder(bearers, ["/a"])).toEqual(key);
  });

  test("for a file opens no archive; one for archives opens files too", async () => {
    const { grants } = open(key);
    const [file, archive] = [await grants.make(key, ["/a"]), await grants.make(key, ["/a"], { opens: "archive" })];
    expect([await grants.holder(file.grant, ["/a"]), await grants.holder(file.grant, ["/a"], "archive")]).toEqual([
      key,
      undefined,
    ]);
    expect([await grants.holder(archive.grant, ["/a"]), await grants.holder(archive.grant, ["/a"], "archive")]).toEqual(
      [key, key],
    );
  });

  test("for archives is sealed before its paths are known, one for a file is not", async () => {
    const { clock, grants, others } = open(key);
    const { grant } = await grants.make(key, ["/a"], { opens: "archive" });
    const file = (await grants.make(key, ["/a"])).grant;
    const [said = "", owner = "", head = "", all = ""] = grant.split(".");
    const forged = [
      ...[file, `K${file.slice(1)}`, (await others.make(key, ["/a"], { opens: "archive" })).grant, ""],
      ...[`${said}.${owner}.${all}`, `${said}.${owner}.${all}.${head}`, `${said}z.${owner}.${head}.${all}`],
    ];
    for (const one of forged) expect(await grants.isSealed(one)).toBeFalse();
    expect(await grants.isSealed(grant)).toBeTrue();
    // Only its paths are open until they have come.
    expect(await grants.isSealed(`${said}.${owner}.${head}.${head}`)).toBeTrue();
    expect(await grants.holder(`${said}.${owner}.${head}.${head}`, ["/a"], "archive")).toBeUndefined();
    expect(await open({ ...key, permissions: 0 }).grants.isSealed(grant)).toBeFalse();
    clock.advance(hours(6));
    expect(await grants.isSealed(grant)).toBeFalse();
  });

  test("of the administrator outlives the session, unless it is for archives", async () => {
    const { grants, ended } = open();
    const file = (await grants.make(admin, ["/a"])).grant;
    const archive = (await grants.make(admin, ["/a"], { opens: "archive" })).grant;
    const byPassword = (await grants.make({ kind: "admin", sessionId: null }, ["/a"], { opens: "archive" })).grant;
    const all = () => Promise.all([file, archive, byPassword].map((grant) => grants.holder(grant, ["/a"])));
    // Who it stands in for ends with what it ends with, also while a long answer is under way.
    const holder = { kind: "admin", sessionId: null, account: "the account" } as const;
    expect(await all()).toEqual([holder, admin, holder]);
    expect(await grants.isSealed(archive)).toBeTrue();
    ended.add("0199-session");
    expect(await all()).toEqual([holder, undefined, holder]);
    expect([await grants.isSealed(archive), await grants.isSealed(byPassword)]).toEqual([false, true]);
    // Without its session it is another one.
    const [said, , ...seals] = archive.split(".");
    for (const by of ["admin", "admin:", "admin:0199-another"])
      expect(await grants.holder([said, by, ...seals].join("."), ["/a"])).toBeUndefined();
  });

  test("is nothing that anybody can make, change or learn from", async () => {
    const { grants, others } = open(key, { ...key, id: "other" });
    const { grant } = await grants.make(key, ["/a"]);
    const [said = "", owner = "", mac = ""] = grant.split(".");
    const forged = [
      ...["", "x", "..", grant.slice(0, -1), `${grant}A`, (await others.make(key, ["/a"])).grant],
      ...[`v${said.slice(1)}.${owner}.${mac}`, `${said}z.${owner}.${mac}`, `${said}.admin.${mac}`],
      ...[`${said}.apikey:other.${mac}`, `k.${owner}.${mac}`, `K${said.slice(1)}.${owner}.${mac}`],
    ];
    for (const one of forged) expect(await grants.holder(one, ["/a"])).toBeUndefined();
    expect((await grants.make(admin, ["/a"])).grant).not.toContain("0199-session");
  });

  test("is not made for what is no path", async () => {
    const { grants } = open(key);
    for (const path of ["", "a", "/../a", "/a\\b", "/a\0", `/${"a".repeat(2000)}`])
      await expect(grants.make(key, [path])).rejects.toThrow(new Failure("path.invalid"));
  });
});
