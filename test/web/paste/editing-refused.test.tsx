import { describe, expect, test } from "bun:test";
import { act, screen, waitFor } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { openedPaste } from "../../support/page-servers/paste-answers.ts";
import { signInWithKey } from "../../support/pages/key-session.ts";
import { openAt } from "../../support/pages/open-at.tsx";

describe("editing that cannot begin", () => {
  const dead = "ApiKey the-key";
  const server = (signIn: () => Response) =>
    fakeServer({
      "GET /pastes/abc234": ({ headers }) =>
        headers.get("authorization") === dead ? refusal("key.invalid") : refusal("auth.required", "Unauthorized."),
      "GET /test/api-key": signIn,
    });

  test("because the session has ended says so, and leads to the sign-in and back", async () => {
    signInWithKey("text");
    await using _server = server(() => refusal("key.invalid"));
    const { user, where } = await openAt("/paste/abc234?edit");
    expect(await screen.findByText("API key invalid or expired, please sign in again.")).toBeDefined();
    await user.click(screen.getByRole("link", { name: "Sign in" }));
    await waitFor(() => expect(where.path).toBe("/admin"));
    act(() => signInWithKey("text"));
    await waitFor(() => expect(where.path).toBe("/paste/abc234?edit"));
  });

  test("because another key made the share says so, and offers to open it", async () => {
    signInWithKey("text");
    await using _server = fakeServer({
      "GET /pastes/abc234": () => refusal("share.missing", "This share does not exist."),
      "GET /paste/abc234": () => Response.json(openedPaste({ content: "somebody else's" })),
    });
    const { user, where } = await openAt("/paste/abc234?edit");
    expect(await screen.findByText("Only the person who created this share can change it.")).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Open" }));
    expect(await screen.findByText("somebody else's")).toBeDefined();
    expect(where.path).toBe("/paste/abc234");
  });

  test("to the administrator a share that is not there is not there", async () => {
    act(() => credential.signIn("tok", "admin", Date.now()));
    await using _server = fakeServer({
      "GET /pastes/abc234": () => refusal("share.missing", "This share does not exist."),
    });
    await openAt("/paste/abc234?edit");
    expect(await screen.findByText("This share does not exist.")).toBeDefined();
    expect(screen.getByRole("button", { name: "Cancel" })).toBeDefined();
  });
});
