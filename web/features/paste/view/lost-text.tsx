import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/card.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ServedElement } from "../../../ui/served/served-element.tsx";

interface LostTextProps {
  /** Why what shows the text did not arrive; without it, it is on its way. */
  readonly error: Error | null;
  /** The text as the server has written it. */
  readonly served: Element | undefined;
  readonly onRetry: () => void;
}

/** Stands in the place of a text until what shows it is here. */
export function LostText({ error, served, onRetry }: LostTextProps) {
  useLanguage();
  if (!error) return served ? <ServedElement element={served} /> : <Skeleton className="h-40 w-full" />;
  return (
    <Notice tone="error" action={<Button onClick={onRetry}>{t("shell.actions.retry")}</Button>}>
      {t("shell.lazy.text")}
    </Notice>
  );
}
