import { Failure } from "#contract/failures";
import { MAX_KEY_BYTES, MAX_LINK_ITEMS, MAX_NAME_BYTES } from "#contract/limits";
import { isFilename, isTooDeep, join, nameOf, nameWith } from "#contract/paths";
import type { LinkPlace } from "../../access/principal.ts";
import { bodyStream } from "../../lib/open-file.ts";
import { isFile, isMounted } from "../../vfs/entry.ts";
import type { Node } from "../../vfs/node.ts";
import { readRow } from "../context.ts";
import type { Note } from "../words.ts";
import type { PingvinContext } from "./context.ts";
import { type SharedFile, streamOf } from "./folder.ts";
import { type FileRow, fileRow, isInBucket, type ShareRow } from "./rows.ts";

/** Files of one share; each keeps its name in memory while the share is imported. */
const MOST_FILES = 100_000;

/** How many names are tried for a file whose own is taken. */
const NAMES_TRIED = 1000;

/** What came of the files of a share. */
export interface TakenFiles {
  /** What a link leads to: the files and folders at the top, or where these are too many the folder of all. */
  readonly items: readonly LinkPlace[];
  readonly hasAll: boolean;
  readonly isFolder: boolean;
}

/** Takes a file of a share, and answers the path at the top of the share that leads to it; undefined where it is left out. */
type Take = (share: ShareRow, row: FileRow) => Promise<string | undefined>;

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
function createLookUp({ report, view }: PingvinContext, base: string): Take {
  const tally = report.tally("files");
  return async (_share, { name, size }) => {
    const names = name.split("/");
    const found = names.every(isFilename) ? await view.at([base, ...names].join("/")).find("read") : undefined;
    if (found && isFile(found) && found.head.size === size) {
      tally.added(name);
      return join(base, names[0] ?? "");
    }
    tally.left(found && isFile(found) ? "file.size" : "file.missing", name);
    return undefined;
  };
}

/** Makes what copies files. */
function createCopy({ rooms, report, view, find, isApplied, copied }: PingvinContext, base: string): Take {
  const tally = report.tally("files");
  const used = new Set<string>();

  return async (share, row) => {
    const found = await find(share, row);
    const reason =
      typeof found === "string" ? found : found.size > rooms.transfers.largest() ? "file.tooLarge" : undefined;
    if (typeof found === "string" || reason) {
      tally.left(reason ?? "file.missing", row.name);
      return undefined;
    }
    const { names, isChanged } = allowedNames(row.name, base);
    const notes = new Set<Note>(isChanged ? ["file.renamed"] : []);
    for (let number = 1; number <= NAMES_TRIED; number++) {
      const path = [base, ...numbered(names, number)].join("/");
      const name = path.normalize("NFC").toLowerCase();
      if (used.has(name)) continue;
      const node = view.at(path);
      const isSame = await isThere(node, found);
      if (isSame === false) continue;
      if (!isSame && isApplied && !(await isPut(node, found, copied))) break;
      used.add(name);
      if (number > 1) notes.add("file.renamed");
      if (isSame) tally.present();
      else tally.added(row.name, notes);
      return join(base, names.length === 1 ? nameOf(path) : (names[0] ?? ""));
    }
    tally.left("file.name", row.name);
    return undefined;
  };
}

/** Copies a file to a path at which nothing is; answers whether that can be: a share may have a file and others below its name. */
async function isPut(node: Node, file: SharedFile, told: (bytes: number) => void): Promise<boolean> {
  try {
    await node.put({ body: new Response(streamOf(file, told)), length: file.size, ifNone: true, inParts: true });
    return true;
  } catch (error) {
    if (error instanceof Failure && error.code === "path.conflict") return false;
    throw error;
  }
}

/** Whether a file is at a path already with its bytes; undefined when nothing is there. */
async function isThere(node: Node, file: SharedFile): Promise<boolean | undefined> {
  const found = await node.find("read");
  if (!found) return undefined;
  if (!isFile(found) || found.head.size !== file.size) return false;
  const there = await (await node.open("read", found)).read();
  if (!there) return undefined;
  const [one, other] = await Promise.all([digestOf(bodyStream(there)), digestOf(streamOf(file, () => undefined))]);
  return one === other;
}

async function digestOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest("hex");
}

/** The names of a file below the folder of its share: it may say folders, as those do that were sent as such. */
function allowedNames(said: string, base: string): { readonly names: readonly string[]; readonly isChanged: boolean } {
  const parts = said.split("/").filter((part) => part !== "" && part !== ".");
  const allowed = parts.map(allowedName);
  const path = [base, ...allowed].join("/");
  const isDeep = isTooDeep(path) || Buffer.byteLength(path) > MAX_KEY_BYTES;
  const names = allowed.length === 0 ? ["file"] : isDeep ? allowed.slice(-1) : allowed;
  return { names, isChanged: names.join("/") !== said };
}

/** A name as a file may be called here. */
function allowedName(said: string): string {
  const name = nameWith(said.toWellFormed().replace(/[\p{Cc}\\]/gu, "_"), "");
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES && isFilename(name)) return name;
  return nameWith(`_${name.replaceAll("..", "_")}`, "");
}

/** The same names, the last of which has a number from the second on. */
const numbered = (names: readonly string[], number: number): readonly string[] =>
  number === 1 ? names : names.with(-1, nameWith(names.at(-1) ?? "", ` (${number})`));
