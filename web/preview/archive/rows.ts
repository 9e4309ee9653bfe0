import { endingOf } from "#contract/file-kinds";
import type { FileType } from "#contract/files";
import type { ArchiveEntry } from "./archive.ts";

/** What a folder of an archive has: folders, with what all in them unpacks to, and files. */
export type Row =
  | { readonly kind: "folder"; readonly name: string; readonly files: number; readonly size: number | undefined }
  | { readonly kind: "file"; readonly name: string; readonly entry: ArchiveEntry };

/** The name of an entry as a path: without what leads nowhere. Names that Windows wrote have its separators. */
export const pathInside = (name: string): string =>
  name
    .split(name.includes("/") ? "/" : "\\")
    .filter((part) => part !== "" && part !== ".")
    .join("/");

/**
 * The rows of a folder, by name, folders first. `paths` are those of the entries, `""` is the root. Looked for in the list each time:
 * a tree of names that were made for it would fill the memory.
 */
export function rowsIn(entries: readonly ArchiveEntry[], paths: readonly string[], folder: string): Row[] {
  const start = folder === "" ? "" : `${folder}/`;
  const folders = new Map<string, { files: number; size: number | undefined }>();
  const files: Row[] = [];
  for (const [at, entry] of entries.entries()) {
    const path = paths[at] ?? "";
    if (!path.startsWith(start) || path.length === start.length) continue;
    const slash = path.indexOf("/", start.length);
    const name = path.slice(start.length, slash === -1 ? undefined : slash);
    if (slash === -1 && !entry.isFolder) {
      files.push({ kind: "file", name, entry });
      continue;
    }
    const known = folders.get(name) ?? { files: 0, size: 0 };
    if (!entry.isFolder) {
      known.files += 1;
      known.size = sum(known.size, entry.size);
    }
    folders.set(name, known);
  }
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const byName = (one: Row, other: Row) => compare(one.name, other.name);
  const above: Row[] = [...folders].map(([name, { files, size }]) => ({ kind: "folder", name, files, size }));
  return [...above.sort(byName), ...files.sort(byName)];
}

/** How many files there are in rows, and what they unpack to; undefined when that is not said. */
export function totalOf(rows: readonly Row[]): { readonly files: number; readonly size: number | undefined } {
  let files = 0;
  let size: number | undefined = 0;
  for (const row of rows) {
    files += row.kind === "folder" ? row.files : 1;
    size = sum(size, row.kind === "folder" ? row.size : row.entry.size);
  }
  return { files, size };
}

const sum = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? undefined : one + other;

const types: Partial<Record<FileType, string>> = {
  image: "jpg jpeg jfif png gif bmp svg ico webp avif heic heif hif",
  audio: "mp3 flac ogg oga m4a m4b wav opus aac",
  video: "mp4 m4v webm mkv mov",
};
const byEnding: ReadonlyMap<string, FileType> = new Map(
  Object.entries(types).flatMap(([type, endings]) => endings.split(" ").map((ending) => [ending, type as FileType])),
);

/** The kind of a file in an archive, of which no server knows; `unknown` ones tell by their first bytes. */
export const typeInside = (name: string): FileType => byEnding.get(endingOf(name)) ?? "unknown";
