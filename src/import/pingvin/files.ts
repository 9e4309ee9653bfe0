import { Failure } from "#contract/failures";
import { MAX_LINK_ITEMS } from "#contract/limits";
import { isFilename, join, nameOf } from "#contract/paths";
import type { LinkPlace } from "../../access/principal.ts";
import { isFile, isMounted } from "../../vfs/entry.ts";
import { readRow } from "../context.ts";
import type { PingvinContext } from "./context.ts";
import { createCopy, isKeyPath, type TakeFile } from "./copies.ts";
import { fileRow, isInBucket, type ShareRow } from "./rows.ts";

/** Files of one share; each keeps its name in memory while the share is imported. */
const MOST_FILES = 100_000;

/** What came of the files of a share. */
export interface TakenFiles {
  /** What a link leads to: the files and folders at the top, or where these are too many the folder of all. */
  readonly items: readonly LinkPlace[];
  readonly hasAll: boolean;
  readonly isFolder: boolean;
}

/**
 * Copies the files of a share into a folder of its own, or only says what that would do. What is there already is not copied again, and what
 * is in a bucket stays there.
 */
export async function takeFiles(context: PingvinContext, share: ShareRow): Promise<TakenFiles> {
  const { table, report, folder, bucket, isApplied } = context;
  const tally = report.tally("files");
  const isStored = isInBucket(share) && bucket !== undefined;
  const base = join(isStored ? bucket : folder, share.id);
  const take = isStored ? createLookUp(context, base) : createCopy(context, base);
  const tops = new Set<string>();
  let [hasAll, files, number] = [true, 0, 0];
  for (const rows of table.files(share.id)) {
    for (const value of rows) {
      number += 1;
      const row = readRow(fileRow, { value, number }, tally);
      const added = row && files < MOST_FILES && (await take(share, row));
      if (row && files >= MOST_FILES) tally.left("row.tooMany", row.name);
      if (!added) hasAll = false;
      else {
        files += 1;
        if (tops.size <= MAX_LINK_ITEMS) tops.add(added);
      }
    }
    await context.passed("files", tally.counts.rows);
  }
  const isFolder = tops.size > MAX_LINK_ITEMS;
  const paths = isFolder ? [base] : [...tops];
  const items: LinkPlace[] = [];
  // Of a plan it only counts how many there are.
  for (const path of paths) items.push(isApplied ? await placeAt(context, path) : { ...nowhere, name: path });
  return { items, hasAll, isFolder };
}

const nowhere = { storage: "", key: "", mount: "" };

async function placeAt({ view }: Pick<PingvinContext, "view">, path: string): Promise<LinkPlace> {
  const found = await view.at(path).stat();
  const { location } = found;
  if (!isMounted(location)) throw new Failure("mount.none");
  const { mount, key } = location;
  return { storage: mount.storage, key: isFile(found) ? key : `${key}/`, mount: mount.id, name: nameOf(location.path) };
}

/** Makes what looks for files in the bucket of Pingvin Share, where they are by their names. */
function createLookUp({ report, view }: PingvinContext, base: string): TakeFile {
  const tally = report.tally("files");
  return async (_share, { name, size }) => {
    const names = name.split("/");
    const path = [base, ...names].join("/");
    const found = names.every(isFilename) && isKeyPath(path) ? await view.at(path).find("read") : undefined;
    if (found && isFile(found) && found.head.size === size) {
      tally.added(name);
      return join(base, names[0] ?? "");
    }
    tally.left(found && isFile(found) ? "file.size" : "file.missing", name);
    return undefined;
  };
}
