import ShieldCheck from "lucide-react/icons/shield-check";
import { failureText } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Card } from "../../../ui/card.tsx";
import { ComparedLetters } from "../../../ui/link-form/compared-letters.tsx";
import { FailedNotice, Notice } from "../../../ui/notice.tsx";
import type { useRecipient } from "./use-recipient.ts";

/** Says that files are sealed before they leave this page, and for whom; or why none can be sent. */
export function SealedNotice({ sealing }: { readonly sealing: ReturnType<typeof useRecipient> }) {
  useLanguage();
  switch (sealing.state) {
    case "none":
    case "checking":
      return null;
    case "failed":
      return <FailedNotice text={failureText(sealing.error)} onRetry={sealing.again} />;
    case "ready":
      return (
        <Card className="grid gap-1.5 p-4">
          <p className="flex items-center gap-2 font-medium">
            <ShieldCheck aria-hidden className="size-5 shrink-0 text-ok" />
            {t("link.sealed.title")}
          </p>
          <p className="text-[13px] text-muted">{t("link.sealed.text")}</p>
          <ComparedLetters letters={sealing.letters} />
        </Card>
      );
    default:
      return <Notice tone="error">{t(`link.sealed.${sealing.state}`)}</Notice>;
  }
}
