import { describe, expect, test } from "bun:test";
import { act, screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { key, keyMay, keyRoute, noFiles, noTexts, noVisitors } from "../../support/pages/key-session.ts";
import { openAt } from "../../support/pages/open-at.tsx";

describe("the panel of a key", () => {
  const modules = () =>
    within(screen.getByRole("navigation", { name: /panel$/ }))
      .getAllByRole("link")
      .map(({ textContent }) => textContent);
  const server = () => fakeServer({ "GET /pastes": noTexts, "GET /files": noFiles, ...noVisitors });

  test("names the key and has only what it may open", async () => {
    await using api = server();
    credential.signInWithKey("k", { ...key, name: "Marketing", permissions: 2 }, Date.now());
    const { user, where } = await openAt("/admin/account");
    await screen.findByRole("navigation", { name: "User panel" });
    expect(where.path).toBe("/admin/file-management");
    expect(screen.getByText("Marketing")).toBeDefined();
    expect(modules()).toEqual(["Files"]);
    await user.click(screen.getByRole("button", { name: "Log out" }));
    expect(await screen.findByLabelText("API key")).toBeDefined();
    expect(api.lines()).not.toContain("POST /admin/logout");
  });

  test("is the admin's with everything", async () => {
    await using _api = server();
    credential.signIn("tok", "admin", Date.now());
    const { where } = await openAt("/admin");
    await screen.findByRole("navigation", { name: "Admin panel" });
    expect(where.path).toBe("/admin/dashboard");
    expect(modules()).toEqual([
      "Dashboard",
      "Texts",
      "Files",
      "Links",
      "Keys",
      "Visitors",
      "Mounts",
      "Storages",
      "Account",
      "Site",
      "Sharing",
      "Global",
      "Preview",
      "WebDAV",
      "Backup",
      "Notifications",
      "Import",
      "System",
    ]);
  });

  test("is a drawer on a phone, which says where one is and closes on the way", async () => {
    await using _api = server();
    credential.signIn("tok", "admin", Date.now());
    const { user, where } = await openAt("/admin/text-management");
    const bar = screen.getByRole("button", { name: /Admin panel.*Texts/ });
    expect(bar.getAttribute("aria-expanded")).toBe("false");
    await user.click(bar);
    const drawer = screen.getByRole("dialog", { name: "Admin panel" });
    expect(bar.getAttribute("aria-expanded")).toBe("true");
    await user.click(within(drawer).getByRole("link", { name: "Files" }));
    expect(where.path).toBe("/admin/file-management");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByRole("button", { name: /Admin panel.*Files/ })).toBeDefined();
  });

  test("follows rights that are taken away while it is open", async () => {
    await using _api = server();
    credential.signInWithKey("k", key, Date.now());
    const { where } = await openAt("/admin/text-management");
    expect(modules()).toEqual(["Texts", "Files"]);
    act(() => credential.validated(Date.now(), { ...key, permissions: 2 }));
    await waitFor(() => expect(where.path).toBe("/admin/file-management"));
    act(() => credential.validated(Date.now(), { ...key, permissions: 256 }));
    await waitFor(() => expect(where.path).toBe("/"));
  });
});

