import { expect, test } from "bun:test";
import { mounts as api } from "#contract/mounts";
import { settingGroups } from "../../src/settings/groups.ts";
import { streamed } from "../suites/store-bodies.ts";
import { treeSuite } from "../suites/tree.ts";
import { asAdmin, asking, davCalls, davUrl, setting } from "../support/clients/dav.ts";
import { makeMount } from "../support/make-mount.ts";
import { s3Error } from "../support/proxies/faulty-proxy.ts";
import { ask } from "../support/share-file.ts";
import { openS3House } from "../support/stores/s3-house.ts";
import { davClient } from "../support/tree/dav-client.ts";
import { openS3Tree } from "../support/tree/on-s3.ts";

treeSuite("WebDAV on S3", async () => {
  const here = await openS3House({ default_folder: "" });
  const { data: [drive] = [] } = await ask(here.house, api.list, {});
  const body = { mount_path: "/m", storage_config_id: here.storage.id };
  await ask(here.house, api.update, { params: { id: drive?.id ?? "" }, body });
  return await davClient(here.house, async () => await here[Symbol.asyncDispose]());
}, ["copies"]);

const WEBDAV_GROUP = settingGroups.find(({ name }) => name === "webdav")?.id ?? 0;

/** A house with a bucket at /s beside /drive. */
async function open(policy: "native_proxy" | "302_redirect" = "native_proxy") {
  const here = await openS3House({ default_folder: "" });
  const mount = { name: "S", mount_path: "/s", storage_config_id: here.storage.id, webdav_policy: policy };
  await makeMount(here.house, mount);
  return { ...davCalls(here.house), house: here.house, [Symbol.asyncDispose]: () => here[Symbol.asyncDispose]() };
}

test("a mount that says so sends GET on to its storage, and answers HEAD itself", async () => {
  await using here = await open("302_redirect");
  await here.send("PUT", "/s/a b.txt", { body: "hello" });
  const { status, headers } = await here.send("GET", "/s/a b.txt");
  expect(status).toBe(302);
  const direct = await fetch(headers.get("location") ?? "", { headers: { range: "bytes=1-3" } });
  expect([direct.status, await direct.text()]).toEqual([206, "ell"]);
  const head = await here.send("HEAD", "/s/a b.txt");
  expect([head.status, head.headers.get("content-length")]).toEqual([200, "5"]);
});

test.each(["direct", "multipart"])("a long file comes whole, of known length or not (%s)", async (mode) => {
  await using here = await open();
  await here.house.house.settings.update(WEBDAV_GROUP, new Map([["webdav_upload_mode", mode]]));
  const bytes = Buffer.alloc(12 * 1024 * 1024 + 7, "0123456789abcdef");
  const known = { body: bytes, headers: { "content-length": String(bytes.byteLength) } };
  expect(await here.status("PUT", "/s/known", known)).toBe(201);
  expect(await here.status("PUT", "/s/unknown", { body: streamed(bytes, 999_999).body as never })).toBe(201);
  for (const name of ["known", "unknown"]) {
    const response = await here.house.request(`/dav/s/${name}`, { headers: asAdmin });
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  }
  expect(
    await here.status("PUT", "/s/short", { body: "x", headers: { "content-length": String(6 * 1024 * 1024) } }),
  ).toBe(400);
  expect(await here.names("/s")).toEqual(["known", "unknown"]);
});

test("trees with their properties go to a disk and back", async () => {
  await using here = await open();
  const copyOrMove = (method: string, from: string, to: string) =>
    here.status(method, from, { headers: { destination: davUrl(to) } });
  const property = async (path: string) =>
    (await here.propfind(path, "0", asking("<x:p/>")))[0]?.properties["{urn:x}p"];
  for (const path of ["/s/d", "/s/d/e"]) await here.send("MKCOL", path);
  await here.send("PUT", "/s/d/e/a", { body: "a" });
  for (const path of ["/s/d", "/s/d/e/a"]) await here.send("PROPPATCH", path, { body: setting("<x:p>kept</x:p>") });
  expect(await copyOrMove("MOVE", "/s/d", "/s/moved")).toBe(201);
  expect([await property("/s/moved"), await property("/s/moved/e/a")]).toEqual(["kept", "kept"]);
  expect(await copyOrMove("COPY", "/s/moved", "/drive/d")).toBe(201);
  expect(await copyOrMove("MOVE", "/s/moved", "/drive/moved")).toBe(201);
  for (const path of ["/drive/d", "/drive/moved"])
    expect([await property(path), await property(`${path}/e/a`), await here.text(`${path}/e/a`)]).toEqual([
      "kept",
      "kept",
      "a",
    ]);
  expect(await copyOrMove("MOVE", "/drive/d", "/s/back")).toBe(201);
  expect([await property("/s/back"), await property("/s/back/e/a"), await here.names("/s")]).toEqual([
    "kept",
    "kept",
    ["back/"],
  ]);
});

