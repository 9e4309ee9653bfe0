import { afterEach, describe, expect, test } from "bun:test";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { openAt } from "../../support/pages/open-at.tsx";

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
  test("opens the dashboard", async () => {
    await using api = fakeServer({ "POST /admin/login": signedIn });
    const { user, where } = await openAt("/admin");
    await fillIn(user);
    expect(await screen.findByRole("heading", { name: "Dashboard" })).toBeDefined();
    expect(where.path).toBe("/admin/dashboard");
    expect(api.seen[0]?.body).toEqual({ username: "admin", password: "secret" });
    expect(localStorage.getItem("admin_token")).toBe("tok");
  });

  test("says in its place that the password is wrong", async () => {
    await using _api = fakeServer({ "POST /admin/login": () => refusal("login.wrong") });
    const { user } = await openAt("/admin");
    await fillIn(user);
    expect((await screen.findByRole("alert")).textContent).toBe("Wrong username or password.");
    expect(screen.getByRole("button", { name: "Sign in" })).toBeDefined();
  });

  test.each([400, 401, 403])("says so when something in between refuses with a page of its own: %d", async (status) => {
    await using _api = fakeServer({ "POST /admin/login": () => new Response("<h1>no</h1>", { status }) });
    const { user } = await openAt("/admin");
    await fillIn(user);
    expect((await screen.findByRole("alert")).textContent).toBe("Login failed. Please try again.");
  });

  test("says how long to wait", async () => {
    await using _api = fakeServer({
      "POST /admin/login": () => refusal("limit.wait", "wait", { "retry-after": "30" }),
    });
    const { user } = await openAt("/admin");
    await fillIn(user);
    expect((await screen.findByRole("alert")).textContent).toContain("in 30 s.");
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
    await using api = fakeServer({ "POST /admin/sign-in-link": signedIn });
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
    await using _api = fakeServer({ "POST /admin/sign-in-link": () => refusal("signInLink.invalid") });
    window.history.replaceState(null, "", "/admin#setup=used");
    await openAt("/admin#setup=used");
    expect((await screen.findByRole("alert")).textContent).toContain("expired or was used already");
    expect(screen.getByRole("heading", { name: "Admin sign-in" })).toBeDefined();
  });

  test("that is dead is said to be so to somebody who is signed in, too", async () => {
    await using _api = fakeServer({
      "POST /admin/sign-in-link": () => refusal("signInLink.invalid"),
    });
    credential.signIn("tok", "admin", Date.now());
    window.history.replaceState(null, "", "/admin#setup=used");
    const { where } = await openAt("/admin#setup=used");
    expect(await screen.findByText(/expired or was used already. You are signed in/)).toBeDefined();
    await waitFor(() => expect(where.path).toBe("/admin/dashboard"));
    // Toasts have a place of their own, which would outlive this test.
    screen.getByRole("region", { name: /^Notifications/ }).parentElement?.remove();
  });

  test("signs in a key's holder to whom no page of the admin area is open", async () => {
    await using api = fakeServer({ "POST /admin/sign-in-link": signedIn });
    credential.signInWithKey("k", { id: "k1", name: "ci", permissions: 256, basePath: "/" }, Date.now());
    window.history.replaceState(null, "", "/admin#setup=once-only");
    await openAt("/admin#setup=once-only");
    await waitFor(() => expect(credential.state.get()).toMatchObject({ authType: "admin", token: "tok" }));
    expect(api.lines()).toContain("POST /admin/sign-in-link");
  });
});
