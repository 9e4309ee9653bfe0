import { expect, test } from "bun:test";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { scenarios } from "../../../support/scenario.ts";
import { nothing, remains } from "../../../support/share-file.ts";
import { openTestHouse } from "../../../support/test-house.ts";

/** What whoever has a key does with shares from a terminal: list them, and delete them at their addresses. */

scenarios([
  { method: "GET", url: "/cli", status: 200, has: ["#!/bin/sh", ":-'http://satchel.test'}"] },
  { method: "GET", url: "/cli/shares", status: 401 },
  { as: "visitor", method: "GET", url: "/cli/shares", status: 401 },
  { as: { key: ["webdav_read"] }, method: "GET", url: "/cli/shares", status: 403 },
  { as: { link: ["view"] }, method: "GET", url: "/cli/shares", status: 403 },
  { as: { key: ["text"] }, method: "GET", url: "/cli/shares", status: 200 },
  { as: { key: ["file_share"] }, method: "DELETE", url: "/file/none", status: 404 },
  { as: { key: ["text"] }, method: "DELETE", url: "/file/none", status: 403 },
  { as: { key: ["file_share"] }, method: "DELETE", url: "/paste/none", status: 403 },
  { as: "visitor", method: "DELETE", url: "/file/none", status: 401 },
  { method: "DELETE", url: "/file/none", status: 401 },
  { as: "admin", method: "DELETE", url: "/file/%ff", status: 400 },
]);

test("a key lists and deletes its own shares, and nobody else's", async () => {
  await using house = await openTestHouse();
  const mine = withKey(await makeKey(house, { name: "mine" }));
  const other = withKey(await makeKey(house, { name: "other" }));
  const headers = { ...mine, "x-share-slug": "one", "x-share-views": "2" };
  await house.request("/a%E2%80%AEb.txt", { method: "PUT", body: "hello", headers });
  await house.request("/", {
    method: "POST",
    body: "a text\nof two lines",
    headers: { ...mine, "content-type": "text/plain", "x-share-slug": "two" },
  });
  const list = async (who: Record<string, string>) =>
    (await (await house.request("/cli/shares", { headers: who })).text()).split("\n").toSorted();
  expect(await list(mine)).toEqual([
    "",
    "http://satchel.test/file/one\t5\t-\ta\ufffdb.txt",
    "http://satchel.test/paste/two\t19\t-\ta text",
  ]);
  expect(await list(other)).toEqual([""]);
  for (const path of ["/file/one", "/paste/two"]) {
    expect((await house.request(path, { method: "DELETE", headers: other })).status).toBe(404);
    expect(await (await house.request(path, { method: "DELETE", headers: mine })).text()).toBe("Deleted\n");
    expect((await house.request(path, { method: "DELETE", headers: mine })).status).toBe(404);
  }
  expect(await remains(house)).toEqual(nothing);
});

test("the log has no address by which somebody else could delete what was shared, or take back what was sent", async () => {
  await using house = await openTestHouse();
  const headers = withKey(await makeKey(house));
  const dropped = await house.request("/a.txt", { method: "PUT", body: "hello", headers });
  const removal = new URL(dropped.headers.get("x-delete-url") ?? "").pathname;
  const receipt = "r".repeat(43);
  await house.request(removal);
  await house.request(`/api/public/receipts/${receipt}`);
  const log = house.log();
  expect(log).toContain(`"path":"${removal.slice(0, removal.lastIndexOf("/"))}/-"`);
  expect(log).toContain('"path":"/api/public/receipts/-"');
  expect(log).not.toContain(removal);
  expect(log).not.toContain(receipt);
});
