import type { StorageConfig } from "#contract/storage";
import { useRemoveStorage, useSetCors } from "../../../api/storage-configs.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
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

/** Asks before a storage is forgotten; what still uses it is said here. */
function RemoveDialog({ storage: { id, name }, onClose, onTell }: QuestionProps) {
  const { mutateAsync: remove } = useRemoveStorage();
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
