import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { Failure } from "#contract/failures";
import type { Digests } from "../../../src/lib/digests/digests.ts";
import { asFailure } from "../../../src/stores/disk/files.ts";
import { type ArrivingBody, bodySource } from "../../../src/transfers/growing-sources.ts";
import { MiB } from "../../suites/store-bodies.ts";
import { openDiskStore } from "../../support/stores/disk-store.ts";

const systemError = (code: string, message: string) => Object.assign(new Error(`${code}: ${message}`), { code });

/** What Bun 1.4.5 throws from every way of reading a body whose connection was closed or reset. */
const cut = new DOMException("The connection was closed.", "AbortError");

test("a body whose connection broke is one of the wrong length", async () => {
  expect(await asFailure(cut, tmpdir(), 5)).toMatchObject({ code: "upload.length" });
});

test.each([
  ["EIO", "i/o error, write '/objects/drive/closed deals.pdf'"],
  ["EMFILE", "too many open files, open '/objects/drive/aborted/reset.txt'"],
  ["SQLITE_IOERR", "The database connection was closed."],
])("%s stays what it is, whatever its sentence says: %s", async (code, message) => {
  const error = systemError(code, message);
  expect(await asFailure(error, tmpdir(), 5)).toBe(error);
});

test.each(["EACCES", "EPERM", "EROFS"])("%s is told as a folder that may not be written", async (code) => {
  expect(await asFailure(systemError(code, "open"), tmpdir(), 5)).toMatchObject({ code: "storage.denied" });
});

test("a full disk is told with what was wanted and what there is; a failure stays the same", async () => {
  const full = await asFailure(systemError("ENOSPC", "no space left on device, write"), tmpdir(), 5);
  expect(full).toMatchObject({ code: "storage.full", details: { size: "5 B" } });
  const failure = new Failure("upload.finished");
  expect(await asFailure(failure, tmpdir(), 5)).toBe(failure);
});

describe("a body that is in memory as a whole, whose file has its length before its bytes,", () => {
  /** So long that many looks fall into the time in which it is written. */
  const content = Buffer.alloc(128 * MiB, "satchel ");
  const headers = { "content-length": String(content.byteLength) };
  const framed = () => new Request("http://satchel.test/", { method: "PUT", body: content, headers });
  const options = { type: "text/plain", length: content.byteLength };

  test("has the digests of its bytes", async () => {
    await using disk = await openDiskStore();
    let sha256: string | undefined;
    const check = (digests: Digests) => {
      sha256 = digests.sha256?.toString("hex");
    };
    await disk.store.put("a", framed(), { ...options, digesting: { names: ["sha256"], check } });
    expect(sha256).toBe(createHash("sha256").update(content).digest("hex"));
  });

  test("shows no byte that has not come", async () => {
    await using disk = await openDiskStore();
    const body: ArrivingBody = { isBroken: false, isHidden: false };
    const source = bodySource(body);
    let isWritten = false;
    const begun = (file: NonNullable<ArrivingBody["file"]>) => {
      body.file = file;
    };
    const writing = disk.store.put("a", framed(), { ...options, begun }).then((object) => {
      body.object = object;
      isWritten = true;
    });
    const piece = Buffer.alloc(1024);
    const beyond: number[] = [];
    while (!isWritten) {
      // Before the file is there, a look takes no turn of the event loop.
      await new Promise(setImmediate);
      const come = await source.look(true);
      const at = Math.max(0, come - piece.byteLength);
      if (come > 0 && (await source.read(piece, at)) > 0 && piece[0] === 0) beyond.push(at);
    }
    await writing;
    expect(beyond).toEqual([]);
    expect(await source.look(true)).toBe(content.byteLength);
    await source.close();
  });
});
