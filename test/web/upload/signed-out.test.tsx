import { expect, test } from "bun:test";
import { act, screen } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { signInWithKey } from "../../support/pages/key-session.ts";
import { openUpload, pageServer } from "./open-upload.tsx";

test("whose session has ended is told so in the place of the drop zone, and who logged out is not", async () => {
  await using server = pageServer({ visitors: [] });
  signInWithKey("file_share");
  await openUpload(server);
  act(() => credential.signOut("keyInvalid"));
  expect(await screen.findByRole("heading", { name: "Sign in to upload" })).toBeDefined();
  expect(screen.getByText("API key invalid or expired, please sign in again.")).toBeDefined();
  act(() => signInWithKey("file_share"));
  act(() => credential.signOut("loggedOut"));
  expect(await screen.findByRole("heading", { name: "Sign in to upload" })).toBeDefined();
  expect(screen.queryByText(/please sign in again/)).toBeNull();
});
