import { Failure } from "#contract/failures";
import { MAX_CLIENT_COPY } from "#contract/limits";
import type { ResolvedPath, ResolvePath } from "./access.ts";
import { copyTarget, requireDisjoint } from "./copy.ts";
import type { ShownMountRow } from "./mounts-table.ts";
import { type Walked, walk } from "./read.ts";
import { beginUpload, type TreeUpload } from "./uploads.ts";
import { mkdir } from "./write.ts";

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

type Paths = Pick<CopyRequest, "source" | "target">;

/** A copy between two paths. */
interface Ends {
  readonly from: ResolvedPath;
  readonly to: ResolvedPath;
}

/** Requires the right to copy, and returns the mounts of source and target if their storages differ. */
function crossing({ from, to }: Ends): { from: ShownMountRow; to: ShownMountRow } | undefined {
  from.requireInBasePath("copy");
  to.requireInBasePath("copy");
  const mounts = { from: from.location.mount, to: to.location.mount };
  if (!mounts.from || !mounts.to || mounts.from.storage === mounts.to.storage) return undefined;
  return { from: mounts.from, to: mounts.to };
}

/** Whether source and target are in different storages. */
export const isClientCopy = (resolve: ResolvePath, { source, target }: Paths): boolean =>
  crossing({ from: resolve(source), to: resolve(target) }) !== undefined;

/**
 * What the caller has to copy itself because source and target are in different storages: its files, and an upload for each;
 * undefined for a copy that a storage does alone. 400 path.crossing when there are too many; 403 copy.byJob for a caller who may
 * copy but not write.
 */
export async function clientCopyOf(
  resolve: ResolvePath,
  { source, target, skipExisting }: CopyRequest,
  most: number,
): Promise<ClientCopyItem | undefined> {
  const ends = { from: resolve(source), to: resolve(target) };
  const mounts = crossing(ends);
  if (!mounts) return undefined;
  requireWrite(ends.to);
  // Whoever copies it has to be able to read it.
  ends.from.requireInBasePath("read");
  await requireDisjoint("copy", ends.from, ends.to);
  const walked = await walkedAll(ends.from, most);
  const targetOf = ({ below }: Walked) => (below === "" ? ends.to : ends.to.at(`${target}/${below}`));
  const folders = walked.filter(isFolder);
  for (const one of folders) await mkdir(targetOf(one), "copy");
  const uploads = await begunFor(
    walked.filter((one) => !isFolder(one)).map((one) => ({ walked: one, to: targetOf(one) })),
    skipExisting,
  );
  const [first] = walked;
  const folder = walked.length !== 1 || first?.below !== "" || isFolder(first);
  const made = folders.length;
  const skipped = walked.length - made - uploads.length;
  return { source, target, folder, ...mounts, files: uploads, made, skipped };
}

/** What a caller carries may be anything, so it takes the right to write; the server copies with the right to copy alone. */
function requireWrite(to: ResolvedPath): void {
  try {
    to.requireInBasePath("write");
  } catch (error) {
    throw error instanceof Failure && error.code === "auth.forbidden" ? new Failure("copy.byJob") : error;
  }
}

/** An upload for each of these that is not there; none of them stays when one cannot be. */
async function begunFor(wanted: readonly { walked: Walked; to: ResolvedPath }[], skipExisting: boolean) {
  const files: ClientCopyFile[] = [];
  try {
    for (const { walked, to } of wanted) {
      if (skipExisting && (await to.find("copy"))) continue;
      const { path } = skipExisting ? to.location : (await copyTarget(to)).location;
      const { type, size } = walked.head;
      const upload = await beginUpload(to.at(path), { type, size });
      files.push({ walked, upload, renamed: path !== to.location.path });
    }
    return files;
  } catch (error) {
    for (const { upload } of files) await upload.drop();
    throw error;
  }
}

const isFolder = ({ head }: Walked): boolean => head.key.endsWith("/");

async function walkedAll(from: ResolvedPath, most: number): Promise<Walked[]> {
  const all: Walked[] = [];
  for await (const walked of walk(from, { verb: "copy" })) {
    all.push(walked);
    if (all.length > most) throw new Failure("path.crossing", { limit: MAX_CLIENT_COPY });
  }
  return all;
}
