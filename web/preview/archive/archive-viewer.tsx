import { useMemo } from "react";
import { archiveFormat, archiveStem } from "#contract/archive/formats";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Card } from "../../ui/card.tsx";
import type { ViewerProps } from "../file/props.ts";
import { WorkerResult } from "../file/worker-result.tsx";
import type { ArchiveList, ArchiveTask } from "./archive.ts";
import workerAddress from "./archive.worker.ts?worker";
import { ArchiveBrowser } from "./archive-browser.tsx";

/** What is in an archive, to walk through; single files can be opened and taken out of it. Of a ZIP only its list travels, and what is taken. */
export function ArchiveViewer({ file: { filename }, read, level = 0, Inner, takeOut }: ViewerProps) {
  useLanguage();
  const task = useMemo<ArchiveTask>(
    () => ({ address: read, packing: archiveFormat(filename) ?? "zip", stem: archiveStem(filename) }),
    [read, filename],
  );
  return (
    <WorkerResult<ArchiveList> address={workerAddress} message={task}>
      {(list) =>
        list.entries.length > 0 || list.cut ? (
          <ArchiveBrowser {...{ list, task, level, Inner, takeOut }} name={filename} />
        ) : (
          <Card className="p-6 text-muted">{t("viewer.archive.empty")}</Card>
        )
      }
    </WorkerResult>
  );
}
