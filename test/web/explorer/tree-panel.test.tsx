import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { preferences, usual } from "../../../web/features/explorer/model/preferences.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { openAt } from "../../support/pages/open-at.tsx";

/** The tree of folders beside the list, as far as no layout is needed. */

const entry = (path: string) => ({
  ...{ name: path.split("/").at(-2), path, isDirectory: true, isVirtual: false, size: 1, modified: null },
  ...{ type: 1, typeName: "folder" },
});

const listing = (path: string, ...items: object[]) =>
  answer({
    data: {
      ...{ path, type: "directory", isDirectory: true, isRoot: path === "/", isVirtual: false, items, trash_days: 0 },
      ...{ next_cursor: null, troubles: [], version: "one.1" },
    },
  });

const folders: Readonly<Record<string, readonly string[]>> = {
  "/": ["/drive/", "/music/"],
  "/drive": ["/drive/a/", "/drive/b/"],
};

/** A server whose folders are these, and the folders that the tree asked for. */
function open(refuses: (path: string) => boolean = () => false) {
  const asked: string[] = [];
  const server = fakeServer({
    "GET /fs/list": (_, { searchParams }) => {
      const path = searchParams.get("path") ?? "/";
      if (searchParams.has("folders")) {
        asked.push(path);
        if (refuses(path)) return refusal("storage.unreachable");
      }
      return listing(path, ...(folders[path] ?? []).map(entry));
    },
    "GET /fs/jobs": () => answer({ data: [] }),
  });
  return { server, asked };
}

const branches = () =>
  screen.getAllByRole("treeitem").map((one) => `${one.getAttribute("aria-level")} ${one.textContent}`);

beforeEach(() => credential.signIn("token", "admin", Date.now()));
afterEach(() => {
  cleanup();
  preferences.change(usual);
  credential.signOut("loggedOut");
});

describe("the tree of folders", () => {
  test("is loaded as far as it is open, in the order of names, with one stop of the Tab key", async () => {
    const { server, asked } = open();
    await using _server = server;
    await openAt("/mount-explorer/drive");
    await screen.findByRole("treeitem", { name: "drive" });
    expect(branches()).toEqual(["1 All files", "2 drive", "2 music"]);
    expect(asked).toEqual(["/"]);
    const current = screen.getByRole("treeitem", { current: "page" });
    expect(current.textContent).toBe("drive");
    expect(screen.getAllByRole("treeitem").filter(({ tabIndex }) => tabIndex === 0)).toEqual([current]);
    fireEvent.keyDown(current, { key: "ArrowRight" });
    await screen.findByRole("treeitem", { name: "b" });
    expect(branches()).toEqual(["1 All files", "2 drive", "3 a", "3 b", "2 music"]);
    expect(asked).toEqual(["/", "/drive"]);
  });

  test("says what could not be loaded, and tries again", async () => {
    let fails = true;
    const { server } = open((path) => path === "/drive" && fails);
    await using _server = server;
    await openAt("/mount-explorer/drive/a");
    const again = await screen.findByRole("treeitem", { name: /Try again/ }, { timeout: 10_000 });
    fails = false;
    fireEvent.click(again);
    await screen.findByRole("treeitem", { name: "b" });
    expect(screen.queryByRole("treeitem", { name: /Try again/ })).toBeNull();
  });

  test("is folded away by its button, and comes back", async () => {
    const { server } = open();
    await using _server = server;
    await openAt("/mount-explorer/drive");
    await screen.findByRole("tree");
    fireEvent.click(screen.getByRole("button", { name: "Folders", expanded: true }));
    await waitFor(() => expect(screen.queryByRole("tree")).toBeNull());
    expect(preferences.get().tree).toBe(false);
    await act(async () => preferences.change({ tree: true }));
    await screen.findByRole("tree");
  });
});
