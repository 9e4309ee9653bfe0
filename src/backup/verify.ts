import { z } from "zod/mini";
import { Damaged, linesOf, type OnDamage, readArchive, readFirst, shown } from "./archive-reader.ts";
import { describedSchema, type First, type Manifest } from "./format.ts";

/** What a backup is, after all of it was read. */
interface Verified {
  readonly first: First;
  readonly manifest: Manifest;
  /** Names of entries that are not what was written. */
  readonly damaged: readonly string[];
}

/** A row of any table. */
export const rowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** Reads a backup through, and compares all of it with its checksums and counts. Throws a sentence for one that cannot be read to its end. */
export async function verifyBackup(
  source: ReadableStream<Uint8Array>,
  passed?: (bytes: number) => void,
): Promise<Verified> {
  const names: string[] = [];
  const damaged: OnDamage = (name) => void (names.length < 1000 && names.push(name));
  const counts = createCounts();
  let first: First | undefined;
  const entries = readArchive(source, damaged);
  for (;;) {
    const next = await entries.next();
    if (next.done) {
      if (!first) throw new Damaged("This is no backup of Satchel: it is empty.");
      if (names.length === 0) counts.check(next.value);
      return { first, manifest: next.value, damaged: names };
    }
    const { value: read } = next;
    const { entry, name, size } = read;
    if (entry.kind === "first") first = readFirst(await read.whole());
    if (entry.kind === "table") counts.rows(entry.table, [...linesOf(rowSchema, await read.whole(), name)].length);
    if (entry.kind === "attributes") for (const _ of linesOf(describedSchema, await read.whole(), name));
    if (entry.kind === "object" || entry.kind === "remote") counts.object(read.isFolder, size);
    passed?.(size);
  }
}

/** Counts what is read, for the comparison with the manifest. */
export function createCounts() {
  const tables = new Map<string, number>();
  let [files, folders, bytes] = [0, 0, 0];
  return {
    rows: (table: string, more: number): void => void tables.set(table, (tables.get(table) ?? 0) + more),
    object(isFolder: boolean, size: number): void {
      if (isFolder) folders += 1;
      else files += 1;
      bytes += size;
    },
    /** Throws a sentence when there was more or less than the manifest says. */
    check(manifest: Manifest): void {
      for (const [table, rows] of Object.entries(manifest.tables))
        if ((tables.get(table) ?? 0) !== rows)
          throw new Damaged(
            `The archive is damaged: the table ${shown(table)} has ${tables.get(table) ?? 0} rows in place of ${rows}.`,
          );
      for (const table of tables.keys())
        if (manifest.tables[table] === undefined)
          throw new Damaged(`The archive is damaged: its manifest has no table ${shown(table)}.`);
      const { objects } = manifest;
      if (objects.files !== files || objects.folders !== folders || objects.bytes !== bytes)
        throw new Damaged(
          `The archive is damaged: it has ${files} files with ${bytes} bytes, and its manifest says ${objects.files} with ${objects.bytes}.`,
        );
    },
  };
}
