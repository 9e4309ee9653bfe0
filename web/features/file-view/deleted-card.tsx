import CircleCheck from "lucide-react/icons/circle-check";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { CentredCard } from "../../ui/card.tsx";

/** In the place of a file that its owner has just deleted: it is done, and here is the way on. */
export function DeletedCard({ filename }: { readonly filename: string }) {
  useLanguage();
  return (
    <CentredCard icon={<CircleCheck aria-hidden />} title={t("file.removed.title")}>
      <p role="status" className="wrap-anywhere mb-5 text-muted">
        {t("file.removed.text", { name: shownName(filename) })}
      </p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/upload" variant="primary">
          {t("file.removed.upload")}
        </ButtonLink>
        <ButtonLink to="/">{t("share.gate.home")}</ButtonLink>
      </div>
    </CentredCard>
  );
}
