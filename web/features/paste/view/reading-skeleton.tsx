import { useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { servedPage } from "../../../page/served-page.ts";
import { ServedElement } from "../../../ui/served/served-element.tsx";
import { ReadingShapes } from "./reading-shapes.tsx";

/** The reading page before its text is there: what the server has written of it, else shapes. */
export function ReadingSkeleton() {
  useLanguage();
  const [page] = useState(servedPage);
  if (page) return <ServedElement element={page} />;
  return (
    <div role="status" aria-label={t("share.gate.loading")}>
      <ReadingShapes />
    </div>
  );
}
