import { describe, expect, test } from "bun:test";
import { files } from "#contract/files";
import { fs as api } from "#contract/fs/fs";
import { sql } from "../../../../../src/database/sql.ts";
import { ask, shareFile } from "../../../../support/share-file.ts";
import { days } from "../../../../support/test-clock.ts";
import { ADMIN } from "../../../../support/test-house.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";

/** What becomes of a file that was uploaded to be shared and then moved elsewhere, when its share ends. */

const rename = ({ call }: TreeCalls, oldPath: string, newPath: string) =>
  call(api.rename, { body: { oldPath, newPath } });

const shown = async ({ house }: TreeCalls, slug: string): Promise<string> => {
  const response = await house.request(`/api/file-view/${slug}`);
  return response.ok ? await response.text() : String(response.status);
};

/** Moves a file that was uploaded to be shared, from /m/shares/note.txt to /m/keep/note.txt. */
const moves: Readonly<Record<string, (tree: TreeCalls) => Promise<unknown>>> = {
  "a move": (tree) => rename(tree, "/m/shares/note.txt", "/m/keep/note.txt"),
  "a rename of its folder": async (tree) => {
    await tree.call(api.batchRemove, { body: { paths: ["/m/keep/"] } });
    await rename(tree, "/m/shares/", "/m/keep/");
  },
  "a MOVE of WebDAV": (tree) =>
    tree.house.request("/dav/m/shares/note.txt", {
      method: "MOVE",
      headers: {
        authorization: `Basic ${btoa(`${ADMIN.username}:${ADMIN.password}`)}`,
        destination: "/dav/m/keep/note.txt",
      },
    }),
};

/** Ends a share that was made with an expiry. */
const ends: Readonly<Record<string, (tree: TreeCalls, id: string) => Promise<unknown>>> = {
  "is deleted": ({ house }, id) => ask(house, files.remove, { body: { ids: [id], delete_mode: "both" } }),
  "has expired": async ({ house }) => {
    house.clock.advance(days(60));
    await house.house.system.sweeper.sweep();
  },
};

describe.each(Object.entries(moves))("a file that was uploaded to be shared, after %s", (_, move) => {
  test.each(Object.entries(ends))("stays where it is when its share %s", async (_, end) => {
    await using tree = await openTreeHouse();
    const { id, slug } = await shareFile(tree.house, { filename: "note.txt", content: "hello", expires_in: 2 });
    await tree.put("/m/keep/other");
    await move(tree);
    expect(await shown(tree, slug)).toBe("hello");
    await end(tree, id);
    expect(await shown(tree, slug)).toBe("404");
    expect(tree.readOnDisk("keep/note.txt")).toBe("hello");
    expect(await tree.house.db.all(sql`select 1 from uploads`)).toEqual([]);
  });
});
