import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { Failure } from "#contract/failures";
import { fsUploads } from "#contract/fs/uploads";
import { PART_SIZE } from "#contract/limits";
import type { Receipt } from "#contract/links";
import { standAlone } from "../../../src/cluster/alone.ts";
import { createLog } from "../../../src/lib/log.ts";
import { createArrivalDigests, isDigesting } from "../../../src/links/arrival-digests.ts";
import { type ArrivalRow, arrivalsTable } from "../../../src/links/arrivals-table.ts";
import { linksTable } from "../../../src/links/links-table.ts";
import { linkCalls } from "../../support/callers/link-visit.ts";
import { openTestDatabase } from "../../support/test-database.ts";
import { openTreeHouse } from "../../support/tree/tree-house.ts";
import { until } from "../../support/until.ts";

test("a file in several parts, whose last one came first, has its SHA-256 in the receipt", async () => {
  await using tree = await openTreeHouse();
  await tree.house.house.start();
  await tree.put("/m/box/there.txt");
  const { who } = await linkCalls(tree).visit(["/m/box/"], { rights: ["upload"] });
  const content = Buffer.alloc(PART_SIZE + 3, "satchel ");
  const { data: begun } = await tree.call(
    fsUploads.begin,
    { body: { path: "/1/", fileName: "long.bin", fileSize: content.length } },
    who,
  );
  const { path, uploadId, receipt = "", presignedUrls } = begun ?? { path: "", uploadId: "", presignedUrls: [] };
  const pieces = [content.subarray(0, PART_SIZE), content.subarray(PART_SIZE)];
  const parts: { partNumber: number; etag: string }[] = [];
  for (const partNumber of [2, 1]) {
    const body = pieces[partNumber - 1] ?? Buffer.alloc(0);
    const url = (presignedUrls[partNumber - 1]?.url ?? "").replace("http://satchel.test", "");
    const headers = { "content-length": `${body.length}` };
    const put = await tree.house.request(url, { method: "PUT", body: new Uint8Array(body), headers });
    parts.unshift({ partNumber, etag: put.headers.get("etag") ?? "" });
  }
  const file = async () => {
    const answer = await tree.house.request(`/api/public/receipts/${receipt}`);
    return ((await answer.json()) as { data: Receipt }).data.files[0];
  };
  expect(await file()).toMatchObject({ sha256: null, sha256_pending: false, arrived_at: null });
  expect(await tree.outcome(fsUploads.complete, { body: { path, uploadId, parts } } as never, who)).toBe("200");
  expect(await until(file, (one) => one?.sha256_pending === false)).toMatchObject({
    name: "long.bin",
    sha256: createHash("sha256").update(content).digest("hex"),
  });
});

const NOW = Date.parse("2031-05-01T00:00:00Z");

const link = {
  ...{ id: "l", slug: "l", title: null, note: null, label: null, words: "l", rights: 4, password_hash: null },
  ...{ expires_at: null, max_opens: 0, opens: 0, max_downloads: 0, downloads: 0, networks: "[]", is_active: 1 },
  ...{
    max_files: 0,
    max_bytes: 0,
    max_file_bytes: 0,
    kinds: "[]",
    ask_name: 0,
    ask_message: 0,
    sender_folders: 0,
    recipient: null,
  },
  ...{ files: 0, bytes: 0, closed_for: null, version: 1, created_by: "admin", created_at: NOW, updated_at: NOW },
} as const;

