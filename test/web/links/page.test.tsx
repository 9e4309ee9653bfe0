import { describe, expect, test } from "bun:test";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import type { OpenedLink } from "#contract/links";
import { credential } from "../../../web/api/session/credential.ts";
import { tabStorage } from "../../../web/lib/storage.ts";
import { answer, fakeServer, refusal, type Seen } from "../../support/page-servers/fake-server.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const LATER = "2999-01-01T00:00:00.000Z";

/** Each test has a link of its own, because what was opened is remembered as long as the page is there. */
let made = 0;
const newSlug = (): string => `link${++made}`;

const opened = (slug: string, part: Partial<OpenedLink> = {}) =>
  answer({
    data: {
      ...{ slug, title: "Trip", note: null, rights: ["view", "download"], expires_at: null, downloads_left: null },
      ...{ upload_paths: [], grant: `grant-of-${slug}`, until: LATER, ...part },
    },
  });
const peeked = (slug: string, part: object = {}) =>
  answer({ data: { slug, requires_password: false, max_opens: 0, opens_left: null, ...part } });

const entry = (name: string, isDirectory: boolean) => ({
  ...{ name, path: isDirectory ? `/${name}/` : `/${name}`, isDirectory, isVirtual: false, size: 1 },
  ...{ modified: null, type: isDirectory ? 1 : 5, typeName: isDirectory ? "folder" : "text" },
});
const listing = (...items: object[]) =>
  answer({
    data: {
      ...{ path: "/", type: "directory", isRoot: true, isVirtual: true, items, next_cursor: null, troubles: [] },
    },
  });
const both = () => listing(entry("photos", true), entry("plan.txt", false));

const carried = ({ headers }: Seen) => headers.get("authorization");

