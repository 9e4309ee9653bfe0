import { beforeEach, describe, expect, test } from "bun:test";
import { screen, waitFor, within } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { answer, refusal } from "../../support/page-servers/fake-server.ts";
import { file, many } from "../../support/page-servers/kept-files.ts";
import { openUpload, pageServer } from "./open-upload.tsx";

beforeEach(() => credential.signIn("token", "admin", Date.now()));

const rows = () => within(screen.getByRole("region", { name: "Recent uploads" })).getAllByRole("listitem");
const row = (index: number): HTMLElement => {
  const found = rows()[index];
  if (!found) throw new Error(`There is no row ${index}.`);
  return found;
};

describe("the recent uploads", () => {
  test("are the newest, with what one wants to know of them", async () => {
    const limited = file(1, { remark: "From the sea", has_password: true, grant: "g1", max_views: 5, views: 2 });
    const spent = file(2, { max_views: 2, views: 2 });
    const old = file(3, { expires_at: "2026-01-03T00:00:00.000Z" });
    await using server = pageServer({ recent: [limited, spent, old, file(4)] });
    const { user } = await openUpload(server);
    await waitFor(() => expect(rows()).toHaveLength(3));
    expect(row(0).textContent).toContain("photo 1.pngPassword neededFrom the sea2 KB·PNG image·3 views left·shared");
    expect(row(1).textContent).toContain("no views left");
    expect(row(2).textContent).toContain("expired");
    expect(within(row(1)).queryByText("Password needed")).toBeNull();

    expect(within(row(0)).getByRole("link", { name: "Open" }).getAttribute("href")).toBe(
      "http://localhost:8787/file/slug1",
    );
    await user.click(within(row(0)).getByRole("button", { name: "Copy link" }));
    expect(await navigator.clipboard.readText()).toBe("http://localhost:8787/file/slug1");
    await user.click(within(row(0)).getByRole("button", { name: "Copy direct link" }));
    expect(await navigator.clipboard.readText()).toBe(`${server.base}/api/file-download/slug1?grant=g1`);
    await user.click(within(row(0)).getByRole("button", { name: "QR code" }));
    expect(await screen.findByRole("img", { name: "QR code of the link" })).toBeDefined();
  });

  test("are deleted after a question; what cannot be stays, with the reason", async () => {
    const recent = many(2);
    await using server = pageServer({ recent });
    const deleted: unknown[] = [];
    let stuck = true;
    server.instead((line) => {
      if (line !== "DELETE /files/batch-delete") return undefined;
      deleted.push(server.calls.at(-1)?.body);
      const failed = [{ id: "id-1", error: "It is in use." }];
      const whole = { code: 404, success: false, error: "share.missing", message: "It is in use.", failed };
      if (stuck) return Response.json({ ...whole, data: { success: 0, failed } }, { status: 404 });
      recent.shift();
      return answer({ data: { success: 1, failed: [] } });
    });
    const { user } = await openUpload(server);
    await waitFor(() => expect(rows()).toHaveLength(2));
    await user.click(within(row(0)).getByRole("button", { name: "Delete" }));
    const question = await screen.findByRole("dialog", { name: "Delete “photo 1.png”?" });
    const confirm = within(question).getByRole("button", { name: "Delete" });
    await user.click(confirm);
    expect((await within(question).findByRole("alert")).textContent).toBe("It could not be deleted: It is in use.");
    stuck = false;
    await user.click(confirm);
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(deleted).toEqual([
      { ids: ["id-1"], delete_mode: "both" },
      { ids: ["id-1"], delete_mode: "both" },
    ]);
  });

  test("that do not load say so and can be asked for again", async () => {
    await using server = pageServer({ recent: many(1) });
    server.instead((line) => (line === "GET /files" ? refusal("internal") : undefined));
    const { user } = await openUpload(server);
    const notice = await screen.findByRole("alert");
    expect(notice.textContent).toContain("The recent uploads did not load.");
    server.instead(() => undefined);
    await user.click(within(notice).getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(rows()).toHaveLength(1));
  });
});
