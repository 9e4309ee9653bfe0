import type { ImportKind, ImportLine, ImportReport } from "#contract/imports";
import { importKinds } from "#contract/imports";
import type { Language } from "#contract/languages";
import { IMPORT_EXAMPLES } from "#contract/limits";
import type { Metadata } from "./cloudpaste/backup.ts";
import { kindText, type Note, noteText, type Reason, reasonText, type TableReason, tableText } from "./words.ts";

/** Characters of a name in a report. */
const SHOWN = 60;

/** A name from the file as it may be shown on a terminal, too. */
const shown = (name: string): string => {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return plain.length > SHOWN ? `${plain.slice(0, SHOWN).toWellFormed()}...` : plain;
};

/** Counts rows by a code, and keeps the names of the first. */
function createLines<Code extends string>() {
  const lines = new Map<Code, { rows: number; examples: string[] }>();
  return {
    note(code: Code, name: string): void {
      const line = lines.get(code) ?? { rows: 0, examples: [] };
      line.rows += 1;
      if (line.examples.length < IMPORT_EXAMPLES) line.examples.push(shown(name));
      lines.set(code, line);
    },
    read: (textOf: (code: Code) => string): ImportLine[] =>
      [...lines].map(([code, line]) => ({ code, text: textOf(code), ...line })),
  };
}

/** What becomes of the rows of one kind. */
function createTally() {
  const counts = { rows: 0, added: 0, present: 0, left: 0 };
  const reasons = createLines<Reason>();
  const notes = createLines<Note>();
  return {
    counts,
    reasons,
    notes,
    /** A row is new, and so much is different of it here. */
    added(name: string, changes: Iterable<Note> = []): void {
      counts.rows += 1;
      counts.added += 1;
      for (const one of changes) notes.note(one, name);
    },
    present(): void {
      counts.rows += 1;
      counts.present += 1;
    },
    left(reason: Reason, name: string): void {
      counts.rows += 1;
      counts.left += 1;
      reasons.note(reason, name);
    },
  };
}

export type Tally = ReturnType<typeof createTally>;

export type Checked = ImportReport["checksum"];

interface Heading {
  readonly metadata: Metadata;
  readonly checksum: Checked;
  readonly dryRun: boolean;
}

/** What an import does or would do, row by row, until it is read in some language. No secret comes here. */
export function createReport({ metadata, checksum, dryRun }: Heading) {
  const tallies = new Map(importKinds.map((kind) => [kind, createTally()]));
  const tables: { table: string; rows: number; reason: TableReason }[] = [];

  return {
    tally: (kind: ImportKind): Tally => {
      const tally = tallies.get(kind);
      if (!tally) throw new Error(`There is no tally of ${kind}.`);
      return tally;
    },
    /** For rows that are counted elsewhere. */
    unseenTally: createTally,
    leaveTable: (table: string, rows: number, reason: TableReason): void =>
      void tables.push({ table: shown(table), rows, reason }),

    read: (language: Language): ImportReport => ({
      dry_run: dryRun,
      made_at: metadata.madeAt ?? null,
      schema: metadata.schema ?? null,
      checksum,
      kinds: [...tallies].map(([kind, { counts, reasons, notes }]) => ({
        kind,
        title: kindText(kind, language),
        ...counts,
        reasons: reasons.read((code) => reasonText(code, language)),
        notes: notes.read((code) => noteText(code, language)),
      })),
      tables: tables.map(({ reason, ...table }) => ({ ...table, text: tableText(reason, language) })),
    }),
  };
}

export type Report = ReturnType<typeof createReport>;
