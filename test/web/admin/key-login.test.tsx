import { afterEach, describe, expect, test } from "bun:test";
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { credential, type SessionState, type SignOutReason } from "../../../web/api/session/credential.ts";
import { createSignInMethod, signInMethod } from "../../../web/features/admin/login/sign-in-method.ts";
import { createStore } from "../../../web/lib/store.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { byTouch } from "../../support/pages/by-touch.ts";
import { key, keyMay, keyRoute, noFiles, noTexts, noVisitors } from "../../support/pages/key-session.ts";
import { openAt } from "../../support/pages/open-at.tsx";

afterEach(() => {
  cleanup();
  credential.signOut("loggedOut");
  signInMethod.set("password");
});

async function giveKey(user: Awaited<ReturnType<typeof openAt>>["user"], text = "the-key{Enter}") {
  await user.click(screen.getByRole("button", { name: "Use an API key instead" }));
  await user.type(screen.getByLabelText("API key"), text);
}

describe("the sign-in card for a key", () => {
  const landings: readonly [permissions: Record<string, boolean>, path: string][] = [
    [{ text: true }, "/admin/text-management"],
    [{ file: true }, "/admin/file-management"],
    [{ text: true, file: true, mount_view: true }, "/admin/text-management"],
    [{ mount_view: true }, "/"],
  ];
  test.each(landings)("with %j leads to %s", async (permissions, path) => {
    const routes = { "GET /pastes": noTexts, "GET /files": noFiles, ...noVisitors };
    await using api = fakeServer({ ...routes, [keyRoute]: keyMay(permissions) });
    const { user, where } = await openAt("/admin");
    await giveKey(user);
    await waitFor(() => expect(where.path).toBe(path));
    expect(credential.state.get()).toMatchObject({ authType: "apikey", key: "the-key", name: "ci" });
    expect(api.lines()).not.toContain("POST /admin/login");
  });

  test("leads back to where one was sent from", async () => {
    await using _api = fakeServer({ ...noVisitors, [keyRoute]: keyMay({ text: true }) });
    const { user, where } = await openAt("/admin", { returnTo: "/paste/x?edit" });
    await giveKey(user);
    await waitFor(() => expect(where.path).toBe("/paste/x?edit"));
  });

  const problems: readonly [reply: () => Response, sentence: string][] = [
    [() => refusal("key.invalid"), "Invalid or unauthorized API key."],
    [() => refusal("auth.forbidden"), "Invalid or unauthorized API key."],
    [keyMay({ webdav_read: true }), "Insufficient API key permissions."],
    [() => answer({ data: { key_info: {} } }), "Unable to get permission information"],
    [() => answer({ success: false, data: null }), "API key validation failed."],
    [() => new Response("<h1>", { status: 502 }), "Server error, please try again later."],
    [() => refusal("limit.wait", "wait", { "retry-after": "1" }), "in 1 s."],
    [() => refusal("limit.wait", "wait", { "retry-after": "90" }), "in 90 s."],
    [() => refusal("limit.wait", "wait", { "retry-after": "91" }), "in 2 min."],
    [() => refusal("limit.wait", "wait", { "retry-after": "600" }), "in 10 min."],
  ];
  test.each(problems)("%# says %s", async (reply, sentence) => {
    await using _api = fakeServer({ [keyRoute]: reply });
    const { user } = await openAt("/admin");
    await giveKey(user);
    expect((await screen.findByRole("alert")).textContent).toContain(sentence);
    expect(localStorage.getItem("api_key")).toBeNull();
    expect(screen.getByRole("heading", { name: "Sign in with an API key" })).toBeDefined();
  });

  test("asks for a key before it asks the server, and takes one with spaces around it", async () => {
    await using api = fakeServer({ [keyRoute]: () => refusal("key.invalid") });
    const { user } = await openAt("/admin");
    await giveKey(user, "{Enter}");
    expect((await screen.findByRole("alert")).textContent).toBe("Enter an API key.");
    expect(api.lines()).toEqual([]);
    await user.type(screen.getByLabelText("API key"), " \u200b\ufeff pas\u00adted\u200e {Enter}");
    await waitFor(() => expect(api.seen[0]?.headers.get("authorization")).toBe("ApiKey pasted"));
  });

  test("is no place for a password manager, and shows the key when asked to", async () => {
    const { user } = await openAt("/admin");
    await giveKey(user, "secret-key");
    const field = screen.getByLabelText("API key");
    expect([field.getAttribute("type"), field.getAttribute("autocomplete")]).toEqual(["text", "off"]);
    expect(field.getAttribute("maxlength")).toBe("128");
    const isMasked = () => field.className.includes("text-security:disc");
    expect(isMasked()).toBe(true);
    await user.click(screen.getByRole("checkbox", { name: "Show key" }));
    expect(isMasked()).toBe(false);
  });

  test("goes from one form to the other with the focus in its first field, and stays with the one that was used", async () => {
    const { user } = await openAt("/admin");
    await giveKey(user, "x");
    expect(document.activeElement === screen.getByLabelText("API key")).toBe(true);
    await user.click(screen.getByRole("button", { name: "Sign in as administrator instead" }));
    expect(document.activeElement === screen.getByLabelText("Username")).toBe(true);
    act(() => {
      credential.signInWithKey("k", { ...key, permissions: 2 }, Date.now());
      credential.signOut("loggedOut");
    });
    expect(await screen.findByRole("heading", { name: "Sign in with an API key" })).toBeDefined();
    act(() => {
      credential.signIn("tok", "admin", Date.now());
      credential.signOut("loggedOut");
    });
    expect(await screen.findByRole("heading", { name: "Admin sign-in" })).toBeDefined();
  });

  test("keeps what was typed into one form while the other one is shown, and shows one at a time", async () => {
    const { user } = await openAt("/admin");
    await user.type(screen.getByRole("textbox", { name: "Username" }), "root");
    await giveKey(user, "half-typed");
    expect(screen.queryByRole("textbox", { name: "Username" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Sign in as administrator instead" }));
    expect((screen.getByRole("textbox", { name: "Username" }) as HTMLInputElement).value).toBe("root");
    expect(screen.queryByRole("textbox", { name: "API key" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Use an API key instead" }));
    expect((screen.getByRole("textbox", { name: "API key" }) as HTMLInputElement).value).toBe("half-typed");
  });

  const firsts: readonly [SignOutReason | undefined, SessionState["authType"], string][] = [
    [undefined, "none", "password"],
    ["loggedOut", "none", "password"],
    ["expired", "none", "password"],
    ["keyInvalid", "none", "key"],
    [undefined, "apikey", "key"],
    ["keyInvalid", "admin", "password"],
  ];
  test.each(firsts)("begins, after %s and signed in with %s, with the %s", (reason, authType, way) => {
    const states: Record<SessionState["authType"], SessionState> = {
      none: { authType: "none", lastValidated: 0 },
      admin: { authType: "admin", token: "t", username: "admin", lastValidated: 0 },
      apikey: { authType: "apikey", key: "k", ...key, lastValidated: 0 },
    };
    const first = createSignInMethod({ state: createStore(states[authType]), reason: createStore(reason) });
    expect(first.get()).toBe(way as "key" | "password");
  });

  test("has the focus in its first field: when it opens, after logging out, and after an end of the session", async () => {
    await using _api = fakeServer({ "GET /pastes": noTexts, ...noVisitors });
    const { user, go } = await openAt("/");
    const focused = () => document.activeElement?.getAttribute("name");
    await user.click(screen.getAllByRole("link", { name: "Admin" })[0] ?? document.body);
    await waitFor(() => expect(focused()).toBe("username"));
    act(() => credential.signInWithKey("k", key, Date.now()));
    await user.click(await screen.findByRole("button", { name: "Log out" }));
    await waitFor(() => expect(focused()).toBe("api-key"));
    act(() => credential.signIn("tok", "admin", Date.now()));
    go("/admin/text-management");
    act(() => credential.signOut("expired"));
    await waitFor(() => expect(focused()).toBe("username"));
  });

  test("leaves the focus alone where it would bring up a keyboard", async () => {
    using _touch = byTouch();
    await openAt("/admin");
    expect(screen.getByRole("textbox", { name: "Username" })).toBeDefined();
    expect(document.activeElement === document.body).toBe(true);
  });

  test("gives the focus to the heading of the page that it leads to", async () => {
    await using _api = fakeServer({ "GET /pastes": noTexts, ...noVisitors, [keyRoute]: keyMay({ text: true }) });
    const { user } = await openAt("/admin");
    await giveKey(user);
    await waitFor(() => expect(document.activeElement?.tagName).toBe("H1"));
    expect(document.activeElement?.textContent).toBe("Texts");
  });

  test("goes back to where one came from, which does not stand twice in the history then", async () => {
    await using _api = fakeServer({ ...noVisitors, [keyRoute]: keyMay({ text: true }) });
    const { user, where, go } = await openAt("/paste/x");
    go("/");
    await user.click(await screen.findByRole("link", { name: "Sign in to share" }));
    expect(where.path).toBe("/admin");
    await giveKey(user);
    await waitFor(() => expect(where.path).toBe("/"));
    expect(await screen.findByRole("button", { name: "Create link" })).toBeDefined();
    act(() => where.back());
    expect(where.path).toBe("/paste/x");
  });

  test("says why it is there", async () => {
    await openAt("/admin");
    const ends: readonly [SignOutReason, string][] = [
      ["keyInvalid", "API key invalid or expired, please sign in again."],
      ["expired", "Your admin session has expired, please sign in again."],
      ["unauthorized", "You are not authorized, please sign in again."],
    ];
    for (const [reason, sentence] of ends) {
      act(() => {
        credential.signInWithKey(reason, key, Date.now());
        credential.signOut(reason);
      });
      expect((await screen.findByRole("status")).textContent).toBe(sentence);
    }
  });
});
