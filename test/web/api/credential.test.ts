import { afterEach, describe, expect, test } from "bun:test";
import {
  authorizationOf,
  createCredential,
  isSamePerson,
  owns,
  personOf,
  type SessionState,
} from "../../../web/api/session/credential.ts";
import { createKeyValue } from "../../../web/lib/storage.ts";

const open = () => createCredential(createKeyValue(() => localStorage));
const ci = { id: "k1", name: "ci 构建", permissions: 3, basePath: "/team" };
const ENDED = "satchel-session-ended";
/** Everything that is stored of a session. */
const stored = () =>
  Object.fromEntries(
    Object.entries({ ...localStorage })
      .filter(([name]) => name !== ENDED)
      .sort(),
  );

afterEach(() => localStorage.clear());

describe("a credential", () => {
  test("of a key is kept under the names that existing clients use, and restored", () => {
    const first = open();
    first.signInWithKey("the-key", ci, 5);
    expect(stored()).toEqual({
      api_key: "the-key",
      api_key_info: '{"id":"k1","name":"ci 构建","basic_path":"/team"}',
      api_key_permissions: "3",
    });
    const restored = open().state.get();
    expect(restored).toEqual({ authType: "apikey", key: "the-key", ...ci, lastValidated: 0 });
    expect(authorizationOf(restored)).toBe("ApiKey the-key");
    expect(personOf(restored)).toBe("apikey:k1");
    first.signOut("keyInvalid");
    expect(stored()).toEqual({});
    expect(first.reason.get()).toBe("keyInvalid");
  });

  test("of one kind takes the place of the other, and signing out clears both", () => {
    const one = open();
    one.signIn("tok", "admin", 1);
    one.signInWithKey("the-key", ci, 2);
    expect(Object.keys(stored())).toEqual(["api_key", "api_key_info", "api_key_permissions"]);
    one.signIn("tok", "admin", 3);
    expect(stored()).toEqual({ admin_token: "tok", admin_username: "admin" });
    localStorage.setItem("api_key", "left behind");
    one.signOut("loggedOut");
    expect(stored()).toEqual({});
  });

  test("takes over what a key may do by now, and has it stored", () => {
    const one = open();
    one.signInWithKey("the-key", ci, 2);
    one.validated(9, { ...ci, name: "renamed", permissions: 1, basePath: "/" });
    expect(one.state.get()).toMatchObject({ name: "renamed", permissions: 1, basePath: "/", lastValidated: 9 });
    expect(open().state.get()).toMatchObject({ key: "the-key", name: "renamed", permissions: 1, basePath: "/" });
  });
});

describe("what is damaged in the storage counts as absent", () => {
  const right = { api_key: "k", api_key_permissions: "1", api_key_info: '{"id":"a","name":"b","basic_path":"/"}' };
  const damaged: readonly Record<string, string | null>[] = [
    { api_key: "" },
    { api_key: null },
    { api_key: "with space" },
    { api_key: "line\nbreak" },
    { api_key: "钥匙" },
    { api_key_permissions: null },
    { api_key_permissions: "" },
    { api_key_permissions: "{" },
    { api_key_permissions: '"1"' },
    { api_key_permissions: "-1" },
    { api_key_permissions: "1.5" },
    { api_key_permissions: "null" },
    { api_key_info: null },
    { api_key_info: "[]" },
    { api_key_info: "not JSON" },
    { api_key_info: '{"id":1,"name":"b","basic_path":"/"}' },
    { api_key_info: '{"id":"a","name":"b"}' },
    { api_key_info: '{"id":"","name":"b","basic_path":"/"}' },
    { api_key_info: "null" },
  ];
  const fill = (values: Record<string, string | null>) => {
    for (const [name, value] of Object.entries(values)) if (value !== null) localStorage.setItem(name, value);
  };

  test("while what is right is restored", () => {
    fill(right);
    expect(open().state.get().authType).toBe("apikey");
  });
  test.each(damaged)("%j", (part) => {
    fill({ ...right, ...part });
    expect(open().state.get().authType).toBe("none");
  });
  test.each(["", "a b", "a\nb", "ü"])("admin_token %j", (token) => {
    localStorage.setItem("admin_token", token);
    expect(open().state.get().authType).toBe("none");
  });
  test("and leaves a session of the other kind alone", () => {
    fill({ ...right, admin_token: "a\nb" });
    expect(open().state.get().authType).toBe("apikey");
  });
});

