import { expect, test } from "bun:test";
import { loadWords } from "../../../web/i18n/i18n.ts";
import { failed } from "../../../web/transfer/failures.ts";
import type { UploadItem } from "../../../web/transfer/uploads.ts";
import { problemText } from "../../../web/ui/upload-row/problems.ts";
import { small } from "./open-upload.tsx";

test("a connection that was lost costs a small file what was sent, and a large one nothing", async () => {
  await loadWords("upload");
  const item = { file: small("a"), sent: 0, multipart: false } as UploadItem;
  expect(problemText(failed("network"), item)).toEndWith("the file starts over.");
  // Only the answer of the server was lost.
  expect(problemText(failed("network"), { ...item, sent: 1 })).toEndWith("the upload continues where it stopped.");
  expect(problemText(failed("network"), { ...item, multipart: true })).toEndWith(
    "the upload continues where it stopped.",
  );
});
