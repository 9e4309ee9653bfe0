import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { Failure } from "#contract/failures";
import { asFailure } from "../../../src/stores/disk/files.ts";

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
