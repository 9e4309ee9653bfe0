import { existsSync } from "node:fs";
import { Failure } from "#contract/failures";
import type { ImportKindReport, ImportLine, ImportReport } from "#contract/imports";
import { sentence } from "#contract/messages/sentence";
import type { Config } from "../config.ts";
import { openForImport } from "../maintenance.ts";
import { requireDatabase } from "./require-database.ts";

/** Prints what an import of a backup would do, and then does it unless only the report is wanted. Throws a sentence for the operator. */
export async function importFile(config: Config, file: string, print: (text: string) => void): Promise<void> {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  if (config.databaseUrl === undefined) requireDatabase(config);
  const { dryRun, privateTexts, ignoreChecksum } = config.imports;
  const { imports, close } = await openForImport(config);
  try {
    const plan = await imports.plan(file, { privateTexts, ignoreChecksum });
    print(textOf(plan.read("en")));
    if (dryRun) return print("\nNothing was changed. Run it without --dry-run to import.\n");
    print("\nImporting. If it is interrupted, run it again: it goes on where it was.\n");
    const done = await imports.run(file, { privateTexts, ignoreChecksum, alone: true, progress: reporter(print) });
    print(`\n${textOf(done.read("en"))}${AFTER}`);
  } catch (error) {
    throw error instanceof Failure ? new Error(sentence(error, "en")) : error;
  } finally {
    await close();
  }
}

const AFTER = `
The files stay in their storages, and nobody has looked for them: test each storage in the admin area. Who deletes an imported share here
leaves its file where it is. Delete the backup: it holds every password and key of the other server.
`;

/** Rows between two lines of progress. */
const STEP = 10_000;

/** Says now and then how far a long import is. */
function reporter(print: (text: string) => void) {
  let said = 0;
  return (kind: string, rows: number): void => {
    const step = Math.floor(rows / STEP);
    if (step !== said && step > 0) print(`  ${kind}: ${rows}\n`);
    said = step;
  };
}

const checksums: Readonly<Record<ImportReport["checksum"], string>> = {
  right: "Its checksum is right.",
  missing: "It has no checksum, so nobody knows whether it is whole.",
  ignored: "Its checksum is WRONG, which was ignored.",
};

function textOf({ dry_run, made_at, schema, checksum, kinds, tables }: ImportReport): string {
  const title = `${dry_run ? "What an import would do" : "What was imported"} (CloudPaste backup${made_at ? ` of ${made_at}` : ""}${schema ? `, schema ${schema}` : ""}). ${checksums[checksum]}\n\n`;
  const head = row(["", "in backup", dry_run ? "would add" : "added", "already here", "left out"]);
  const lines = kinds.map((one) => row([one.title, one.rows, one.added, one.present, one.left]));
  return `${title}${head}${lines.join("")}${kinds.map(detailsOf).join("")}${tablesOf(tables)}`;
}

const [FIRST, OTHER] = [12, 14];

const row = ([first, ...others]: readonly (string | number)[]): string =>
  `${String(first).padEnd(FIRST)}${others.map((one) => String(one).padStart(OTHER)).join("")}\n`;

function detailsOf({ title, notes, reasons }: ImportKindReport): string {
  if (notes.length + reasons.length === 0) return "";
  const line = (what: string) => (one: ImportLine) =>
    `  ${what} ${one.rows}: ${one.text} (${one.examples.join(", ")}${one.rows > one.examples.length ? ", ..." : ""})\n`;
  return `\n${title}\n${notes.map(line("changed")).join("")}${reasons.map(line("left out")).join("")}`;
}

const tablesOf = (tables: ImportReport["tables"]): string =>
  tables.length === 0
    ? ""
    : `\nTables that are left out\n${tables.map(({ table, rows, text }) => `  ${table}: ${rows} (${text})\n`).join("")}`;
