import { existsSync } from "node:fs";
import { Failure } from "#contract/failures";
import type { ImportKindReport, ImportLine, ImportReport, ImportSource } from "#contract/imports";
import { sizeText } from "#contract/limits";
import { sentence } from "#contract/messages/sentence";
import type { Config } from "../config.ts";
import { openForImport } from "../maintenance.ts";
import { requireDatabase } from "./require-database.ts";

/** Prints what an import would do, and then does it unless only the report is wanted. Throws a sentence for the operator. */
export async function importFrom(config: Config, path: string, print: (text: string) => void): Promise<void> {
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  if (config.databaseUrl === undefined) requireDatabase(config);
  const { dryRun, ...options } = config.imports;
  const { imports, close } = await openForImport(config);
  try {
    const plan = await imports.plan(path, options);
    print(textOf(plan.read("en")));
    if (dryRun) return print("\nNothing was changed. Run it without --dry-run to import.\n");
    print("\nImporting. If it is interrupted, run it again: it goes on where it was.\n");
    const done = (await imports.run(path, { ...options, alone: true, ...reporter(print) })).read("en");
    print(`\n${textOf(done)}${after[done.source]}`);
  } catch (error) {
    throw error instanceof Failure ? new Error(sentence(error, "en")) : error;
  } finally {
    await close();
  }
}

const after: Readonly<Record<ImportSource, string>> = {
  cloudpaste: `
The files stay in their storages, and nobody has looked for them: test each storage in the admin area. Who deletes an imported share here
leaves its file where it is. Delete the backup: it holds every password and key of the other server.
`,
  pingvin: `
The files are copies, in the folder Pingvin Share of the tree. Who deletes an imported link here leaves its files where they are. Old addresses
(/share/ID and /s/ID) go on when the old name of the host leads to this server.
`,
};

/** Rows and bytes between two lines of progress. */
const STEP = 10_000;
const BYTES = 1024 ** 3;

/** Says now and then how far a long import is. */
function reporter(print: (text: string) => void) {
  let [said, bytes] = [0, 0];
  return {
    progress(kind: string, rows: number): void {
      const step = Math.floor(rows / STEP);
      if (step !== said && step > 0) print(`  ${kind}: ${rows}\n`);
      said = step;
    },
    copied(more: number): void {
      const before = Math.floor(bytes / BYTES);
      bytes += more;
      if (Math.floor(bytes / BYTES) > before) print(`  copied: ${sizeText(bytes)}\n`);
    },
  };
}

const checksums: Readonly<Record<NonNullable<ImportReport["checksum"]>, string>> = {
  right: "Its checksum is right.",
  missing: "It has no checksum, so nobody knows whether it is whole.",
  ignored: "Its checksum is WRONG, which was ignored.",
};

const sources: Readonly<Record<ImportSource, string>> = {
  cloudpaste: "CloudPaste backup",
  pingvin: "Pingvin Share",
};

function textOf({ source, dry_run, made_at, schema, checksum, kinds, tables }: ImportReport): string {
  const origin = `${sources[source]}${made_at ? ` of ${made_at}` : ""}${schema ? `, schema ${schema}` : ""}`;
  const whole = checksum === null ? "" : ` ${checksums[checksum]}`;
  const title = `${dry_run ? "What an import would do" : "What was imported"} (${origin}).${whole}\n\n`;
  const head = row([
    "",
    source === "cloudpaste" ? "in backup" : "there",
    dry_run ? "would add" : "added",
    "already here",
    "left out",
  ]);
  const lines = kinds.map((one) => row([one.title, one.rows, one.added, one.present, one.left]));
  return `${title}${head}${lines.join("")}${kinds.map(detailsOf).join("")}${tablesOf(tables)}`;
}

const [FIRST, OTHER] = [14, 14];

const row = ([first, ...others]: readonly (string | number)[]): string =>
  `${String(first).padEnd(FIRST)}${others.map((one) => String(one).padStart(OTHER)).join("")}\n`;

function detailsOf({ title, notes, reasons }: ImportKindReport): string {
  if (notes.length + reasons.length === 0) return "";
  const line = (what: string) => (one: ImportLine) =>
    `  ${what} ${one.rows}: ${one.text}${one.examples.length === 0 ? "" : ` (${examplesOf(one)})`}\n`;
  return `\n${title}\n${notes.map(line("changed")).join("")}${reasons.map(line("left out")).join("")}`;
}

const examplesOf = ({ examples, rows }: ImportLine): string =>
  `${examples.join(", ")}${rows > examples.length ? ", ..." : ""}`;

const tablesOf = (tables: ImportReport["tables"]): string =>
  tables.length === 0
    ? ""
    : `\nTables that are left out\n${tables.map(({ table, rows, text }) => `  ${table}: ${rows} (${text})\n`).join("")}`;
