import { useMemo } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Card } from "../../ui/surface.tsx";
import type { ViewerProps } from "../file/props.ts";
import { WorkerResult } from "../file/worker-result.tsx";
import type { ArchiveList } from "./archive.ts";
import workerAddress from "./archive.worker.ts?worker";
import { ArchiveTable } from "./archive-table.tsx";

/** What is in a ZIP archive; single files can be taken out of it. Only its list travels, and what is taken. */
export function ArchiveViewer({ file, read }: ViewerProps) {
  useLanguage();
  const task = useMemo(() => ({ address: read }), [read]);
  return (
    <WorkerResult<ArchiveList> address={workerAddress} message={task}>
      {(list) =>
        list.entries.length > 0 ? (
          <ArchiveTable list={list} address={read} name={file.filename} />
        ) : (
          <Card className="p-6 text-muted">{t("viewer.archive.empty")}</Card>
        )
      }
    </WorkerResult>
  );
}
