import { t, useLanguage } from "../../i18n/i18n.ts";
import { FileShapes } from "./shapes.tsx";

/** The page before its file is there. */
export function FileSkeleton() {
  useLanguage();
  return (
    <div role="status" aria-label={t("share.gate.loading")} className="flex w-full flex-1 flex-col">
      <FileShapes />
    </div>
  );
}
