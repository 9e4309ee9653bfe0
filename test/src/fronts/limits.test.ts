import { describe, expect, test } from "bun:test";
import { allowances, type Limited } from "../../../src/access/limiter.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { shareFile } from "../../support/share-file.ts";
import { shareText } from "../../support/share-text.ts";
import { ADMIN, openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** Who guesses has to wait: what is counted, for how long, and against whom. */

type Ask = (house: TestHouse, peer: string) => Promise<Response>;

/** One way to guess. */
interface Row {
  readonly name: string;
  readonly limited: Limited;
  /** The answer to a guess, and to what is right. */
  readonly status: readonly [wrong: number, right: number];
  /** Makes what can be guessed and answers how: the number makes each guess another one. */
  readonly arrange: (house: TestHouse) => Promise<{
    readonly guess: (number: number) => Ask;
    readonly right: Ask;
    /** What is guessed at, where guesses from everywhere count together. */
    readonly subject?: string;
  }>;
}

type SendRequest = (path: string, init?: RequestInit) => Ask;
const send: SendRequest = (path, init) => (house, peer) => house.request(path, init, peer);

const posted = (path: string, body: unknown): Ask => send(path, { method: "POST", body: JSON.stringify(body) });

const logIn = (password: string) => posted("/api/admin/login", { ...ADMIN, password });
const passwordGuesses = { guess: (n: number) => logIn(`wrong horse ${n}`), right: logIn(ADMIN.password) };

const basic = (username: string, password: string): Ask =>
  send("/api/test/admin-token", { headers: { authorization: `Basic ${btoa(`${username}:${password}`)}` } });

const PASSWORD = "sesame seeds";

/** A way to give a password, asked of a share that has one. */
const passwordRequests: Readonly<Record<"text" | "file", Readonly<Record<string, (password: string) => Ask>>>> = {
  text: {
    "POST /paste/:slug": (password) => posted("/api/paste/locked", { password }),
    "GET /raw/:slug": (password) => send(`/api/raw/locked?password=${encodeURIComponent(password)}`),
    "HEAD /raw/:slug": (password) =>
      send(`/api/raw/locked?password=${encodeURIComponent(password)}`, { method: "HEAD" }),
  },
  file: {
    "POST /public/files/:slug/verify": (password) => posted("/api/public/files/locked/verify", { password }),
    "GET /file-view/:slug": (password) => send(`/api/file-view/locked?password=${encodeURIComponent(password)}`),
    "GET /file-download/:slug": (password) =>
      send(`/api/file-download/locked?password=${encodeURIComponent(password)}`),
    "HEAD /file-view/:slug": (password) =>
      send(`/api/file-view/locked?password=${encodeURIComponent(password)}`, { method: "HEAD" }),
  },
};

const lock = {
  text: (house: TestHouse) => shareText(house, { slug: "locked", password: PASSWORD }),
  file: (house: TestHouse) => shareFile(house, { slug: "locked", password: PASSWORD }),
};

const kinds = ["text", "file"] as const;

const sharePasswords = (limited: "sharePasswordByAddress" | "sharePasswordByShare"): Row[] =>
  kinds.flatMap((kind) =>
    Object.entries(passwordRequests[kind]).map(([name, ask]) => ({
      name: `the password of a ${kind} by ${name}`,
      limited,
      status: [401, 200] as const,
      arrange: async (house: TestHouse) => ({
        guess: (n: number) => ask(`wrong ${n}`),
        right: ask(PASSWORD),
        subject: (await lock[kind](house)).id,
      }),
    })),
  );

/** Every way to ask for a share by its slug. */
const slugRequests: Readonly<Record<string, (slug: string) => Ask>> = {
  "GET /paste/:slug": (slug) => send(`/api/paste/${slug}`),
  "GET /paste/:slug?peek=1": (slug) => send(`/api/paste/${slug}?peek=1`),
  "POST /paste/:slug": (slug) => posted(`/api/paste/${slug}`, { password: PASSWORD }),
  "GET /raw/:slug": (slug) => send(`/api/raw/${slug}`),
  "HEAD /raw/:slug": (slug) => send(`/api/raw/${slug}`, { method: "HEAD" }),
  "GET /public/files/:slug": (slug) => send(`/api/public/files/${slug}`),
  "POST /public/files/:slug/verify": (slug) => posted(`/api/public/files/${slug}/verify`, { password: PASSWORD }),
  "GET /file-view/:slug": (slug) => send(`/api/file-view/${slug}`),
  "GET /file-download/:slug": (slug) => send(`/api/file-download/${slug}`),
  "HEAD /file-download/:slug": (slug) => send(`/api/file-download/${slug}`, { method: "HEAD" }),
};

const slugs: Row[] = Object.entries(slugRequests).map(([name, ask]) => ({
  name: `unknown links by ${name}`,
  limited: "missingShareByAddress",
  status: [404, 200],
  arrange: async (house) => {
    const password = name.startsWith("POST") ? PASSWORD : undefined;
    await shareText(house, { slug: "there", password });
    await shareFile(house, { slug: "there", ...(password && { password }) });
    return { guess: (n) => ask(`nothing-${n}`), right: ask("there") };
  },
}));

const keyGuesses: Row["arrange"] = async (house) => {
  const key = await makeKey(house, { custom_key: "a-short-key" });
  const headers = (credential: string, n: number): Record<string, string> =>
    [{ authorization: `ApiKey ${credential}` }, { "x-api-key": credential }, { "x-custom-auth-key": credential }][
      n % 3
    ] as Record<string, string>;
  return {
    guess: (n) => send("/api/test/api-key", { headers: headers(`wrong-key-${n}`, n) }),
    right: send("/api/test/api-key", { headers: withKey(key) }),
  };
};

const byAddress: readonly Row[] = [
  { name: "name and password", limited: "loginByAddress", status: [401, 200], arrange: async () => passwordGuesses },
  {
    name: "HTTP Basic",
    limited: "loginByAddress",
    status: [401, 200],
    arrange: async () => ({
      guess: (n) => basic(ADMIN.username, `wrong ${n}`),
      right: basic(ADMIN.username, ADMIN.password),
    }),
  },
  {
    name: "the present password, by somebody with a session",
    limited: "loginByAddress",
    status: [401, 200],
    arrange: async (house) => {
      const authorization = `Bearer ${await house.signIn()}`;
      const change = (currentPassword: string): Ask => {
        const body = JSON.stringify({ currentPassword, newUsername: "root" });
        return send("/api/admin/change-password", { method: "POST", headers: { authorization }, body });
      };
      return { guess: (n) => change(`wrong ${n}`), right: change(ADMIN.password) };
    },
  },
  { name: "short API keys", limited: "keyByAddress", status: [401, 200], arrange: keyGuesses },
  ...sharePasswords("sharePasswordByAddress"),
  ...slugs,
];

const [GUESSER, OTHER, THIRD] = ["198.51.100.1", "198.51.100.2", "198.51.100.3"] as const;

/** Expects an answer to come so many seconds too early. */
async function expectWait(response: Response, seconds: number): Promise<void> {
  expect(response.status).toBe(429);
  expect(response.headers.get("retry-after")).toBe(String(seconds));
  expect(response.headers.get("cache-control")).toBe("no-store");
  const text = await response.text();
  if (response.headers.get("content-type")?.includes("json"))
    expect(JSON.parse(text)).toMatchObject({ code: 429, error: "limit.wait", success: false, data: null });
}

describe("guesses from one address", () => {
  test.each([...byAddress])("$name", async ({ limited, status: [wrong, fine], arrange }) => {
    await using house = await openTestHouse();
    const { guess, right } = await arrange(house);
    const { misses, window } = allowances[limited];
    for (let n = 0; n < misses; n++) expect((await guess(n)(house, GUESSER)).status).toBe(wrong);
    await expectWait(await guess(misses)(house, GUESSER), window / 1000);
    await expectWait(await right(house, GUESSER), window / 1000);
    expect((await guess(0)(house, OTHER)).status).toBe(wrong);
    house.clock.advance(window - 1);
    await expectWait(await right(house, GUESSER), 1);
    house.clock.advance(1);
    expect((await right(house, GUESSER)).status).toBe(fine);
  });
});

const fromEverywhere: readonly Row[] = [
  {
    name: "the account's password",
    limited: "loginByAccount",
    status: [401, 200],
    arrange: async () => ({ ...passwordGuesses, subject: "admin" }),
  },
  ...sharePasswords("sharePasswordByShare"),
];

describe("guesses from everywhere", () => {
  test.each([...fromEverywhere])("$name", async ({ limited, status: [wrong, fine], arrange }) => {
    await using house = await openTestHouse();
    const { guess, right, subject = "" } = await arrange(house);
    const { misses, window } = allowances[limited];
    // All but the last, which would take seconds to be checked.
    for (let n = 1; n < misses; n++) house.house.access.limiter.miss(limited, subject);
    expect((await guess(0)(house, GUESSER)).status).toBe(wrong);
    await expectWait(await right(house, OTHER), window / 1000);
    house.clock.advance(window);
    expect((await right(house, THIRD)).status).toBe(fine);
  });

  test("at one share leave others open", async () => {
    await using house = await openTestHouse();
    const { id } = await lock.text(house);
    await lock.file(house);
    for (let n = 0; n < allowances.sharePasswordByShare.misses; n++)
      house.house.access.limiter.miss("sharePasswordByShare", id);
    expect((await passwordRequests.text["POST /paste/:slug"]?.(PASSWORD)(house, OTHER))?.status).toBe(429);
    expect((await passwordRequests.file["GET /file-view/:slug"]?.(PASSWORD)(house, OTHER))?.status).toBe(200);
  });
});

describe("an address", () => {
  const { misses } = allowances.missingShareByAddress;
  /** Asks for what is not there, from a place of each request's own. */
  const missAll = async (house: TestHouse, from: (n: number) => readonly [peer: string, forwarded?: string]) => {
    for (let n = 0; n < misses; n++) expect((await ask(house, ...from(n))).status).toBe(404);
  };
  const ask = (house: TestHouse, peer: string, forwarded?: string) =>
    house.request("/api/raw/nothing", { headers: forwarded ? { "x-forwarded-for": forwarded } : {} }, peer);
  const status = async (...of: Parameters<typeof ask>) => (await ask(...of)).status;

  test("is not escaped by X-Forwarded-For, nor can it have others wait, when nobody trusts the peer", async () => {
    await using house = await openTestHouse({ trustedProxies: ["10.0.0.0/8"] });
    await missAll(house, (n) => [GUESSER, n % 2 === 0 ? OTHER : `192.0.2.${n}`]);
    expect(await status(house, GUESSER, THIRD)).toBe(429);
    expect(await status(house, OTHER)).toBe(404);
    expect(await status(house, "10.0.0.1", OTHER)).toBe(404);
  });

  test("is the last that a trusted proxy vouches for, whatever the sender wrote before it", async () => {
    await using house = await openTestHouse({ trustedProxies: ["10.0.0.0/8"] });
    await missAll(house, (n) => ["10.0.0.1", `192.0.2.${n}, ${GUESSER}, 10.0.0.2`]);
    expect(await status(house, "10.0.0.3", `${OTHER}, ${GUESSER}`)).toBe(429);
    expect(await status(house, "10.0.0.1", `${GUESSER}, ${OTHER}`)).toBe(404);
    expect(await status(house, "10.0.0.1")).toBe(404);
  });

  test("of IPv6 is its /64 network, however it is written", async () => {
    await using house = await openTestHouse({ trustedProxies: ["10.0.0.1"] });
    const ways = [
      "2001:db8:0:2::",
      "2001:0DB8:0000:0002:0:0:0:",
      "[2001:db8:0:2:ffff:ffff:ffff:",
      "2001:db8::2:0:0:1:",
    ];
    await missAll(house, (n) => {
      const way = ways[n % ways.length] ?? "";
      return ["10.0.0.1", `${way}${n.toString(16)}${way.startsWith("[") ? "]:4711" : ""}`];
    });
    expect(await status(house, "2001:db8:0:2:1:2:3:4")).toBe(429);
    expect(await status(house, "2001:db8:0:3::1")).toBe(404);
  });

  test("of IPv4 is the same on a socket of IPv6", async () => {
    await using house = await openTestHouse();
    await missAll(house, () => [`::ffff:${GUESSER}`]);
    expect(await status(house, GUESSER)).toBe(429);
    expect(await status(house, `::ffff:${OTHER}`)).toBe(404);
  });
});

test("a hundred thousand are remembered, and those who were not seen for longest forgotten first", async () => {
  await using house = await openTestHouse();
  const { limiter } = house.house.access;
  const count = (subject: string) => {
    for (let n = 0; n < allowances.loginByAddress.misses; n++) limiter.miss("loginByAddress", subject);
  };
  count("first");
  count("second");
  for (let n = 0; n < 99_998; n++) limiter.miss("loginByAddress", `visitor ${n}`);
  expect(() => limiter.check("loginByAddress", "first")).toThrow();
  limiter.miss("loginByAddress", "one more");
  expect(() => limiter.check("loginByAddress", "first")).toThrow();
  expect(() => limiter.check("loginByAddress", "second")).not.toThrow();
});
