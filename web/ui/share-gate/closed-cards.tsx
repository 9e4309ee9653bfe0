import CloudOff from "lucide-react/icons/cloud-off";
import Hourglass from "lucide-react/icons/hourglass";
import SearchX from "lucide-react/icons/search-x";
import type { ReactNode } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useCode } from "../../page/code.ts";
import { Button, ButtonLink } from "../button.tsx";
import { CentredCard } from "../card.tsx";
import type { Refusal } from "./opening.ts";

interface FailedCardProps {
  readonly failure: Refusal;
  readonly onRetry: () => void;
}

/** Shown in place of a share that cannot be opened: what happened, and what to do next. */
export function FailedCard({ failure, onRetry }: FailedCardProps) {
  useLanguage();
  if (failure.code === "share.gone") return <Gone />;
  if (failure.status === 404) {
    return (
      <DeadEnd icon={<SearchX aria-hidden />} title={t("share.gate.missingTitle")} text={t("share.gate.missingText")} />
    );
  }
  return (
    <CentredCard icon={<CloudOff aria-hidden />} title={t("share.gate.failedTitle")}>
      <p role="alert" className="mb-5 text-muted">
        {failure.message}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onRetry}>
          {t("share.gate.retry")}
        </Button>
        <ButtonLink to="/">{t("share.gate.home")}</ButtonLink>
      </div>
    </CentredCard>
  );
}

/** What there is to say of a share that is gone; the words to ask for another one load when they are wanted. */
function Gone() {
  useLanguage();
  const { data } = useCode("asking for another link", () => import("./gone-card.tsx"));
  if (data) return <data.GoneCard />;
  return <DeadEnd icon={<Hourglass aria-hidden />} title={t("share.gate.goneTitle")} text={t("share.gate.goneText")} />;
}

interface DeadEndProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
}

/** Shown when the link can never open again: says why, and links to the home page. */
export function DeadEnd({ icon, title, text }: DeadEndProps) {
  useLanguage();
  return (
    <CentredCard icon={icon} title={title}>
      <p role="alert" className="mb-5 text-muted">
        {text}
      </p>
      <ButtonLink to="/" variant="primary">
        {t("share.gate.home")}
      </ButtonLink>
    </CentredCard>
  );
}
