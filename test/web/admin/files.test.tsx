import { beforeEach, describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { answer, fakeServer, refusal } from "../../support/page-servers/fake-server.ts";
import { wholeFile } from "../../support/page-servers/file-answers.ts";
import { file, keeping, listed, made, many } from "../../support/page-servers/kept-files.ts";
import { dialogGone } from "../../support/pages/form-dialog.ts";
import { openAt } from "../../support/pages/open-at.tsx";
import { choose } from "../../support/pages/row-menu.ts";

const PATH = "/admin/file-management";

/** Counts instead of expecting null: an expectation that fails writes down the whole document, which takes half a minute. */

const sent = (api: ReturnType<typeof keeping>, method: string) =>
  api.seen.filter(({ line }) => line.startsWith(method)).map(({ body }) => body);

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

describe("the list of files", () => {
  test("says of a share that its file was deleted, and offers no way to it", async () => {
    await using _api = keeping([file(1, { file_gone: true, remark: "Holidays" }), file(2)]);
    await openAt(PATH);
    const row = within(await screen.findByRole("row", { name: /photo 1/ }));
    expect(row.getByText("File deleted").title).toContain("Its link no longer works");
    expect(screen.getAllByText("File deleted")).toHaveLength(1);
    row.getByRole("button", { name: /^photo 1/ }).click();
    const sheet = within(await screen.findByRole("dialog"));
    await sheet.findByText(/was deleted in the explorer/);
    expect(sheet.queryAllByRole("link", { name: "Download" }).length).toBe(0);
  });

  test("shows of each what it is, where it is and how it lives", async () => {
    const limited = file(1, {
      has_password: true,
      max_views: 5,
      views: 2,
      remark: "Holidays",
      expires_at: made,
      created_by: "apikey:k7",
      storage_provider_type: "MinIO",
    });
    await using _api = keeping([limited, file(2, { max_views: 3, views: 3 }), file(3)]);
    await openAt(PATH);
    const row = within(await screen.findByRole("row", { name: /photo 1/ }));
    expect(row.getByRole("link", { name: "Open" }).getAttribute("href")).toBe("http://localhost:8787/file/slug1");
    const parts = ["photo 1.png", "Holidays", "PNG image · 2 KB", "3 of 5 left", "Expired", "Attic", "MinIO", "Key k7"];
    for (const part of [...parts, "Password"]) expect(row.getByText(part)).toBeDefined();
    expect(within(screen.getByRole("row", { name: /photo 2/ })).getByText("0 of 3 left")).toBeDefined();
    const free = within(screen.getByRole("row", { name: /photo 3/ }));
    for (const part of ["3", "Never", "Admin"]) expect(free.getByText(part)).toBeDefined();
    expect(free.queryByText("Password")).toBeNull();
    expect(screen.getByText("3 in total")).toBeDefined();
    expect(document.title).toBe("Files · Satchel");
  });

  test("speaks Chinese", async () => {
    await using _api = keeping([file(1, { max_views: 5, views: 2, has_password: true })]);
    const { user } = await openAt(PATH);
    await screen.findByText("3 of 5 left");
    await user.selectOptions(screen.getByRole("combobox", { name: "Language" }), "中文");
    expect(await screen.findByText("剩 3 / 5 次")).toBeDefined();
    for (const part of ["有密码", "管理员", "共 1 项"]) expect(screen.getByText(part)).toBeDefined();
    for (const name of [/文件.*大小/, /过期/]) expect(screen.getByRole("columnheader", { name })).toBeDefined();
    await user.click(screen.getByRole("button", { name: "photo 1.png的更多操作" }));
    expect(screen.getByRole("menuitem", { name: "复制直链" })).toBeDefined();
    expect(screen.getByRole("link", { name: "文件" }).getAttribute("aria-current")).toBe("page");
  });

  test("copies the page's link, and the direct link of a protected file with its grant", async () => {
    await using api = keeping([file(1, { has_password: true, grant: "g+1" })]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: "Copy link" }));
    expect(await navigator.clipboard.readText()).toBe("http://localhost:8787/file/slug1");
    await choose(user, "Copy direct link");
    expect(await navigator.clipboard.readText()).toBe(`${api.base}/api/file-download/slug1?grant=g%2B1`);
  });

  test("turns its pages of twenty, the page being in the address", async () => {
    await using api = keeping(many(41));
    const { user, where } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: "Next page" }));
    expect(await screen.findByText("photo 40.png")).toBeDefined();
    expect(where.path).toBe(`${PATH}?page=2`);
    expect(screen.getByText("Page 2 of 3")).toBeDefined();
    expect(screen.getAllByRole("row").length).toBe(1 + 20);
    await user.selectOptions(screen.getByRole("combobox", { name: "Rows per page" }), "50");
    await waitFor(() => expect(where.path).toBe(`${PATH}?size=50`));
    await waitFor(() =>
      expect(api.addresses().filter((address) => address.startsWith("/api/files"))).toEqual([
        "/api/files?limit=20&offset=0&sort=created&order=desc",
        "/api/files?limit=20&offset=20&sort=created&order=desc",
        "/api/files?limit=50&offset=0&sort=created&order=desc",
      ]),
    );
  });

  test("says what it is for while it is empty, and leads to the upload", async () => {
    await using _api = keeping([]);
    await openAt(PATH);
    const upload = await screen.findByRole("link", { name: "Upload the first file" });
    expect(upload.getAttribute("href")).toBe("/upload");
    expect(screen.queryAllByRole("link", { name: "Upload files" }).length).toBe(0);
  });

  test("says what went wrong and tries again", async () => {
    let broken = true;
    await using _api = fakeServer({
      "GET /files": () => (broken ? refusal("internal", "Server error.") : listed(file(7))),
    });
    const { user } = await openAt(PATH);
    expect((await screen.findByRole("alert")).textContent).toContain("Server error.");
    broken = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("photo 7.png")).toBeDefined();
  });
});

