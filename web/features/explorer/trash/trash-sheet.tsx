import Folder from "lucide-react/icons/folder";
import Trash2 from "lucide-react/icons/trash-2";
import Undo2 from "lucide-react/icons/undo-2";
import { useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import type { TrashItem } from "#contract/fs/trash";
import { parentOf } from "#contract/paths";
import { failureText } from "../../../api/failure.ts";
import type { Rights } from "../../../api/session/rights.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/card.tsx";
import { FileIcon } from "../../../ui/file/file-icon.tsx";
import { FileName } from "../../../ui/file/file-name.tsx";
import { Instant } from "../../../ui/instant.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ConfirmDialog, Sheet } from "../../../ui/overlay/dialog.tsx";
import { useListFocus } from "../../../ui/use-list-focus.ts";
import { useTrash } from "./use-trash.ts";

const DAY = 24 * 60 * 60_000;

interface TrashSheetProps {
  readonly rights: Rights;
  readonly onClose: () => void;
}

/** What is to go for ever: one thing, or all of it. */
type Asked = TrashItem | "all";

/** What was deleted and can still come back: of a key its own, of the administrator everything. */
export function TrashSheet({ rights, onClose }: TrashSheetProps) {
  useLanguage();
  const trash = useTrash();
  const [asked, setAsked] = useState<Asked>();
  const { items, waiting, error, restore } = trash;
  const mayRemove = rights.may("mount_delete");
  const list = useListFocus();
  const footer = mayRemove && items.length > 0 && (
    <Button className="mr-auto" icon={<Trash2 aria-hidden />} onClick={() => setAsked("all")}>
      {t("trash.empty")}
    </Button>
  );
  return (
    <Sheet title={t("trash.title")} onClose={onClose} footer={footer}>
      <div ref={list} className="grid grid-cols-1 gap-3">
        {error && (
          <Notice tone="error" action={<Retry onRetry={trash.retry} />}>
            {failureText(error)}
          </Notice>
        )}
        {restore.error && <Notice tone="error">{failureText(restore.error)}</Notice>}
        <p role="status" className={restore.data === undefined ? "sr-only" : "wrap-anywhere text-ok"}>
          {restore.data === undefined ? "" : t("trash.restored", { path: restore.data })}
        </p>
        {waiting && <p className="text-muted">{t("trash.loading")}</p>}
        {!waiting && !error && items.length === 0 && (
          <EmptyState icon={<Trash2 aria-hidden />} title={t("trash.emptyTitle")} text={t("trash.emptyText")} />
        )}
        {items.length > 0 && (
          <>
            <p className="text-[13px] text-muted">{t("trash.room")}</p>
            <ul className="-mx-2 divide-y divide-line">
              {items.map((item) => (
                <Row
                  key={item.id}
                  item={item}
                  admin={rights.admin}
                  busy={restore.isPending && restore.variables.id === item.id}
                  onRestore={rights.may("mount_upload") ? () => restore.mutate(item) : undefined}
                  onRemove={mayRemove ? () => setAsked(item) : undefined}
                />
              ))}
            </ul>
          </>
        )}
        {trash.more && (
          <Button variant="plain" busy={trash.arriving} onClick={trash.more}>
            {t("trash.more")}
          </Button>
        )}
      </div>
      {asked && <Question {...{ asked, trash }} admin={rights.admin} onClose={() => setAsked(undefined)} />}
    </Sheet>
  );
}

const Retry = ({ onRetry }: { readonly onRetry: () => void }) => (
  <Button variant="plain" className="-my-1.5 -mr-2" onClick={onRetry}>
    {t("shell.actions.retry")}
  </Button>
);

interface QuestionProps {
  readonly asked: Asked;
  readonly trash: ReturnType<typeof useTrash>;
  readonly admin: boolean;
  readonly onClose: () => void;
}

/** Asks before something goes for ever. */
function Question({ asked, trash, admin, onClose }: QuestionProps) {
  useLanguage();
  if (asked === "all")
    return (
      <ConfirmDialog
        danger
        title={t("trash.emptyQuestion")}
        text={t(admin ? "trash.emptyAll" : "trash.emptyOwn")}
        confirm={t("trash.empty")}
        onConfirm={trash.empty}
        onClose={onClose}
      />
    );
  return (
    <ConfirmDialog
      danger
      title={t("trash.removeTitle", { name: shownName(asked.name) })}
      text={t("trash.removeText")}
      confirm={t("trash.remove")}
      onConfirm={() => trash.remove(asked)}
      onClose={onClose}
    />
  );
}

interface RowProps {
  readonly item: TrashItem;
  readonly admin: boolean;
  readonly busy: boolean;
  /** Undefined for who may not. */
  readonly onRestore: (() => void) | undefined;
  readonly onRemove: (() => void) | undefined;
}

function Row({ item, admin, busy, onRestore, onRemove }: RowProps) {
  const language = useLanguage();
  const name = shownName(item.name);
  return (
    <li className="flex items-center gap-2.5 px-2 py-2">
      {item.isDirectory ? (
        <Folder aria-hidden className="size-[18px] shrink-0 fill-accent-soft text-accent" />
      ) : (
        <FileIcon type={item.typeName} filename={item.name} className="size-[18px] shrink-0 text-muted" />
      )}
      <div className="min-w-0 flex-1">
        <FileName name={item.name} />
        <p className="wrap-anywhere text-[13px] text-muted">{t("trash.from", { folder: parentOf(bare(item.path)) })}</p>
        <p className="text-[13px] text-muted tabular-nums">
          {item.size === null ? null : `${formatBytes(item.size, language)} · `}
          <Instant at={item.deleted_at} />
          {` · ${leftOf(item)}`}
          {admin && item.deleted_by !== "admin" ? ` · ${t("trash.by", { name: ownerOf(item) })}` : null}
        </p>
      </div>
      {onRestore && (
        <Button
          variant="quiet"
          busy={busy}
          icon={<Undo2 aria-hidden />}
          aria-label={t("trash.restoreOne", { name })}
          title={t("trash.restore")}
          onClick={onRestore}
        >
          <span className="max-sm:sr-only">{t("trash.restore")}</span>
        </Button>
      )}
      {onRemove && (
        <IconButton label={t("trash.removeOne", { name })} title={t("trash.remove")} onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      )}
    </li>
  );
}

/** How long it can still come back. */
function leftOf({ purge_at }: TrashItem): string {
  const days = (Date.parse(purge_at) - Date.now()) / DAY;
  return days < 1 ? t("trash.leftToday") : t("trash.left", { count: Math.ceil(days) });
}

const ownerOf = ({ deleted_by }: TrashItem): string => deleted_by.replace(/^apikey:/, "");
