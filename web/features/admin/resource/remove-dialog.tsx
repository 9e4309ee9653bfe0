import type { ReactNode } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import type { Outcome } from "./outcome.tsx";

interface RemoveDialogProps {
  readonly title: string;
  /** What will happen, and what will not. */
  readonly text: string;
  /** Removes and returns what came of it; an error that it throws is shown in the dialog. */
  readonly onRemove: () => Promise<Outcome>;
  readonly onOutcome: (outcome: Outcome) => void;
  readonly onClose: () => void;
  /** What else this removal ends. */
  readonly children?: ReactNode;
}

/** Asks before something is removed. */
export function RemoveDialog({ onRemove, onOutcome, ...dialog }: RemoveDialogProps) {
  useLanguage();
  return (
    <ConfirmDialog
      danger
      confirm={t("admin.list.remove")}
      onConfirm={async () => onOutcome(await onRemove())}
      {...dialog}
    />
  );
}
