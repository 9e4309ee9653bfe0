import { Failure } from "#contract/failures";
import { MAX_CLIENT_COPY } from "#contract/limits";
import { nameOf, parentOf } from "#contract/paths";
import type { ShownMountRow } from "./mounts-table.ts";
import type { Walked } from "./reading.ts";
import type { TreeUpload } from "./uploads.ts";
import type { View } from "./view.ts";

/** One file that its caller copies from one storage to another: read here, written there. */
interface ClientCopyFile {
  readonly walked: Walked;
  readonly upload: TreeUpload;
  /** Whether it goes to another name than was asked for, because a file is there. */
  readonly renamed: boolean;
}

/** A file or a folder on its way to another storage. */
export interface ClientCopyItem {
  readonly source: string;
  readonly target: string;
  readonly folder: boolean;
  readonly from: ShownMountRow;
  readonly to: ShownMountRow;
  readonly files: readonly ClientCopyFile[];
  /** Empty folders, which were made there. */
  readonly made: number;
  /** Files that are there already. */
  readonly skipped: number;
}

/** A copy that somebody asks for. */
export interface CopyRequest {
  readonly source: string;
  readonly target: string;
  readonly skipExisting: boolean;
}

/** Whether source and target are in different storages. */
export async function isClientCopy(
  view: View,
  { source, target }: Pick<CopyRequest, "source" | "target">,
): Promise<boolean> {
  const [from, to] = [await view.mountAt("copy", source), await view.mountAt("copy", target)];
  return from !== undefined && to !== undefined && from.storage !== to.storage;
}

/**
 * What the caller has to copy itself because source and target are in different storages: its files, and an upload for each;
 * undefined for a copy that a storage does alone. 400 path.crossing when there are too many; 403 copy.byJob for a caller who may
 * copy but not write.
 */
export async function clientCopyOf(
  view: View,
  request: CopyRequest,
  most = MAX_CLIENT_COPY,
): Promise<ClientCopyItem | undefined> {
  const { source, target, skipExisting } = request;
  const [from, to] = [await view.mountAt("copy", source), await view.mountAt("copy", target)];
  if (!from || !to || from.storage === to.storage) return undefined;
  await demandWrite(view, target);
  // Whoever copies it has to be able to read it.
  await view.mountAt("read", source);
  await view.demandApart("copy", source, target);
  const walked = await walkedAll(view, source, most);
  const folders = walked.filter(isFolder);
  for (const one of folders) await view.copyFolder(below(target, one));
  const wanted = walked.filter((one) => !isFolder(one));
  const files = await begunFor(view, wanted, { target, skipExisting });
  const [first] = walked;
  const folder = walked.length !== 1 || first?.below !== "" || isFolder(first);
  const made = folders.length;
  return { source, target, folder, from, to, files, made, skipped: walked.length - made - files.length };
}

/** What a caller carries may be anything, so it takes the right to write; the server copies with the right to copy alone. */
async function demandWrite(view: View, target: string): Promise<void> {
  try {
    await view.mountAt("write", target);
  } catch (error) {
    throw error instanceof Failure && error.code === "auth.forbidden" ? new Failure("copy.byJob") : error;
  }
}

/** An upload for each of these that is not there; none of them stays when one cannot be. */
async function begunFor(view: View, wanted: readonly Walked[], { target, skipExisting }: Omit<CopyRequest, "source">) {
  const files: ClientCopyFile[] = [];
  try {
    for (const walked of wanted) {
      const asked = below(target, walked);
      if (skipExisting && (await view.holds("copy", asked))) continue;
      const path = skipExisting ? asked : await view.copyPath(asked);
      const { type, size } = walked.head;
      const upload = { folder: parentOf(path), name: nameOf(path), type, size };
      files.push({ walked, upload: await view.uploads.begin(upload), renamed: path !== asked });
    }
    return files;
  } catch (error) {
    for (const { upload } of files) await view.uploads.giveUp(upload);
    throw error;
  }
}

const isFolder = ({ head }: Walked): boolean => head.key.endsWith("/");

const below = (target: string, { below }: Walked): string => (below === "" ? target : `${target}/${below}`);

async function walkedAll(view: View, source: string, most: number): Promise<Walked[]> {
  const all: Walked[] = [];
  for await (const walked of view.walk(source, { verb: "copy" })) {
    all.push(walked);
    if (all.length > most) throw new Failure("path.crossing", { limit: MAX_CLIENT_COPY });
  }
  return all;
}
