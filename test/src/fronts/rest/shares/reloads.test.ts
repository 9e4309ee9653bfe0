import { describe, expect, test } from "bun:test";
import { shareFile } from "../../../../support/share-file.ts";
import { shareText } from "../../../../support/share-text.ts";
import { minutes } from "../../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../../support/test-house.ts";

/** The calls of one kind of share, and how one is made. */
const kinds = {
  text: {
    look: (slug: string) => `/api/paste/${slug}?peek=1`,
    open: (slug: string) => `/api/paste/${slug}`,
    unlock: (slug: string) => `/api/paste/${slug}`,
    change: (id: string) => `/api/pastes/${id}`,
    shows: "what is in it",
    left: "reloadSeconds",
    share: (house: TestHouse, { views = 0, ...more }: Asked) =>
      shareText(house, { content: "what is in it", maxViews: views, ...more }),
  },
  file: {
    look: (slug: string) => `/api/public/files/${slug}?peek=1`,
    open: (slug: string) => `/api/public/files/${slug}`,
    unlock: (slug: string) => `/api/public/files/${slug}/verify`,
    change: (id: string) => `/api/files/${id}`,
    shows: "downloadUrl",
    left: "reload_seconds",
    share: (house: TestHouse, { views = 0, ...more }: Asked) => shareFile(house, { max_views: views, ...more }),
  },
} as const;

interface Asked {
  readonly slug: string;
  readonly views?: number;
  readonly password?: string;
}

/** The cookie of an answer as a browser sends it back. */
const cookieOf = (response: Response): string => (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";

describe.each(Object.entries(kinds))("a %s that was opened", (_name, kind) => {
  const looked = async (house: TestHouse, slug: string, cookie = "") => {
    const response = await house.request(kind.look(slug), { headers: { cookie } });
    const text = await response.text();
    return {
      status: response.status,
      shown: text.includes(kind.shows),
      text,
      cookie: response.headers.get("set-cookie"),
    };
  };
  const unlocked = (house: TestHouse, slug: string) =>
    house.request(kind.unlock(slug), { method: "POST", body: JSON.stringify({ password: "sesame" }) });

  test("is loaded again by the same browser for ten minutes, even after its last view, and by no other", async () => {
    await using house = await openTestHouse();
    await kind.share(house, { slug: "once", views: 1 });
    expect((await looked(house, "once")).shown).toBe(false);
    const opened = await house.request(kind.open("once"));
    expect(await opened.text()).toContain(`"${kind.left}":600`);
    const cookie = cookieOf(opened);
    house.clock.advance(minutes(4));
    const again = await looked(house, "once", cookie);
    expect([again.status, again.shown, again.cookie]).toEqual([200, true, null]);
    expect(again.text).toContain(`"${kind.left}":360`);
    expect(again.text).toMatch(/"is_?last_?view":true/i);
    expect((await looked(house, "once")).status).toBe(410);
    // Only a look is a reload: whoever wants to spend a view is told that there is none.
    expect((await house.request(kind.open("once"), { headers: { cookie } })).status).toBe(410);
    house.clock.advance(minutes(6));
    expect((await looked(house, "once", cookie)).status).toBe(410);
  });

  test("counts no second view and asks for no second password", async () => {
    await using house = await openTestHouse();
    await kind.share(house, { slug: "both", views: 3, password: "sesame" });
    const cookie = cookieOf(await unlocked(house, "both"));
    for (let reloads = 0; reloads < 5; reloads += 1) {
      const again = await looked(house, "both", cookie);
      expect([again.shown, /"views":(\d+)/.exec(again.text)?.[1]]).toEqual([true, "1"]);
    }
    expect((await looked(house, "both")).shown).toBe(false);
  });

  test("leaves a cookie for its own calls alone, which no script reads", async () => {
    await using house = await openTestHouse();
    await kind.share(house, { slug: "own", views: 2 });
    const path = new URL(kind.open("own"), "http://x").pathname;
    const { headers } = await house.request(kind.open("own"));
    expect(headers.get("set-cookie")).toMatch(
      new RegExp(`^satchel_opened=[\\w.-]+; Path=${path}; Max-Age=600; HttpOnly; SameSite=Lax$`),
    );
    await kind.share(house, { slug: "free" });
    for (const url of [kind.open("free"), kind.look("free"), kind.look("own")])
      expect((await house.request(url)).headers.get("set-cookie")).toBeNull();
  });

  test("is sent over https alone where that is how the server is reached", async () => {
    await using house = await openTestHouse({ publicUrl: "https://share.example" });
    await kind.share(house, { slug: "own", views: 2 });
    expect((await house.request(kind.open("own"))).headers.get("set-cookie")).toEndWith("; Secure");
  });

  test("is nothing for another share, nor once it was changed, nor for what somebody made up", async () => {
    await using house = await openTestHouse();
    const { id } = await kind.share(house, { slug: "one", views: 5, password: "sesame" });
    await kind.share(house, { slug: "two", views: 5, password: "sesame" });
    const cookie = cookieOf(await unlocked(house, "one"));
    const asks = { status: 200, shown: false };
    expect(await looked(house, "two", cookie)).toMatchObject(asks);
    const [name, value = ""] = cookie.split("=");
    const until = (house.clock.now() + minutes(60)).toString(36);
    for (const made of [`${until}${value.slice(value.indexOf("."))}`, `${value}x`, "x", "", `${until}.`])
      expect(await looked(house, "one", `${name}=${made}`)).toMatchObject(asks);
    expect(await looked(house, "one", `other=1; ${cookie}; more=2`)).toMatchObject({ shown: true });
    const headers = { authorization: `Bearer ${await house.signIn()}` };
    const change = { method: "PUT", headers, body: JSON.stringify({ password: "sesame-later-2" }) };
    expect((await house.request(kind.change(id), change)).status).toBe(200);
    expect(await looked(house, "one", cookie)).toMatchObject(asks);
  });
});

test("the cookie of a server below a path is for that path", async () => {
  await using house = await openTestHouse({ basePath: "/box" });
  await kinds.text.share(house, { slug: "own", views: 2 });
  const { headers } = await house.request(`/box${kinds.text.open("own")}`);
  expect(headers.get("set-cookie")).toContain("; Path=/box/api/paste/own; ");
});
