import { describe, expect, test } from "bun:test";
import type { ObjectHead, ObjectStore } from "../../../src/stores/store.ts";
import type { Storage } from "../../../src/stores/stores.ts";
import { createListings } from "../../../src/vfs/listing.ts";
import { openDiskStore } from "../../support/stores/disk-store.ts";
import { createTestClock } from "../../support/test-clock.ts";

/** What is kept of lists, and when it is not. */

/** A storage on the disk whose lists wait until they are let go, when a test wants them to. */
async function open() {
  const disk = await openDiskStore();
  const clock = createTestClock();
  const asked: string[] = [];
  const seen: string[] = [];
  let gate: { readonly reach: () => void; readonly opened: Promise<void> } | undefined;
  const store: ObjectStore = {
    ...disk.store,
    async list(request) {
      asked.push(request.prefix);
      const page = await disk.store.list(request);
      gate?.reach();
      await gate?.opened;
      return page;
    },
  };
  const storage = { config: { id: "one" }, store } as Storage;
  const listings = createListings({
    clock: clock.now,
    moment: () => 0,
    asked: () => undefined,
    fetched: ({ key }) => void seen.push(key),
  });
  const put = async (key: string, told = true): Promise<ObjectHead> => {
    const head = await disk.store.put(key, new Response("x"), { type: "text/plain", length: 1 });
    if (told) listings.follow({ kind: "written", at: { storage: "one", key }, file: head });
    return head;
  };
  const names = async (key: string, ttl = 60) => {
    const { files, folders } = await listings.get(storage, key, ttl);
    return [...folders, ...files.map((file) => file.key)].join(" ");
  };
  return {
    ...{ listings, storage, clock, asked, seen, put, names },
    /** Lets lists wait once they have been read, from now on until they are let go. */
    hold() {
      const reached = Promise.withResolvers<void>();
      const opened = Promise.withResolvers<void>();
      gate = { reach: reached.resolve, opened: opened.promise };
      return { reached: reached.promise, letGo: opened.resolve };
    },
    [Symbol.asyncDispose]: () => disk[Symbol.asyncDispose](),
  };
}

describe("lists", () => {
  test("are kept for their time and not longer; who wants them fresh asks", async () => {
    await using room = await open();
    await room.put("d/a");
    for (const ttl of [60, 60, 0]) expect(await room.names("d/", ttl)).toBe("d/a");
    expect(room.asked).toEqual(["d/", "d/"]);
    room.clock.advance(60_000);
    await room.names("d/");
    expect(room.asked).toHaveLength(3);
    expect(room.seen).toEqual(["d/", "d/", "d/"]);
  });

  test("of long names are kept in as many bytes as those of short ones", async () => {
    const store = {
      list: async ({ prefix = "" }) => ({
        objects: Array.from({ length: 10_000 }, (_, index) => ({ key: `${prefix}${index}`.padEnd(1000, "x") })),
        folders: [],
        next: undefined,
      }),
    } as unknown as ObjectStore;
    const nothing = () => undefined;
    const listings = createListings({ clock: () => 0, moment: () => 0, asked: nothing, fetched: nothing });
    for (let folder = 0; folder < 10; folder++)
      await listings.get({ config: { id: "one" }, store } as Storage, `${folder}/`, 60);
    // Each of them has more than 20 MB.
    expect(listings.cache.size()).toBe(4);
  });

  test("that are wanted by many at once are asked for once", async () => {
    await using room = await open();
    await room.put("d/a");
    const { letGo } = room.hold();
    const many = Array.from({ length: 20 }, () => room.names("d/"));
    letGo();
    expect(new Set(await Promise.all(many))).toEqual(new Set(["d/a"]));
    expect(room.asked).toEqual(["d/"]);
  });

  test("that were on their way while something changed are not kept, nor given to those who came after it", async () => {
    await using room = await open();
    await room.put("d/a");
    const { reached, letGo } = room.hold();
    const before = room.names("d/");
    await reached;
    await room.put("d/b");
    const after = room.names("d/");
    letGo();
    expect([await before, await after, await room.names("d/")]).toEqual(["d/a", "d/a d/b", "d/a d/b"]);
  });

  test("forget what they must: the folder itself, and above it those that may show one folder more or less", async () => {
    await using room = await open();
    await room.put("a/b/c/x");
    const look = async () => {
      for (const key of ["", "a/", "a/b/", "a/b/c/"]) await room.names(key);
      return room.asked.splice(0).join(",");
    };
    expect(await look()).toBe(",a/,a/b/,a/b/c/");
    expect(await look()).toBe("");
    await room.put("a/b/c/y");
    expect(await look()).toBe("a/b/c/");
    await room.put("a/new/z");
    expect(await look()).toBe("a/");
    room.listings.follow({ kind: "removed", at: { storage: "one", key: "a/b/c/x" } });
    expect(await look()).toBe(",a/,a/b/,a/b/c/");
    room.listings.follow({ kind: "moved", from: { storage: "one", key: "a/b/" }, to: { storage: "one", key: "q/" } });
    expect(await look()).toBe(",a/,a/b/,a/b/c/");
    room.listings.follow({ kind: "removed", at: { storage: "other", key: "a/" } });
    expect(await look()).toBe("");
  });

  test("pages of a list that is kept are those that its storage would give", async () => {
    await using room = await open();
    for (const key of ["b", "a/x", "a-", "c/y", "é", "zz/x"]) await room.put(key);
    const walk = async (ttl: number) => {
      const pages: string[] = [];
      let after: string | undefined;
      do {
        const { files, folders, next } = await room.listings.page(room.storage, "", ttl, { limit: 2, after });
        pages.push([...files.map(({ key }) => key), ...folders].sort().join(" "));
        after = next;
      } while (after !== undefined);
      return pages;
    };
    const asked = await walk(0);
    await room.names("");
    room.asked.length = 0;
    expect([await walk(60), room.asked]).toEqual([asked, []]);
  });
});
