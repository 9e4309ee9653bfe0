import { t, useLanguage } from "../../../i18n/i18n.ts";
import { ReadingShapes } from "./reading-shapes.tsx";

/** The reading page before its text is there. */
export function ReadingSkeleton() {
  useLanguage();
  return (
    <div role="status" aria-label={t("share.gate.loading")}>
      <ReadingShapes />
    </div>
  );
}
