import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Sheet } from "../../../ui/overlay/dialog.tsx";

interface SecretSheetProps {
  readonly name: string;
  readonly secret: string;
  /** Whether one before it signs too for a while. */
  readonly rotated: boolean;
  readonly onClose: () => void;
}

/** The secret of a webhook, which is shown this once. */
export function SecretSheet({ name, secret, rotated, onClose }: SecretSheetProps) {
  useLanguage();
  const footer = (
    <Button variant="primary" onClick={onClose}>
      {t("admin.webhooks.secret.done")}
    </Button>
  );
  return (
    <Sheet title={t("admin.webhooks.secret.title", { name })} onClose={onClose} footer={footer}>
      <div className="grid gap-4">
        <Notice tone="plain">{t("admin.webhooks.secret.once")}</Notice>
        <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1 pr-1 pl-3.5">
          <code className="wrap-anywhere min-w-0 flex-1 font-mono text-[13px]">{secret}</code>
          <CopyButton text={secret} label={t("admin.webhooks.secret.copy")} />
        </div>
        <p className="text-[13px] text-muted leading-snug">{t("admin.webhooks.secret.use")}</p>
        {rotated && <p className="text-[13px] text-muted leading-snug">{t("admin.webhooks.secret.rotated")}</p>}
      </div>
    </Sheet>
  );
}
