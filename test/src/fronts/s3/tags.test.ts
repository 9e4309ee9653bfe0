import { expect, test } from "bun:test";
import { fs } from "#contract/fs/fs";
import { fsTrash } from "#contract/fs/trash";
import { sql } from "../../../../src/database/sql.ts";
import { asAdmin, setting } from "../../../support/clients/dav.ts";
import { callsOf, type S3Calls, textsOf } from "../../../support/clients/s3.ts";
import { createHaltingDatabase } from "../../../support/database/halting-database.ts";
import { makeMount } from "../../../support/make-mount.ts";
import { openTestHouse } from "../../../support/test-house.ts";
import { treeCalls } from "../../../support/tree/tree-house.ts";

/** Tags of objects, as the functional suite of ceph/s3-tests asks for them. */

async function open() {
  const house = await openTestHouse();
  return { house, s3: await callsOf(house), [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

const documentOf = (tags: Readonly<Record<string, string>>) =>
  `<Tagging><TagSet>${Object.entries(tags)
    .map(([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`)
    .join("")}</TagSet></Tagging>`;

const tagging = { query: { tagging: "" } };
const putTags = (s3: S3Calls, path: string, tags: Readonly<Record<string, string>> | string) =>
  s3.outcome("PUT", path, { ...tagging, body: typeof tags === "string" ? tags : documentOf(tags) });

async function tagsOf(s3: S3Calls, path: string): Promise<string> {
  const answer = await s3.send("GET", path, tagging);
  if (answer.code) return answer.code;
  const values = textsOf(answer, "Value");
  const told = (await s3.send("HEAD", path)).headers.get("x-amz-tagging-count");
  expect(told).toBe(values.length === 0 ? null : String(values.length));
  return textsOf(answer, "Key")
    .map((key, index) => `${key}=${values[index]}`)
    .join(" ");
}

test("tags are put, told and removed, and what has none is told so", async () => {
  await using here = await open();
  const { s3 } = here;
  await s3.put("/drive/a");
  expect(await tagsOf(s3, "/drive/a")).toBe("");
  expect(await putTags(s3, "/drive/a", { Hello: "World", "ключ é/1": "" })).toBe("200");
  expect(await tagsOf(s3, "/drive/a")).toBe("Hello=World ключ é/1=");
  expect(await putTags(s3, "/drive/a", { b: "c" })).toBe("200");
  expect(await tagsOf(s3, "/drive/a")).toBe("b=c");
  expect(await s3.outcome("DELETE", "/drive/a", tagging)).toBe("204");
  expect(await tagsOf(s3, "/drive/a")).toBe("");
  expect(await s3.text("/drive/a")).toBe("/drive/a");
  for (const method of ["GET", "DELETE"])
    expect(await s3.outcome(method, "/drive/none", tagging)).toBe("404 NoSuchKey");
  expect(await putTags(s3, "/drive/none", { a: "b" })).toBe("404 NoSuchKey");
});

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, "v"]));

test.each([
  ["ten", "200", many(10)],
  ["eleven", "400 InvalidTag", many(11)],
  ["the longest", "200", { ["k".repeat(128)]: "v".repeat(256) }],
  ["one with a long key", "400 InvalidTag", { ["k".repeat(129)]: "v" }],
  ["one with a long value", "400 InvalidTag", { k: "v".repeat(257) }],
  ["one without a key", "400 InvalidTag", { "": "v" }],
  ["one with a character that none can have", "400 InvalidTag", { a: "b*" }],
  ["one of Amazon's", "400 InvalidTag", { "aws:a": "b" }],
  [
    "two of one key",
    "400 InvalidTag",
    documentOf({ a: "b" }).replace("</TagSet>", "<Tag><Key>a</Key><Value>c</Value></Tag></TagSet>"),
  ],
  ["none in a set", "200", {}],
  ["no set", "400 MalformedXML", "<Tagging/>"],
  [
    "a tag of other things",
    "400 MalformedXML",
    "<Tagging><TagSet><Tag><Key><a/></Key><Value/></Tag></TagSet></Tagging>",
  ],
  ["no XML", "400 MalformedXML", "nonsense"],
  ["very much XML", "400 MalformedXML", documentOf({ a: "b".repeat(70_000) })],
])("a document with %s is answered %s", async (_name, outcome, tags) => {
  await using here = await open();
  await here.s3.put("/drive/a");
  await putTags(here.s3, "/drive/a", { before: "1" });
  expect(await putTags(here.s3, "/drive/a", tags)).toBe(outcome);
  if (outcome !== "200") expect(await tagsOf(here.s3, "/drive/a")).toBe("before=1");
});

test("tags come with an object, in one piece and in parts, and go when it is written anew by anybody", async () => {
  await using here = await open();
  const { s3, house } = here;
  await s3.put("/drive/a", "x", { "x-amz-tagging": "foo=bar&bar&a+b=%C3%A9" });
  expect(await tagsOf(s3, "/drive/a")).toBe("foo=bar bar= a b=é");
  await s3.put("/drive/a", "x");
  expect(await tagsOf(s3, "/drive/a")).toBe("");
  const [uploadId = ""] = textsOf(
    await s3.send("POST", "/drive/a", { query: { uploads: "" }, headers: { "x-amz-tagging": "in=parts" } }),
    "UploadId",
  );
  const part = await s3.send("PUT", "/drive/a", { query: { uploadId, partNumber: "1" }, body: "y" });
  expect(await tagsOf(s3, "/drive/a")).toBe("");
  const body = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${part.headers.get("etag")}</ETag></Part></CompleteMultipartUpload>`;
  expect(await s3.outcome("POST", "/drive/a", { query: { uploadId }, body })).toBe("200");
  expect(await tagsOf(s3, "/drive/a")).toBe("in=parts");
  const { write } = await treeCalls(house);
  await write("/drive/a", "by REST");
  expect(await tagsOf(s3, "/drive/a")).toBe("");
  for (const [said, outcome] of [
    ["a=%zz", "400 InvalidArgument"],
    ["a=b&a=c", "400 InvalidTag"],
    [new URLSearchParams(many(11)).toString(), "400 InvalidTag"],
  ] as const)
    expect(await s3.outcome("PUT", "/drive/b", { body: "x", headers: { "x-amz-tagging": said } })).toBe(outcome);
  expect(await s3.text("/drive/b")).toBe("NoSuchKey");
});

