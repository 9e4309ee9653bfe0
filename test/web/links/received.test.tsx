import { beforeEach, expect, test } from "bun:test";
import { screen, within } from "@testing-library/react";
import type { ActivityEntry } from "#contract/activity";
import type { Received } from "#contract/links";
import { credential } from "../../../web/api/session/credential.ts";
import { answer, fakeServer } from "../../support/page-servers/fake-server.ts";
import { linkRecord } from "../../support/page-servers/link-record.ts";
import { openAt } from "../../support/pages/open-at.tsx";
import { choose } from "../../support/pages/row-menu.ts";

/** What has come by a link leads to where it is. */

const file = (name: string, path: string | null, arrived_at: string | null = "2031-01-02T03:04:05.000Z") => ({
  ...{ name, path, arrived_at },
  ...{ size: 5, sha256: null, sha256_pending: false, take_back_until: null },
});

const receipt: Received = {
  sender: "Ann",
  message: null,
  created_at: "2031-01-02T03:04:05.000Z",
  files: [file("a b#.txt", "/m/box/Ann/a b#.txt"), file("gone.txt", null), file("late.txt", null, null)],
};

const entry = (name: string): ActivityEntry => ({
  ...{ at: "2031-01-02T03:04:05.000Z", event: "uploaded", outcome: "whole", name, network: null, program: null },
  ...{ bytes: 5, times: 1 },
});

function server() {
  const box = { id: "i1", name: "box", path: "/m/box/", isDirectory: true };
  const link = linkRecord({ rights: ["upload"], items: [box], item_count: 1 });
  return fakeServer({
    "GET /links": () => answer({ data: { links: [link], total: 1 } }),
    "GET /links/one": () => answer({ data: link }),
    "GET /links/one/receipts": () => answer({ data: { receipts: [receipt], total: 1 } }),
    "GET /links/one/log": () =>
      answer({ data: { is_on: true, days: 90, entries: [entry("a b#.txt"), entry("gone.txt")], next: null } }),
  });
}

const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
const ADDRESS = "/mount-explorer/m/box/Ann?preview=a+b%23.txt";

beforeEach(() => credential.signIn("tok", "admin", Date.now()));

test("each file leads to its place, its sender to theirs, and what is not there any more says so", async () => {
  await using _api = server();
  const { user, where } = await openAt("/admin/link-management");
  await choose(user, "Received files");
  const dialog = within(await screen.findByRole("dialog", { name: "Received files" }));
  expect(await dialog.findByText("Ann")).toBeDefined();
  expect(hrefOf("/m/box")).toBe("/mount-explorer/m/box");
  expect(hrefOf("Ann")).toBe("/mount-explorer/m/box/Ann");
  expect(hrefOf("a b#.txt")).toBe(ADDRESS);
  const rows = dialog.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(rows).toContain("gone.txt · 5 B · moved or deleted");
  expect(rows).toContain("late.txt · on its way");
  for (const name of ["gone.txt", "late.txt"]) expect(dialog.queryByRole("link", { name })).toBeNull();
  await user.click(screen.getByRole("link", { name: "a b#.txt" }));
  expect(where.path).toBe(ADDRESS);
});

test("the log of a link leads to files that are known to be there", async () => {
  await using _api = server();
  const { user } = await openAt("/admin/link-management");
  await user.click(await screen.findByRole("button", { name: "Trip" }));
  const log = within(await screen.findByRole("region", { name: "Activity" }));
  const known = await log.findByRole("link", { name: "a b#.txt" });
  expect(known.getAttribute("href")).toBe(ADDRESS);
  expect(log.getByText("gone.txt").parentElement?.textContent).toBe("gone.txt · moved or deleted");
  expect(log.queryByRole("link", { name: "gone.txt" })).toBeNull();
});