describe("rights that were not asked about for long", () => {
  test("are asked about before a page is shown that would be taken away", async () => {
    const late = Promise.withResolvers<Response>();
    await using api = fakeServer({ ...noVisitors, "GET /files": noFiles, [keyRoute]: () => late.promise });
    credential.signInWithKey("k", key, 1);
    const { where } = await openAt("/admin/text-management");
    expect(screen.getByRole("status", { name: "Loading…" })).toBeDefined();
    expect(screen.queryByRole("navigation", { name: "User panel" })).toBeNull();
    late.resolve(keyMay({ file: true })());
    await waitFor(() => expect(where.path).toBe("/admin/file-management"));
    expect(api.lines()).not.toContain("GET /pastes");
  });

  test("lead to the card without a page in between when the key is no more", async () => {
    await using api = fakeServer({ "GET /pastes": noTexts, [keyRoute]: () => refusal("key.invalid") });
    credential.signInWithKey("k", key, 1);
    await openAt("/admin/text-management");
    expect(await screen.findByText("API key invalid or expired, please sign in again.")).toBeDefined();
    expect(api.lines()).toEqual([keyRoute]);
  });

  test("decide as they are when the server does not answer", async () => {
    Object.assign(window, { appConfig: { backendUrl: "http://127.0.0.1:1" } });
    credential.signInWithKey("k", key, 1);
    await openAt("/admin/file-management");
    expect(await screen.findByRole("navigation", { name: "User panel" })).toBeDefined();
    Object.assign(window, { appConfig: undefined });
  });

  test("decide after a second when the server says nothing at all", async () => {
    await using _api = fakeServer({
      "GET /files": noFiles,
      [keyRoute]: () => Promise.withResolvers<Response>().promise,
    });
    credential.signInWithKey("k", key, 1);
    await openAt("/admin/file-management");
    expect(await screen.findByRole("navigation", { name: "User panel" })).toBeDefined();
  });

  test("are waited for before a list says that it was refused", async () => {
    const late = Promise.withResolvers<Response>();
    await using api = fakeServer({
      ...noVisitors,
      "GET /pastes": () => refusal("auth.forbidden", "No permission"),
      "GET /files": noFiles,
      [keyRoute]: () => late.promise,
    });
    credential.signInWithKey("k", key, 1);
    const { container, where } = await openAt("/admin/text-management");
    await screen.findByRole("heading", { name: "Texts" });
    const said: string[] = [];
    const watch = new MutationObserver(() => said.push(screen.queryByText("No permission")?.textContent ?? ""));
    watch.observe(container, { childList: true, subtree: true });
    await waitFor(() => expect(api.lines()).toContain("GET /pastes"));
    await act(async () => void (await new Promise((resolve) => setImmediate(resolve))));
    expect(screen.queryByText("No permission")).toBeNull();
    late.resolve(keyMay({ file: true })());
    await waitFor(() => expect(where.path).toBe("/admin/file-management"));
    watch.disconnect();
    expect(said.join("")).toBe("");
  });

  test("that a list was refused by are asked about at once, and what they no longer allow disappears", async () => {
    await using api = fakeServer({
      ...noVisitors,
      "GET /pastes": () => refusal("auth.forbidden", "No permission"),
      "GET /files": noFiles,
      [keyRoute]: keyMay({ file: true }),
    });
    credential.signInWithKey("k", key, Date.now());
    const { where } = await openAt("/admin/text-management");
    await waitFor(() => expect(where.path).toBe("/admin/file-management"));
    expect(screen.queryByRole("link", { name: "Texts" })).toBeNull();
    expect(api.lines().filter((line) => line === keyRoute)).toHaveLength(1);
  });

  test("that allow what was refused all the same leave the refusal to be read", async () => {
    await using _api = fakeServer({
      "GET /pastes": () => refusal("auth.forbidden", "No permission"),
      [keyRoute]: keyMay({ text: true }),
    });
    credential.signInWithKey("k", key, Date.now());
    await openAt("/admin/text-management");
    expect(await screen.findByText("No permission")).toBeDefined();
  });

  test("give no page its title before it is known to be theirs", async () => {
    const late = Promise.withResolvers<Response>();
    await using _api = fakeServer({ ...noVisitors, "GET /files": noFiles, [keyRoute]: () => late.promise });
    credential.signInWithKey("k", key, 1);
    await openAt("/admin/text-management");
    expect(document.title).toBe("Admin · Satchel");
    late.resolve(keyMay({ file: true })());
    await waitFor(() => expect(document.title).toBe("Files · Satchel"));
  });

  test("keep the panel in its place on the way to another of its pages", async () => {
    const late = Promise.withResolvers<Response>();
    await using _api = fakeServer({ "GET /pastes": noTexts, "GET /files": noFiles, [keyRoute]: () => late.promise });
    credential.signInWithKey("k", key, Date.now());
    const { user, where } = await openAt("/admin/text-management");
    act(() => credential.validated(1));
    await user.click(screen.getByRole("link", { name: "Files" }));
    expect(where.path).toBe("/admin/file-management");
    expect(screen.getByRole("navigation", { name: "User panel" })).toBeDefined();
    expect(screen.queryByRole("heading", { name: "Files" })).toBeNull();
    late.resolve(keyMay({ text: true, file: true })());
    expect(await screen.findByRole("heading", { name: "Files" })).toBeDefined();
  });
});

test.each(["expired", "changed"] as const)(
  "a page waits when the session ends as %s, under whatever name",
  async (why) => {
    await using _api = fakeServer({ "GET /pastes": noTexts });
    credential.signIn("tok", "admin", Date.now());
    await openAt("/admin/text-management");
    const page = () => screen.getByRole("heading", { name: "Texts" });
    const first = page();
    act(() => credential.signOut(why));
    expect(screen.queryByRole("heading", { name: "Texts" })).toBeNull();
    act(() => credential.signIn("tok2", why === "changed" ? "root" : "admin", Date.now()));
    expect(page() === first).toBe(true);
    act(() => credential.signOut("loggedOut"));
    act(() => credential.signIn("tok3", "root", Date.now()));
    expect(page() === first).toBe(false);
  },
);

test("a page that waits for the same person is not shown to the next one", async () => {
  await using _api = fakeServer({ "GET /pastes": noTexts });
  credential.signIn("tok", "admin", Date.now());
  await openAt("/admin/text-management");
  const page = () => screen.getByRole("heading", { name: "Texts" });
  const first = page();
  act(() => credential.signOut("expired"));
  act(() => credential.signIn("tok2", "admin", Date.now()));
  expect(page() === first).toBe(true);
  act(() => credential.signOut("expired"));
  act(() => credential.signInWithKey("k", key, Date.now()));
  expect(page() === first).toBe(false);
});