describe("another tab", () => {
  test("that signs in with a key, learns of other rights, and signs out is followed", () => {
    const [here, there] = [open(), open()];
    there.signInWithKey("the-key", ci, 7);
    here.syncFromStorage(null);
    expect(here.state.get()).toEqual({ authType: "apikey", key: "the-key", ...ci, lastValidated: 0 });
    here.validated(8);
    there.validated(9, { ...ci, permissions: 2 });
    here.syncFromStorage(null);
    expect(here.state.get()).toMatchObject({ permissions: 2, lastValidated: 8 });
    there.signOut("keyInvalid");
    here.syncFromStorage(null);
    expect([here.state.get().authType, here.reason.get()]).toEqual(["none", "keyInvalid"]);
  });

  const ends = ["loggedOut", "changed", "expired", "keyInvalid", "unauthorized"] as const;
  test.each(ends)("that ends a session says why: %s", (why) => {
    const there = open();
    there.signInWithKey("the-key", ci, 7);
    const here = open();
    there.signOut(why);
    here.syncFromStorage("api_key");
    expect([here.state.get().authType, here.reason.get()]).toEqual(["none", why]);
  });

  test("that says nothing, or said it of an earlier session, has not logged out", () => {
    const there = open();
    there.signIn("tok", "admin", 1);
    there.signOut("loggedOut");
    there.signIn("tok2", "admin", 2);
    const here = open();
    localStorage.removeItem("admin_token");
    here.syncFromStorage("admin_token");
    expect([here.state.get().authType, here.reason.get()]).toEqual(["none", undefined]);
    localStorage.setItem("admin_token", "tok3");
    here.syncFromStorage("admin_token");
    localStorage.setItem(ENDED, "made up");
    localStorage.removeItem("admin_token");
    here.syncFromStorage("admin_token");
    expect(here.reason.get()).toBeUndefined();
  });

  test("that has ended the session knows better why than a refusal met here before its word arrives", () => {
    const there = open();
    there.signIn("tok", "admin", 1);
    const here = open();
    there.signOut("loggedOut");
    here.signOut("expired");
    expect(here.reason.get()).toBe("loggedOut");
    expect(localStorage.getItem(ENDED)).toBe("loggedOut");
  });

  test("that changes something else is not listened to", () => {
    const here = open();
    here.signIn("tok", "admin", 1);
    localStorage.removeItem("admin_token");
    here.syncFromStorage("themeMode");
    expect(here.state.get().authType).toBe("admin");
    here.syncFromStorage("admin_token");
    expect(here.state.get().authType).toBe("none");
  });

  test("that has ended the session does not see it come back by an answer that was on its way", () => {
    const there = open();
    there.signInWithKey("the-key", ci, 1);
    const here = open();
    there.signOut("loggedOut");
    here.validated(9, { ...ci, permissions: 1 });
    expect(stored()).toEqual({});
    expect([here.state.get().authType, here.reason.get()]).toEqual(["none", "loggedOut"]);
  });

  test("sees, while rights are stored anew, never a session that ended", () => {
    const storage = createKeyValue(() => localStorage);
    const seen: string[] = [];
    const watched = {
      ...storage,
      set(name: string, value: string) {
        const done = storage.set(name, value);
        seen.push(open().state.get().authType);
        return done;
      },
      remove(name: string) {
        storage.remove(name);
        seen.push(open().state.get().authType);
      },
    };
    const one = createCredential(watched);
    one.signInWithKey("the-key", ci, 1);
    expect(seen.slice(-1)).toEqual(["apikey"]);
    expect(seen.slice(0, -1)).not.toContain("apikey");
    seen.length = 0;
    one.validated(2, { ...ci, permissions: 1 });
    expect(seen).not.toContain("none");
  });

  test("that has begun another session keeps it when the one of this tab ends", () => {
    const [here, there] = [open(), open()];
    here.signInWithKey("old-key", ci, 1);
    there.syncFromStorage(null);
    there.signIn("tok", "admin", 2);
    here.signOut("keyInvalid");
    expect(here.state.get()).toMatchObject({ authType: "admin", token: "tok" });
    expect(localStorage.getItem("admin_token")).toBe("tok");
  });
});

describe("a storage that is full", () => {
  const full = () => {
    const storage = createKeyValue(() => localStorage);
    return createCredential({ ...storage, set: (name, value) => name !== "api_key" && storage.set(name, value) });
  };

  test("keeps nothing of a session, which lasts until the page is left", () => {
    const one = full();
    one.signInWithKey("the-key", ci, 1);
    expect(stored()).toEqual({});
    one.syncFromStorage(null);
    one.syncFromStorage("api_key");
    one.validated(5, { ...ci, permissions: 1 });
    expect(one.state.get()).toMatchObject({ key: "the-key", permissions: 1, lastValidated: 5 });
    one.signOut("keyInvalid");
    expect([one.state.get().authType, one.reason.get()]).toEqual(["none", "keyInvalid"]);
  });

  test("gives way to a session that another tab could store", () => {
    const one = full();
    one.signInWithKey("the-key", ci, 1);
    open().signIn("tok", "admin", 2);
    one.syncFromStorage("admin_token");
    expect(one.state.get()).toMatchObject({ authType: "admin", token: "tok" });
    localStorage.clear();
    one.syncFromStorage(null);
    expect(one.state.get().authType).toBe("none");
  });
});

test("an administrator whose name other clients did not store is the one administrator", () => {
  const named = (username: string): SessionState => ({ authType: "admin", token: "t", username, lastValidated: 0 });
  const key: SessionState = { authType: "apikey", key: "x", ...ci, lastValidated: 0 };
  expect(isSamePerson(named(""), named("admin"))).toBe(true);
  expect(isSamePerson(named("admin"), named(""))).toBe(true);
  expect(isSamePerson(named("admin"), named("root"))).toBe(false);
  expect(isSamePerson(named(""), key)).toBe(false);
});

test("a record belongs to the admin, and to the key that made it, with the prefix or without", () => {
  const key: SessionState = { authType: "apikey", key: "x", ...ci, lastValidated: 0 };
  const admin: SessionState = { authType: "admin", token: "t", username: "k1", lastValidated: 0 };
  const nobody: SessionState = { authType: "none", lastValidated: 0 };
  const creators = ["apikey:k1", "k1", "apikey:k11", "admin", ""];
  expect(creators.map((one) => owns(admin, one))).toEqual([true, true, true, true, true]);
  expect(creators.map((one) => owns(key, one))).toEqual([true, true, false, false, false]);
  expect(creators.map((one) => owns(nobody, one))).toEqual([false, false, false, false, false]);
});
