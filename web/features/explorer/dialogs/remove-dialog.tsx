import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import { fs } from "#contract/fs/fs";
import { MAX_BATCH } from "#contract/limits";
import { call } from "../../../api/call.ts";
import { useRights } from "../../../api/session/rights.ts";
import { treeKeys } from "../../../api/tree-query-keys.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { FileName } from "../../../ui/file/file-name.tsx";
import { Checkbox } from "../../../ui/form/field.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import { EntryIcon } from "../folder/entry-parts.tsx";
import { bytesOf, type Entry } from "../model/entry.ts";

/** Entries that are listed; the rest is counted. */
const LISTED = 10;

interface RemoveDialogProps {
  readonly entries: readonly Entry[];
  /** Days that it stays in the trash; 0 where it is gone at once. */
  readonly days: number;
  readonly onRemove: (forever: boolean) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something is deleted: says what goes, and what folders hold. What fails is told in the folder, not here. */
export function RemoveDialog({ entries, days, onRemove, onClose }: RemoveDialogProps) {
  const language = useLanguage();
  const [isForever, setForever] = useState(days === 0);
  const [first] = entries;
  const folders = entries.filter(({ isDirectory }) => isDirectory);
  const title =
    entries.length === 1 && first
      ? t("explorer.remove.titleOne", { name: shownName(first.name) })
      : t("explorer.remove.titleMany", { count: entries.length });
  const held = bytesOf(folders);
  return (
    <ConfirmDialog
      danger={isForever}
      title={title}
      text={isForever ? t("explorer.remove.text") : t("explorer.remove.toTrash", { count: days })}
      confirm={
        isForever
          ? t(days === 0 ? "explorer.command.remove" : "explorer.remove.forever")
          : t("explorer.remove.confirmTrash")
      }
      onConfirm={async () => void onRemove(isForever)}
      onClose={onClose}
    >
      <ul className="mt-3 divide-y divide-line rounded-lg border border-line">
        {entries.slice(0, LISTED).map((entry) => (
          <li key={entry.path} className="flex items-center gap-2.5 px-3 py-2">
            <EntryIcon entry={entry} className="size-[18px] shrink-0" />
            <div className="min-w-0 flex-1">
              <FileName name={entry.name} />
            </div>
            <span className="shrink-0 text-[13px] text-muted tabular-nums">
              {entry.size === undefined ? "–" : formatBytes(entry.size, language)}
            </span>
          </li>
        ))}
        {entries.length > LISTED && (
          <li className="px-3 py-2 text-muted">{t("explorer.remove.more", { count: entries.length - LISTED })}</li>
        )}
      </ul>
      <SharesThatEnd entries={entries} />
      {folders.length > 0 && (
        <p className={isForever ? "mt-3 text-danger" : "mt-3 text-muted"}>
          {held > 0
            ? t("explorer.remove.foldersHold", { count: folders.length, size: formatBytes(held, language) })
            : t("explorer.remove.folders", { count: folders.length })}
        </p>
      )}
      {days > 0 && (
        <div className="mt-3">
          <Checkbox
            label={t("explorer.remove.foreverAtOnce")}
            checked={isForever}
            onChange={(event) => setForever(event.target.checked)}
          />
        </div>
      )}
    </ConfirmDialog>
  );
}

/** Says how many shared links end with what is deleted, to who may know of them. */
function SharesThatEnd({ entries }: Pick<RemoveDialogProps, "entries">) {
  useLanguage();
  const { signedIn } = useRights();
  const paths = entries.slice(0, MAX_BATCH).map(({ path }) => path);
  const { data, error } = useQuery({
    queryKey: treeKeys.shares(paths),
    queryFn: async ({ signal }) => (await call(fs.countShares, { body: { paths }, signal })).data,
    enabled: signedIn,
    // Whoever asks again wants to know what is shared by then.
    gcTime: 0,
  });
  if (error) return <p className="mt-3 text-danger">{t("explorer.remove.sharesUnknown")}</p>;
  if (!data || data.shares === 0) return null;
  const { shares: count } = data;
  const isAll = data.exact && entries.length <= MAX_BATCH;
  return (
    <p role="status" className="mt-3 text-danger">
      {isAll ? t("explorer.remove.shares", { count }) : t("explorer.remove.sharesMany", { count })}
    </p>
  );
}
