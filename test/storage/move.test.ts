import { expect, test } from "bun:test";
import { Failure } from "#contract/failures";
import { responseOf } from "../../src/lib/open-file.ts";
import type { Change } from "../../src/stores/changes.ts";
import type { ObjectStore } from "../../src/stores/store.ts";
import { makeMove } from "../../src/transfers/moves.ts";
import { openS3Store } from "../support/stores/s3-store.ts";

/** Renames of a folder in a storage that only knows keys, while others write there. */

async function opened(inject: (store: ObjectStore) => Partial<ObjectStore>) {
  const s3 = await openS3Store();
  const put = (key: string, text: string) => s3.store.put(key, new Response(text), { type: "text/plain" });
  for (const name of ["a", "b", "c"]) await put(`from/${name}`, "old");
  const changes: Change[] = [];
  const store = { ...s3.store, ...inject(s3.store) };
  const move = { kind: "moved", from: { storage: "s", key: "from/" }, to: { storage: "s", key: "to/" } } as const;
  const nothing = async () => undefined;
  const tell = async (change: Change) => void changes.push(change);
  const outdated = (change: Change) => void changes.push(change);
  const run = () =>
    makeMove({ store, move, beforeCommit: nothing, note: nothing, requireOwn: nothing, tell, outdated });
  const text = async (key: string) => {
    const found = await s3.store.get(key);
    return found && (await responseOf(found.body).text());
  };
  return { s3, put, run, text, changes, [Symbol.asyncDispose]: async () => await s3[Symbol.asyncDispose]() };
}

test("what is written anew between its copy and its removal comes along", async () => {
  await using here = await opened((store) => ({
    async copy(from, to) {
      const head = await store.copy(from, to);
      if (from === "from/b" && (await store.get(from))?.head.size === 3)
        await store.put(from, new Response("newer"), { type: "text/plain" });
      return head;
    },
  }));
  await here.run();
  expect([await here.text("to/a"), await here.text("to/b"), await here.text("from/b")]).toEqual([
    ...["old", "newer", undefined],
  ]);
});

test("what came to the folder meanwhile stays where it is", async () => {
  await using here = await opened((store) => ({
    async remove(keys) {
      await store.put("from/late", new Response("late"), { type: "text/plain" });
      await store.remove(keys);
    },
  }));
  await here.run();
  expect((await here.s3.keys()).sort()).toEqual(["from/late", "to/a", "to/b", "to/c"]);
});

test("a removal that fails is told as a move, because that is what it is for all who look", async () => {
  await using here = await opened(() => ({
    remove: async () => {
      throw new Failure("storage.refused");
    },
  }));
  await expect(here.run()).rejects.toMatchObject({ code: "storage.refused" });
  expect(here.changes.map(({ kind }) => kind)).toEqual(["moved", "moved"]);
});
