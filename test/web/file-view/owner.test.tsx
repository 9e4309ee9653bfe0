import { beforeEach, describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import type { FileRecord } from "#contract/files";
import { credential } from "../../../web/api/session/credential.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { openedFile, wholeFile } from "../../support/page-servers/file-answers.ts";
import { signInWithKey } from "../../support/pages/key-session.ts";
import { openAt } from "../../support/pages/open-at.tsx";

const LOOK = "GET /public/files/abc234";
const known = {
  "GET /test/admin-token": () => answer(),
  [LOOK]: () => answer({ data: openedFile() }),
  "GET /files/id-1": () => answer({ data: wholeFile() }),
};

/** The server of an owner who saves a change: what it says of the file before, and after. */
function saving(before: Partial<FileRecord>, after: Partial<FileRecord>) {
  let told = wholeFile(before);
  return {
    ...known,
    "GET /files/id-1": () => answer({ data: told }),
    "PUT /files/id-1": () => {
      told = wholeFile(after);
      return answer({ data: { id: told.id, slug: told.slug } });
    },
  };
}

beforeEach(() => credential.signIn("token", "admin", Date.now()));

/** Opens the sheet and waits until its fields are there. */
async function edit() {
  const opened = await openAt("/file/abc234");
  await opened.user.click(await screen.findByRole("button", { name: "Edit" }));
  await screen.findByLabelText("Link suffix");
  return opened;
}

const save = () => screen.getByRole("button", { name: "Save" });

describe("editing", () => {
  test("sends what has changed and shows the new state under its new link, without opening it again", async () => {
    await using server = fakeServer(saving({}, { slug: "better", remark: "Now with a note" }));
    const { user, where } = await edit();
    await user.type(screen.getByLabelText("Note"), "Now with a note");
    await user.clear(screen.getByLabelText("Link suffix"));
    await user.type(screen.getByLabelText("Link suffix"), "better");
    await user.click(save());
    expect(await screen.findByText("Now with a note")).toBeDefined();
    await waitFor(() => expect(where.path).toBe("/file/better"));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByRole("link", { name: "Download" }).getAttribute("href")).toContain("grant=owner");
    expect(screen.getByAltText("holiday.png").getAttribute("src")).toContain("/api/file-thumb/better?w=1280");
    const heading = screen.getByRole("heading", { level: 1 });
    await waitFor(() => expect(document.activeElement === heading).toBe(true));
    expect(server.seen.find(({ line }) => line === "PUT /files/id-1")?.body).toEqual({
      remark: "Now with a note",
      slug: "better",
    });
    expect(server.lines().filter((line) => line.includes("/public/files/"))).toEqual([LOOK]);
    expect(document.title).toBe("holiday.png · Satchel");
  });

  test("a file that is limited now is not fetched for a look, which would spend a view", async () => {
    await using server = fakeServer(saving({}, { max_views: 3 }));
    const { user } = await edit();
    const views = screen.getByLabelText("View limit");
    await user.clear(views);
    await user.type(views, "3");
    await user.click(save());
    expect(await screen.findByText("1 of 3 views used")).toBeDefined();
    expect(screen.getByText(/each download from here uses up a view/)).toBeDefined();
    expect(screen.queryByAltText("holiday.png")).toBeNull();
    expect(server.lines().filter((line) => line.includes("file-view"))).toEqual([]);
  });

  test("a file whose views are used up by the change cannot be downloaded any more", async () => {
    await using _server = fakeServer(saving({ views: 4 }, { max_views: 1, views: 4 }));
    const { user } = await edit();
    const views = screen.getByLabelText("View limit");
    await user.clear(views);
    await user.type(views, "1");
    await user.click(save());
    expect(await screen.findByText(/All views are used up/)).toBeDefined();
    expect(screen.queryByRole("link", { name: "Download" })).toBeNull();
    expect(screen.getByRole("button", { name: "Edit" })).toBeDefined();
  });

  test("a taken suffix is told at its field; what is not saved is not lost unasked", async () => {
    await using _server = fakeServer({ ...known, "PUT /files/id-1": () => refusal("slug.taken") });
    const { user } = await edit();
    await user.type(screen.getByLabelText("Link suffix"), "x");
    await user.click(save());
    expect((await screen.findByRole("alert")).textContent).toBe("This suffix is taken. Please choose another one.");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "Discard" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByRole("link", { name: "Download" }).getAttribute("href")).toContain("grant=visitor");
  });

  test("a session that ends takes nothing that was typed with it", async () => {
    await using _server = fakeServer({ ...known, "PUT /files/id-1": () => refusal("auth.expired") });
    const { user } = await edit();
    await user.type(screen.getByLabelText("Note"), "kept");
    await user.click(save());
    expect((await screen.findByRole("alert")).textContent).toContain("You are signed out.");
    expect((screen.getByLabelText("Note") as HTMLInputElement).value).toBe("kept");
  });

  test("saving nothing closes the sheet", async () => {
    await using server = fakeServer(known);
    const { user } = await edit();
    await user.click(save());
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(server.lines().filter((line) => line.startsWith("PUT"))).toEqual([]);
  });
});

