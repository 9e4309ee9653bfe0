import { useMemo, useRef } from "react";
import { formatBytes } from "#contract/format-bytes";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";
import { Button } from "../../../ui/button.tsx";
import { gapStyle, useWindowed } from "../../../ui/use-windowed.ts";
import type { UploadPageState } from "../state/upload-state.ts";
import { Row } from "./row.tsx";

interface RowsProps {
  readonly items: readonly UploadItem[];
  readonly uploadState: UploadPageState;
  readonly mayUpload: boolean;
}

const ended: readonly UploadItem["state"][] = ["completed", "failed", "aborted"];

/** The files of the list, with what they are together. */
export function Rows({ items, uploadState, mayUpload }: RowsProps) {
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
          <Button variant="plain" className="-mr-2 text-[13px]" onClick={uploadState.uploads.clear}>
            {t("upload.list.clear")}
          </Button>
        )}
      </div>
      <List items={items} uploadState={uploadState} mayUpload={mayUpload} />
    </>
  );
}

/** Pixels of a row that has not been drawn yet, as most are. */
const ROW = 65;

/** The rows near the screen; a thousand at once would hold the page for seconds. */
function List({ items, uploadState, mayUpload }: RowsProps) {
  useLanguage();
  const list = useRef<HTMLUListElement>(null);
  const ids = useMemo(() => items.map(({ id }) => id), [items]);
  const { pieces, events } = useWindowed(list, ids, ROW);
  return (
    <ul ref={list} aria-label={t("upload.list.label")} {...events}>
      {pieces.map((piece) => {
        if (piece.kind === "gap") return <li key={`gap ${piece.before}`} aria-hidden style={gapStyle(piece.height)} />;
        const item = items[piece.index];
        const place = { at: piece.index + 1, of: items.length };
        return item && <Row key={item.id} item={item} {...place} uploadState={uploadState} mayUpload={mayUpload} />;
      })}
    </ul>
  );
}
