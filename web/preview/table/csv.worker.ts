import Papa from "papaparse";
import { MAX_TABLE_ROWS } from "#contract/viewer-limits";
import type { WorkerAnswer } from "../file/run-worker.ts";
import { fitted, type Sheet } from "./sheet.ts";

/** Reads a text of separated values; what separates them is found out. */
addEventListener("message", ({ data: text }: MessageEvent<string>) => {
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: true, preview: MAX_TABLE_ROWS + 1 });
  const rows = data.slice(0, MAX_TABLE_ROWS).map((row) => fitted(row, (cell) => cell));
  const answer: WorkerAnswer<Sheet> = {
    result: { name: "", rows, cut: data.length > MAX_TABLE_ROWS },
  };
  postMessage(answer);
});
