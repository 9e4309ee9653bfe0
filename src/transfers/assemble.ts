import { Failure } from "#contract/failures";
import type { ClaimedPart, ObjectHead, ObjectStore } from "../stores/store.ts";
import type { UploadRow } from "./uploads-table.ts";

/** What tells one state of an object from another, also when the same bytes came again. */
export const versionOf = ({ etag, modified }: Pick<ObjectHead, "etag" | "modified">): string => `${etag} ${modified}`;

/** Makes the file of its parts, unless that was done before a crash. 404 upload.missing, 409 upload.incomplete, 400 upload.parts. */
export async function assemble(row: UploadRow, store: ObjectStore, claimed: readonly ClaimedPart[]): Promise<void> {
  const { key, size, multipart } = row;
  if (multipart === null) throw new Failure("upload.missing");
  const name = { key, upload: multipart };
  try {
    const stored = await store.listParts(name);
    const wanted = new Set(claimed.map(({ number }) => number));
    const arrived = stored.filter(({ number }) => wanted.has(number)).reduce((sum, part) => sum + part.size, 0);
    if (size !== null && arrived !== size) throw new Failure("upload.incomplete", { arrived, size });
    await store.completeMultipart(name, claimed);
  } catch (error) {
    const unknown = error instanceof Failure && error.code === "upload.missing";
    if (!unknown || !(await isMade(row, store))) throw error;
  }
}

/** Whether something of the right size has come to the key since the upload began. */
async function isMade({ key, size, found }: UploadRow, store: ObjectStore): Promise<boolean> {
  const head = await store.head(key);
  return head !== undefined && versionOf(head) !== found && (size === null || head.size === size);
}
