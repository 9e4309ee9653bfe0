import { t, useLanguage } from "../../../i18n/i18n.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";
import { Button } from "../../../ui/button.tsx";
import type { Desk } from "../desk/desk.ts";
import { Row } from "./row.tsx";

interface RowsProps {
  readonly items: readonly UploadItem[];
  readonly desk: Desk;
  readonly mayUpload: boolean;
}

const ended: readonly UploadItem["state"][] = ["completed", "failed", "aborted"];

/** The files of the list, with what they are together. */
export function Rows({ items, desk, mayUpload }: RowsProps) {
  const language = useLanguage();
  const size = items.reduce((sum, { file }) => sum + file.size, 0);
  const count = items.length === 1 ? t("upload.list.one") : t("upload.list.count", { count: items.length });
  return (
    <>
      <div className="flex min-h-11 items-center gap-1.5 border-line border-t px-4 first:border-t-0 py-1 text-[13px] text-muted">
        <span>{count}</span>
        <span aria-hidden>·</span>
        <span className="mr-auto">{formatBytes(size, language)}</span>
        {items.some(({ state }) => ended.includes(state)) && (
          <Button variant="plain" className="-mr-2 text-[13px]" onClick={desk.uploads.clear}>
            {t("upload.list.clear")}
          </Button>
        )}
      </div>
      <ul aria-label={t("upload.list.label")}>
        {items.map((item) => (
          <Row key={item.id} item={item} desk={desk} mayUpload={mayUpload} />
        ))}
      </ul>
    </>
  );
}
