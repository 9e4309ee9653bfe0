import { beforeEach, describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import type { ListedPaste } from "#contract/pastes";
import { credential } from "../../../web/api/session/credential.ts";
import { answer, fakeServer } from "../../support/page-servers/fake-server.ts";
import { file, keeping, made } from "../../support/page-servers/kept-files.ts";
import { signInWithKey } from "../../support/pages/key-session.ts";
import { openAt } from "../../support/pages/open-at.tsx";

/** The lists as a key sees them, and what the administrator sees of what keys made. */

const created_by = "apikey:key-1";

const text = (number: number, more: Partial<ListedPaste> = {}): ListedPaste => ({
  id: `id-${number}`,
  slug: `slug${number}`,
  remark: null,
  content_preview: `Text ${number}`,
  plain: false,
  size: 6,
  has_password: 0,
  expires_at: null,
  max_views: 0,
  views: 0,
  view_count: 0,
  created_by,
  created_at: made,
  updated_at: made,
  ...more,
});

/** Answers as the server does to a key: with whole texts, and with what it is. */
function keepingTexts(texts: readonly ListedPaste[]) {
  const pagination = { total: texts.length, page: 1, limit: 10, offset: 0, totalPages: 1, hasMore: false };
  const key_info = {
    id: "key-1",
    name: "ci",
    key: "the-key",
    basicPath: "/",
    permissions: 1,
    role: "GENERAL",
    isGuest: 0,
  };
  return fakeServer({
    "GET /pastes": () => answer({ data: texts, pagination, key_info }),
    "DELETE /pastes/batch-delete": ({ body }) =>
      answer({ data: { deleted: (body as { ids: readonly string[] }).ids.length } }),
  });
}

beforeEach(() => signInWithKey("text", "file_share"));

describe("the texts of a key", () => {
  test("are listed without who made them and without the clearing of everybody's, and deleted in bulk", async () => {
    await using api = keepingTexts([text(1, { content: "Text 1" }), text(2, { content: "Text 2" })]);
    const { user } = await openAt("/admin/text-management");
    expect(await screen.findByText("Text 1")).toBeDefined();
    expect(screen.queryByText(/^(Key|Admin$)/, { selector: "td *" })).toBeNull();
    expect(screen.queryByRole("columnheader", { name: /By/ })).toBeNull();
    expect(screen.queryByRole("button", { name: "Clear expired" })).toBeNull();
    await user.click(screen.getByRole("checkbox", { name: "Select all on this page" }));
    const bar = within(screen.getByRole("toolbar", { name: "2 selected" }));
    await user.click(bar.getByRole("button", { name: "Delete" }));
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("2 entries deleted.")).toBeDefined();
    expect(new Set(api.lines())).toEqual(new Set(["GET /pastes", "DELETE /pastes/batch-delete"]));
    expect(api.addresses()[0]).toBe("/api/pastes?limit=20&offset=0&sort=created&order=desc&content=false");
  });

  test("that are none say whose would be here", async () => {
    await using _api = keepingTexts([]);
    await openAt("/admin/text-management");
    expect(await screen.findByText(/^Texts shared with this key are listed here/)).toBeDefined();
  });
});

describe("the files of a key", () => {
  test("are listed without who made them, also in their details", async () => {
    await using _api = keeping([file(1, { created_by })]);
    const { user } = await openAt("/admin/file-management");
    await user.click(await screen.findByRole("button", { name: /^photo 1/ }));
    const sheet = within(screen.getByRole("dialog", { name: "File details" }));
    expect(await sheet.findByText("2026/photo 1.png")).toBeDefined();
    expect(sheet.queryByText("By")).toBeNull();
    expect(screen.queryByRole("columnheader", { name: /By/ })).toBeNull();
  });

  test("that are none say whose would be here", async () => {
    await using _api = keeping([]);
    await openAt("/admin/file-management");
    expect(await screen.findByText(/^Files shared with this key are listed here/)).toBeDefined();
  });
});

describe("the administrator", () => {
  beforeEach(() => {
    credential.signOut("loggedOut");
    credential.signIn("token", "admin", Date.now());
  });

  test("sees of each text who made it, a key that is no more by its id", async () => {
    const texts = [
      text(1, { key_name: "ci" }),
      text(2, { created_by: "admin" }),
      text(3, { created_by: "apikey:gone" }),
    ];
    await using _api = keepingTexts(texts);
    await openAt("/admin/text-management");
    await screen.findByText("Text 1");
    const makers = () => ["Key ci", "Admin", "Key gone"].map((name) => screen.queryAllByTitle(name).length);
    await waitFor(() => expect(makers()).toEqual([1, 1, 1]));
  });
});
