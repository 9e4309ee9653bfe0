import { afterEach, beforeEach, expect, mock, test } from "bun:test";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import type { LinkRecord } from "#contract/links";
import { ApiFailure } from "../../../web/api/failure.ts";
import { loadWords, setLanguage } from "../../../web/i18n/i18n.ts";
import { CollectDialog } from "../../../web/ui/link-form/collect-dialog.tsx";
import { linkRecord } from "./link-record.ts";

/** The dialog of a link by which others send files, which is made before it is shown. */

beforeEach(async () => {
  await act(() => setLanguage("en"));
  await loadWords("link");
});
afterEach(cleanup);

function show(creation: Promise<LinkRecord>, makeAgain: () => Promise<LinkRecord> = () => creation) {
  const closed = mock();
  const dialog = <CollectDialog {...{ creation, makeAgain }} onClose={closed} />;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>{dialog}</MemoryRouter>
    </QueryClientProvider>,
  );
  return closed;
}

const link = linkRecord({ rights: ["upload"], ask_name: true });

test("says why there is no link, makes it again and shows it", async () => {
  const refused = new ApiFailure({ code: "limit.wait", status: 429, message: "Wait a moment." });
  show(Promise.reject(refused), async () => link);
  expect(await screen.findByText("Wait a moment.")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Create link" }));
  expect(await screen.findByText(/^Link created/)).toBeDefined();
  expect(screen.getByText("Anyone with this link can send files here but cannot see the folder.")).toBeDefined();
});

test("tells of a link that is there only after it was closed", async () => {
  const { promise, resolve } = Promise.withResolvers<LinkRecord>();
  const closed = show(promise);
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(closed).toHaveBeenCalledTimes(1);
  cleanup();
  await act(async () => resolve(link));
  expect(await screen.findByText("Link created")).toBeDefined();
  expect(await screen.findByText("Copy link")).toBeDefined();
});
