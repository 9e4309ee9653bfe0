import type { KeyRecord } from "#contract/keys";
import { failureText, isFailure } from "../../../api/failure.ts";
import { useRemoveKey } from "../../../api/keys.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import type { Outcome } from "../resource/outcome.tsx";
import { RemoveDialog } from "../resource/remove-dialog.tsx";
import { ConnectSheet, type FreshKey } from "./connect-sheet.tsx";
import { KeyForm } from "./form/key-form.tsx";

/** The form or dialog over the list. */
export type Open =
  | { readonly verb: "add" }
  | { readonly verb: "edit"; readonly key: KeyRecord }
  /** The key in full and how it is used; `fresh` right after it was made, with what became of copying it. */
  | { readonly verb: "connect"; readonly key: KeyRecord; readonly fresh?: FreshKey }
  | { readonly verb: "remove"; readonly keys: readonly KeyRecord[] };

interface DialogsProps {
  readonly open: Open;
  readonly onOpen: (open: Open) => void;
  readonly onOutcome: (outcome: Outcome) => void;
  readonly onClose: () => void;
}

/** The form or dialog over the list. */
export function Dialogs({ open, onOpen, onOutcome, onClose }: DialogsProps) {
  useLanguage();
  if (open.verb === "connect") return <ConnectSheet record={open.key} fresh={open.fresh} onClose={onClose} />;
  if (open.verb === "remove") return <RemoveKeys keys={open.keys} onOutcome={onOutcome} onClose={onClose} />;
  const saved = (key: KeyRecord) => {
    onOutcome({ tone: "ok", sentence: t("admin.keys.saved", { name: key.name }) });
    onClose();
  };
  return (
    <KeyForm
      {...(open.verb === "edit" && { record: open.key })}
      onAdded={(key, copied) => onOpen({ verb: "connect", key, fresh: { copied } })}
      onSaved={saved}
      onClose={onClose}
    />
  );
}

interface RemoveKeysProps extends Pick<DialogsProps, "onOutcome" | "onClose"> {
  readonly keys: readonly KeyRecord[];
}

/** Asks before keys stop working, and says whose work that ends. */
function RemoveKeys({ keys, ...dialog }: RemoveKeysProps) {
  const { mutateAsync: remove } = useRemoveKey();
  const [only] = keys;
  const run = async () => {
    const failed: { readonly id: string; readonly reason: string }[] = [];
    for (const { id } of keys) {
      try {
        await remove(id);
      } catch (error) {
        // It is gone already, which was the aim.
        if (!isFailure(error, "key.missing")) failed.push({ id, reason: failureText(error) });
      }
    }
    return outcomeOf(keys.length - failed.length, failed);
  };
  return (
    <RemoveDialog
      title={
        only && keys.length === 1
          ? t("admin.keys.remove.title", { name: only.name })
          : t("admin.keys.remove.titleMany", { count: keys.length })
      }
      text={t("admin.keys.remove.text")}
      onRemove={run}
      {...dialog}
    >
      {keys.some(({ is_guest }) => is_guest === 1) && (
        <p className="mt-3 text-danger">{t("admin.keys.remove.guest")}</p>
      )}
    </RemoveDialog>
  );
}

function outcomeOf(count: number, failed: readonly { readonly id: string; readonly reason: string }[]): Outcome {
  const [first] = failed;
  if (!first) return { tone: "ok", sentence: t("admin.list.removed", { count }) };
  const sentence = t("admin.keys.remove.failed", { count: failed.length, reason: first.reason });
  return { tone: "error", sentence, left: failed.map(({ id }) => id) };
}