/** Files that have come in parts, and what a storage says of them. */
async function openArrivals(names: readonly string[]) {
  const db = await openTestDatabase();
  const table = arrivalsTable(db);
  const receipt = { id: "r", link: "l", sender: null, message: null, folder: null, created_at: NOW };
  await linksTable(db).insert(link, []);
  for (const [index, name] of names.entries()) {
    const row: ArrivalRow = {
      ...{ id: name, link: "l", receipt: "r", visitor: "v", path: `/1/${name}`, key: name, name },
      ...{
        storage: `s-${name[0]}`,
        size: 1,
        state: "coming",
        is_numbered: 1,
        upload: `u-${name}`,
        etag: null,
        sha256: null,
      },
      ...{ created_at: NOW, arrived_at: null, taking_at: null },
    };
    expect(await table.reserve(row, receipt)).toBe("reserved");
    await table.settle(row, { size: 1, etag: `e-${name}` }, NOW + index);
  }
  const now = { at: NOW + names.length };
  const lines: string[] = [];
  const open = (sha256Of: Parameters<typeof createArrivalDigests>[0]["sha256Of"]) =>
    createArrivalDigests({
      ...{ cluster: standAlone({ db, clock: () => now.at }), clock: () => now.at, sha256Of },
      log: createLog("info", (text) => void lines.push(text)),
    });
  const sha256 = async (name: string) => (await table.find(name))?.sha256;
  return { now, lines, open, sha256, table, [Symbol.asyncDispose]: () => db.close() };
}

describe("files that came in parts", () => {
  test("are read one after another, and one that has changed is not read again", async () => {
    await using here = await openArrivals(["a", "b", "c"]);
    let [reading, most] = [0, 0];
    const asked: string[] = [];
    const digests = here.open(async ({ key }, etag) => {
      most = Math.max(most, ++reading);
      asked.push(`${key} ${etag}`);
      await Promise.resolve();
      reading -= 1;
      return key === "b" ? undefined : `of ${key}`;
    });
    digests.wake();
    digests.wake();
    await until(
      () => here.sha256("c"),
      (one) => one === "of c",
    );
    digests.wake();
    await digests.stop();
    expect([await here.sha256("a"), await here.sha256("b"), most]).toEqual(["of a", "", 1]);
    expect(asked).toEqual(["a e-a", "b e-b", "c e-c"]);
  });

  test("do not wait for a storage that is silent, which is asked again later", async () => {
    await using here = await openArrivals(["a", "b"]);
    let isSilent = true;
    const asked: string[] = [];
    const digests = here.open(async ({ key }) => {
      asked.push(key);
      if (key === "a" && isSilent) throw new Failure("storage.unreachable");
      return `of ${key}`;
    });
    digests.wake();
    await until(
      () => here.sha256("b"),
      (one) => one === "of b",
    );
    digests.wake();
    expect(await here.sha256("a")).toBeNull();
    isSilent = false;
    here.now.at += 61_000;
    digests.wake();
    await until(
      () => here.sha256("a"),
      (one) => one === "of a",
    );
    await digests.stop();
    expect(asked).toEqual(["a", "b", "a"]);
    expect(here.lines.join()).toContain("file not read for its SHA-256");
  });

  test("do not wait for a storage that is silent, however many came there first", async () => {
    await using here = await openArrivals([...Array.from({ length: 60 }, (_, index) => `a${index}`), "b"]);
    const asked: string[] = [];
    const digests = here.open(async ({ key }) => {
      asked.push(key);
      if (key !== "b") throw new Failure("storage.unreachable");
      return "of b";
    });
    digests.wake();
    await until(
      () => here.sha256("b"),
      (one) => one === "of b",
    );
    await digests.stop();
    expect(asked).toEqual(["a0", "b"]);
  });

  test("are left to the next process by one that stops, and given up after a day", async () => {
    await using here = await openArrivals(["a"]);
    const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
    const slow = here.open(async (_, __, signal) => {
      begins();
      await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      return "never";
    });
    slow.wake();
    await begun;
    await slow.stop();
    expect([await here.sha256("a"), here.lines]).toEqual([null, []]);
    const row = await here.table.find("a");
    expect(row && [isDigesting(row, here.now.at), isDigesting(row, NOW + 24 * 60 * 60_000)]).toEqual([true, false]);
    const next = here.open(async () => "known");
    next.wake();
    await until(
      () => here.sha256("a"),
      (one) => one === "known",
    );
    await next.stop();
  });
});
