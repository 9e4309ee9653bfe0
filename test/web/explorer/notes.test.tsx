import { afterEach, beforeEach, expect, test } from "bun:test";
import { cleanup, render, screen } from "@testing-library/react";
import { createCall } from "../../../web/api/call.ts";
import { Notes } from "../../../web/features/explorer/bar/notes.tsx";
import type { Entry } from "../../../web/features/explorer/model/entry.ts";
import { createOperations } from "../../../web/features/explorer/model/operations.ts";
import { noOutcome } from "../../../web/features/explorer/model/outcome.ts";
import { createUndo } from "../../../web/features/explorer/model/undo.ts";
import { loadWords, setLanguage } from "../../../web/i18n/i18n.ts";
import { createStore } from "../../../web/lib/store.ts";
import { answer, fakeServer } from "../../support/page-servers/fake-server.ts";

/** What is told of a copy that has ended. */

const open: AsyncDisposable[] = [];
beforeEach(async () => {
  await setLanguage("en");
  await loadWords("explorer");
});
afterEach(async () => {
  cleanup();
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

const entry = { path: "/m/photos/", name: "photos", isDirectory: true } as Entry;

/** Copies a folder on a server whose job ends in this state, and shows what is told of it. */
async function copied(state: string, message: string | null) {
  const server = fakeServer({
    "GET /fs/list": () => answer({ data: { items: [], next_cursor: null } }),
    "POST /fs/jobs": () => answer({ data: { id: "b" } }),
  });
  open.push(server);
  const tasks = [{ kind: "copy", source: entry.path, target: "/n/photos/", state }];
  const job = { state, tasks, skipped_files: 0, failures: [], error: message && "internal", message };
  const credential = { state: createStore({ authType: "none", lastValidated: 0 } as const) };
  const operations = createOperations({
    call: createCall({ base: () => `${server.base}/api`, credential, language: () => "en" }),
    feed: { follow: async () => job as never },
    signedIn: () => true,
    copyInBrowser: async () => noOutcome,
    ask: async () => undefined,
    renew: async () => undefined,
    showMoved: () => undefined,
    undo: createUndo(),
    onDone: () => undefined,
  });
  await operations.copy([entry], "/n");
  render(<Notes operations={operations} />);
}

test("whoever has cancelled a copy is told of no failure, and can go on with it", async () => {
  await copied("cancelled", null);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(screen.getByText("Copying was cancelled. What had been copied stays.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
});

test("a copy that has failed says why", async () => {
  await copied("failed", "The disk is full.");
  expect(screen.getByRole("alert").textContent).toContain("photos: The disk is full.");
});
