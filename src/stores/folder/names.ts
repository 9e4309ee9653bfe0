import { lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { Failure } from "#contract/failures";
import { hasRawBytes, RAW_BYTES } from "#contract/paths";
import { isMissing, isSegment } from "../disk/paths.ts";
import { type DiskPath, nameOf } from "../disk/reach.ts";

/** What the runtime puts in place of bytes that are no UTF-8. */
const REPLACED = "\ufffd";

/** How many bytes a character has whose first one is this; 1 also where none can begin. */
function lengthFrom(first: number): number {
  if (first < 0xc2 || first > 0xf4) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/**
 * The name of these bytes. Each byte that belongs to no character of UTF-8 becomes one of a range for private use. A name that has such a
 * character itself gets its bytes spelled so, too: no two names are spelled alike.
 */
export function spellName(bytes: Buffer): string {
  let name = "";
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const length = lengthFrom(first);
    const text = bytes.toString("utf8", at, at + length);
    const isText = Buffer.from(text).equals(bytes.subarray(at, at + length)) && !hasRawBytes(text);
    name += isText ? text : String.fromCharCode(RAW_BYTES + first);
    at += isText ? length : 1;
  }
  return name;
}

/** The bytes of a name with raw bytes. 400 path.invalid for what `spellName` never makes, so that each file has one name. */
function bytesOfName(name: string): Buffer {
  const parts = name.split(/([\uef80-\uefff])/);
  const bytes = Buffer.concat(
    parts.map((part) => (hasRawBytes(part) ? Buffer.of(part.charCodeAt(0) - RAW_BYTES) : Buffer.from(part))),
  );
  if (spellName(bytes) !== name) throw new Failure("path.invalid");
  return bytes;
}

/** The path of a name in a folder, as the system takes it. 400 path.invalid. */
export const namedIn = (folder: string, name: string): DiskPath =>
  hasRawBytes(name) ? Buffer.concat([Buffer.from(`${folder}/`), bytesOfName(name)]) : `${folder}/${name}`;

/** Whether the name that the runtime read may be another one. */
const isDoubtful = (name: string): boolean => name.includes(REPLACED) || hasRawBytes(name);

/** The names in a folder, also those that are no UTF-8. Those take a look of their own, because Bun 1.4.5 has no kinds for names in bytes. */
export async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (!entries.some(({ name }) => isDoubtful(name))) return entries.flatMap(nameOf);
  const doubtful = (await readdir(folder, { encoding: "buffer" })).filter((bytes) => isDoubtful(bytes.toString()));
  return [
    ...entries.filter(({ name }) => !isDoubtful(name)).flatMap(nameOf),
    ...doubtful.flatMap((bytes) => kindOf(folder, spellName(bytes))),
  ];
}

function kindOf(folder: string, name: string): string | [] {
  if (!isSegment(name)) return [];
  try {
    const stat = lstatSync(namedIn(folder, name));
    if (stat.isDirectory()) return `${name}/`;
    return stat.isFile() ? name : [];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
