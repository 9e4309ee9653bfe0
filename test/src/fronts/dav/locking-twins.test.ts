import { expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { fsUploads } from "#contract/fs/uploads";
import { mounts } from "#contract/mounts";
import { basic } from "../../../support/clients/basic.ts";
import { davUrl } from "../../../support/clients/dav.ts";
import { openDav } from "../../../support/clients/open-dav.ts";
import { makeKey } from "../../../support/make-key.ts";
import { makeMount } from "../../../support/make-mount.ts";
import { ask, put } from "../../../support/share-file.ts";
import { treeCalls } from "../../../support/tree/tree-house.ts";

/** A lock is of what its path shows, and holds by whichever mount somebody comes to it. */

async function open() {
  const here = await openDav();
  await makeMount(here.house, { mount_path: "/drive/hidden" });
  await makeMount(here.house, { mount_path: "/m2" });
  const { key } = await makeKey(here.house, { basic_path: "/m2" });
  await here.send("MKCOL", "/drive/d");
  await here.send("PUT", "/drive/d/a", { body: "a" });
  const another = (method: string, path: string, headers: Record<string, string> = {}) =>
    here.send(method, path, { headers: { ...basic(key, key), ...headers }, ...(method === "PUT" && { body: "x" }) });
  return { ...here, another };
}

test("nobody else writes, moves or removes by another mount, nor learns of the first one's path", async () => {
  await using here = await open();
  const { token } = await here.lock("/drive/d/a", { headers: { depth: "0" } });
  const to = { destination: davUrl("/m2/b") };
  for (const [method, path, headers] of [
    ["PUT", "/m2/d/a"],
    ["DELETE", "/m2/d/a"],
    ["DELETE", "/m2/d"],
    ["MOVE", "/m2/d/a", to],
    ["MOVE", "/m2/d", to],
  ] as const) {
    const { status, text } = await here.another(method, path, headers);
    expect([method, path, status]).toEqual([method, path, 423]);
    expect(text).toContain("<D:href>/dav/m2/d");
    expect(text).not.toContain("/dav/drive");
  }
  expect((await here.another("PUT", "/m2/d/new")).status).toBe(201);
  const mine = { if: `<${davUrl("/drive/d/a")}> (<${token}>)` };
  expect(await here.status("PUT", "/m2/d/a", { body: "mine", headers: mine })).toBe(204);
  expect(await here.text("/drive/d/a")).toBe("mine");
});

test("of a folder holds for what comes to it and what is in it by another mount", async () => {
  await using here = await open();
  const { token } = await here.lock("/drive/d");
  expect((await here.another("PUT", "/m2/d/new")).status).toBe(423);
  expect((await here.another("MKCOL", "/m2/d/new")).status).toBe(423);
  expect((await here.another("PUT", "/m2/d/a")).status).toBe(423);
  const mine = { if: `<${davUrl("/drive/d")}> (<${token}>)` };
  expect(await here.status("DELETE", "/m2/d", { headers: mine })).toBe(204);
  expect((await here.another("MKCOL", "/m2/d")).status).toBe(201);
});

test("no other stands beside it by another mount", async () => {
  await using here = await open();
  await here.lock("/drive/d/a");
  expect((await here.lock("/m2/d/a")).status).toBe(423);
  expect((await here.lock("/m2/d")).status).toBe(423);
  expect((await here.lock("/m2/d/b")).status).toBe(201);
});

test("holds for REST and for addresses that were given out before", async () => {
  await using here = await open();
  const calls = await treeCalls(here.house);
  const target = { path: "/m2/d/", fileName: "a", fileSize: 1, contentType: "text/plain" };
  const { data } = await calls.call(fsUploads.presign, { body: target });
  await here.lock("/drive/d/a");
  expect(await calls.outcome(fs.update, { body: { path: "/m2/d/a", content: "x" } })).toBe("423 path.locked");
  expect((await put(here.house, data.presignedUrl, "x")).status).toBe(409);
  expect(await here.text("/drive/d/a")).toBe("a");
});

test("is not met where another mount stands in front, nor by one that is switched off", async () => {
  await using here = await open();
  const { id } = await makeMount(here.house, { mount_path: "/off" });
  await here.send("MKCOL", "/m2/hidden");
  await here.lock("/drive/hidden/b");
  expect((await here.another("PUT", "/m2/hidden/b")).status).toBe(201);
  expect((await here.another("PUT", "/m2/b")).status).toBe(423);
  await here.lock("/off/c");
  expect((await here.another("PUT", "/m2/c")).status).toBe(423);
  await ask(here.house, mounts.update, { params: { id }, body: { is_active: false } });
  expect((await here.another("PUT", "/m2/c")).status).toBe(204);
});
