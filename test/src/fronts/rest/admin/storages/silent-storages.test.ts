import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { fsUploads } from "#contract/fs/uploads";
import { REQUEST_TIMEOUT, STORAGE_PATIENCE, STORAGE_RETRY_WITHIN } from "#contract/limits";
import { storage } from "#contract/storage";
import { uploads } from "#contract/uploads";
import { loadSdk } from "../../../../../../src/stores/s3/client.ts";
import { makeMount } from "../../../../../support/make-mount.ts";
import { openSilentServer } from "../../../../../support/servers/silent-server.ts";
import { ask } from "../../../../../support/share-file.ts";
import { testOnSqlite } from "../../../../../support/test-database.ts";
import { openTestHouse } from "../../../../../support/test-house.ts";
import { type TreeCalls, treeCalls } from "../../../../../support/tree/tree-house.ts";

/** A storage that takes every request and answers none. */

const LATEST = 20_000;
// What it takes to come into memory is no wait for a storage.
await loadSdk();

test("a storage's time ends before that of the browser", () => {
  expect(STORAGE_PATIENCE + STORAGE_RETRY_WITHIN).toBeLessThan(LATEST);
  expect(LATEST).toBeLessThan(REQUEST_TIMEOUT);
});

async function openSilent() {
  const server = await openSilentServer();
  const house = await openTestHouse();
  const body = {
    ...{ name: "Cloud", provider_type: "Other", endpoint_url: server.endpoint, bucket_name: "b", path_style: true },
    ...{ access_key_id: "key", secret_access_key: "a word that opens a bucket", is_public: true },
  };
  const { data } = await ask(house, storage.create, { body: body as never });
  await makeMount(house, { name: "S", mount_path: "/s", storage_config_id: data.id });
  const tree = await treeCalls(house);
  // The index of names is the first to ask.
  await server.request();
  return {
    ...{ tree, server, id: data.id },
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const paths = ["/s/a", "/s/b", "/s/c", "/s/d", "/s/e"];
const UNREACHABLE = "502 storage.unreachable";

const calls: [string, (tree: TreeCalls, id: string) => Promise<string>][] = [
  ["list", (tree) => tree.outcome(fs.list, { query: { path: "/s" } })],
  ["get", (tree) => tree.outcome(fs.get, { query: { path: "/s/a" } })],
  ["mkdir", (tree) => tree.outcome(fs.mkdir, { body: { path: "/s/a" } })],
  ["rename", (tree) => tree.outcome(fs.rename, { body: { oldPath: "/s/a", newPath: "/s/b" } })],
  ["write", (tree) => tree.outcome(fs.update, { body: { path: "/s/a", content: "text" } })],
  ["create share", (tree) => tree.outcome(fs.createShare, { body: { path: "/s/a" } })],
  ["presign", (tree) => tree.outcome(fsUploads.presign, { body: { path: "/s/", fileName: "a", fileSize: 5 } })],
  ["begin", (tree) => tree.outcome(fsUploads.begin, { body: { path: "/s", fileName: "a", fileSize: 6_000_000 } })],
  [
    "share's presign",
    (tree, id) => tree.outcome(uploads.presign, { body: { filename: "a", size: 5, s3_config_id: id } as never }),
  ],
];

describe("is given up within 20 seconds by", () => {
  // PostgreSQL answers in the time of the world.
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  testOnSqlite.each(calls)("%s", async (_, call) => {
    await using silent = await openSilent();
    const answer = call(silent.tree, silent.id);
    await silent.server.request();
    jest.advanceTimersByTime(LATEST);
    expect(await answer).toBe(UNREACHABLE);
  });

  testOnSqlite("a call of many paths, which waits once", async () => {
    await using silent = await openSilent();
    const answer = silent.tree.call(fs.batchRemove, { body: { paths } });
    await silent.server.request();
    jest.advanceTimersByTime(STORAGE_PATIENCE);
    expect((await answer).data.failed).toMatchObject(paths.map((path) => ({ path, error: expect.any(String) })));
    expect(silent.server.asked()).toBe(2);
  });
});