describe("deleting", () => {
  const REMOVE = "DELETE /files/batch-delete";

  test("asks first, then says so and shows a way on", async () => {
    await using server = fakeServer({ ...known, [REMOVE]: () => answer({ data: { success: 1, failed: [] } }) });
    const { user } = await openAt("/file/abc234");
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    const question = within(await screen.findByRole("dialog", { name: "Delete this file?" }));
    await user.click(question.getByRole("button", { name: "Delete" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Deleted" })).toBeDefined();
    expect(screen.getByRole("link", { name: "Upload another file" }).getAttribute("href")).toBe("/upload");
    expect(server.seen.find(({ line }) => line === REMOVE)?.body).toEqual({ ids: ["id-1"], delete_mode: "both" });
    await waitFor(() => expect(document.title).toBe("Shared file · Satchel"));
  });

  test("that fails says why and deletes nothing from the page", async () => {
    await using _server = fakeServer({
      ...known,
      [REMOVE]: () => answer({ data: { success: 0, failed: [{ id: "id-1", error: "The storage did not answer." }] } }),
    });
    const { user } = await openAt("/file/abc234");
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    const question = within(await screen.findByRole("dialog", { name: "Delete this file?" }));
    await user.click(question.getByRole("button", { name: "Delete" }));
    expect((await question.findByRole("alert")).textContent).toBe("The storage did not answer.");
    await user.click(question.getByRole("button", { name: "Cancel" }));
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("holiday.png");
  });
});

test("visitors can neither edit nor delete", async () => {
  credential.signOut("loggedOut");
  await using _server = fakeServer(known);
  await openAt("/file/abc234");
  await screen.findByRole("link", { name: "Download" });
  expect(screen.queryByRole("button", { name: "Edit" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Delete" })).toBeNull();
});

test.each([
  ["its own", ["file_share"], "apikey:key-1", true],
  ["its own, as it was written before", ["file_share"], "key-1", true],
  ["another key's", ["file_share"], "apikey:key-2", false],
  ["the admin's", ["file_share"], "admin", false],
  ["its own without the right", ["text", "mount_view"], "apikey:key-1", false],
] as const)("a key may edit and delete %s or not", async (_, rights, created_by, may) => {
  credential.signOut("loggedOut");
  signInWithKey(...rights);
  await using _server = fakeServer({ ...known, [LOOK]: () => answer({ data: openedFile({ created_by }) }) });
  await openAt("/file/abc234");
  await screen.findByRole("link", { name: "Download" });
  for (const name of ["Edit", "Delete"]) expect(screen.queryAllByRole("button", { name }).length).toBe(may ? 1 : 0);
});

test("a key still has its tools after it has edited", async () => {
  credential.signOut("loggedOut");
  signInWithKey("file_share");
  const created_by = "apikey:key-1";
  const mine = { created_by, remark: "Mine" };
  const look = { [LOOK]: () => answer({ data: openedFile({ created_by }) }) };
  await using _server = fakeServer({ ...saving({ created_by }, mine), ...look });
  const { user } = await edit();
  await user.type(screen.getByLabelText("Note"), "Mine");
  await user.click(save());
  expect(await screen.findByText("Mine")).toBeDefined();
  expect(screen.getByRole("button", { name: "Edit" })).toBeDefined();
});
