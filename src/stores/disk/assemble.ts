import { join } from "node:path";
import { Failure } from "#contract/failures";
import type { ClaimedPart } from "../store.ts";
import type { PartRow } from "./disk-table.ts";
import { copyInto, openToWrite } from "./files.ts";
import type { DiskSpace } from "./space.ts";

/** The file in which the object grows while its parts arrive. */
export const OBJECT = "object";

/** The parts that were claimed. 400 upload.parts when one is missing, has another ETag or is out of order. */
export function choose(parts: readonly PartRow[], claimed: readonly ClaimedPart[]): PartRow[] {
  const byNumber = new Map(parts.map((part) => [part.number, part]));
  const ordered = claimed.every(({ number }, index) => index === 0 || (claimed[index - 1]?.number ?? 0) < number);
  const found = claimed.flatMap(({ number, etag }) => {
    const part = byNumber.get(number);
    return part?.etag === etag ? [part] : [];
  });
  if (!ordered || claimed.length === 0 || found.length < claimed.length) throw new Failure("upload.parts");
  return found;
}

interface Assembly {
  /** The folder of the upload. */
  readonly folder: string;
  /** Parts of the object, in order. */
  readonly parts: readonly PartRow[];
  /** All parts that were written. */
  readonly stored: readonly PartRow[];
  readonly space: DiskSpace;
}

/**
 * Makes the file that holds the parts in a row, and answers its path: the object that grew, or a new file when parts of it are left
 * out or elsewhere. Undefined when the object is gone.
 */
export async function assemble({ folder, parts, stored, space }: Assembly): Promise<string | undefined> {
  const placed = inOrder(parts);
  const size = placed.reduce((sum, { part }) => sum + part.size, 0);
  const growsIn = (all: readonly PartRow[]) => all.filter(({ file }) => file === OBJECT).length;
  // With parts left out the object stays as it is: if this fails, the next try may want them.
  const inPlace =
    growsIn(parts) === growsIn(stored) && placed.every(({ part, at }) => part.file !== OBJECT || part.start === at);
  const growing = placed.some(({ part }) => part.file === OBJECT);
  const path = join(folder, inPlace ? OBJECT : "assembled");
  if (growing && !(await Bun.file(join(folder, OBJECT)).exists())) return undefined;
  const copied = placed.filter(({ part }) => !inPlace || part.file !== OBJECT);
  using _held = space.hold(
    undefined,
    copied.reduce((sum, { part }) => sum + part.size, 0),
  );
  const whole = await openToWrite(path);
  try {
    for (const { part, at } of copied) {
      await copyInto(whole, at, { ...part, path: join(folder, part.file) });
    }
    await whole.truncate(size);
    await whole.sync();
    return path;
  } finally {
    await whole.close();
  }
}

/** Each part with its offset in the whole. */
function inOrder(parts: readonly PartRow[]): { part: PartRow; at: number }[] {
  let at = 0;
  return parts.map((part) => {
    const placed = { part, at };
    at += part.size;
    return placed;
  });
}