describe("deleting files", () => {
  test("takes the ticked ones with their files after asking, and leaves a page that is empty then", async () => {
    await using api = keeping(many(22));
    const { user, where } = await openAt(`${PATH}?page=2`);
    await user.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
    await user.click(
      within(screen.getByRole("toolbar", { name: "2 selected" })).getByRole("button", { name: "Delete" }),
    );
    const dialog = within(screen.getByRole("dialog", { name: "Delete 2 file shares?" }));
    expect(dialog.getByText(/the files are deleted from their storage/)).toBeDefined();
    await user.click(dialog.getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("2 entries deleted.")).toBeDefined();
    await waitFor(() => expect(where.path).toBe(PATH));
    expect(sent(api, "DELETE")).toEqual([{ ids: ["id-21", "id-22"], delete_mode: "both" }]);
    expect(screen.queryAllByRole("toolbar").length).toBe(0);
  });

  test("keeps the file in its storage when that is ticked, and remembers the choice", async () => {
    await using api = keeping(many(2));
    const { user } = await openAt(PATH);
    const remove = async () => {
      await choose(user, "Delete");
      return within(screen.getByRole("dialog", { name: "Delete this file share?" }));
    };
    await user.click(await screen.findByRole("checkbox", { name: "Select photo 1.png" }));
    await user.click(within(screen.getByRole("toolbar")).getByRole("button", { name: "Delete" }));
    const first = within(screen.getByRole("dialog"));
    expect(first.getByText(/“photo 1.png” stops working at once, and the file is deleted/)).toBeDefined();
    await user.click(first.getByRole("checkbox", { name: /keep the file in its storage/ }));
    expect(first.getByText(/The file itself stays in its storage/)).toBeDefined();
    await user.click(first.getByRole("button", { name: "Delete" }));
    await dialogGone();

    const second = await remove();
    expect(second.getByRole("checkbox").matches(":checked")).toBe(true);
    await user.click(second.getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("No files yet")).toBeDefined();
    expect(sent(api, "DELETE")).toEqual([
      { ids: ["id-1"], delete_mode: "record_only" },
      { ids: ["id-2"], delete_mode: "record_only" },
    ]);
  });

  /** What is listed, and what the question before the removal says of their files. */
  const fates: readonly [listed: Parameters<typeof keeping>[0], says: RegExp, asksToKeep: boolean][] = [
    [[file(1, { file_stays: true })], /“photo 1.png” stops working at once. The file itself stays/, false],
    [[file(1, { file_stays: true, file_gone: true })], /Its file was deleted in the explorer before/, false],
    [[file(1, { file_gone: true })], /Its file was deleted in the explorer before/, false],
    [[file(1), file(2, { file_stays: true })], /Uploaded files are deleted .* files shared in the explorer stay/, true],
    [[1, 2].map((id) => file(id, { file_stays: true })), /The files themselves stay in their storage/, false],
  ];
  test.each(fates)("says what becomes of the files: %#", async (listed, says, asksToKeep) => {
    await using _api = keeping(listed);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
    await user.click(within(screen.getByRole("toolbar")).getByRole("button", { name: "Delete" }));
    const dialog = within(screen.getByRole("dialog"));
    expect(dialog.getByText(says)).toBeDefined();
    expect(dialog.queryAllByRole("checkbox")).toHaveLength(asksToKeep ? 1 : 0);
  });

  test("names what could not be deleted and why, and leaves it ticked", async () => {
    await using _api = keeping(many(3), { stuck: { "id-2": "The storage does not answer." } });
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("checkbox", { name: "Select all on this page" }));
    await user.click(within(screen.getByRole("toolbar")).getByRole("button", { name: "Delete" }));
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
    const told = await screen.findByRole("alert");
    expect(told.textContent).toContain("2 entries deleted.1 entry was not deleted.");
    expect(within(told).getByRole("listitem").textContent).toBe("photo 2.png · The storage does not answer.");
    await dialogGone();
    const left = screen.getAllByRole("checkbox", { name: /^Select photo/ });
    expect(left.map((box) => box.matches(":checked"))).toEqual([true]);
    expect(screen.getByRole("toolbar").getAttribute("aria-label")).toBe("1 selected");
  });

  test("deletes nothing when the question is answered with Cancel", async () => {
    await using api = keeping([file(1)]);
    const { user } = await openAt(PATH);
    await choose(user, "Delete");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryAllByRole("dialog").length).toBe(0);
    expect(api.lines().filter((line) => line.startsWith("DELETE"))).toEqual([]);
  });
});

