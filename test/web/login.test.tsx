import { afterEach, describe, expect, test } from "bun:test";
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { credential } from "../../web/api/credential.ts";
import { openAt } from "./place.tsx";
import { answer, refusal, standIn } from "./stand-in.ts";

const emptyList = () =>
  answer({ data: [], pagination: { total: 0, page: 1, limit: 10, offset: 0, totalPages: 0, hasMore: false } });
const signedIn = () => answer({ data: { token: "tok", username: "admin", expiresAt: "2031-01-01T00:00:00.000Z" } });

afterEach(() => {
  cleanup();
  credential.signOut("loggedOut");
  window.history.replaceState(null, "", "/");
});

async function fillIn(user: Awaited<ReturnType<typeof openAt>>["user"]) {
  await user.type(screen.getByLabelText("Username"), "admin");
  await user.type(screen.getByLabelText("Password"), "secret{Enter}");
}

describe("the sign-in card", () => {
  test("opens the list of texts, empty and saying how to fill it", async () => {
    await using api = standIn({ "POST /admin/login": signedIn, "GET /pastes": emptyList });
    const { user } = await openAt("/admin");
    await fillIn(user);
    expect(await screen.findByRole("link", { name: "Write the first text" })).toBeDefined();
    expect(api.seen[0]?.body).toEqual({ username: "admin", password: "secret" });
    expect(localStorage.getItem("admin_token")).toBe("tok");
  });

  test("says in its place that the password is wrong", async () => {
    await using _api = standIn({ "POST /admin/login": () => refusal("login.wrong") });
    const { user } = await openAt("/admin");
    await fillIn(user);
    expect((await screen.findByRole("alert")).textContent).toBe("Wrong username or password.");
    expect(screen.getByRole("button", { name: "Sign in" })).toBeDefined();
  });

  test.each([400, 401, 403])("says so when something in between refuses with a page of its own: %d", async (status) => {
    await using _api = standIn({ "POST /admin/login": () => new Response("<h1>no</h1>", { status }) });
    const { user } = await openAt("/admin");
    await fillIn(user);
    expect((await screen.findByRole("alert")).textContent).toBe("Login failed. Please try again.");
  });

  test("says how long to wait", async () => {
    await using _api = standIn({ "POST /admin/login": () => refusal("limit.wait", "wait", { "retry-after": "30" }) });
    const { user } = await openAt("/admin");
    await fillIn(user);
    expect((await screen.findByRole("alert")).textContent).toContain("30 seconds");
  });

  test("shows and hides the password", async () => {
    const { user } = await openAt("/admin");
    const field = screen.getByLabelText("Password");
    await user.click(screen.getByRole("button", { name: "Show password" }));
    expect(field.getAttribute("type")).toBe("text");
    await user.click(screen.getByRole("button", { name: "Hide password" }));
    expect(field.getAttribute("type")).toBe("password");
  });
});

describe("the one-time link", () => {
  test("signs in, leaves the address at once, and leads Home with a word about the password", async () => {
    await using api = standIn({ "POST /admin/sign-in-link": signedIn });
    window.history.replaceState(null, "", "/admin#setup=once-only");
    const { where } = await openAt("/admin#setup=once-only");
    expect(window.location.hash).toBe("");
    expect(await screen.findByRole("link", { name: "Set a password" })).toBeDefined();
    expect(where.path).toBe("/");
    expect(api.seen.filter(({ line }) => line.includes("sign-in-link")).map(({ body }) => body)).toEqual([
      { token: "once-only" },
    ]);
  });

  test("that is dead leads to the card and says so", async () => {
    await using _api = standIn({ "POST /admin/sign-in-link": () => refusal("signInLink.invalid") });
    window.history.replaceState(null, "", "/admin#setup=used");
    await openAt("/admin#setup=used");
    expect((await screen.findByRole("alert")).textContent).toContain("expired or was used already");
    expect(screen.getByRole("heading", { name: "Admin sign-in" })).toBeDefined();
  });

  test("that is dead is said to be so to somebody who is signed in, too", async () => {
    await using _api = standIn({
      "POST /admin/sign-in-link": () => refusal("signInLink.invalid"),
      "GET /pastes": emptyList,
    });
    credential.signIn("tok", "admin", Date.now());
    window.history.replaceState(null, "", "/admin#setup=used");
    const { where } = await openAt("/admin#setup=used");
    expect(await screen.findByText(/expired or was used already. You are signed in/)).toBeDefined();
    expect(where.path).toBe("/admin/text-management");
    // Toasts have a place of their own, which would outlive this test.
    screen.getByRole("region", { name: /^Notifications/ }).parentElement?.remove();
  });

  test("signs in a key's holder to whom no page of the admin area is open", async () => {
    await using api = standIn({ "POST /admin/sign-in-link": signedIn });
    credential.signInWithKey("k", { id: "k1", name: "ci", permissions: 256, basePath: "/" }, Date.now());
    window.history.replaceState(null, "", "/admin#setup=once-only");
    await openAt("/admin#setup=once-only");
    await waitFor(() => expect(credential.state.get()).toMatchObject({ authType: "admin", token: "tok" }));
    expect(api.lines()).toContain("POST /admin/sign-in-link");
  });
});

describe("the account page", () => {
  test("checks first, then saves, and asks to sign in again", async () => {
    credential.signIn("tok", "admin", Date.now());
    await using api = standIn({ "POST /admin/change-password": () => answer() });
    const { user } = await openAt("/admin/account");
    const save = screen.getByRole("button", { name: "Save and sign in again" });
    await user.type(screen.getByLabelText("Current password"), "secret");
    const typed = screen.getByLabelText("New password") as HTMLInputElement;
    await user.type(typed, "short");
    await user.click(save);
    expect(screen.getByRole("alert").textContent).toBe("The new password needs at least 8 characters.");
    expect(api.seen).toHaveLength(0);
    await user.type(screen.getByLabelText("New password"), "-but-longer-now");
    const form = save.closest("form");
    act(() => {
      for (const _ of [1, 2, 3]) form?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
    });
    expect(await screen.findByText("Saved. Please sign in with your new account details.")).toBeDefined();
    // The page waits behind the card, without what was typed.
    expect(typed.value).toBe("");
    expect(api.seen[0]?.body).toEqual({
      currentPassword: "secret",
      newUsername: "",
      newPassword: "short-but-longer-now",
    });
    expect(api.seen).toHaveLength(1);
  });

  test("says at its field that the current password is wrong", async () => {
    credential.signIn("tok", "admin", Date.now());
    await using _api = standIn({ "POST /admin/change-password": () => refusal("account.wrongPassword") });
    const { user } = await openAt("/admin/account");
    await user.type(screen.getByLabelText("Current password"), "guess");
    await user.type(screen.getByLabelText("New username"), "root");
    await user.click(screen.getByRole("button", { name: "Save and sign in again" }));
    expect((await screen.findByRole("alert")).textContent).toBe("The current password is wrong.");
    expect(credential.state.get().authType).toBe("admin");
  });
});
