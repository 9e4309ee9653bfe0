import { useNavigate } from "react-router-dom";
import type { StorageConfig, StorageUses } from "#contract/storage";
import { useMounts } from "../../../api/mounts.ts";
import { useRemoveStorage, useSetCors, useStorageConfigs, useStorageUses } from "../../../api/storage-configs.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { explorerAt } from "../../../lib/explorer-address.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { ConfirmDialog, Dialog } from "../../../ui/overlay/dialog.tsx";
import { proposedMount } from "../mounts/form/form-values.ts";
import { MountForm } from "../mounts/form/mount-form.tsx";
import type { Outcome } from "../resource/outcome.tsx";
import { RemoveDialog } from "../resource/remove-dialog.tsx";
import { StorageForm } from "./form/storage-form.tsx";
import { ReportSheet } from "./report/report-sheet.tsx";
import type { Verb } from "./storage-card.tsx";

type Named = Pick<StorageConfig, "id" | "name">;

/** The form or dialog over the list. */
export type Open =
  | { readonly verb: "add" }
  | { readonly verb: "test" | "mount"; readonly storage: Named }
  | { readonly verb: Exclude<Verb, "test" | "mount">; readonly storage: StorageConfig };

interface DialogsProps {
  readonly open: Open;
  readonly onOpen: (open: Open) => void;
  readonly onOutcome: (outcome: Outcome) => void;
  readonly onClose: () => void;
}

/** The form or dialog over the list. */
export function Dialogs({ open, onOpen, onOutcome, onClose }: DialogsProps) {
  useLanguage();
  const toTest = (storage: Named) =>
    ({ label: "storage.card.testNow", run: () => onOpen({ verb: "test", storage }) }) as const;
  const tested = (storage: Named, sentence: string) =>
    onOutcome({ id: storage.id, tone: "ok", sentence, next: [toTest(storage)] });
  if (open.verb === "test") return <ReportSheet storage={open.storage} onClose={onClose} />;
  if (open.verb === "cors") return <CorsDialog storage={open.storage} onDone={tested} onClose={onClose} />;
  if (open.verb === "mount") return <MakeMount storage={open.storage} onOutcome={onOutcome} onClose={onClose} />;
  if (open.verb === "remove") return <RemoveStorage storage={open.storage} onOutcome={onOutcome} onClose={onClose} />;
  const added = (storage: Named) => {
    const toMount = { label: "storage.card.makeMount", run: () => onOpen({ verb: "mount", storage }) } as const;
    const next = [toMount, toTest(storage)];
    onOutcome({ id: storage.id, tone: "ok", sentence: t("storage.notice.added"), next });
  };
  const saved = ({ id, name }: Named) => {
    if (open.verb === "add") added({ id, name });
    else tested({ id, name }, t("storage.notice.saved"));
    onClose();
  };
  return <StorageForm {...(open.verb === "edit" && { storage: open.storage })} onSaved={saved} onClose={onClose} />;
}

interface MakeMountProps extends Pick<DialogsProps, "onOutcome" | "onClose"> {
  readonly storage: Named;
}

/** The form of a mount of this storage, with what is known of it filled in. */
function MakeMount({ storage, onOutcome, onClose }: MakeMountProps) {
  const { data: storages } = useStorageConfigs();
  const { data: mounts } = useMounts();
  const navigate = useNavigate();
  if (!storages || !mounts) return null;
  return (
    <MountForm
      storages={storages}
      proposed={proposedMount(storage, mounts)}
      onSaved={({ mount_path: path }) => {
        const toMount = { label: "storage.card.openMount", run: () => navigate(explorerAt(path)) } as const;
        onOutcome({ id: storage.id, tone: "ok", sentence: t("storage.notice.mounted", { path }), next: [toMount] });
        onClose();
      }}
      onClose={onClose}
    />
  );
}

interface CorsDialogProps {
  readonly storage: Named;
  readonly onDone: (storage: Named, sentence: string) => void;
  readonly onClose: () => void;
}

/** Asks before the rules of a bucket are replaced. */
function CorsDialog({ storage, onDone, onClose }: CorsDialogProps) {
  const { mutateAsync: setCors } = useSetCors();
  const { origin } = window.location;
  return (
    <ConfirmDialog
      title={t("storage.cors.title", { name: storage.name })}
      text={t("storage.cors.text", { origin })}
      confirm={t("storage.cors.confirm")}
      onConfirm={async () => {
        await setCors(storage.id);
        onDone(storage, t("storage.notice.cors", { origin }));
      }}
      onClose={onClose}
    />
  );
}

interface RemoveStorageProps extends Pick<DialogsProps, "onOutcome" | "onClose"> {
  readonly storage: Named;
}

/** Asks before a storage is forgotten, unless something uses it: then it says what that is. */
function RemoveStorage({ storage: { id, name }, ...dialog }: RemoveStorageProps) {
  const { mutateAsync: remove } = useRemoveStorage();
  const uses = useStorageUses().data?.find((one) => one.id === id);
  if (uses && uses.files + uses.mounts.length > 0)
    return <InUseDialog name={name} uses={uses} onClose={dialog.onClose} />;
  return (
    <RemoveDialog
      title={t("storage.remove.title", { name })}
      text={t("storage.remove.text")}
      onRemove={async () => {
        await remove(id);
        return { tone: "ok", sentence: t("storage.notice.removed", { name }) };
      }}
      {...dialog}
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
