import FileX from "lucide-react/icons/file-x";
import ShieldOff from "lucide-react/icons/shield-off";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { type Problem, sentenceOf } from "../../preview/sealed/unlocked.ts";
import { Button } from "../../ui/button.tsx";
import { CentredCard } from "../../ui/card.tsx";
import { FileShapes } from "../../ui/share-gate/file-shapes.tsx";
import type { OpenSealed } from "./source.ts";
import { Tools } from "./tools.tsx";

/** In place of a sealed share on a page without WebCrypto, which came over plain http. Nothing was asked for and no view spent. */
export function NoCrypto({ slug }: { readonly slug: string }) {
  useLanguage();
  return (
    <CentredCard icon={<ShieldOff aria-hidden />} title={t("sealed.noCrypto.title")}>
      <p role="alert" className="mb-4 text-muted">
        {t("sealed.noCrypto.text")}
      </p>
      <Tools slug={slug} open />
    </CentredCard>
  );
}

interface UnopenedProps {
  readonly slug: string;
  readonly share: OpenSealed;
  readonly problem: Problem;
  readonly onRetry: () => void;
}

/** In place of a sealed share that cannot be opened, although its key may be right. */
export function Unopened({ slug, share, problem, onRetry }: UnopenedProps) {
  useLanguage();
  return (
    <CentredCard icon={<FileX aria-hidden />} title={t("share.gate.failedTitle")}>
      <p role="alert" className="mb-4 text-muted">
        {sentenceOf(problem)}
      </p>
      {problem === "unreachable" ? (
        <Button variant="primary" onClick={onRetry}>
          {t("share.gate.retry")}
        </Button>
      ) : (
        <Tools slug={slug} share={share} />
      )}
    </CentredCard>
  );
}

/** The page before it is known what is in it. */
export function SealedSkeleton() {
  useLanguage();
  return (
    <div role="status" aria-label={t("share.gate.loading")} className="grid flex-1">
      <FileShapes />
    </div>
  );
}