describe("one file", () => {
  test("tells everything about itself in its details, with the ways to it", async () => {
    await using api = keeping([file(1, { max_views: 5, views: 2 })]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: /^photo 1.png/ }));
    const sheet = within(screen.getByRole("dialog", { name: "File details" }));
    for (const part of ["photo 1.png", "image/png", "2 KB", "3 of 5 left", "Attic", "2026/photo 1.png", "abc123"]) {
      expect(sheet.getByText(part)).toBeDefined();
    }
    const download = await sheet.findByRole("link", { name: "Download" });
    expect(sheet.getByText("Each preview or download uses up one view.")).toBeDefined();
    expect(download.getAttribute("href")).toBe(`${api.base}/api/file-download/abc234?grant=owner`);
    const preview = sheet.getByRole("link", { name: "Preview" });
    expect(preview.getAttribute("href")).toBe(`${api.base}/api/file-view/abc234?grant=owner`);
    const page = sheet.getByRole("link", { name: "http://localhost:8787/file/slug1" });
    expect(page.getAttribute("href")).toBe("http://localhost:8787/file/slug1");
    await user.click(sheet.getByRole("button", { name: "Copy storage path" }));
    expect(await navigator.clipboard.readText()).toBe("2026/photo 1.png");
  });

  test("shows what the list knows when its details do not load, and tries again", async () => {
    let broken = true;
    await using _api = fakeServer({
      "GET /files": () => listed(file(1)),
      "GET /files/id-1": () => (broken ? refusal("server.busy", "Busy.") : answer({ data: wholeFile(file(1)) })),
      "GET /files/id-1/log": () => answer({ data: { is_on: true, days: 90, entries: [], next: null, chart: [] } }),
    });
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: /^photo 1.png/ }));
    const sheet = within(screen.getByRole("dialog"));
    expect((await sheet.findByRole("alert")).textContent).toContain("Busy.");
    expect(sheet.getByText("abc123")).toBeDefined();
    broken = false;
    await user.click(sheet.getByRole("button", { name: "Try again" }));
    expect(await sheet.findByRole("link", { name: "Download" })).toBeDefined();
  });

  test("is edited in a sheet: a taken suffix at its field, then only what changed is saved", async () => {
    await using api = keeping([file(1)]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    const slug = await screen.findByLabelText("Link suffix");
    await user.clear(slug);
    await user.type(slug, "taken");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(slug.getAttribute("aria-invalid")).toBe("true"));
    await user.clear(slug);
    await user.type(slug, "free");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await dialogGone();
    expect(sent(api, "PUT")).toEqual([{ slug: "taken" }, { slug: "free" }]);
    expect(api.lines().filter((line) => line === "GET /files").length).toBe(2);
  });

  test("asks before changes to it are thrown away", async () => {
    await using api = keeping([file(1)]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: "Edit" }));
    await user.type(await screen.findByLabelText("Note"), "x");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "Discard" }));
    await dialogGone();
    expect(sent(api, "PUT")).toEqual([]);
  });
});
