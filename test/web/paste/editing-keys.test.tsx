import { expect, test } from "bun:test";
import { screen, waitFor } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { answer, fakeServer } from "../../support/page-servers/fake-server.ts";
import { wholePaste } from "../../support/page-servers/paste-answers.ts";
import { openAt } from "../../support/pages/open-at.tsx";

test("the shortcut of saving saves a changed text, and leaves an unchanged one open", async () => {
  credential.signIn("token", "admin", Date.now());
  await using server = fakeServer({
    "GET /test/admin-token": () => answer(),
    "GET /pastes/abc234": () => answer({ data: wholePaste() }),
    "PUT /pastes/id-1": () => answer({ data: { id: "id-1", slug: "abc234" } }),
  });
  const { user } = await openAt("/paste/abc234?edit");
  const text = await screen.findByRole("textbox", { name: "Text to share" });
  await user.click(text);
  await user.keyboard("{Control>}s{/Control}");
  expect(screen.getByRole("textbox", { name: "Text to share" })).toBe(text);
  await user.keyboard("!{Control>}s{/Control}");
  await waitFor(() => expect(server.lines()).toContain("PUT /pastes/id-1"));
  await screen.findByRole("button", { name: "Edit" });
});
