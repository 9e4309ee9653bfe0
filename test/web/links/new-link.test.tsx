import { beforeEach, expect, test } from "bun:test";
import { screen, within } from "@testing-library/react";
import { credential } from "../../../web/api/session/credential.ts";
import { answer, fakeServer } from "../../support/page-servers/fake-server.ts";
import { linkRecord } from "../../support/page-servers/link-record.ts";
import { openAt } from "../../support/pages/open-at.tsx";

/** The main button of the page of links makes one. */

const PATH = "/admin/link-management";
const folder = (name: string, path: string, isVirtual: boolean) => ({
  ...{ name, path, isDirectory: true, isVirtual, type: 1, typeName: "folder" },
  ...(isVirtual && { mount_id: "m" }),
});

function server() {
  return fakeServer({
    "GET /links": () => answer({ data: { links: [], total: 0 } }),
    "GET /fs/list": (_, url) => {
      const path = url.searchParams.get("path") ?? "/";
      const items = path === "/" ? [folder("drive", "/drive/", true)] : [folder("Inbox", "/drive/Inbox/", false)];
      return answer({ data: { items: path.includes("Inbox") ? [] : items, next_cursor: null } });
    },
    "POST /links": () => answer({ data: linkRecord({ title: null }) }),
  });
}

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

test("a link is made on the page of links: first to what, then how", async () => {
  await using api = server();
  const { user } = await openAt(PATH);
  expect(await screen.findByRole("heading", { name: "No links yet" })).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Create link" }));
  const dialog = () => within(screen.getByRole("dialog", { name: "Create a link" }));
  const next = dialog().getByRole<HTMLButtonElement>("button", { name: "Next" });
  expect(next.disabled).toBe(true);
  await user.click(await dialog().findByRole("treeitem", { name: "All files" }));
  expect(dialog().getByText(/^Only mounts are listed here/)).toBeDefined();
  expect(next.disabled).toBe(true);
  await user.dblClick(await dialog().findByRole("treeitem", { name: "drive" }));
  await user.click(await dialog().findByRole("treeitem", { name: "Inbox" }));
  await user.click(next);
  expect(dialog().getByText("Inbox")).toBeDefined();
  expect(dialog().getByRole("switch", { name: /^Upload/ })).toBeDefined();
  expect(dialog().getByText(/Folders stay live/)).toBeDefined();
  await user.click(dialog().getByRole("button", { name: "Create link" }));
  expect(await dialog().findByText(/^Link created/)).toBeDefined();
  const sent = api.seen.filter(({ line }) => line === "POST /links").map(({ body }) => body);
  expect(sent).toMatchObject([{ items: ["/drive/Inbox/"] }]);
});
