import { describe, expect, test } from "bun:test";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { languageCodes } from "#contract/languages";
import { credential } from "../../../web/api/session/credential.ts";
import { setLanguage, t } from "../../../web/i18n/i18n.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { lookedAt, openedFile } from "../../support/page-servers/file-answers.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const open = (more = {}) => answer({ data: openedFile(more) });
const look = (more = {}) => answer({ data: lookedAt(more) });
const LOOK = "GET /public/files/abc234";
const UNLOCK = "POST /public/files/abc234/verify";

const PHONE = "Mozilla/5.0 (Linux; Android 10; MI 8) AppleWebKit/537.36 Chrome/107.0.5304.141 Mobile Safari/537.36";

/** Has the browser be the one inside of an app until the test ends. */
function inside(app: string): Disposable {
  const { userAgent } = navigator;
  const be = (value: string) => Object.defineProperty(navigator, "userAgent", { value, configurable: true });
  be(app);
  return { [Symbol.dispose]: () => void be(userAgent) };
}

describe("a file in the browser inside of an app", () => {
  const WECHAT = `${PHONE} XWEB/5075 MicroMessenger/8.0.35.2360 WeChat/arm64`;

  test("says before a view is spent that another browser may be needed, in each language", async () => {
    using _app = inside(WECHAT);
    await using server = fakeServer({ [LOOK]: () => look({ max_views: 1, views_left: 1 }) });
    for (const language of languageCodes) {
      await setLanguage(language);
      await openAt("/file/abc234");
      await screen.findByRole("heading", { level: 1 });
      expect(screen.getByText(t("share.gate.insideApp"))).toBeDefined();
      cleanup();
    }
    await setLanguage("en");
    expect(new Set(server.seen.map(({ line }) => line))).toEqual(new Set([LOOK]));
  });

  test("says so below Download once that was pressed; no other browser hears of it", async () => {
    await using _server = fakeServer({ [LOOK]: () => open() });
    for (const [agent, told] of [
      [WECHAT, true],
      [PHONE, false],
    ] as const) {
      using _app = inside(agent);
      const { user } = await openAt("/file/abc234");
      const download = await screen.findByRole("link", { name: "Download" });
      download.addEventListener("click", (event) => event.preventDefault());
      expect(screen.queryByText(/Was nothing saved/)).toBeNull();
      await user.click(download);
      expect(screen.queryByText(/Was nothing saved/) !== null).toBe(told);
      cleanup();
    }
  });
});

describe("a free file", () => {
  test("opens after one look, with its facts, its addresses and its name as the title", async () => {
    await using server = fakeServer({ [LOOK]: () => open({ remark: "From the beach" }) });
    await openAt("/file/abc234");
    expect((await screen.findByRole("heading", { level: 1 })).textContent).toBe("holiday.png");
    expect(screen.getByText("From the beach")).toBeDefined();
    for (const fact of ["2.3 MB", "PNG image", "1 view", "never expires"]) {
      expect(screen.getByText(fact)).toBeDefined();
    }
    const download = screen.getByRole("link", { name: "Download" });
    expect(download.getAttribute("href")).toBe(`${server.base}/api/file-download/abc234?grant=visitor`);
    expect(download.getAttribute("download")).toBe("holiday.png");
    expect((await screen.findByAltText("holiday.png")).getAttribute("src")).toBe(
      `${server.base}/api/file-thumb/abc234?w=1280`,
    );
    await waitFor(() => expect(document.title).toBe("holiday.png · Satchel"));
    window.dispatchEvent(new Event("focus"));
    document.dispatchEvent(new Event("visibilitychange"));
    expect(server.seen.map(({ line }) => line)).toEqual([LOOK]);
    expect(server.addresses()).toEqual(["/api/public/files/abc234?peek=1"]);
  });

  test("keeps its title through a change of language, and gives it back when left", async () => {
    await using _server = fakeServer({ [LOOK]: () => open() });
    const { unmount } = await openAt("/file/abc234");
    await waitFor(() => expect(document.title).toBe("holiday.png · Satchel"));
    await setLanguage("zh");
    expect(await screen.findByRole("link", { name: "下载" })).toBeDefined();
    expect(screen.getByText("PNG 图片")).toBeDefined();
    expect(document.title).toBe("holiday.png · Satchel");
    unmount();
    await openAt("/file/abc234");
    expect(document.title).toBe("文件分享 · Satchel");
    await screen.findByRole("link", { name: "下载" });
  });

  test("gives away its page's link, its direct link and a QR code", async () => {
    await using server = fakeServer({ [LOOK]: () => open() });
    const { user } = await openAt("/file/abc234");
    await user.click(await screen.findByRole("button", { name: "Copy link" }));
    expect(await navigator.clipboard.readText()).toBe("http://localhost:8787/file/abc234");
    await user.click(screen.getByRole("button", { name: "Copy direct link" }));
    expect(await navigator.clipboard.readText()).toBe(`${server.base}/api/file-download/abc234`);
    await user.click(screen.getByRole("button", { name: "QR code" }));
    expect((await screen.findByRole("dialog", { name: "QR code" })).textContent).toContain("/file/abc234");
    expect(screen.queryByRole("button", { name: "Share" })).toBeNull();
  });

  test("is handed to the system's share sheet where there is one; without it the link is copied", async () => {
    await using _server = fakeServer({ [LOOK]: () => open() });
    const shared: unknown[] = [];
    let outcome = async () => undefined as unknown;
    const share = (what: unknown) => {
      shared.push(what);
      return outcome();
    };
    Object.assign(navigator, { share });
    try {
      const { user } = await openAt("/file/abc234");
      await navigator.clipboard.writeText("before");
      const button = await screen.findByRole("button", { name: "Share" });
      await user.click(button);
      expect(shared).toEqual([{ title: "holiday.png", url: "http://localhost:8787/file/abc234" }]);
      outcome = () => Promise.reject(new DOMException("no", "AbortError"));
      await user.click(button);
      expect(await navigator.clipboard.readText()).toBe("before");
      outcome = () => Promise.reject(new DOMException("no", "NotAllowedError"));
      await user.click(button);
      await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("http://localhost:8787/file/abc234"));
    } finally {
      Reflect.deleteProperty(navigator, "share");
    }
  });
});