test("tags follow a copy, a rename and a folder, and are gone with the object", async () => {
  await using here = await open();
  const { s3, house } = here;
  const { call } = await treeCalls(house);
  await s3.put("/drive/d/a", "x", { "x-amz-tagging": "a=1" });
  const copy = (to: string, headers: Record<string, string> = {}) =>
    s3.outcome("PUT", to, { headers: { "x-amz-copy-source": "/drive/d/a", ...headers } });
  expect(await copy("/drive/copied")).toBe("200");
  expect(await copy("/drive/other", { "x-amz-tagging-directive": "REPLACE", "x-amz-tagging": "b=2" })).toBe("200");
  expect(await copy("/drive/none", { "x-amz-tagging-directive": "REPLACE" })).toBe("200");
  expect(await copy("/drive/wrong", { "x-amz-tagging-directive": "MAYBE" })).toBe("400 InvalidArgument");
  expect(await tagsOf(s3, "/drive/copied")).toBe("a=1");
  expect(await tagsOf(s3, "/drive/other")).toBe("b=2");
  expect(await tagsOf(s3, "/drive/none")).toBe("");
  expect((await call(fs.rename, { body: { oldPath: "/drive/d", newPath: "/drive/e" } })).error).toBeUndefined();
  expect(await tagsOf(s3, "/drive/e/a")).toBe("a=1");
  await s3.send("DELETE", "/drive/e/a");
  await s3.put("/drive/e/a", "anew");
  expect(await tagsOf(s3, "/drive/e/a")).toBe("");
  for (const key of ["copied", "other", "none", "e/a"]) await s3.send("DELETE", `/drive/${key}`);
  await call(fsTrash.empty, {});
  expect(await house.db.all(sql`select * from dav_properties`)).toEqual([]);
});

test("what is written where a DeleteObjects has removed something keeps its tags, and is found", async () => {
  const halting = createHaltingDatabase();
  await using house = await openTestHouse({ engine: halting.engine });
  const { call } = await treeCalls(house);
  await makeMount(house, { mount_path: "/team", trash: false });
  const s3 = await callsOf(house);
  const keys = ["first.txt", "second.txt", "last.txt"];
  const last = "/team/last.txt";
  for (const key of keys) await s3.put(`/team/${key}`, "old", { "x-amz-tagging": "old=yes" });
  const patch = { method: "PROPPATCH", headers: asAdmin, body: setting("<x:a>old</x:a>") };
  expect((await house.request(`/dav${last}`, patch)).status).toBe(207);
  const body = `<Delete>${keys.map((key) => `<Object><Key>${key}</Key></Object>`).join("")}</Delete>`;
  // All of them are gone then, and nobody was told.
  const told = halting.haltAt("delete from dav_properties");
  const removing = s3.outcome("POST", "/team", { query: { delete: "" }, body });
  await told.reached;
  expect(await s3.outcome("HEAD", last)).toBe("404");
  expect((await s3.put(last, "new", { "x-amz-tagging": "keep=yes" })).status).toBe(200);
  told.goOn();
  expect(await removing).toBe("200");
  expect(await tagsOf(s3, last)).toBe("keep=yes");
  const { data } = await call(fs.search, { query: { q: "last.txt" } });
  // The two mounts are of one storage.
  expect(data.results.map(({ path }) => path)).toEqual(["/drive/last.txt"]);
  // What was known of the one before is not.
  expect(await house.db.all(sql`select key, namespace from dav_properties`)).toEqual([
    { key: "last.txt", namespace: "satchel tags" },
  ]);
  expect(await s3.list("team")).toEqual(["last.txt"]);
});

test("tags need the right to write, below the key's own path, and properties of WebDAV are not among them", async () => {
  await using here = await open();
  await here.s3.put("/drive/a", "x", { "x-amz-tagging": "a=1" });
  const reader = await callsOf(here.house, { permissions: ["mount_view"] });
  expect(await tagsOf(reader, "/drive/a")).toBe("a=1");
  expect(await putTags(reader, "/drive/a", { a: "2" })).toBe("403 AccessDenied");
  expect(await reader.outcome("DELETE", "/drive/a", tagging)).toBe("403 AccessDenied");
  await makeMount(here.house, { mount_path: "/team" });
  const inside = await callsOf(here.house, { basic_path: "/team" });
  expect(await putTags(inside, "/drive/a", { a: "2" })).not.toBe("200");
  const headers = { authorization: `Basic ${Buffer.from("admin:correct horse").toString("base64")}`, depth: "0" };
  const body = `<D:propfind xmlns:D="DAV:"><D:propname/></D:propfind>`;
  const named = await (await here.house.request("/dav/drive/a", { method: "PROPFIND", headers, body })).text();
  expect(named).not.toContain("satchel");
  expect(await tagsOf(here.s3, "/drive/a")).toBe("a=1");
});
