import { expect, spyOn, test } from "bun:test";
import * as promises from "node:fs/promises";
import { MAX_PATH_DEPTH } from "#contract/limits";
import { davCalls } from "../../../../support/clients/dav.ts";
import { callsOf } from "../../../../support/clients/s3.ts";
import { openTestHouse, type TestHouse } from "../../../../support/test-house.ts";

/** Files below very many folders: what that costs, and how many there may be. */

/** A path in /drive of so many names, the last one `last`. */
const pathOf = (names: number, last = "file") => `/drive/${"d/".repeat(names - 2)}${last}`;

const DEEPEST = pathOf(MAX_PATH_DEPTH);
const TOO_DEEP = pathOf(MAX_PATH_DEPTH + 1);

async function calls(house: TestHouse) {
  const authorization = `Bearer ${await house.signIn()}`;
  return async (method: string, path: string, body?: unknown): Promise<string> => {
    const sent = typeof body === "string" ? body : JSON.stringify(body);
    const response = await house.request(`/api${path}`, { method, headers: { authorization }, body: sent ?? null });
    const said = (await response.json()) as { error?: string };
    return `${response.status}${said.error ? ` ${said.error}` : ""}`;
  };
}

test("a path has at most so many names, whatever call names it", async () => {
  await using house = await openTestHouse();
  const call = await calls(house);
  const refused = "400 path.tooDeep";
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/"));
  expect(await call("POST", "/fs/update", { path: DEEPEST, content: "deep" })).toBe("200");
  expect(await call("GET", `/fs/get?path=${DEEPEST}`)).toBe("200");
  expect(await call("POST", "/fs/mkdir", { path: `${pathOf(MAX_PATH_DEPTH, "folder")}` })).toBe("200");

  expect(await call("POST", "/fs/mkdir", { path: TOO_DEEP })).toBe(refused);
  expect(await call("POST", "/fs/update", { path: TOO_DEEP, content: "" })).toBe(refused);
  expect(await call("POST", "/fs/presign", { path: folderOf(TOO_DEEP), fileName: "file", fileSize: 1 })).toBe(refused);
  expect(await call("POST", "/fs/rename", { oldPath: DEEPEST, newPath: TOO_DEEP })).toBe(refused);
  expect(await call("POST", "/s3/presign", { filename: "file", path: "d/".repeat(MAX_PATH_DEPTH), size: 1 })).toBe(
    refused,
  );
  expect(await call("PUT", `/upload-direct/file?path=${"d/".repeat(MAX_PATH_DEPTH)}`, "x")).toBe(refused);

  const dav = davCalls(house);
  expect(await dav.status("PUT", pathOf(MAX_PATH_DEPTH, "by-dav"), { body: "x" })).toBe(201);
  for (const method of ["PUT", "MKCOL", "PROPFIND"])
    expect([method, await dav.status(method, TOO_DEEP)]).toEqual([method, 400]);
  const s3 = await callsOf(house);
  const tooDeep = await s3.send("PUT", TOO_DEEP, { body: "x" });
  expect([tooDeep.status, tooDeep.code]).toEqual([400, "InvalidArgument"]);
  expect(tooDeep.text).toContain(`${MAX_PATH_DEPTH} names`);
});

test("a folder is not moved to where what is in it would be too deep", async () => {
  await using house = await openTestHouse();
  const call = await calls(house);
  expect(await call("POST", "/fs/update", { path: `/drive/tall/${"t/".repeat(100)}file`, content: "x" })).toBe("200");
  expect(await call("POST", "/fs/mkdir", { path: `/drive/${"d/".repeat(50)}` })).toBe("200");
  const below = (folders: number) => ({ oldPath: "/drive/tall/", newPath: `/drive/${"d/".repeat(folders)}tall/` });
  expect(await call("POST", "/fs/rename", below(50))).toBe("400 path.tooDeep");
  expect(await call("POST", "/fs/rename", below(20))).toBe("200");
});

test("a file below new folders costs one look at each of them, not one walk for each", async () => {
  await using house = await openTestHouse();
  const call = await calls(house);
  using lstat = spyOn(promises, "lstat");
  using realpath = spyOn(promises, "realpath");
  const looksFor = async (path: string): Promise<number> => {
    const before = lstat.mock.calls.length + realpath.mock.calls.length;
    expect(await call("POST", "/fs/update", { path, content: "x" })).toBe("200");
    return lstat.mock.calls.length + realpath.mock.calls.length - before;
  };
  // At the top, below folders that are all new, beside a file at such a depth, and below folders of which half are new.
  expect(await looksFor("/drive/file")).toBeLessThan(40);
  expect(await looksFor(DEEPEST)).toBeLessThan(40);
  expect(await looksFor(pathOf(MAX_PATH_DEPTH, "another"))).toBeLessThan(40);
  const half = `/drive/${"d/".repeat(MAX_PATH_DEPTH / 2)}`;
  expect(await looksFor(`${half}${"new/".repeat(MAX_PATH_DEPTH / 2 - 2)}file`)).toBeLessThan(10 * MAX_PATH_DEPTH);
});
