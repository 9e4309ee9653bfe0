import type { ImportKind, ImportLine, ImportReport, ImportSource } from "#contract/imports";
import type { Language } from "#contract/languages";
import { IMPORT_EXAMPLES } from "#contract/limits";
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
  const count = (code: Code, rows: number) => {
    const line = lines.get(code) ?? { rows: 0, examples: [] };
    line.rows += rows;
    lines.set(code, line);
    return line;
  };
  return {
    count,
    note(code: Code, name: string): void {
      const { examples } = count(code, 1);
      if (examples.length < IMPORT_EXAMPLES) examples.push(shown(name));
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
    /** So many rows stay as they are. */
    presentRows(rows: number): void {
      counts.rows += rows;
      counts.present += rows;
    },
    /** So many rows are left out, which nobody looks at one by one. */
    leftRows(reason: Reason, rows: number): void {
      counts.rows += rows;
      counts.left += rows;
      reasons.count(reason, rows);
    },
  };
}

export type Tally = ReturnType<typeof createTally>;

/** What stands above a report. */
export interface SourceHeading {
  readonly source: ImportSource;
  readonly madeAt: string | undefined;
  readonly schema: string | undefined;
  /** null where the data has none by its nature. */
  readonly checksum: "right" | "missing" | "ignored" | null;
}

interface ReportOptions {
  readonly heading: SourceHeading;
  readonly kinds: readonly ImportKind[];
  readonly dryRun: boolean;
}

/** What an import does or would do, row by row, until it is read in some language. No secret comes here. */
export function createReport({ heading, kinds, dryRun }: ReportOptions) {
  const { source, madeAt, schema, checksum } = heading;
  const tallies = new Map(kinds.map((kind) => [kind, createTally()]));
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
      source,
      dry_run: dryRun,
      made_at: madeAt ?? null,
      schema: schema ?? null,
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
