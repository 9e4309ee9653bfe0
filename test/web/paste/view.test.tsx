import { describe, expect, test } from "bun:test";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { renderMarkdown } from "../../../src/fronts/site/markdown.ts";
import { servedWords } from "../../../src/fronts/site/words.ts";
import { credential } from "../../../web/api/session/credential.ts";
import { setLanguage } from "../../../web/i18n/i18n.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { openedPaste, wholePaste } from "../../support/page-servers/paste-answers.ts";
import { signInWithKey } from "../../support/pages/key-session.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const open = (more = {}) => Response.json(openedPaste(more));

describe("the paste view", () => {
  test("shows an open share after one look, with its facts and without asking again", async () => {
    await using server = fakeServer({
      "GET /paste/abc234": () => open({ content: "first\n\n# Title\n\nsome *text*", remark: "A note" }),
    });
    const { user } = await openAt("/paste/abc234");
    expect((await screen.findByRole("heading", { level: 1, name: "A note" })).textContent).toBe("A note");
    expect((await screen.findByRole("heading", { name: "Title" })).id).toBe("h-0");
    expect(screen.getByText("never expires")).toBeDefined();
    expect(screen.getByText("unlimited views")).toBeDefined();
    await waitFor(() => expect(document.title).toBe("A note · Satchel"));
    window.dispatchEvent(new Event("focus"));
    document.dispatchEvent(new Event("visibilitychange"));
    await user.click(screen.getByRole("button", { name: "Copy text" }));
    expect(await navigator.clipboard.readText()).toBe("first\n\n# Title\n\nsome *text*");
    await user.click(screen.getByRole("button", { name: "TXT" }));
    expect((await screen.findByTestId("large-text")).textContent).toBe("first\n\n# Title\n\nsome *text*");
    expect(server.lines()).toEqual(["GET /paste/abc234"]);
  });

  test("is called in the tab by its note, its first heading or its first line, and not before it is open", async () => {
    const shares = [
      [{ content: "first\n\n# Title" }, "Title"],
      [{ content: "#!/bin/sh\nset -e\n# not a title", plain: true }, "set -e"],
      [{ content: "- - -" }, "Shared text"],
      [{ content: undefined, maxViews: 2, viewsLeft: 2, remark: "A secret" }, undefined],
    ] as const;
    for (const [share, title] of shares) {
      await using _server = fakeServer({ "GET /paste/abc234": () => open(share) });
      await openAt("/paste/abc234");
      if (title === undefined) await screen.findByRole("button", { name: /^Open/ });
      await waitFor(() =>
        expect(document.title).toBe(title === undefined ? "Shared text · Satchel" : `${title} · Satchel`),
      );
      cleanup();
    }
  });

  test("is loaded again within some minutes, and says so", async () => {
    const again = { content: "x", maxViews: 2, viewsLeft: 1, reloadSeconds: 540 };
    await using _server = fakeServer({ "GET /paste/abc234": () => open(again) });
    await openAt("/paste/abc234");
    expect(await screen.findByText("reloading within 9 minutes does not count again")).toBeDefined();
    cleanup();
    await using _locked = fakeServer({
      "GET /paste/abc234": () => open({ content: "x", hasPassword: true, reloadSeconds: 30 }),
    });
    await openAt("/paste/abc234");
    expect(await screen.findByText("reloading within 1 minute needs no password")).toBeDefined();
  });

  test("opens for its owner without asking, and says that no view was spent", async () => {
    await using server = fakeServer({
      "GET /paste/abc234": () => open({ content: "mine", maxViews: 1, viewsLeft: 1, own: true }),
    });
    await openAt("/paste/abc234");
    expect(await screen.findByText("yours: your own views do not count")).toBeDefined();
    expect(screen.getByText("1 view left")).toBeDefined();
    expect(server.lines()).toEqual(["GET /paste/abc234"]);
  });

  test("goes to the heading that the address names", async () => {
    await using _server = fakeServer({
      "GET /paste/abc234": () => open({ content: "# One\n\ntext\n\n## Two\n\ntext" }),
    });
    const reached: string[] = [];
    const { scrollIntoView } = Element.prototype;
    Element.prototype.scrollIntoView = function () {
      reached.push(this.id);
    };
    try {
      const { user } = await openAt("/paste/abc234#h-1");
      await screen.findByRole("heading", { name: "Two" });
      await waitFor(() => expect(reached).toEqual(["h-1"]));
      await user.click(screen.getByRole("button", { name: "TXT" }));
      await user.click(screen.getByRole("button", { name: "MD" }));
      expect(reached).toEqual(["h-1"]);
    } finally {
      Element.prototype.scrollIntoView = scrollIntoView;
    }
  });

  test("a long text is shown as text", async () => {
    const content = "line\n".repeat(50_000);
    await using _server = fakeServer({ "GET /paste/abc234": () => open({ content }) });
    await openAt("/paste/abc234");
    await waitFor(() => expect(screen.getByTestId("large-text").textContent === content).toBe(true));
    expect((screen.getByRole("button", { name: "MD" }) as HTMLButtonElement).disabled).toBe(true);
  });

  test("asks for the password: wrong is told at the field, right opens and is kept nowhere", async () => {
    await using server = fakeServer({
      "GET /paste/abc234": () => open({ hasPassword: true, requiresPassword: true }),
      "POST /paste/abc234": ({ body }) =>
        (body as { password: string }).password === "right"
          ? open({ hasPassword: true, content: "the secret" })
          : refusal("password.wrong"),
    });
    const { user } = await openAt("/paste/abc234");
    const field = () => screen.getByLabelText("Password", { selector: "input" }) as HTMLInputElement;
    await waitFor(() => expect(field().type).toBe("password"));
    await user.type(field(), "wrong{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("Wrong password, please try again.");
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await user.clear(field());
    await user.type(field(), "right{Enter}");
    expect(await screen.findByText("the secret")).toBeDefined();
    expect(document.activeElement?.tagName).toBe("H1");
    expect(server.lines()).toEqual(["GET /paste/abc234", "POST /paste/abc234", "POST /paste/abc234"]);
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("right");
  });

  test.each([
    ["42", "in 42 s."],
    ["600", "in 10 min."],
  ])("tells how long to wait after too many attempts: %s", async (seconds, told) => {
    await using _server = fakeServer({
      "GET /paste/abc234": () => open({ hasPassword: true, requiresPassword: true }),
      "POST /paste/abc234": () => refusal("limit.wait", "wait", { "retry-after": seconds }),
    });
    const { user } = await openAt("/paste/abc234");
    await user.type(await screen.findByLabelText("Password", { selector: "input" }), "x{Enter}");
    expect((await screen.findByRole("alert")).textContent).toContain(told);
  });

  test("a limited share is only looked at until the button is pressed, and then spent once", async () => {
    const limits = { maxViews: 1, views: 0, viewsLeft: 1 };
    await using server = fakeServer({
      "GET /paste/abc234": (_, url) =>
        url.searchParams.get("peek") === "1"
          ? open(limits)
          : open({ ...limits, views: 1, viewsLeft: 0, isLastView: true, content: "only once" }),
    });
    const { user } = await openAt("/paste/abc234");
    const button = await screen.findByRole("button", { name: "Open · opens once" });
    await user.dblClick(button);
    expect(await screen.findByText("only once")).toBeDefined();
    expect(screen.getByText("0 views left")).toBeDefined();
    expect(screen.getByText(/This was the last view/)).toBeDefined();
    // The link is dead by now.
    expect(screen.getByRole("button", { name: "Copy text" })).toBeDefined();
    expect(screen.queryByRole("button", { name: "QR code" })).toBeNull();
    window.dispatchEvent(new Event("focus"));
    expect(server.lines()).toEqual(["GET /paste/abc234", "GET /paste/abc234"]);
  });

  test("a limited share with a password asks for both at once", async () => {
    const limits = { maxViews: 2, views: 0, viewsLeft: 2, hasPassword: true };
    await using server = fakeServer({
      "GET /paste/abc234": () => open({ ...limits, requiresPassword: true }),
      "POST /paste/abc234": () => open({ ...limits, views: 1, viewsLeft: 1, content: "both" }),
    });
    const { user } = await openAt("/paste/abc234");
    const button = await screen.findByRole("button", { name: "Open · 2 of 2 views left" });
    await user.click(button);
    await user.type(screen.getByLabelText("Password", { selector: "input" }), "pw");
    await user.click(button);
    expect(await screen.findByText("both")).toBeDefined();
    expect(server.lines()).toEqual(["GET /paste/abc234", "POST /paste/abc234"]);
  });

  test("a share whose last view went to somebody else turns into the gone card", async () => {
    await using _server = fakeServer({
      "GET /paste/abc234": (_, url) =>
        url.searchParams.has("peek") ? open({ maxViews: 1, views: 0, viewsLeft: 1 }) : refusal("share.gone"),
    });
    const { user } = await openAt("/paste/abc234");
    await user.click(await screen.findByRole("button", { name: "Open · opens once" }));
    expect(await screen.findByRole("heading", { name: "This share is gone" })).toBeDefined();
  });

  test("gone and missing shares say so and lead home", async () => {
    await using _server = fakeServer({ "GET /paste/old": () => refusal("share.gone") });
    await openAt("/paste/old");
    expect(await screen.findByRole("heading", { name: "This share is gone" })).toBeDefined();
    cleanup();
    const { user, where } = await openAt("/paste/never");
    expect(await screen.findByRole("heading", { name: "This share does not exist" })).toBeDefined();
    await user.click(screen.getByRole("link", { name: "Back to Home" }));
    await waitFor(() => expect(where.path).toBe("/"));
  });

  test("one that is gone leads whoever may have made it to its list, and nobody else", async () => {
    await using _server = fakeServer({ "GET /paste/old-1": () => refusal("share.gone") });
    const toList = () => screen.queryByRole("link", { name: "Find it in the list" })?.getAttribute("href");
    await openAt("/paste/old-1");
    await screen.findByRole("link", { name: "Write an email" });
    expect(toList()).toBeUndefined();
    for (const signIn of [() => credential.signIn("token", "admin", Date.now()), () => signInWithKey("text")]) {
      cleanup();
      signIn();
      await openAt("/paste/old-1");
      await screen.findByRole("link", { name: "Find it in the list" });
      expect(toList()).toBe("/admin/text-management?search=old-1");
    }
    // A key that may share no texts has no such list.
    cleanup();
    signInWithKey("file_share");
    await openAt("/paste/old-1");
    await screen.findByRole("link", { name: "Write an email" });
    expect(toList()).toBeUndefined();
  });

  test("a server that fails can be asked again", async () => {
    let calls = 0;
    await using _server = fakeServer({
      "GET /paste/abc234": () => {
        calls += 1;
        return calls === 1 ? refusal("internal", "Server error.") : open({ content: "there it is" });
      },
    });
    const { user } = await openAt("/paste/abc234");
    expect((await screen.findByRole("alert")).textContent).toBe("Server error.");
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("there it is")).toBeDefined();
  });
});

