import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fsBytes } from "#contract/fs/bytes";
import { fs } from "#contract/fs/fs";
import { davCalls } from "../../../support/clients/dav.ts";
import { callsOf } from "../../../support/clients/s3.ts";
import { openFolderHouse } from "../../../support/stores/folder-house.ts";
import { urlOf } from "../../../support/tree/tree-house.ts";

const CAFE = "caf\uefe9.txt";

/** A house whose folder has a file with a name in Latin-1. */
async function openWithName() {
  const opened = await openFolderHouse();
  const path = Buffer.concat([Buffer.from(`${opened.root}/`), Buffer.from("caf\xe9.txt", "latin1")]);
  writeFileSync(path, "coffee");
  return { ...opened, path };
}

test("a name that is no UTF-8 is listed, found, read, renamed and removed over REST", async () => {
  await using opened = await openWithName();
  const { names, text, outcome, house, admin, root } = opened;
  expect(await names("/m")).toBe(CAFE);
  expect(await text(`/m/${CAFE}`)).toBe("coffee");
  const answer = await house.request(urlOf(fsBytes.download, { path: `/m/${CAFE}` }), { headers: admin });
  expect(answer.headers.get("content-disposition")).toContain(`filename="caf_.txt"; filename*=UTF-8''caf%EE%BF%A9.txt`);
  await house.house.vfs.search.settled();
  const { data } = await opened.call(fs.search, { query: { q: "caf" } as never });
  expect(JSON.stringify(data)).toContain(CAFE);
  expect(await outcome(fs.rename, { body: { oldPath: `/m/${CAFE}`, newPath: "/m/café.txt" } })).toBe("200");
  expect(readdirSync(root)).toEqual(["café.txt"]);
  writeFileSync(opened.path, "again");
  await opened.call(fs.batchRemove, { body: { paths: [`/m/${CAFE}`] } });
  expect(existsSync(opened.path)).toBe(false);
  expect(await names("/m")).toBe("café.txt");
});

test("a name that is no UTF-8 is listed, read, renamed and removed over WebDAV", async () => {
  await using opened = await openWithName();
  const dav = davCalls(opened.house);
  const [, file] = await dav.propfind("/m", "1");
  expect(decodeURIComponent(file?.href ?? "")).toBe(`/dav/m/${CAFE}`);
  expect(await dav.text(`/m/${CAFE}`)).toBe("coffee");
  expect((await dav.copyOrMove("MOVE", `/m/${CAFE}`, "/m/café.txt")).status).toBe(201);
  expect(readdirSync(opened.root)).toEqual(["café.txt"]);
  writeFileSync(opened.path, "again");
  expect((await dav.send("DELETE", `/m/${CAFE}`)).status).toBe(204);
  expect(existsSync(opened.path)).toBe(false);
});

test("a name that is no UTF-8 is listed, read, copied and removed over S3", async () => {
  await using opened = await openWithName();
  const s3 = await callsOf(opened.house);
  const [mount] = await opened.house.house.vfs.mounts.list();
  const bucket = mount?.id ?? "";
  expect(await s3.list(bucket)).toEqual([CAFE]);
  expect(await s3.text(`/${bucket}/${CAFE}`)).toBe("coffee");
  const source = { "x-amz-copy-source": `/${bucket}/${encodeURIComponent(CAFE)}` };
  expect(await s3.outcome("PUT", `/${bucket}/plain.txt`, { headers: source })).toBe("200");
  expect(await s3.outcome("DELETE", `/${bucket}/${CAFE}`)).toBe("204");
  expect(existsSync(opened.path)).toBe(false);
  expect(readFileSync(join(opened.root, "plain.txt"), "utf8")).toBe("coffee");
});
