import RefreshCw from "lucide-react/icons/refresh-cw";
import { useEffect, useRef, useState } from "react";
import type { StorageConfig } from "#contract/storage";
import { failureText } from "../../../../api/failure.ts";
import { useSetCors, useStorageReport } from "../../../../api/storage-configs.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Button } from "../../../../ui/button.tsx";
import { Skeleton } from "../../../../ui/card.tsx";
import { CopyButton } from "../../../../ui/copy-button.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { Sheet } from "../../../../ui/overlay/dialog.tsx";
import { Connection } from "./connection.tsx";
import { reportText } from "./report-text.ts";
import { Steps } from "./steps.tsx";

interface ReportSheetProps {
  readonly storage: Pick<StorageConfig, "id" | "name">;
  readonly onClose: () => void;
}

/** Tests a storage as it opens, and shows what was found. */
export function ReportSheet({ storage: { id, name }, onClose }: ReportSheetProps) {
  useLanguage();
  const { data, error, isFetching, refetch } = useStorageReport(id);
  const cors = useSetCors();
  const again = useRef<HTMLButtonElement>(null);
  const testAgain = () => {
    // The button that was pressed goes with the report that it stands in.
    again.current?.focus();
    return refetch();
  };
  const setCors = () => cors.mutate(id, { onSuccess: testAgain });
  const found = isFetching ? undefined : data;
  const footer = (
    <Button ref={again} icon={<RefreshCw aria-hidden />} busy={isFetching} onClick={() => refetch()}>
      {t("storage.report.again")}
    </Button>
  );
  return (
    <Sheet title={t("storage.report.title", { name })} onClose={onClose} footer={footer}>
      {isFetching && <Running />}
      {error && !isFetching ? <Notice tone="error">{failureText(error)}</Notice> : null}
      {found && (
        <div className="grid grid-cols-1 gap-5">
          <Notice
            tone={found.report.success ? "ok" : "error"}
            action={<CopyButton iconOnly label={t("storage.report.copy")} text={reportText(name, found)} />}
          >
            {found.summary}
          </Notice>
          <Steps
            steps={found.report.result.steps}
            cors={{ busy: cors.isPending, failure: cors.error ? failureText(cors.error) : undefined, set: setCors }}
          />
          <Connection info={found.report.result.connectionInfo} />
        </div>
      )}
    </Sheet>
  );
}

/** An answer after so many milliseconds is late, and people wonder whether anything happens. */
const LATE = 6000;

/** What is being done meanwhile. */
function Running() {
  useLanguage();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" className="grid gap-4">
      <p role="status" className="text-muted">
        {t(late ? "storage.report.late" : "storage.report.running")}
      </p>
      {["a", "b", "c", "d", "e", "f", "g", "h"].map((step) => (
        <Skeleton key={step} className="h-9" />
      ))}
    </div>
  );
}
