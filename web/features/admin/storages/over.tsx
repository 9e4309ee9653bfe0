import type { StorageConfig, StorageUses } from "#contract/storage";
import { useRemoveStorage, useSetCors, useStorageUses } from "../../../api/storage-configs.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../../../ui/dialog.tsx";
import { EditStorageSheet, NewStorageSheet } from "./form/sheets.tsx";
import type { Outcome, Verb } from "./outcome.ts";
import { ReportSheet } from "./report/report-sheet.tsx";

/** What lies over the list at the moment. */
export type Open = { readonly verb: "add" } | { readonly verb: Verb; readonly storage: StorageConfig };

interface OverProps {
  readonly open: Open;
  readonly onClose: () => void;
  readonly onTell: (outcome: Outcome) => void;
}

/** The dialog or sheet over the list. */
export function Over({ open, onClose, onTell }: OverProps) {
  useLanguage();
  if (open.verb === "add") {
    const added = ({ id }: StorageConfig) =>
      onTell({ id, tone: "ok", sentence: t("storage.told.added"), offersTest: true });
    return <NewStorageSheet onAdded={added} onClose={onClose} />;
  }
  const { verb, storage } = open;
  if (verb === "test") return <ReportSheet storage={storage} onClose={onClose} />;
  if (verb === "cors") return <CorsDialog storage={storage} onClose={onClose} onTell={onTell} />;
  if (verb === "remove") return <RemoveDialog storage={storage} onClose={onClose} onTell={onTell} />;
  const saved = () => onTell({ id: storage.id, tone: "ok", sentence: t("storage.told.saved"), offersTest: true });
  return <EditStorageSheet storage={storage} onSaved={saved} onClose={onClose} />;
}

interface QuestionProps {
  readonly storage: StorageConfig;
  readonly onClose: () => void;
  readonly onTell: (outcome: Outcome) => void;
}

/** Asks before the rules of a bucket are replaced. */
function CorsDialog({ storage: { id, name }, onClose, onTell }: QuestionProps) {
  const { mutateAsync: setCors } = useSetCors();
  const { origin } = window.location;
  return (
    <ConfirmDialog
      title={t("storage.cors.title", { name })}
      text={t("storage.cors.text", { origin })}
      confirm={t("storage.cors.confirm")}
      onConfirm={async () => {
        await setCors(id);
        onTell({ id, tone: "ok", sentence: t("storage.told.cors", { origin }), offersTest: true });
      }}
      onClose={onClose}
    />
  );
}

/** Asks before a storage is forgotten, unless something uses it: then it says what that is. */
function RemoveDialog({ storage: { id, name }, onClose, onTell }: QuestionProps) {
  const { mutateAsync: remove } = useRemoveStorage();
  const uses = useStorageUses().data?.find((one) => one.id === id);
  if (uses && uses.files + uses.mounts.length > 0) return <InUseDialog name={name} uses={uses} onClose={onClose} />;
  return (
    <ConfirmDialog
      danger
      title={t("storage.remove.title", { name })}
      text={t("storage.remove.text")}
      confirm={t("storage.card.remove")}
      onConfirm={async () => {
        await remove(id);
        onTell({ id: undefined, tone: "ok", sentence: t("storage.told.removed", { name }) });
      }}
      onClose={onClose}
    />
  );
}

interface InUseProps {
  readonly name: string;
  readonly uses: StorageUses;
  readonly onClose: () => void;
}

/** Why a storage stays, and where to change that. */
function InUseDialog({ name, uses: { mounts, files }, onClose }: InUseProps) {
  // On a phone they fill their lines: in some languages they need two.
  const footer = (
    <div className="contents max-sm:*:grow">
      {files > 0 && <ButtonLink to="/admin/file-management">{t("storage.inUse.files")}</ButtonLink>}
      {mounts.length > 0 && <ButtonLink to="/admin/mount-management">{t("storage.inUse.mounts")}</ButtonLink>}
      <Button variant="primary" onClick={onClose} data-autofocus>
        {t("shell.actions.close")}
      </Button>
    </div>
  );
  return (
    <Dialog title={t("storage.inUse.title", { name })} onClose={onClose} footer={footer}>
      <p className="text-muted">{t("storage.inUse.text")}</p>
      <ul className="mt-4 divide-y divide-line rounded-lg border border-line text-sm">
        {mounts.map(({ id, name: mount, path }) => (
          <li key={id} className="flex flex-wrap items-baseline justify-between gap-x-4 px-3.5 py-2.5">
            <span className="wrap-anywhere font-medium">{mount}</span>
            <span className="wrap-anywhere font-mono text-[13px] text-muted">{path}</span>
          </li>
        ))}
        {files > 0 && <li className="px-3.5 py-2.5">{t("storage.card.shares", { count: files })}</li>}
      </ul>
    </Dialog>
  );
}
