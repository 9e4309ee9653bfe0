import { expect, test } from "bun:test";
import { sumOf } from "../../support/database/counted-database.ts";
import { openMainCalls } from "../../support/database/main-calls.ts";

/** What the upload, its quota, its share, the disk store's attributes and the index take. */
const FORM_UPLOAD = 21;

/** How often a call asks the database: each statement is a way there and back that somebody waits for. */

test("a text is read with one statement, and with none while it is in memory", async () => {
  await using calls = await openMainCalls();
  // Views are written a moment later, whatever is asked then.
  const reads = async (name: string) =>
    (await calls.call(name)).flatMap(({ queries }) => queries).filter(({ text }) => /^\s*select\b/.test(text)).length;
  expect(await reads("GET /api/raw")).toBe(1);
  expect(await reads("GET /api/raw")).toBe(0);
  expect(await reads("GET /api/paste/:slug")).toBe(0);
  expect(await reads("GET /api/raw, limited views")).toBe(1);
  expect(await reads("GET /api/raw, limited views")).toBe(0);
});

test("a new text whose request was there as a whole asks who sent it once, and is written with one transaction", async () => {
  await using calls = await openMainCalls();
  await calls.call("POST /api/paste");
  const asked = await calls.call("POST /api/paste");
  expect(asked.map(({ queries }) => queries.length)).toEqual([1, 1, 4]);
  expect(sumOf(asked).roundTrips).toBe(2);
});

test("a search asks as much for forty hits as for one", async () => {
  await using calls = await openMainCalls();
  const [few, many] = ["GET /api/fs/search", "GET /api/fs/search, 40 hits"];
  await calls.call(few ?? "");
  const { statements } = sumOf(await calls.call(few ?? ""));
  expect(sumOf(await calls.call(many ?? "")).statements).toBeLessThanOrEqual(statements);
});

test.each([
  ["WebDAV PUT", 8],
  ["WebDAV GET", 3],
  ["POST /api/fs/rename", 12],
  ["WebDAV DELETE", 9],
  ["POST /api/upload", FORM_UPLOAD],
])("%s takes at most %i round trips", async (name, most) => {
  await using calls = await openMainCalls();
  await calls.call(name);
  expect(sumOf(await calls.call(name)).roundTrips).toBeLessThanOrEqual(most);
});

test.each([
  "GET /api/fs/list",
  "GET /api/file-download",
  "WebDAV PROPFIND",
  "WebDAV GET",
  "WebDAV PUT",
  "POST /api/fs/rename",
  "POST /api/upload",
  "POST /api/s3/presign",
])("%s reads neither mounts nor storages, which are in memory", async (name) => {
  await using calls = await openMainCalls();
  await calls.call(name);
  const queries = (await calls.call(name)).flatMap((asked) => asked.queries);
  expect(queries.filter(({ text }) => /^\s*select\b[^(]*\bfrom (storage_configs|mounts)\b/.test(text))).toEqual([]);
});
