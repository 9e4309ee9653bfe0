import History from "lucide-react/icons/history";
import { useEffect, useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import type { Language } from "#contract/languages";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { useStore } from "../../../lib/store.ts";
import type { UnfinishedUpload, Uploads } from "../../../transfer/uploads.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import { begunText } from "../state/begun-text.ts";

/** Tells of uploads that an earlier visit did not finish, and how they go on. */
export function UnfinishedUploads({ uploads }: { readonly uploads: Uploads }) {
  const language = useLanguage();
  const unfinished = useStore(uploads.unfinished);
  const [leaving, setLeaving] = useState<UnfinishedUpload>();
  useEffect(() => void uploads.recall(), [uploads]);
  return (
    <>
      {unfinished.map((upload) => (
        <div
          key={upload.key}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-3 text-[13px] text-muted"
        >
          <History aria-hidden className="size-[18px] shrink-0" />
          <p className="min-w-0 flex-1 basis-56 wrap-anywhere">{unfinishedText(upload, language)}</p>
          <Button variant="plain" className="-my-1 -mr-2" onClick={() => setLeaving(upload)}>
            {t("upload.unfinished.discard")}
          </Button>
        </div>
      ))}
      {leaving && (
        <ConfirmDialog
          danger
          title={t("upload.unfinished.discardTitle", { name: shownName(leaving.name) })}
          text={t("upload.stop.text")}
          confirm={t("upload.unfinished.discard")}
          onConfirm={() => uploads.discard(leaving.key)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}

function unfinishedText({ name, size, sent, begun }: UnfinishedUpload, language: Language): string {
  const facts = { name: shownName(name), size: formatBytes(size, language), sent: formatBytes(sent, language) };
  if (!begun) return t("upload.unfinished.one", facts);
  return t("upload.unfinished.begun", { ...facts, options: begunText(begun, language) });
}
