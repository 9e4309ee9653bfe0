import { Failure } from "#contract/failures";
import { MAX_CROSSING } from "#contract/limits";
import { nameOf, parentOf } from "#contract/paths";
import type { ShownMountRow } from "./mounts-table.ts";
import type { Walked } from "./reading.ts";
import type { TreeUpload } from "./uploads.ts";
import type { View } from "./view.ts";

/** One file that its caller copies from one storage to another: read here, written there. */
export interface CrossingFile {
  readonly walked: Walked;
  readonly upload: TreeUpload;
}

/** A file or a folder on its way to another storage. */
export interface CrossingItem {
  readonly source: string;
  readonly target: string;
  readonly folder: boolean;
  readonly from: ShownMountRow;
  readonly to: ShownMountRow;
  readonly files: readonly CrossingFile[];
  /** Files that are there already. */
  readonly skipped: number;
}

/** A copy that is wished for. */
export interface CopyWish {
  readonly source: string;
  readonly target: string;
  readonly skipExisting: boolean;
}

/**
 * What the caller has to copy itself because source and target are in different storages: its files, and an upload for each;
 * undefined for a copy that a storage does alone. 400 path.crossing when there are too many.
 */
export async function crossingOf(view: View, wish: CopyWish): Promise<CrossingItem | undefined> {
  const { source, target, skipExisting } = wish;
  const [from, to] = [await view.mountAt("copy", source), await view.mountAt("copy", target)];
  if (!from || !to || from.storage === to.storage) return undefined;
  const walked = await walkedFiles(view, source);
  const files: CrossingFile[] = [];
  for (const one of walked) {
    const path = one.below === "" ? target : `${target}/${one.below}`;
    if (skipExisting && (await view.holds("copy", path))) continue;
    const { type, size } = one.head;
    const upload = { folder: parentOf(path), name: nameOf(path), type, size };
    files.push({ walked: one, upload: await view.uploads.begin(upload, "copy") });
  }
  const folder = walked.length !== 1 || walked[0]?.below !== "";
  return { source, target, folder, from, to, files, skipped: walked.length - files.length };
}

async function walkedFiles(view: View, source: string): Promise<Walked[]> {
  const files: Walked[] = [];
  for await (const walked of view.walk(source, { verb: "copy" })) {
    if (walked.head.key.endsWith("/")) continue;
    files.push(walked);
    if (files.length > MAX_CROSSING) throw new Failure("path.crossing", { limit: MAX_CROSSING });
  }
  return files;
}
