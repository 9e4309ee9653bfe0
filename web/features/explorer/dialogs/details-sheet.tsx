import type { ComponentProps } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Sheet } from "../../../ui/dialog.tsx";
import { Details } from "./details.tsx";

interface DetailsSheetProps extends ComponentProps<typeof Details> {
  readonly onClose: () => void;
}

/** What is known of entries, where there is no room for it beside the list. */
export function DetailsSheet({ onClose, ...about }: DetailsSheetProps) {
  useLanguage();
  return (
    <Sheet title={t("explorer.details.title")} onClose={onClose}>
      <Details {...about} />
    </Sheet>
  );
}
