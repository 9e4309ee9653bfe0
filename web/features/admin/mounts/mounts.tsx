import FolderTree from "lucide-react/icons/folder-tree";
import { useState } from "react";
import type { MountRecord } from "#contract/mounts";
import { within } from "#contract/paths";
import { failureText } from "../../../api/failure.ts";
import { useKeys } from "../../../api/keys.ts";
import { useMounts, useRemoveMount, useSwitchMount } from "../../../api/mounts.ts";
import { useStorages } from "../../../api/upload-storages.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Notice } from "../../../ui/notice.tsx";
import { CardPage } from "../resource/card-page.tsx";
import type { Outcome } from "../resource/outcome.tsx";
import { RemoveDialog } from "../resource/remove-dialog.tsx";
import { MountForm } from "./form/mount-form.tsx";
import { MountCard } from "./mount-card.tsx";

/** The form or dialog over the list. */
type Open = { readonly verb: "add" } | { readonly verb: "edit" | "remove"; readonly mount: MountRecord };

const textsOf = ({ name, mount_path: path, remark, storage_config_name: storage }: MountRecord) => [
  name,
  path,
  remark,
  storage,
];

/** The places of storages in the tree: the administrator adds them, switches them on and off, changes and removes them. */
export function Mounts() {
  useLanguage();
  const list = useMounts();
  const { mutateAsync: turn } = useSwitchMount();
  const [open, setOpen] = useState<Open>();
  const [outcome, setOutcome] = useState<Outcome>();
  const switchTo = async (id: string, active: boolean) => {
    try {
      await turn({ id, active });
      const sentence = t(active ? "mount.notice.enabled" : "mount.notice.disabled");
      setOutcome({ id, tone: "ok", sentence, next: [{ label: "mount.card.undo", run: () => switchTo(id, !active) }] });
    } catch (error) {
      setOutcome({ id, tone: "error", sentence: failureText(error) });
    }
  };
  return (
    <>
      <CardPage
        resource="mount"
        icon={<FolderTree aria-hidden />}
        list={list}
        textsOf={textsOf}
        onAdd={() => setOpen({ verb: "add" })}
        outcome={outcome}
        card={(mount, itsOutcome) => (
          <MountCard
            mount={mount}
            outcome={itsOutcome}
            onEdit={() => setOpen({ verb: "edit", mount })}
            onRemove={() => setOpen({ verb: "remove", mount })}
            onSwitch={() => switchTo(mount.id, mount.is_active !== 1)}
          />
        )}
      />
      {open && <Dialogs open={open} onClose={() => setOpen(undefined)} onOutcome={setOutcome} />}
    </>
  );
}

interface DialogsProps {
  readonly open: Open;
  readonly onClose: () => void;
  readonly onOutcome: (outcome: Outcome) => void;
}

function Dialogs({ open, onClose, onOutcome }: DialogsProps) {
  useLanguage();
  const { data: storages } = useStorages(true);
  if (open.verb === "remove") return <RemoveMount mount={open.mount} onClose={onClose} onOutcome={onOutcome} />;
  if (!storages) return null;
  const saved = ({ id }: Pick<MountRecord, "id">) => {
    onOutcome({ id, tone: "ok", sentence: t(open.verb === "add" ? "mount.notice.added" : "mount.notice.saved") });
    onClose();
  };
  return (
    <MountForm
      {...(open.verb === "edit" && { mount: open.mount })}
      storages={storages}
      onSaved={saved}
      onClose={onClose}
    />
  );
}

interface RemoveMountProps extends Omit<DialogsProps, "open"> {
  readonly mount: MountRecord;
}

/** Asks before a mount leaves the tree. */
function RemoveMount({ mount: { id, name, mount_path: path }, ...dialog }: RemoveMountProps) {
  const { mutateAsync: remove } = useRemoveMount();
  const { data: keys = [] } = useKeys();
  const bound = keys.filter(({ basic_path: base }) => within(path, base));
  return (
    <RemoveDialog
      title={t("mount.remove.title", { name })}
      text={t("mount.remove.text", { path })}
      onRemove={async () => {
        await remove(id);
        return { tone: "ok", sentence: t("mount.notice.removed", { name }) };
      }}
      {...dialog}
    >
      {bound.length > 0 && (
        <Notice tone="plain" className="mt-4">
          {t("mount.remove.keys", { names: bound.map((key) => key.name).join(", ") })}
        </Notice>
      )}
    </RemoveDialog>
  );
}
