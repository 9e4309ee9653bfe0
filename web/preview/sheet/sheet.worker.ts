import { type CellObject, read, type WorkSheet } from "@e965/xlsx";
import { MAX_SHEET_ROWS } from "#contract/viewer-limits";
import type { WorkerAnswer } from "../file/run-worker.ts";
import { failureOf, isZip, sanitized } from "../office/unpack.ts";
import { fitted, type Sheet } from "../table/sheet.ts";

const MAX_SHEETS = 200;
/** Cells of all sheets together. */
const MAX_CELLS = 2_000_000;

/** Reads the sheets of a workbook as the text that their cells show. Formulas are not computed, links and macros not read. */
async function sheetsOf(bytes: Uint8Array<ArrayBuffer>): Promise<Sheet[]> {
  const safe = isZip(bytes) ? await sanitized(bytes, false) : bytes;
  const options = {
    type: "array",
    dense: true,
    cellFormula: false,
    cellHTML: false,
    sheetRows: MAX_SHEET_ROWS + 1,
  } as const;
  const { SheetNames, Sheets } = read(safe, options);
  let left = MAX_CELLS;
  return SheetNames.slice(0, MAX_SHEETS).map((name) => {
    const sheet = rowsOf(Sheets[name], left);
    left -= sheet.cells;
    return { name, rows: sheet.rows, cut: sheet.cut };
  });
}

function rowsOf(sheet: WorkSheet | undefined, most: number) {
  const data = (sheet?.["!data"] ?? []) as readonly (readonly (CellObject | undefined)[] | undefined)[];
  const rows: string[][] = [];
  let cells = 0;
  for (const row of data.slice(0, MAX_SHEET_ROWS)) {
    const shown = fitted(row ?? [], textOf);
    cells += shown.length;
    if (cells > most) break;
    rows.push(shown);
  }
  while (rows.at(-1)?.every((cell) => cell === "")) rows.pop();
  return { rows, cells, cut: cells > most || data.length > MAX_SHEET_ROWS };
}

const textOf = (cell: CellObject | undefined): string => cell?.w ?? (cell?.v === undefined ? "" : String(cell.v));

addEventListener("message", async ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  const answer: WorkerAnswer<Sheet[]> = await sheetsOf(data).then((result) => ({ result }), failureOf);
  postMessage(answer);
});
