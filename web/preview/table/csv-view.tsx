import { t, useLanguage } from "../../i18n/i18n.ts";
import { WorkerResult } from "../file/worker-result.tsx";
import workerAddress from "./csv.worker.ts?worker";
import { Grid } from "./grid.tsx";
import type { Sheet } from "./sheet.ts";

/** Separated values as a table; the first row names the columns. */
export function CsvView({ text, name }: { readonly text: string; readonly name: string }) {
  useLanguage();
  return (
    <WorkerResult<Sheet> address={workerAddress} message={text}>
      {({ rows, cut }) => <Grid rows={rows} label={t("viewer.table.of", { name })} headed cut={cut} />}
    </WorkerResult>
  );
}