test("files keep their times on the way to a disk and back, and within a bucket", async () => {
  await using here = await open();
  const GIVEN = "Fri, 14 Jul 2017 02:40:00 GMT";
  const time = async (path: string) => (await here.send("HEAD", path)).headers.get("last-modified");
  const go = async (method: "COPY" | "MOVE", from: string, to: string, headers: Record<string, string> = {}) => [
    (await here.copyOrMove(method, from, to, headers)).status,
    await time(`${to}${from.endsWith("/") ? "/a" : ""}`),
  ];
  await here.send("MKCOL", "/drive/d");
  await here.send("PUT", "/drive/d/a", { body: "a", headers: { "x-oc-mtime": "1500000000" } });
  expect(await go("COPY", "/drive/d/a", "/s/a")).toEqual([201, GIVEN]);
  expect(await go("MOVE", "/s/a", "/s/b")).toEqual([201, GIVEN]);
  expect(await go("COPY", "/s/b", "/s/c", { "x-oc-mtime": "1700000000" })).toEqual([
    201,
    "Tue, 14 Nov 2023 22:13:20 GMT",
  ]);
  expect(await go("MOVE", "/s/b", "/drive/b")).toEqual([201, GIVEN]);
  expect(await go("MOVE", "/drive/d/", "/s/d")).toEqual([201, GIVEN]);
  expect(await go("COPY", "/s/d/", "/drive/e")).toEqual([201, GIVEN]);
  expect(await go("MOVE", "/s/d/", "/s/e")).toEqual([201, GIVEN]);
});

test("MKCOL of several for one folder makes it for one of them", async () => {
  await using here = await open();
  const making = Array.from({ length: 18 }, () => here.status("MKCOL", "/s/d"));
  expect((await Promise.all(making)).toSorted()).toEqual([201, ...Array(17).fill(405)]);
});

test("a MOVE that the storage refuses leaves what it should have replaced", async () => {
  await using tree = await openS3Tree();
  const dav = davCalls(tree.house);
  await tree.put("/s/a", "/s/b", "/s/d/1", "/s/d/2", "/s/e/1", "/s/e/2");
  tree.proxy.inject({ on: /^PUT \S*\/b\b/, times: 1, answer: s3Error("403 Forbidden", "AccessDenied") });
  expect((await dav.copyOrMove("MOVE", "/s/a", "/s/b")).status).toBe(502);
  expect([await tree.text("/s/a"), await tree.text("/s/b")]).toEqual(["/s/a", "/s/b"]);
  tree.proxy.inject({ on: /^PUT \S*\/e\/2/, times: 1, answer: s3Error("403 Forbidden", "AccessDenied") });
  expect((await dav.copyOrMove("MOVE", "/s/d", "/s/e")).status).toBe(502);
  const texts = async (...paths: string[]) => await Promise.all(paths.map((path) => tree.text(path)));
  expect(await texts("/s/d/1", "/s/d/2", "/s/e/1", "/s/e/2")).toEqual(["/s/d/1", "/s/d/2", "/s/e/1", "/s/e/2"]);
  expect((await dav.copyOrMove("MOVE", "/s/d", "/s/e")).status).toBe(204);
  expect((await dav.copyOrMove("MOVE", "/s/a", "/s/e")).status).toBe(204);
  expect((await tree.s3.keys()).filter((key) => !key.endsWith("/")).sort()).toEqual(["b", "e"]);
  expect(await tree.text("/s/e")).toBe("/s/a");
});
