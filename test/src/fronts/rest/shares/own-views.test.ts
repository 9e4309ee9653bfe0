import { describe, expect, test } from "bun:test";
import type { Permission } from "#contract/permissions";
import { bitsOf } from "#contract/permissions";
import { makeKey, withKey } from "../../../../support/make-key.ts";
import { ADMIN, openTestHouse, type TestHouse } from "../../../../support/test-house.ts";

/** Owners of shares with a limit, who spend none of it. */

type Headers = Readonly<Record<string, string>>;

interface Asked {
  readonly slug: string;
  readonly views: number;
  readonly password?: string;
}

/** The calls of one kind of share, how one is made, and the right of its owners. */
const kinds = {
  text: {
    look: (slug: string) => `/api/paste/${slug}?peek=1`,
    open: (slug: string) => `/api/paste/${slug}`,
    unlock: (slug: string) => `/api/paste/${slug}`,
    right: "text",
    shows: "what is in it",
    share(house: TestHouse, headers: Headers, { views, ...more }: Asked) {
      const body = JSON.stringify({ content: "what is in it", maxViews: views, ...more });
      return house.request("/api/paste", { method: "POST", headers, body });
    },
  },
  file: {
    look: (slug: string) => `/api/public/files/${slug}?peek=1`,
    open: (slug: string) => `/api/public/files/${slug}`,
    unlock: (slug: string) => `/api/public/files/${slug}/verify`,
    right: "file_share",
    shows: "downloadUrl",
    share(house: TestHouse, headers: Headers, { slug, views, password }: Asked) {
      const body = new FormData();
      body.set("slug", slug);
      body.set("max_views", String(views));
      if (password) body.set("password", password);
      body.set("file", new File(["hello"], "note.txt"));
      return house.request("/api/upload", { method: "POST", headers, body });
    },
  },
} as const;

const PASSWORD = "sesame-9-lane";

const asAdmin = async (house: TestHouse): Promise<Headers> => ({ authorization: `Bearer ${await house.signIn()}` });

describe.each(Object.entries(kinds))("a %s with a limit", (_name, kind) => {
  const shared = async (house: TestHouse, headers: Headers, asked: Asked) => {
    const { status } = await kind.share(house, headers, asked);
    if (status > 201) throw new Error(`Sharing answered ${status}.`);
  };
  const sent = async (house: TestHouse, path: string, init: RequestInit = {}) => {
    const response = await house.request(path, init);
    const text = await response.text();
    return {
      status: response.status,
      shown: text.includes(kind.shows),
      own: text.includes('"own":true'),
      views: Number(/"views":(\d+)/.exec(text)?.[1]),
      isLast: /"is_?last_?view":true/i.test(text),
      cookie: response.headers.has("set-cookie"),
    };
  };
  const looked = (house: TestHouse, slug: string, headers: Headers = {}) => sent(house, kind.look(slug), { headers });
  const unlocked = (house: TestHouse, slug: string, headers: Headers = {}) =>
    sent(house, kind.unlock(slug), { method: "POST", headers, body: JSON.stringify({ password: PASSWORD }) });

  test("is opened by its owner as often as they like, and is left for everybody else", async () => {
    await using house = await openTestHouse();
    const admin = await asAdmin(house);
    await shared(house, admin, { slug: "s-once", views: 1 });
    const seen = { status: 200, shown: true, own: true, views: 0, isLast: false, cookie: false };
    for (let times = 0; times < 3; times += 1) expect(await looked(house, "s-once", admin)).toEqual(seen);
    expect(await sent(house, kind.open("s-once"), { headers: admin })).toEqual(seen);
    const stranger = { status: 200, shown: true, own: false, views: 1, isLast: true, cookie: true };
    expect(await sent(house, kind.open("s-once"))).toEqual(stranger);
    expect((await looked(house, "s-once", admin)).status).toBe(410);
  });

  test("asks its owner for the password, and spends no view with it", async () => {
    await using house = await openTestHouse();
    const admin = await asAdmin(house);
    await shared(house, admin, { slug: "s-both", views: 2, password: PASSWORD });
    expect(await looked(house, "s-both", admin)).toMatchObject({ shown: false, own: false });
    expect(await unlocked(house, "s-both", admin)).toMatchObject({ shown: true, own: true, views: 0 });
    expect(await unlocked(house, "s-both")).toMatchObject({ shown: true, own: false, views: 1 });
  });

  test("is opened freely by the key that made it while it has the right, and by no other", async () => {
    await using house = await openTestHouse();
    const key = await makeKey(house);
    await shared(house, withKey(key), { slug: "s-hers", views: 5 });
    expect(await looked(house, "s-hers", withKey(key))).toMatchObject({ shown: true, own: true, views: 0 });
    expect(await looked(house, "s-hers", await asAdmin(house))).toMatchObject({ shown: true, own: true, views: 0 });
    const basic = Buffer.from(`${ADMIN.username}:${ADMIN.password}`).toString("base64");
    for (const headers of [
      withKey(await makeKey(house)),
      { authorization: "Bearer made-up-7" },
      { authorization: "ApiKey made-up-7" },
      { authorization: `Basic ${basic}` },
      {},
    ])
      expect(await looked(house, "s-hers", headers)).toMatchObject({ status: 200, shown: false, own: false });
    const others = (["text", "file_share"] as const satisfies Permission[]).filter((right) => right !== kind.right);
    await house.house.access.keys.update(key.id, { permissions: bitsOf(others) });
    expect(await looked(house, "s-hers", withKey(key))).toMatchObject({ status: 200, shown: false, own: false });
  });

  test("counts the views of strangers exactly while its owner looks", async () => {
    await using house = await openTestHouse();
    const admin = await asAdmin(house);
    await shared(house, admin, { slug: "s-many", views: 5 });
    const openings = Array.from({ length: 40 }, (_, turn) =>
      turn % 2 ? looked(house, "s-many", admin) : sent(house, kind.open("s-many")),
    );
    const strangers = (await Promise.all(openings)).filter(({ shown, own }) => shown && !own);
    expect(strangers).toHaveLength(5);
  });

  test("counts its owner where it has no limit, as everybody", async () => {
    await using house = await openTestHouse();
    const admin = await asAdmin(house);
    await shared(house, admin, { slug: "s-free", views: 0 });
    expect(await looked(house, "s-free", admin)).toMatchObject({ shown: true, own: false, views: 1 });
  });
});