describe("a text that the server has rendered", () => {
  const content = "# One\n\ntext\n\n## Two\n\n```\na\nb\n```";
  const share = { id: "id-1", version: 3, content };

  /** Puts the text into the page as the server does, and answers a part of it. */
  function serve(whole: string): Element | null {
    const page = document.createElement("div");
    page.innerHTML = `<div class="markdown" data-served="markdown" data-whole="${whole}">${renderMarkdown(content, servedWords.en)?.html}</div>`;
    window.servedPage = page;
    return page.querySelector("p");
  }

  test("is taken as it is where it is all of the same text, with an outline and with buttons that work", async () => {
    const served = serve("id-1 3 en");
    await using _server = fakeServer({ "GET /paste/abc234": () => open(share) });
    const { user } = await openAt("/paste/abc234");
    await screen.findByRole("toolbar");
    expect((await screen.findByText("text")).closest("p")).toBe(served as HTMLParagraphElement);
    expect(document.querySelector("[data-served]")).toBeNull();
    expect(screen.getAllByRole("link", { name: "Two" })[0]?.getAttribute("href")).toBe("#h-1");
    await waitFor(() => expect(document.title).toBe("One · Satchel"));
    await user.click(await screen.findByRole("button", { name: "Copy" }));
    expect(await navigator.clipboard.readText()).toBe("a\nb\n");
    await user.click(screen.getByRole("button", { name: "TXT" }));
    expect((await screen.findByTestId("large-text")).textContent).toBe(content);
    await user.click(screen.getByRole("button", { name: "MD" }));
    expect((await screen.findByText("text")).closest("p")).toBe(served as HTMLParagraphElement);
  });

  test("is rendered in another language once that is chosen", async () => {
    const served = serve("id-1 3 en");
    await using _server = fakeServer({ "GET /paste/abc234": () => open(share) });
    await openAt("/paste/abc234");
    await screen.findByRole("button", { name: "Copy" });
    await act(() => setLanguage("de"));
    expect((await screen.findByText("2 Zeilen")).closest("figure")).not.toBeNull();
    expect(screen.getByText("text").closest("p")).not.toBe(served as HTMLParagraphElement);
    await act(() => setLanguage("en"));
    expect((await screen.findByText("2 lines")).closest("figure")).not.toBeNull();
    expect(screen.getAllByText("text")).toHaveLength(1);
  });

  test.each([
    ["of an earlier version", "id-1 2 en"],
    ["of a text that had the address before", "id-0 3 en"],
    ["in another language", "id-1 3 de"],
    ["that the page would render otherwise", ""],
  ])("is rendered anew where it is one %s", async (_, whole) => {
    const served = serve(whole);
    await using _server = fakeServer({
      "GET /paste/abc234": () => open({ ...share, content: "# Other\n\nnew text" }),
    });
    await openAt("/paste/abc234");
    expect((await screen.findByText("new text")).closest("p")).not.toBe(served as HTMLParagraphElement);
    expect(screen.getByRole("heading", { name: "Other" }).id).toBe("h-0");
    expect(screen.queryByRole("heading", { name: "Two" })).toBeNull();
  });
});

