import { useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import type { ViewerProps } from "../file/props.ts";
import { DocumentFrame } from "../office/document-frame.tsx";
import { Grid } from "../table/grid.tsx";
import type { Sheet } from "../table/sheet.ts";
import workerAddress from "./sheet.worker.ts?worker";

/** A workbook: its sheets as tables of text. */
export const SheetViewer = (props: ViewerProps) => (
  <DocumentFrame<readonly Sheet[]> {...props} worker={workerAddress}>
    {(sheets) => <Sheets sheets={sheets} />}
  </DocumentFrame>
);

function Sheets({ sheets }: { readonly sheets: readonly Sheet[] }) {
  useLanguage();
  const [chosen, setChosen] = useState(0);
  const sheet = sheets[chosen];
  if (!sheet) return <p className="p-6 text-muted">{t("viewer.sheet.empty")}</p>;
  return (
    <>
      <div
        role="tablist"
        aria-label={t("viewer.sheet.sheets")}
        className="flex overflow-x-auto border-line border-b bg-sunken px-1"
      >
        {sheets.map(({ name }, index) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: a workbook keeps its sheets
            key={index}
            type="button"
            role="tab"
            aria-selected={index === chosen}
            onClick={() => setChosen(index)}
            className={classes(
              "h-9 shrink-0 whitespace-nowrap border-b-2 px-3 text-[13px] pointer-coarse:h-11",
              index === chosen
                ? "border-accent bg-raised font-medium"
                : "border-transparent text-muted hover:text-text",
            )}
          >
            {name}
          </button>
        ))}
      </div>
      {sheet.rows.length > 0 ? (
        <Grid
          key={chosen}
          count={sheet.rows.length}
          rowAt={(index) => sheet.rows[index]}
          sample={sheet.rows}
          label={t("viewer.table.of", { name: sheet.name })}
          headed={false}
          cut={sheet.cut}
        />
      ) : (
        <p className="min-h-64 p-6 text-muted">{t("viewer.sheet.empty")}</p>
      )}
    </>
  );
}