describe("the page of a link", () => {
  test("opens by itself where that costs nothing, and calls the tree with its grant alone", async () => {
    credential.signIn("token-of-admin", "admin", Date.now());
    const slug = newSlug();
    await using server = fakeServer({
      [`GET /public/links/${slug}`]: () => peeked(slug),
      [`POST /public/links/${slug}/open`]: () => opened(slug),
      "GET /fs/list": both,
    });
    await openAt(`/s/${slug}`);
    expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe("Trip");
    await screen.findByRole("toolbar", { name: /folder/i });
    const calls = server.seen.filter(({ line }) => line === "GET /fs/list");
    expect(new Set(calls.map(carried))).toEqual(new Set([`Link grant-of-${slug}`]));
    expect(screen.queryAllByRole("button", { name: /^(Search|Basket)/ })).toEqual([]);
  });

  test("opens for its owner without asking, and says that no opening was spent", async () => {
    const slug = newSlug();
    await using _server = fakeServer({
      [`GET /public/links/${slug}`]: () => peeked(slug, { max_opens: 1, opens_left: 1, own: true }),
      [`POST /public/links/${slug}/open`]: () => opened(slug, { own: true }),
      "GET /fs/list": both,
    });
    await openAt(`/s/${slug}`);
    expect(await screen.findByText("yours: your own views do not count")).toBeDefined();
  });

  test("says how many downloads are left, and that none is", async () => {
    for (const [left, said] of [
      [2, "2 downloads left"],
      [0, "No downloads left. Ask the sender for a new link."],
    ] as const) {
      const slug = newSlug();
      await using _server = fakeServer({
        [`GET /public/links/${slug}`]: () => peeked(slug),
        [`POST /public/links/${slug}/open`]: () => opened(slug, { downloads_left: left }),
        "GET /fs/list": both,
      });
      await openAt(`/s/${slug}`);
      expect(await screen.findByText(said)).toBeDefined();
      cleanup();
    }
  });

  test("asks before it spends an opening, and goes on with it after a reload", async () => {
    const slug = newSlug();
    await using server = fakeServer({
      [`GET /public/links/${slug}`]: () => peeked(slug, { max_opens: 3, opens_left: 2 }),
      [`POST /public/links/${slug}/open`]: () => opened(slug),
      "GET /fs/list": both,
    });
    const { user, unmount } = await openAt(`/s/${slug}`);
    const button = await screen.findByRole("button", { name: "Open · 2 of 3 views left" });
    expect(server.lines()).not.toContain(`POST /public/links/${slug}/open`);
    await user.click(button);
    await screen.findByRole("heading", { name: "Trip" });
    unmount();
    server.seen.length = 0;
    await openAt(`/s/${slug}`);
    await screen.findByRole("heading", { name: "Trip" });
    const [first] = server.seen;
    expect([first?.line, first?.body]).toEqual([`POST /public/links/${slug}/open`, { grant: `grant-of-${slug}` }]);
    expect(server.lines()).not.toContain(`GET /public/links/${slug}`);
  });

  test("sends no grant whose time is over", async () => {
    const slug = newSlug();
    tabStorage.set(`link-grant:${slug}`, "2020-01-01T00:00:00.000Z old-grant");
    await using server = fakeServer({
      [`GET /public/links/${slug}`]: () => peeked(slug, { max_opens: 3, opens_left: 2 }),
    });
    await openAt(`/s/${slug}`);
    await screen.findByRole("button", { name: "Open · 2 of 3 views left" });
    expect(server.lines()).toEqual([`GET /public/links/${slug}`]);
  });

  test("says that the visit has ended when its grant is void, and opens again", async () => {
    const slug = newSlug();
    let isVoid = true;
    await using _server = fakeServer({
      [`GET /public/links/${slug}`]: () => peeked(slug),
      [`POST /public/links/${slug}/open`]: () => opened(slug),
      "GET /fs/list": () => (isVoid ? refusal("grant.void") : both()),
    });
    const { user } = await openAt(`/s/${slug}`);
    await screen.findByRole("heading", { name: "This visit has ended" });
    expect(tabStorage.get(`link-grant:${slug}`)).toBeNull();
    isVoid = false;
    await user.click(screen.getByRole("button", { name: "Open again" }));
    await screen.findByRole("heading", { name: "Trip" });
  });

  test("shows the file whose address a program was told", async () => {
    const slug = newSlug();
    await using _server = fakeServer({
      [`GET /public/links/${slug}`]: () => peeked(slug),
      [`POST /public/links/${slug}/open`]: () => opened(slug),
      "GET /fs/list": (_, { searchParams }) => (searchParams.get("path") === "/" ? both() : refusal("path.isFile")),
    });
    const { where } = await openAt(`/s/${slug}/plan.txt`);
    await waitFor(() => expect(where.path).toBe(`/s/${slug}?preview=plan.txt`));
    await screen.findByText("plan.txt");
  });

  test("says that a link is gone, and that there is none", async () => {
    const [gone, missing] = [newSlug(), newSlug()];
    await using _server = fakeServer({
      [`GET /public/links/${gone}`]: () => refusal("share.gone"),
      [`GET /public/links/${missing}`]: () => refusal("share.missing"),
    });
    const { unmount } = await openAt(`/s/${gone}`);
    await screen.findByRole("heading", { name: "This share is gone" });
    unmount();
    await openAt(`/s/${missing}`);
    await screen.findByRole("heading", { name: "This share does not exist" });
  });

  test("without the right to look shows a place for files, in the folder that is chosen", async () => {
    const slug = newSlug();
    await using server = fakeServer({
      [`GET /public/links/${slug}`]: () => peeked(slug),
      [`POST /public/links/${slug}/open`]: () => opened(slug, { rights: ["upload"], upload_paths: ["/1/", "/2/"] }),
    });
    await openAt(`/s/${slug}`);
    await screen.findByRole("button", { name: "Choose files" });
    const choices = within(screen.getByRole("main"))
      .getAllByRole("option")
      .map(({ textContent }) => textContent);
    expect(choices).toEqual(["Folder 1", "Folder 2"]);
    await waitFor(() => expect(document.title).toBe("Trip · Satchel"));
    expect(server.lines().filter((line) => line.includes("/fs/"))).toEqual([]);
  });

  test("says that the folder for files is gone, and not that it may not be looked at", async () => {
    const slug = newSlug();
    await using _server = fakeServer({
      [`GET /public/links/${slug}`]: () => peeked(slug),
      [`POST /public/links/${slug}/open`]: () => opened(slug, { rights: ["upload"] }),
    });
    await openAt(`/in/${slug}`);
    await screen.findByText("This link accepts no files at the moment");
    expect(screen.queryByText(/allow viewing/)).toBeNull();
    expect(screen.queryByRole("button", { name: "Choose files" })).toBeNull();
  });
});
