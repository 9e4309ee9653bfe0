import { t, useLanguage } from "../../i18n/i18n.ts";
import { ConfirmDialog } from "../../ui/overlay/dialog.tsx";

interface StopDialogProps {
  readonly title: string;
  readonly onStop: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before bytes that have arrived are thrown away. */
export function StopDialog({ title, onStop, onClose }: StopDialogProps) {
  useLanguage();
  return (
    <ConfirmDialog
      danger
      title={title}
      text={t("upload.stop.text")}
      confirm={t("upload.stop.stop")}
      cancel={t("upload.stop.keep")}
      onConfirm={onStop}
      onClose={onClose}
    />
  );
}
