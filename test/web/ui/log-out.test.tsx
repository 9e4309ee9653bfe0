import { afterEach, beforeEach, expect, test } from "bun:test";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { draftStorage } from "../../../web/page/draft-storage.ts";
import { signingOut } from "../../../web/ui/session/signing-out.ts";
import { answer, fakeServer } from "../../support/page-servers/fake-server.ts";
import { many } from "../../support/page-servers/kept-files.ts";
import { signInWithKey } from "../../support/pages/key-session.ts";
import { openAt } from "../../support/pages/open-at.tsx";

beforeEach(() => credential.signIn("token", "admin", Date.now()));
afterEach(() => {
  cleanup();
  credential.signOut("loggedOut");
  signingOut.watch("uploads", () => false);
  signingOut.watch("changes", () => false);
});

const server = () =>
  fakeServer({
    "GET /files": () => answer({ data: { files: many(1), pagination: { total: 1, limit: 8, offset: 0 } } }),
    "POST /admin/logout": () => answer(),
  });

test("logging out asks first while files are on their way, and only then", async () => {
  await using _server = server();
  signingOut.watch("uploads", () => true);
  const { user } = await openAt("/admin/file-management");
  const logOut = () => user.click(screen.getByRole("button", { name: "Log out" }));
  await logOut();
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Keep uploading" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(credential.state.get().authType).toBe("admin");

  await logOut();
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Stop and log out" }));
  await waitFor(() => expect(credential.state.get().authType).toBe("none"));
});

test("logging out asks nothing when nothing is on its way", async () => {
  await using _server = server();
  signingOut.watch("uploads", () => false);
  const { user } = await openAt("/admin/file-management");
  await user.click(screen.getByRole("button", { name: "Log out" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(credential.state.get().authType).toBe("none"));
});

test("logging out asks while changes wait for the connection", async () => {
  await using _server = server();
  signingOut.watch("changes", () => true);
  const { user } = await openAt("/admin/file-management");
  await user.click(screen.getByRole("button", { name: "Log out" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete and log out" }));
  await waitFor(() => expect(credential.state.get().authType).toBe("none"));
});

/** Somebody who presses the button while files are on their way and changes wait. */
async function logOutOfBoth() {
  signingOut.watch("uploads", () => true);
  signingOut.watch("changes", () => true);
  const { user } = await openAt("/admin/file-management");
  await user.click(screen.getByRole("button", { name: "Log out" }));
  return async (name: string) =>
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name }));
}

test("logging out asks about both when files are on their way and changes wait", async () => {
  await using _server = server();
  const answerWith = await logOutOfBoth();
  await answerWith("Stop and log out");
  expect(credential.state.get().authType).toBe("admin");
  await answerWith("Delete and log out");
  await waitFor(() => expect(credential.state.get().authType).toBe("none"));
});

test("refusing the second question leaves everything as it was", async () => {
  await using _server = server();
  const answerWith = await logOutOfBoth();
  await answerWith("Stop and log out");
  await answerWith("Stay signed in");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(credential.state.get().authType).toBe("admin");
});

test("logging out asks about a text that is no share yet, and removes it", async () => {
  await using _server = server();
  draftStorage.set("Dear diary");
  const { user } = await openAt("/admin/file-management");
  const logOut = () => user.click(screen.getByRole("button", { name: "Log out" }));
  await logOut();
  await user.click(await screen.findByRole("button", { name: "Stay signed in" }));
  expect([draftStorage.get(), credential.state.get().authType]).toEqual(["Dear diary", "admin"]);
  await logOut();
  await user.click(await screen.findByRole("button", { name: "Delete and log out" }));
  await waitFor(() => expect(credential.state.get().authType).toBe("none"));
  expect(draftStorage.get()).toBeNull();
});

test("logging out removes a draft of nothing without a question", async () => {
  await using _server = server();
  draftStorage.set(" \n");
  const { user } = await openAt("/admin/file-management");
  await user.click(screen.getByRole("button", { name: "Log out" }));
  await waitFor(() => expect(credential.state.get().authType).toBe("none"));
  expect(draftStorage.get()).toBeNull();
});

test("a session that ends by itself leaves the draft to who comes back", async () => {
  await using _server = server();
  draftStorage.set("Dear diary");
  await openAt("/admin/file-management");
  act(() => credential.signOut("expired"));
  await screen.findByLabelText("Username");
  expect(draftStorage.get()).toBe("Dear diary");
});

test("a key to which no page of the admin area is open is named in the header, with the way out", async () => {
  signInWithKey("mount_view");
  await using _server = server();
  const { user } = await openAt("/");
  const header = within(screen.getByRole("banner"));
  expect(await header.findByText("Signed in with the key “ci”")).toBeDefined();
  expect(header.queryByRole("link", { name: "Admin" })).toBeNull();
  await user.click(header.getByRole("button", { name: "Log out" }));
  await waitFor(() => expect(credential.state.get().authType).toBe("none"));
  expect(header.queryByRole("button", { name: "Log out" })).toBeNull();
});
