import { beforeEach, describe, expect, test } from "bun:test";
import { act, screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { answer } from "../../support/page-servers/fake-server.ts";
import { many } from "../../support/page-servers/kept-files.ts";
import { openUpload, pageServer, rowOf, small, states } from "./open-upload.tsx";

beforeEach(() => credential.signIn("token", "admin", Date.now()));

const button = (name: string) => screen.getByRole("button", { name });
const focused = (): string => {
  const { activeElement: at } = document;
  return at?.getAttribute("aria-label") ?? at?.textContent ?? "";
};

/** Three files on their way that do not arrive before the gate opens. */
async function threeMoving(server: ReturnType<typeof pageServer>) {
  const gate = Promise.withResolvers<undefined>();
  server.onPut(() => gate.promise);
  const page = await openUpload(server);
  await page.pick(small("a"), small("b"), small("c"));
  await page.user.click(button("Upload 3 files"));
  await waitFor(() => expect(server.inFlight()).toBe(3));
  return { gate, ...page };
}

describe("the focus", () => {
  test("stays in the bar when its button has gone: to what is under way, and to what has come of it", async () => {
    await using server = pageServer();
    const { gate, user } = await threeMoving(server);
    expect(focused()).toBe("Pause all");
    await user.click(button("Pause all"));
    expect(focused()).toBe("Resume all");
    gate.resolve(undefined);
    await user.click(button("Resume all"));
    await waitFor(() => expect(states()).toEqual(["completed", "completed", "completed"]));
    expect(focused()).toBe("Copy all links");
  });

  test("stays on the button of a row that pauses, goes on, is given up and is taken out", async () => {
    await using server = pageServer();
    const { user } = await threeMoving(server);
    await user.click(button("Pause: a"));
    expect(focused()).toBe("Resume: a");
    await user.keyboard("{Enter}");
    expect(focused()).toBe("Pause: a");
    await user.click(button("Cancel upload: b"));
    await waitFor(() => expect(states()[1]).toBe("aborted"));
    expect(focused()).toBe("Remove from list: b");
    await user.keyboard("{Enter}");
    expect(focused()).toBe("Copy link (already works)");
    expect(rowOf("c").contains(document.activeElement)).toBe(true);
  });

  test("goes to the row that has taken the place of a removed one, at last to the drop zone", async () => {
    await using server = pageServer();
    const { user, pick } = await openUpload(server);
    await pick(small("a"), small("b"), small("c"));
    await user.click(button("Remove from list: b"));
    expect(focused()).toBe("Remove from list: c");
    await user.keyboard("{Enter}");
    expect(focused()).toBe("Remove from list: a");
    await user.keyboard("{Enter}");
    expect(focused()).toBe("Choose files");
  });

  test("goes to the bar when everything was cancelled", async () => {
    await using server = pageServer();
    const { gate, user } = await threeMoving(server);
    await user.click(button("Cancel all"));
    const question = await screen.findByRole("dialog");
    await user.click(within(question).getByRole("button", { name: "Stop" }));
    gate.resolve(undefined);
    await waitFor(() => expect(states()).toEqual(["aborted", "aborted", "aborted"]));
    await waitFor(() => expect(focused()).toStartWith("Expiry"));
  });

  test("is left where a person has put it", async () => {
    await using server = pageServer();
    const { gate, uploads } = await threeMoving(server);
    const other = document.body.appendChild(document.createElement("button"));
    act(() => other.focus());
    act(() => other.blur());
    gate.resolve(undefined);
    await waitFor(() => expect(uploads.isBusy()).toBe(false));
    await waitFor(() => expect(states()).toEqual(["completed", "completed", "completed"]));
    expect(document.activeElement === document.body).toBe(true);
    other.remove();
  });

  test("goes to the next of the recent uploads when one is deleted, at last to their heading", async () => {
    const recent = many(2);
    await using server = pageServer({ recent });
    server.instead((line) => {
      if (line !== "DELETE /files/batch-delete") return undefined;
      recent.shift();
      return answer({ data: { success: 1, failed: [] } });
    });
    const { user } = await openUpload(server);
    const list = within(await screen.findByRole("region", { name: "Recent uploads" }));
    for (const last of [false, true]) {
      await waitFor(() => expect(list.getAllByRole("listitem")).toHaveLength(last ? 1 : 2));
      const [row] = list.getAllByRole("listitem");
      if (!row) throw new Error("There is no row.");
      await user.click(within(row).getByRole("button", { name: "Delete" }));
      await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
      await waitFor(() => expect(screen.queryAllByRole("dialog").length).toBe(0));
      expect(focused()).toBe(last ? "Recent uploads" : "Open");
    }
  });
});
