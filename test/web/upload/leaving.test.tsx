import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter, Route, Routes, useLocation } from "react-router-dom";
import { call } from "../../../web/api/call.ts";
import { credential } from "../../../web/api/session/credential.ts";
import { Header } from "../../../web/app/header.tsx";
import { RunningNote } from "../../../web/features/upload/running-note.tsx";
import type { UploadPageState } from "../../../web/features/upload/state/upload-state.ts";
import { createStore } from "../../../web/lib/store.ts";
import type { UrlUpload } from "../../../web/transfer/from-url/upload.ts";
import { headerNote } from "../../../web/ui/header-note.ts";
import { openUpload, pageServer, small, states } from "./open-upload.tsx";

const before = headerNote.get();

beforeEach(() => credential.signIn("token", "admin", Date.now()));
afterEach(() => {
  cleanup();
  credential.signOut("loggedOut");
  headerNote.set(before);
});

/** Reports whether the browser would ask before it leaves. */
const asks = (): boolean => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

function Where() {
  return <p data-testid="where">{useLocation().pathname}</p>;
}

const nothingFromTheWeb = { state: createStore<UrlUpload | undefined>(undefined), isBusy: () => false };

/** The header on another page. */
function elsewhere(uploadState: UploadPageState) {
  headerNote.set(() => <RunningNote uploadState={uploadState} url={nothingFromTheWeb} />);
  return render(
    <MemoryRouter initialEntries={["/"]}>
      <Header />
      <Routes>
        <Route path="*" element={<Where />} />
      </Routes>
    </MemoryRouter>,
  );
}

describe("leaving", () => {
  test("the browser asks while something runs or is paused, and at no other time", async () => {
    await using server = pageServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const { user, pick } = await openUpload(server);
    await pick(small("a"));
    expect(asks()).toBe(false);
    await user.click(screen.getByRole("button", { name: "Upload" }));
    expect(asks()).toBe(true);
    await user.click(screen.getByRole("button", { name: "Pause: a" }));
    expect(asks()).toBe(true);
    gate.resolve(undefined);
    await user.click(screen.getByRole("button", { name: "Resume: a" }));
    await waitFor(() => expect(states()).toEqual(["completed"]));
    expect(asks()).toBe(false);
  });

  test("uploads go on elsewhere, where the header leads back to them, and their link is not copied there", async () => {
    await using server = pageServer();
    const gate = Promise.withResolvers<undefined>();
    server.onPut(() => gate.promise);
    const { uploadState, user, pick, leave, show, uploads } = await openUpload(server);
    await pick(small("a"), small("b"));
    await user.click(screen.getByRole("button", { name: "Upload 2 files" }));
    await waitFor(() => expect(server.inFlight()).toBe(2));
    await user.click(screen.getByRole("button", { name: "Cancel upload: b" }));
    await navigator.clipboard.writeText("something else");
    leave();

    const there = elsewhere(uploadState);
    expect(screen.getByRole("link", { name: "Uploading, 0%" })).toBeDefined();
    gate.resolve(undefined);
    const link = await screen.findByRole("link", { name: "Uploads are done" });
    expect(await navigator.clipboard.readText()).toBe("something else");
    await userEvent.setup().click(link);
    expect(screen.getByTestId("where").textContent).toBe("/upload");
    there.unmount();

    show();
    expect(states()).toEqual(["completed", "aborted"]);
    expect(uploads.isBusy()).toBe(false);
    cleanup();
    elsewhere(uploadState);
    expect(screen.queryByRole("link", { name: "Uploads are done" })).toBeNull();
  });

  test("a failure elsewhere is told in the header", async () => {
    await using server = pageServer();
    const gate = Promise.withResolvers<Response>();
    server.onPut(() => gate.promise);
    const { uploadState, user, pick, leave } = await openUpload(server);
    await pick(small("a"));
    await user.click(screen.getByRole("button", { name: "Upload" }));
    await waitFor(() => expect(server.inFlight()).toBe(1));
    leave();
    elsewhere(uploadState);
    act(() => gate.resolve(new Response(null, { status: 400 })));
    expect(await screen.findByRole("link", { name: "A file was not uploaded" })).toBeDefined();
  });

  test("signing out leaves nothing for the next person at this screen, a session that ended by itself does", async () => {
    await using server = pageServer();
    const { uploadState, user, pick, uploads } = await openUpload(server);
    await pick(small("a"), small("b"));
    await user.click(screen.getByRole("button", { name: "Upload 2 files" }));
    await waitFor(() => expect(states()).toEqual(["completed", "completed"]));
    await pick(small("c"));
    act(() => credential.signOut("expired"));
    expect(states()).toEqual(["completed", "completed", "idle"]);
    await act(() => uploadState.forget(call));
    expect(uploads.items.get()).toEqual([]);
    expect(server.stored().length).toBe(2);
  });
});
