import { describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fsBytes } from "#contract/fs/bytes";
import { sending } from "../../../src/lib/open-file.ts";
import { statNow } from "../../../src/stores/disk/paths.ts";
import { plainReach } from "../../../src/stores/disk/reach.ts";
import { asAdmin, davUrl } from "../../support/clients/dav.ts";
import { s3Calls } from "../../support/clients/s3.ts";
import { makeKey } from "../../support/make-key.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";
import { urlOf } from "../../support/tree/tree-house.ts";
import { until } from "../../support/until.ts";

/** A file that is replaced while it is sent: what arrives is the version that the ETag names. */

const fill = (size: number, letter: string) => Buffer.alloc(size, letter);

/** Replaces a file as an upload does: by a rename, and with another length. */
function replace(house: TestHouse, key: string, size: number): void {
  const beside = join(house.objects, "drive", `${key}.new`);
  writeFileSync(beside, fill(size, "b"));
  renameSync(beside, join(house.objects, "drive", key));
}

/** Files of the storage that this process has open. */
const openFiles = (house: TestHouse): string[] =>
  readdirSync("/proc/self/fd").flatMap((file) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${file}`);
      return path.startsWith(join(house.objects, "drive")) ? path : [];
    } catch {
      // The folder that was listed is closed by now.
      return [];
    }
  });

const SIZES = { "in one go": 2048, "in pieces": 300_000, "by the system": 6_000_000 };

/** A house with a file, and an address for it at each door. */
async function openFile(size: number) {
  const house = await openTestHouse();
  const s3 = s3Calls(house, await makeKey(house));
  await s3.put("/drive/a.bin", fill(size, "a"));
  const bearer = { authorization: `Bearer ${await house.signIn()}` };
  const doors: [url: string, headers: Record<string, string>][] = [
    [s3.presign("GET", "/drive/a.bin"), {}],
    [`http://satchel.test${davUrl("/drive/a.bin")}`, asAdmin],
    [`http://satchel.test${urlOf(fsBytes.download, { path: "/drive/a.bin" })}`, bearer],
  ];
  return { house, doors, [Symbol.asyncDispose]: () => house[Symbol.asyncDispose]() };
}

describe.each(Object.entries(SIZES))("a file that is sent %s", (_, size) => {
  test("is sent as it was found, however it is replaced before its first byte", async () => {
    await using opened = await openFile(size);
    const { house, doors } = opened;
    const original = fill(size, "a");
    await using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        // The signature is of the host that the address names.
        const { pathname, search } = new URL(request.url);
        const answer = await house.request(pathname + search, { headers: request.headers });
        replace(house, "a.bin", size - 500);
        return sending(answer);
      },
    });
    for (const [url, headers] of doors) {
      for (const range of [undefined, { start: size - 700, end: size - 100 }]) {
        putBack(house, original);
        const { pathname, search } = new URL(url);
        const found = await house.request(pathname + search, { headers: { ...headers, range: "bytes=0-0" } });
        const etag = found.headers.get("etag") ?? "";
        const asked = range && { range: `bytes=${range.start}-${range.end}`, "if-match": etag };
        const sent = { ...headers, ...asked, host: "satchel.test", "accept-encoding": "identity" };
        const answer = await fetch(new URL(pathname + search, server.url), { headers: sent });
        const wanted = range ? original.subarray(range.start, range.end + 1) : original;
        expect([answer.status, answer.headers.get("etag")]).toEqual([range ? 206 : 200, etag]);
        expect(answer.headers.get("content-length")).toBe(String(wanted.length));
        expect(Buffer.compare(await answer.bytes(), wanted)).toBe(0);
      }
    }
    expect(
      await until(
        () => openFiles(house),
        ({ length }) => length === 0,
      ),
    ).toEqual([]);
  });

  test("is open no longer than it is sent", async () => {
    await using opened = await openFile(size);
    const { house, doors } = opened;
    await using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        const { method, headers } = request;
        return sending(await house.request(pathname + search, { method, headers }));
      },
    });
    for (const [url, headers] of doors) {
      const get = async (more: Record<string, string> = {}) => {
        const { pathname, search } = new URL(url);
        return await fetch(new URL(pathname + search, server.url), {
          headers: { ...headers, ...more, host: "satchel.test" },
        });
      };
      await (await get()).body?.cancel();
      const reader = (await get()).body?.getReader();
      await reader?.read();
      await reader?.cancel();
      const whole = await get();
      expect((await whole.bytes()).length).toBe(size);
      for (const [name, value] of [
        ["if-none-match", whole.headers.get("etag") ?? ""],
        ["if-match", '"other"'],
        ["range", `bytes=${size}-`],
      ] as const)
        expect((await get({ [name]: value })).status).toBeGreaterThan(299);
    }
    expect(
      await until(
        () => openFiles(house),
        ({ length }) => length === 0,
      ),
    ).toEqual([]);
  });
});

/** Puts the first bytes back. */
function putBack(house: TestHouse, bytes: Uint8Array): void {
  const beside = join(house.objects, "drive", "a.old");
  writeFileSync(beside, bytes);
  renameSync(beside, join(house.objects, "drive", "a.bin"));
}

test("a file in whose place another has come is not opened", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "a.bin");
  writeFileSync(path, "first");
  const stat = statNow(path);
  if (!stat) throw new Error("There is no file.");
  expect(plainReach.body({ path, stat }, undefined)).toBeInstanceOf(Blob);
  writeFileSync(join(folder.path, "b.bin"), "other");
  renameSync(join(folder.path, "b.bin"), path);
  expect(plainReach.body({ path, stat }, undefined)).toBeUndefined();
});