describe("a file with a password or a limit", () => {
  test("asks for the password: wrong is told at the field and ends no session, right opens and is kept nowhere", async () => {
    credential.signIn("token", "admin", Date.now());
    await using server = fakeServer({
      "GET /test/admin-token": () => answer(),
      [LOOK]: () => look({ has_password: true, requires_password: true }),
      [UNLOCK]: ({ body }) =>
        (body as { password: string }).password === "right" ? open({ has_password: true }) : refusal("password.wrong"),
    });
    const { user } = await openAt("/file/abc234");
    const field = () => screen.getByLabelText("Password", { selector: "input" }) as HTMLInputElement;
    await waitFor(() => expect(field().type).toBe("password"));
    await user.type(field(), "wrong{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("Wrong password, please try again.");
    expect(credential.state.get().authType).toBe("admin");
    await waitFor(() => expect(document.activeElement === field()).toBe(true));
    await user.clear(field());
    await user.type(field(), "right{Enter}");
    expect(await screen.findByRole("link", { name: "Download" })).toBeDefined();
    await waitFor(() => expect(document.activeElement?.textContent).toBe("holiday.png"));
    expect(screen.queryByRole("button", { name: "Copy direct link" })).toBeNull();
    expect(server.lines()).toEqual([LOOK, UNLOCK, UNLOCK]);
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("right");
  });

  test("tells how long to wait after too many attempts", async () => {
    await using _server = fakeServer({
      [LOOK]: () => look({ has_password: true, requires_password: true }),
      [UNLOCK]: () => refusal("limit.wait", "wait", { "retry-after": "42" }),
    });
    const { user } = await openAt("/file/abc234");
    await user.type(await screen.findByLabelText("Password", { selector: "input" }), "x{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("Too many attempts. Try again in 42 s.");
  });

  test("is only looked at until the button is pressed, and then spent once", async () => {
    const limits = { max_views: 1, views: 0, views_left: 1 };
    await using server = fakeServer({
      [LOOK]: (_, url) =>
        url.searchParams.get("peek") === "1"
          ? look(limits)
          : open({ ...limits, views: 1, views_left: 0, is_last_view: true }),
    });
    const { user } = await openAt("/file/abc234");
    await user.dblClick(await screen.findByRole("button", { name: "Open · opens once" }));
    expect(await screen.findByText("1 of 1 view used")).toBeDefined();
    expect(screen.getByText(/This was the last view/)).toBeDefined();
    // Its links are dead by now.
    expect(screen.getByRole("toolbar", { name: "Actions" })).toBeDefined();
    expect(screen.queryByRole("button", { name: "QR code" })).toBeNull();
    expect(screen.queryByRole("button", { name: /^Copy .*link/ })).toBeNull();
    window.dispatchEvent(new Event("focus"));
    expect(server.addresses()).toEqual(["/api/public/files/abc234?peek=1", "/api/public/files/abc234"]);
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("grant");
  });

  test("with both asks for both at once", async () => {
    const limits = { max_views: 2, views: 0, views_left: 2, has_password: true };
    await using server = fakeServer({
      [LOOK]: () => look({ ...limits, requires_password: true }),
      [UNLOCK]: (_, url) =>
        url.searchParams.has("peek")
          ? look({ ...limits, requires_password: false })
          : open({ ...limits, views: 1, views_left: 1 }),
    });
    const { user } = await openAt("/file/abc234");
    await user.type(await screen.findByLabelText("Password", { selector: "input" }), "pw");
    await user.click(screen.getByRole("button", { name: "Open · 2 of 2 views left" }));
    expect(await screen.findByText("1 of 2 views used")).toBeDefined();
    // The password is proven, and what shows the file loaded, before a view is spent.
    expect(server.lines()).toEqual([LOOK, UNLOCK, UNLOCK]);
  });

  test("turns into the gone card when somebody else took the last view", async () => {
    await using _server = fakeServer({
      [LOOK]: (_, url) =>
        url.searchParams.has("peek") ? look({ max_views: 1, views: 0, views_left: 1 }) : refusal("share.gone"),
    });
    const { user } = await openAt("/file/abc234");
    await user.click(await screen.findByRole("button", { name: "Open · opens once" }));
    expect(await screen.findByRole("heading", { name: "This share is gone" })).toBeDefined();
  });
});

test("what became of one share says nothing about the next one at its page", async () => {
  const limits = { max_views: 1, views: 0, views_left: 1 };
  await using _server = fakeServer({
    [LOOK]: (_, url) => (url.searchParams.has("peek") ? look(limits) : refusal("share.gone")),
    "GET /public/files/other": () => open({ slug: "other", filename: "other.png" }),
  });
  const { user, go } = await openAt("/file/abc234");
  await user.click(await screen.findByRole("button", { name: "Open · opens once" }));
  await screen.findByRole("heading", { name: "This share is gone" });
  go("/file/other");
  expect(await screen.findByRole("heading", { level: 1, name: "other.png" })).toBeDefined();
});

test("a name shows nothing that turns the direction of writing, in the title neither", async () => {
  await using _server = fakeServer({ [LOOK]: () => open({ filename: "photo\u202egnp.exe" }) });
  await openAt("/file/abc234");
  const heading = await screen.findByRole("heading", { level: 1 });
  expect(heading.querySelector("bdi")?.textContent).toBe("photognp.exe");
  await waitFor(() => expect(document.title).toBe("photognp.exe · Satchel"));
  expect(screen.getByRole("link", { name: "Download" }).getAttribute("download")).toBe("photo\u202egnp.exe");
});

describe("a file that cannot be shown", () => {
  test.each([
    ["share.missing", "This share does not exist"],
    ["share.gone", "This share is gone"],
    ["file.gone", "The file is gone"],
  ] as const)("%s says so and leads home", async (code, title) => {
    await using _server = fakeServer({ [LOOK]: () => refusal(code) });
    const { user, where } = await openAt("/file/abc234");
    expect(await screen.findByRole("heading", { level: 1, name: title })).toBeDefined();
    await user.click(screen.getByRole("link", { name: "Back to Home" }));
    await waitFor(() => expect(where.path).toBe("/"));
  });

  test("has words to ask for another link, which name nobody", async () => {
    await using _server = fakeServer({ [LOOK]: () => refusal("share.gone") });
    const { user } = await openAt("/file/abc234");
    await user.click(await screen.findByRole("button", { name: "Copy a request" }));
    const words = "The link you sent me no longer opens: http://localhost:8787/file/abc234 Could you share it again?";
    expect(await navigator.clipboard.readText()).toBe(words);
    const mail = new URL(screen.getByRole<HTMLAnchorElement>("link", { name: "Write an email" }).href);
    expect([mail.protocol, mail.pathname, mail.searchParams.get("body")]).toEqual(["mailto:", "", words]);
    const shared: unknown[] = [];
    Object.assign(navigator, { share: async (what: unknown) => shared.push(what) });
    try {
      cleanup();
      await openAt("/file/abc234");
      await user.click(await screen.findByRole("button", { name: "Ask for a new link" }));
      expect(shared).toEqual([{ text: words }]);
    } finally {
      Reflect.deleteProperty(navigator, "share");
    }
  });

  test("can be asked for again when the server fails", async () => {
    let calls = 0;
    await using _server = fakeServer({
      [LOOK]: () => {
        calls += 1;
        return calls === 1 ? refusal("internal", "Server error.") : open();
      },
    });
    const { user } = await openAt("/file/abc234");
    expect((await screen.findByRole("alert")).textContent).toBe("Server error.");
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("link", { name: "Download" })).toBeDefined();
  });
});
