import { beforeEach, describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../../web/api/session/credential.ts";
import { answer, refusal } from "../../../support/page-servers/fake-server.ts";
import { drive, keeping, many, PATH, sent, team } from "../../../support/page-servers/kept-mounts.ts";
import { card } from "../../../support/pages/form-dialog.ts";
import { openAt } from "../../../support/pages/open-at.tsx";

const names = () => screen.queryAllByRole("region").map((region) => within(region).getByRole("heading").textContent);

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

describe("the list of mounts", () => {
  test("shows of each where it is, what is behind it, who made it and how it is handed out", async () => {
    await using _api = keeping([drive, team]);
    await openAt(PATH);
    const shown = await card("Team");
    for (const part of ["/team/照片", "Cloud · MinIO", "Active", "Key k1", "0 s", "Never"]) {
      expect(shown.getByText(part)).toBeDefined();
    }
    expect(shown.getByText(/For everybody\s+in the office/)).toBeDefined();
    for (const badge of ["Public addresses", "Signature required", "WebDAV redirects", "Administrator only"]) {
      expect(shown.getByText(badge)).toBeDefined();
    }
    expect(shown.getByRole("link", { name: "Open" }).getAttribute("href")).toBe(
      "/mount-explorer/team/%E7%85%A7%E7%89%87",
    );
    const first = await card("Drive");
    expect(first.getByText("System")).toBeDefined();
    for (const badge of ["Public addresses", "Signature required", "Administrator only"]) {
      expect(first.queryByText(badge)).toBeNull();
    }
    expect(document.title).toBe("Mounts · Satchel");
    expect(screen.getByRole("link", { name: "Mounts" }).getAttribute("aria-current")).toBe("page");
  });

  test("says of one how far its index is", async () => {
    await using _api = keeping([{ ...drive, indexing: 12_000 }, team]);
    await openAt(PATH);
    const indexed = await card("Drive");
    expect(indexed.getByRole("status").textContent).toBe("Indexing for search: 12,000 names so far");
    expect((await card("Team")).queryByText(/Indexing/)).toBeNull();
  });

  test("is searched by name, path, storage and remark, and says when nothing is found", async () => {
    await using _api = keeping([drive, team]);
    const { user } = await openAt(PATH);
    const box = await screen.findByRole("searchbox");
    for (const word of ["TEAM", "照片", "cloud", "office everybody"]) {
      await user.clear(box);
      await user.type(box, `${word}{Enter}`);
      await waitFor(() => expect(names()).toEqual(["Team"]));
    }
    await user.type(box, " nowhere{Enter}");
    expect(await screen.findByText("Nothing found")).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Show everything" }));
    await waitFor(() => expect(names()).toEqual(["Drive", "Team"]));
  });

  test("has six on a page, and a search begins on the first", async () => {
    await using _api = keeping(many(8));
    const { user } = await openAt(PATH);
    await card("Mount 0");
    expect(names().length).toBe(6);
    await user.click(screen.getByRole("button", { name: "Next page" }));
    await waitFor(() => expect(names()).toEqual(["Mount 6", "Mount 7"]));
    await user.type(screen.getByRole("searchbox"), "mount 2");
    await waitFor(() => expect(names()).toEqual(["Mount 2"]));
  });

  test("says what it is for while it is empty, and offers the form", async () => {
    await using _api = keeping([]);
    const { user } = await openAt(PATH);
    await user.click(await screen.findByRole("button", { name: "Add the first mount" }));
    expect(await screen.findByRole("dialog", { name: "Add mount" })).toBeDefined();
  });

  test("says what went wrong and tries again", async () => {
    let broken = true;
    await using _api = keeping([], {
      "GET /admin/mounts": () => (broken ? refusal("internal", "Server error.") : answer({ data: [team] })),
    });
    const { user } = await openAt(PATH);
    expect((await screen.findByRole("alert")).textContent).toContain("Server error.");
    broken = false;
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await card("Team")).toBeDefined();
  });

  test("speaks Chinese", async () => {
    await using _api = keeping([drive, team]);
    const { user } = await openAt(PATH);
    await card("Team");
    await user.selectOptions(screen.getByRole("combobox", { name: "Language" }), "中文");
    expect((await screen.findAllByText("已启用")).length).toBe(2);
    for (const part of ["系统", "需要签名", "WebDAV 重定向", "仅管理员"])
      expect(screen.getAllByText(part)).not.toEqual([]);
  });
});

describe("switching and removing", () => {
  test("one is switched off at once, and on again by undo", async () => {
    await using api = keeping([drive, team]);
    const { user } = await openAt(PATH);
    await user.click((await card("Team")).getByRole("button", { name: "Disable" }));
    const shown = await card("Team");
    expect(await shown.findByText("Inactive")).toBeDefined();
    expect(shown.queryByRole("link", { name: "Open" })).toBeNull();
    await user.click(await shown.findByRole("button", { name: "Undo" }));
    expect(await shown.findByText("Active")).toBeDefined();
    expect(sent(api, "PUT /admin/mounts/team")).toEqual([{ is_active: false }, { is_active: true }]);
  });

  test("a switch that is refused shows the mount as it is, and says why", async () => {
    await using _api = keeping([drive]);
    const { user } = await openAt(PATH);
    await user.click((await card("Drive")).getByRole("button", { name: "Disable" }));
    const shown = await card("Drive");
    expect((await shown.findByRole("alert")).textContent).toBe("This mount does not exist.");
    expect(await shown.findByText("Active")).toBeDefined();
  });

  test("one goes after a question that says what stays", async () => {
    await using api = keeping([drive, team]);
    const { user } = await openAt(PATH);
    await user.click((await card("Team")).getByRole("button", { name: "Delete" }));
    const question = within(screen.getByRole("dialog", { name: "Delete “Team”?" }));
    expect(question.getByText(/No file is touched/)).toBeDefined();
    await user.click(question.getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("“Team” was deleted. No file was touched.")).toBeDefined();
    await waitFor(() => expect(names()).toEqual(["Drive"]));
    expect(api.lines()).toContain("DELETE /admin/mounts/team");
  });

  test("the question names the keys that would see no files afterwards", async () => {
    const keys = [
      { id: "a", name: "TV", basic_path: "/team/照片/tv" },
      { id: "b", name: "Backup", basic_path: "/" },
    ];
    await using _api = keeping([drive, team], { "GET /admin/api-keys": () => answer({ data: keys }) });
    const { user } = await openAt(PATH);
    await user.click((await card("Team")).getByRole("button", { name: "Delete" }));
    const question = within(screen.getByRole("dialog", { name: "Delete “Team”?" }));
    expect(await question.findByText("These keys begin there and will see no files afterwards: TV")).toBeDefined();
  });

  test("one that could not be removed stays, and the question says why", async () => {
    await using _api = keeping([drive, team], { "DELETE /admin/mounts/team": () => refusal("internal", "Broken.") });
    const { user } = await openAt(PATH);
    await user.click((await card("Team")).getByRole("button", { name: "Delete" }));
    const question = within(screen.getByRole("dialog"));
    await user.click(question.getByRole("button", { name: "Delete" }));
    expect((await question.findByRole("alert")).textContent).toBe("Broken.");
  });
});
