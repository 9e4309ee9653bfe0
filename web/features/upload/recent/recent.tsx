import Files from "lucide-react/icons/files";
import { useRef, useState } from "react";
import type { FileRecord } from "#contract/files";
import { RECENT_UPLOADS } from "#contract/limits";
import { useDeleteFiles, useFileList } from "../../../api/files.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Card, Skeleton } from "../../../ui/card.tsx";
import { shareName } from "../../../ui/file/share-name.ts";
import { FailedNotice } from "../../../ui/notice.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import { useFocusRestore } from "../use-focus-restore.ts";
import { RecentRow } from "./recent-row.tsx";

/** The newest files of this person, with their links at hand. */
export function RecentUploads() {
  useLanguage();
  const { data, isPending, isError, refetch } = useFileList({ limit: RECENT_UPLOADS, offset: 0 });
  const [removing, setRemoving] = useState<FileRecord>();
  const section = useRef<HTMLElement>(null);
  const focus = useFocusRestore(section);
  return (
    <section ref={section} aria-labelledby="recent" {...focus}>
      <h2 id="recent" tabIndex={-1} className="mb-3 font-semibold text-base outline-none">
        {t("upload.recent.title")}
      </h2>
      {isError && <FailedNotice text={t("upload.recent.failed")} onRetry={refetch} />}
      {isPending && <RecentSkeleton />}
      {data?.files.length === 0 && <Nothing />}
      {data && data.files.length > 0 && (
        <Card>
          <ul>
            {data.files.map((file) => (
              <RecentRow key={file.id} file={file} onRemove={() => setRemoving(file)} />
            ))}
          </ul>
        </Card>
      )}
      {removing && <RemoveQuestion file={removing} onClose={() => setRemoving(undefined)} />}
    </section>
  );
}

interface RemoveQuestionProps {
  readonly file: FileRecord;
  readonly onClose: () => void;
}

function RemoveQuestion({ file, onClose }: RemoveQuestionProps) {
  useLanguage();
  const { mutateAsync } = useDeleteFiles();
  const remove = async () => {
    const { failed } = await mutateAsync({ ids: [file.id] });
    if (failed[0]) throw new Error(t("upload.recent.removeFailed", { reason: failed[0].error }));
  };
  return (
    <ConfirmDialog
      danger
      title={t("upload.recent.removeTitle", { name: shareName(file) })}
      text={t("upload.recent.removeText")}
      confirm={t("upload.recent.remove")}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

function Nothing() {
  useLanguage();
  return (
    <Card className="flex items-center gap-3 px-4 py-5 text-muted">
      <Files aria-hidden className="size-5 shrink-0" />
      <p>{t("upload.recent.empty")}</p>
    </Card>
  );
}

const RecentSkeleton = () => (
  <Card aria-busy="true">
    {["a", "b", "c"].map((row) => (
      <div key={row} className="flex h-[66px] items-center gap-3 border-line border-t px-4 first:border-t-0">
        <Skeleton className="size-10 rounded-lg" />
        <div className="grid flex-1 gap-2">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-3 w-3/5" />
        </div>
      </div>
    ))}
  </Card>
);
