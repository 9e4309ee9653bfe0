import { beforeEach, expect, mock, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router-dom";
import { credential } from "../../../web/api/session/credential.ts";
import { loadWords, setLanguage } from "../../../web/i18n/i18n.ts";
import { CollectDialog } from "../../../web/ui/link-form/collect-dialog.tsx";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { linkRecord } from "../../support/page-servers/link-record.ts";

/** The dialog of a link by which others send files: it says what that opens before it does. */

beforeEach(async () => {
  credential.signIn("tok", "admin", Date.now());
  await act(() => setLanguage("en"));
  await loadWords("link");
});

const link = linkRecord({ rights: ["upload"], ask_name: true });
const CREATE = "POST /links";

function show() {
  const closed = mock();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <CollectDialog folder="/drive/Inbox/" onClose={closed} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { closed, user: userEvent.setup() };
}

const create = () => screen.getByRole("button", { name: "Create link" });

test("says what is opened to whom, and makes nothing before it is told to", async () => {
  await using api = fakeServer({ [CREATE]: () => answer({ data: link }) });
  const { closed, user } = show();
  const effect = "Anyone with the link can send files into “Inbox”, without an account. They cannot see what is in it.";
  expect(screen.getByText(effect)).toBeDefined();
  expect(screen.getByText("A folder for each sender")).toBeDefined();
  expect(screen.getByText(/^open until/)).toBeDefined();
  expect(document.activeElement).toBe(create());
  expect(api.lines()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(closed).toHaveBeenCalledTimes(1);
  expect(api.lines()).toEqual([]);
  await user.click(create());
  expect(await screen.findByText(/^Link created/)).toBeDefined();
  const [{ body } = { body: undefined }] = api.seen.filter(({ line }) => line === CREATE);
  expect(body).toMatchObject({ items: ["/drive/Inbox/"], rights: ["upload"], ask_name: true });
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Done" }));
});

test("says why there is no link, and makes it again", async () => {
  let isRefused = true;
  await using _api = fakeServer({
    [CREATE]: () => (isRefused ? refusal("limit.wait", "Wait a moment.") : answer({ data: link })),
  });
  const { user } = show();
  await user.click(create());
  expect(await screen.findByText("Wait a moment.")).toBeDefined();
  isRefused = false;
  await user.click(create());
  expect(await screen.findByText(/^Link created/)).toBeDefined();
  expect(screen.queryByText("Wait a moment.")).toBeNull();
});

test("takes the link back, and says where that is refused", async () => {
  let isRefused = true;
  await using api = fakeServer({
    [CREATE]: () => answer({ data: link }),
    [`DELETE /links/${link.id}`]: () => (isRefused ? refusal("server.busy", "Busy.") : answer({ data: null })),
  });
  const { closed, user } = show();
  await user.click(create());
  await user.click(await screen.findByRole("button", { name: "Delete link" }));
  expect(await screen.findByText("Busy.")).toBeDefined();
  expect(closed).toHaveBeenCalledTimes(0);
  isRefused = false;
  await user.click(screen.getByRole("button", { name: "Delete link" }));
  await waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  expect(api.lines().filter((line) => line.startsWith("DELETE")).length).toBe(2);
  expect(await screen.findByText("The link is deleted. Nobody can send files with it.")).toBeDefined();
});

test("tells of a link that is there only after it was closed", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  await using _api = fakeServer({ [CREATE]: () => promise });
  const { closed, user } = show();
  await user.click(create());
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(closed).toHaveBeenCalledTimes(1);
  cleanup();
  await act(async () => resolve(answer({ data: link })));
  expect(await screen.findByText("Link created")).toBeDefined();
  expect(await screen.findByText("Copy link")).toBeDefined();
});