describe("editing in place", () => {
  test("sends what has changed and shows the new text under its new link without spending a view", async () => {
    credential.signIn("token", "admin", Date.now());
    await using server = fakeServer({
      "GET /test/admin-token": () => answer(),
      "GET /paste/abc234": () => open({ content: "before" }),
      "GET /pastes/abc234": () => answer({ data: wholePaste({ content: "before" }) }),
      "PUT /pastes/id-1": () => answer({ data: { id: "id-1", slug: "better" } }),
    });
    const { user, where } = await openAt("/paste/abc234");
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    const text = await screen.findByRole("textbox", { name: "Text to share" });
    await user.clear(text);
    await user.type(text, "after");
    const slug = screen.getByRole("textbox", { name: "Link suffix" });
    await user.clear(slug);
    await user.type(slug, "better");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("after")).toBeDefined();
    await waitFor(() => expect(where.path).toBe("/paste/better"));
    expect(server.seen.find(({ line }) => line === "PUT /pastes/id-1")?.body).toEqual({
      content: "after",
      version: 1,
      newSlug: "better",
    });
    expect(server.lines().filter((line) => line.startsWith("GET /paste/"))).toEqual(["GET /paste/abc234"]);
  });

  test("a taken suffix is told at its field; cancelling shows the text as it was", async () => {
    credential.signIn("token", "admin", Date.now());
    await using _server = fakeServer({
      "GET /test/admin-token": () => answer(),
      "GET /paste/abc234": () => open({ content: "before" }),
      "GET /pastes/abc234": () => answer({ data: wholePaste() }),
      "PUT /pastes/id-1": () => refusal("slug.taken", "This suffix is taken."),
    });
    const { user } = await openAt("/paste/abc234");
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    const slug = await screen.findByRole("textbox", { name: "Link suffix" });
    await user.type(slug, "x");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect((await screen.findByRole("alert")).textContent).toBe("This suffix is taken. Please choose another one.");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "Discard" }));
    expect(await screen.findByText("before")).toBeDefined();
  });

  test("what is not saved survives links out, a reload and the end of the session", async () => {
    credential.signIn("token", "admin", Date.now());
    await using server = fakeServer({
      "GET /test/admin-token": () => answer(),
      "GET /paste/abc234": () => open({ content: "before" }),
      "GET /pastes/abc234": () => answer({ data: wholePaste() }),
      "PUT /pastes/id-1": ({ headers }) =>
        headers.get("authorization") === "Bearer token"
          ? refusal("auth.expired")
          : answer({ data: { id: "id-1", slug: "abc234" } }),
    });
    const { user, where } = await openAt("/paste/abc234");
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    const heading = await screen.findByRole("heading", { name: "Edit share" });
    await waitFor(() => expect(document.activeElement === heading).toBe(true));
    const leaving = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    expect(leaving()).toBe(false);
    await user.type(screen.getByLabelText("Note"), "kept");
    expect(leaving()).toBe(true);

    await user.click(screen.getByRole("link", { name: "Home" }));
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Keep editing" }));
    expect(where.path).toBe("/paste/abc234");

    await user.click(screen.getByRole("button", { name: "Save" }));
    expect((await screen.findByRole("link", { name: "Sign in" })).getAttribute("target")).toBe("_blank");
    expect((screen.getByLabelText("Note") as HTMLInputElement).value).toBe("kept");
    act(() => credential.signIn("another", "admin", Date.now()));
    await user.click(screen.getByRole("button", { name: "Save" }));
    const title = await screen.findByRole("heading", { level: 1, name: "kept" });
    await waitFor(() => expect(document.activeElement === title).toBe(true));
    expect(server.seen.findLast(({ line }) => line.startsWith("PUT"))?.body).toEqual({ remark: "kept" });
  });

  test("readers have no edit button, and what visitors may is not asked for them", async () => {
    await using server = fakeServer({ "GET /paste/abc234": () => open({ content: "before" }) });
    await openAt("/paste/abc234");
    await screen.findByText("before");
    expect(screen.queryByRole("button", { name: "Edit" })).toBeNull();
    expect(server.lines()).toEqual(["GET /paste/abc234"]);
  });

  test.each([
    ["its own", ["text"], "apikey:key-1", true],
    ["its own, as it was written before", ["text"], "key-1", true],
    ["another key's", ["text"], "apikey:key-2", false],
    ["the admin's", ["text"], "admin", false],
    ["its own without the right", ["file_share", "mount_view"], "apikey:key-1", false],
  ] as const)("a key may edit %s or not", async (_, rights, created_by, may) => {
    signInWithKey(...rights);
    await using _server = fakeServer({ "GET /paste/abc234": () => open({ content: "before", created_by }) });
    await openAt("/paste/abc234");
    await screen.findByText("before");
    expect(screen.queryAllByRole("button", { name: "Edit" }).length).toBe(may ? 1 : 0);
  });

  test("a key still has its edit button after it has edited", async () => {
    signInWithKey("text");
    const created_by = "apikey:key-1";
    await using _server = fakeServer({
      "GET /paste/abc234": () => open({ content: "before", created_by }),
      "GET /pastes/abc234": () => answer({ data: wholePaste({ created_by }) }),
      "PUT /pastes/id-1": () => answer({ data: { id: "id-1", slug: "abc234" } }),
    });
    const { user } = await openAt("/paste/abc234");
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    await user.type(await screen.findByLabelText("Note"), "mine");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByRole("heading", { level: 1, name: "mine" })).toBeDefined();
    expect(screen.getByRole("button", { name: "Edit" })).toBeDefined();
  });

  test("a key that ends takes nothing that was typed with it", async () => {
    signInWithKey("text");
    const created_by = "apikey:key-1";
    await using _server = fakeServer({
      "GET /paste/abc234": () => open({ content: "before", created_by }),
      "GET /pastes/abc234": () => answer({ data: wholePaste({ created_by }) }),
      "PUT /pastes/id-1": () => refusal("key.invalid"),
    });
    const { user } = await openAt("/paste/abc234");
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    await user.type(await screen.findByLabelText("Note"), "kept");
    await user.click(screen.getByRole("button", { name: "Save" }));
    expect((await screen.findByRole("link", { name: "Sign in" })).getAttribute("target")).toBe("_blank");
    expect((screen.getByLabelText("Note") as HTMLInputElement).value).toBe("kept");
  });
});
