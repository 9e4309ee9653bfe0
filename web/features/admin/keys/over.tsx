import type { KeyRecord } from "#contract/keys";
import { failureText, isFailure } from "../../../api/failure.ts";
import { useRemoveKey } from "../../../api/keys.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { ConnectSheet, type FreshKey } from "./connect/connect-sheet.tsx";
import { EditKeySheet, NewKeySheet } from "./form/sheets.tsx";
import type { Outcome } from "./outcome.ts";

/** What lies over the list at the moment. */
export type Open =
  | { readonly verb: "add" }
  | { readonly verb: "edit"; readonly key: KeyRecord }
  /** The key in full and how it is used; `fresh` right after it was made, with what became of copying it. */
  | { readonly verb: "connect"; readonly key: KeyRecord; readonly fresh?: FreshKey }
  | { readonly verb: "remove"; readonly keys: readonly KeyRecord[] };

interface OverProps {
  readonly open: Open;
  readonly onOpen: (open: Open) => void;
  readonly onTell: (outcome: Outcome) => void;
  readonly onClose: () => void;
}

/** The dialog or sheet over the list. */
export function Over({ open, onOpen, onTell, onClose }: OverProps) {
  useLanguage();
  if (open.verb === "add") {
    return (
      <NewKeySheet onAdded={(key, copied) => onOpen({ verb: "connect", key, fresh: { copied } })} onClose={onClose} />
    );
  }
  if (open.verb === "connect") return <ConnectSheet record={open.key} fresh={open.fresh} onClose={onClose} />;
  if (open.verb === "remove") return <RemoveDialog keys={open.keys} onTell={onTell} onClose={onClose} />;
  const saved = () => onTell({ tone: "ok", sentence: t("admin.keys.saved", { name: open.key.name }) });
  return <EditKeySheet record={open.key} onSaved={saved} onClose={onClose} />;
}

interface RemoveProps extends Pick<OverProps, "onTell" | "onClose"> {
  readonly keys: readonly KeyRecord[];
}

/** Asks before keys stop working, and says whose work that ends. */
function RemoveDialog({ keys, onTell, onClose }: RemoveProps) {
  useLanguage();
  const { mutateAsync: remove } = useRemoveKey();
  const [only] = keys;
  const name = keys.length === 1 ? only?.name : undefined;
  const run = async () => {
    const failed: { readonly id: string; readonly why: string }[] = [];
    for (const { id } of keys) {
      try {
        await remove(id);
      } catch (error) {
        // It is gone already, which was the aim.
        if (!isFailure(error, "key.missing")) failed.push({ id, why: failureText(error) });
      }
    }
    onTell(outcomeOf(keys.length - failed.length, failed));
  };
  return (
    <ConfirmDialog
      danger
      title={
        name === undefined
          ? t("admin.keys.remove.titleMany", { count: keys.length })
          : t("admin.keys.remove.title", { name })
      }
      text={t("admin.keys.remove.text")}
      confirm={t("admin.list.remove")}
      onConfirm={run}
      onClose={onClose}
    >
      {keys.some(({ is_guest }) => is_guest === 1) && (
        <p className="mt-3 text-danger">{t("admin.keys.remove.guest")}</p>
      )}
    </ConfirmDialog>
  );
}

function outcomeOf(count: number, failed: readonly { readonly id: string; readonly why: string }[]): Outcome {
  const [first] = failed;
  if (!first) return { tone: "ok", sentence: t("admin.list.removed", { count }) };
  const sentence = t("admin.keys.remove.failed", { count: failed.length, reason: first.why });
  return { tone: "error", sentence, left: failed.map(({ id }) => id) };
}
