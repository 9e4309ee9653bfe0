import { t, useLanguage } from "../../i18n/i18n.ts";
import { Card } from "../../ui/card.tsx";
import { FileIcon } from "../../ui/file/file-icon.tsx";
import type { ViewerProps } from "../file/props.ts";
import { OnlineView } from "./online-view.tsx";

/** An office file that no viewer here reads: what it is, and who else could show it. */
export function OfficeViewer({ file, onlineAddress }: ViewerProps) {
  useLanguage();
  return (
    <OnlineView name={file.filename} address={onlineAddress}>
      {(online) => (
        <Card className="grid min-h-64 content-center justify-items-center gap-5 p-6 text-center sm:p-10">
          <div className="grid size-24 place-items-center rounded-2xl bg-accent-soft text-accent">
            <FileIcon type={file.typeName} filename={file.filename} className="size-11" />
          </div>
          <p className="max-w-[46ch] text-balance text-muted">
            {t(onlineAddress ? "viewer.office.unread" : "viewer.office.download")}
          </p>
          {online}
        </Card>
      )}
    </OnlineView>
  );
}
