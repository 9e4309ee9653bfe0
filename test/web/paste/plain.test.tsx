import { expect, test } from "bun:test";
import { screen } from "@testing-library/react";
import { fakeServer } from "../../support/page-servers/fake-server.ts";
import { openedPaste } from "../../support/page-servers/paste-answers.ts";
import { openAt } from "../../support/pages/open-at.tsx";

test("a text that is meant as it is written is shown so, and as Markdown to who asks", async () => {
  await using _server = fakeServer({
    "GET /paste/abc234": () => Response.json(openedPaste({ content: "# not a title", plain: true })),
  });
  const { user } = await openAt("/paste/abc234");
  expect((await screen.findByTestId("large-text")).textContent).toBe("# not a title");
  await user.click(screen.getByRole("button", { name: "MD" }));
  await screen.findByRole("heading", { name: "not a title" });
});
