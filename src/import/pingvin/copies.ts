import { Failure } from "#contract/failures";
import { MAX_KEY_BYTES, MAX_NAME_BYTES } from "#contract/limits";
import { isFilename, isTooDeep, join, nameOf, nameWith } from "#contract/paths";
import { bodyStream } from "../../lib/open-file.ts";
import { isFile } from "../../vfs/entry.ts";
import type { Node } from "../../vfs/node.ts";
import type { Reason } from "../words.ts";
import type { PingvinContext } from "./context.ts";
import { type Reading, type SharedFile, streamOf } from "./folder.ts";
import type { FileRow, ShareRow } from "./rows.ts";

/** How many names are tried for a file whose own is taken. */
const NAMES_TRIED = 1000;

/** How often a file is copied at whose path something came meanwhile. */
const TRIES = 5;

/** Takes a file of a share, and answers the path at the top of the share that leads to it; undefined where it is left out. */
export type TakeFile = (share: ShareRow, row: FileRow) => Promise<string | undefined>;

/** Whether a path can be a key of every storage. */
export const isKeyPath = (path: string): boolean => !isTooDeep(path) && Buffer.byteLength(path) <= MAX_KEY_BYTES;

/** Where a file goes, and whether it is there already. */
interface Target {
  readonly path: string;
  readonly node: Node;
  readonly isThere: boolean;
}

/** Makes what copies the files of one share into a folder, or only says what that would do. What is there already is not copied again. */
export function createCopy(context: PingvinContext, base: string): TakeFile {
  const { rooms, report, view, find, isApplied, copied } = context;
  const tally = report.tally("files");
  const used = new Set<string>();

  /** The first path for a file at which nothing is, or its bytes are already; undefined where there is none. */
  const targetOf = async (
    names: readonly string[],
    file: SharedFile,
    failed: () => void,
  ): Promise<Target | undefined> => {
    for (let number = 1; number <= NAMES_TRIED; number++) {
      const path = [base, ...numbered(names, number)].join("/");
      if (used.has(folded(path))) continue;
      const node = view.at(path);
      const isThere = await hasBytesOf(node, file, failed);
      if (isThere !== false) return { path, node, isThere: isThere === true };
    }
    return undefined;
  };

  const copy = async (row: FileRow, file: SharedFile, failed: () => void): Promise<string | undefined> => {
    const names = allowedNames(row.name, base);
    const reading = { failed, read: copied };
    let target: Target | undefined;
    let isDone: boolean | undefined;
    for (let attempt = 0; isDone === undefined && attempt < TRIES; attempt++) {
      target = await targetOf(names, file, failed);
      isDone = target !== undefined && (target.isThere || !isApplied || (await isPut(target.node, file, reading)));
    }
    if (!target || !isDone) {
      tally.left("file.name", row.name);
      return undefined;
    }
    const { path, isThere } = target;
    used.add(folded(path));
    if (isThere) tally.present();
    else tally.added(row.name, path === `${base}/${row.name}` ? [] : ["file.renamed"]);
    return join(base, names.length === 1 ? nameOf(path) : (names[0] ?? ""));
  };

  return async (share, row) => {
    const found = await find(share, row);
    if (typeof found === "string" || found.size > rooms.transfers.largest()) {
      const reason: Reason = typeof found === "string" ? found : "file.tooLarge";
      tally.left(reason, row.name);
      return undefined;
    }
    let isBroken = false;
    try {
      return await copy(row, found, () => {
        isBroken = true;
      });
    } catch (error) {
      // A disk that cannot read one file has the others.
      if (!isBroken) throw error;
      tally.left("file.unreadable", row.name);
      return undefined;
    }
  };
}

/** As a disk may compare names that does not tell small letters from large ones. */
const folded = (path: string): string => path.normalize("NFC").toLowerCase();

/**
 * Copies a file to a path at which nothing is; answers whether that can be: a share may have a file and others below its name. Undefined when
 * something has come there meanwhile, as by another import.
 */
async function isPut(node: Node, file: SharedFile, reading: Reading): Promise<boolean | undefined> {
  try {
    await node.put({ body: new Response(streamOf(file, reading)), length: file.size, ifNone: true, inParts: true });
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "path.conflict") return false;
    if (error.code === "path.changed") return undefined;
    throw error;
  }
}

/** Whether a file is at a path already with these bytes; undefined when nothing is there. */
async function hasBytesOf(node: Node, file: SharedFile, failed: () => void): Promise<boolean | undefined> {
  const found = await node.find("read");
  if (!found) return undefined;
  if (!isFile(found) || found.head.size !== file.size) return false;
  const there = await (await node.open("read", found)).read();
  if (!there) return undefined;
  const ours = streamOf(file, { failed, read: () => undefined });
  const [one, other] = await Promise.all([digestOf(bodyStream(there)), digestOf(ours)]);
  return one === other;
}

async function digestOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of stream) hash.update(chunk);
  return hash.digest("hex");
}

/** The names of a file below the folder of its share: it may say folders, as those do that were sent as such. */
function allowedNames(said: string, base: string): readonly string[] {
  const allowed = said
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .map(allowedName);
  if (allowed.length === 0) return ["file"];
  return isKeyPath([base, ...allowed].join("/")) ? allowed : allowed.slice(-1);
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
