import Cloud from "lucide-react/icons/cloud";
import HardDrive from "lucide-react/icons/hard-drive";
import Pencil from "lucide-react/icons/pencil";
import ShieldCheck from "lucide-react/icons/shield-check";
import Star from "lucide-react/icons/star";
import Stethoscope from "lucide-react/icons/stethoscope";
import Trash2 from "lucide-react/icons/trash-2";
import { useEffect, useId, useRef } from "react";
import { isBuiltIn } from "#contract/providers";
import type { StorageConfig, StorageUses } from "#contract/storage";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { providerName } from "../../../ui/provider-name.ts";
import { Card } from "../../../ui/surface.tsx";
import { CardFacts } from "./card-facts.tsx";
import type { Outcome, Verb } from "./outcome.ts";
import { Usage } from "./usage.tsx";

interface StorageCardProps {
  readonly storage: StorageConfig;
  readonly uses: StorageUses | undefined;
  /** What came of the last action, when it was about this storage. */
  readonly outcome: Outcome | undefined;
  readonly onVerb: (verb: Verb) => void;
  readonly onDefault: () => void;
}

/** One storage: what it is, how full it is, where it is, and what can be done with it. */
export function StorageCard({ storage, uses, outcome, onVerb, onDefault }: StorageCardProps) {
  useLanguage();
  const title = useId();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!outcome) return;
    // A new storage may stand anywhere in the list.
    card.current?.scrollIntoView({ block: "nearest" });
    // The button that makes it the default goes when it is.
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, [outcome]);
  return (
    <Card ref={card} tabIndex={-1} aria-labelledby={title} className="flex h-full flex-col">
      <div className="grid flex-1 content-start gap-4 p-4">
        <Heading storage={storage} id={title} />
        <Usage storage={storage} />
        <CardFacts storage={storage} uses={uses} />
        {outcome && <OutcomeNotice outcome={outcome} onTest={() => onVerb("test")} />}
      </div>
      <Actions storage={storage} onVerb={onVerb} onDefault={onDefault} />
    </Card>
  );
}

interface HeadingProps {
  readonly storage: StorageConfig;
  readonly id: string;
}

function Heading({ storage, id }: HeadingProps) {
  const Icon = isBuiltIn(storage) ? HardDrive : Cloud;
  return (
    <div className="flex items-start gap-3">
      <div className="grid size-9 shrink-0 place-items-center rounded-lg bg-sunken text-muted [&_svg]:size-[18px]">
        <Icon aria-hidden />
      </div>
      <div className="min-w-0 flex-1">
        <h2 id={id} className="wrap-anywhere font-semibold leading-snug">
          {storage.name}
        </h2>
        <p className="text-[13px] text-muted">{providerName(storage.provider_type)}</p>
      </div>
      {storage.is_default === 1 && (
        <span className="shrink-0 rounded-full bg-accent-soft px-2.5 py-0.5 font-medium text-accent text-xs">
          {t("storage.card.default")}
        </span>
      )}
    </div>
  );
}

interface OutcomeNoticeProps {
  readonly outcome: Outcome;
  readonly onTest: () => void;
}

const OutcomeNotice = ({ outcome: { tone, sentence, offersTest }, onTest }: OutcomeNoticeProps) => (
  <Notice tone={tone} action={offersTest && <Button onClick={onTest}>{t("storage.card.testNow")}</Button>}>
    {sentence}
  </Notice>
);

function Actions({ storage, onVerb, onDefault }: Omit<StorageCardProps, "outcome" | "uses">) {
  return (
    <div className="flex items-center border-line border-t px-2 py-1.5">
      <Button variant="plain" icon={<Stethoscope aria-hidden />} className="mr-auto" onClick={() => onVerb("test")}>
        {t("storage.card.test")}
      </Button>
      {storage.is_default === 1 ? null : (
        <IconButton label={t("storage.card.setDefault")} onClick={onDefault}>
          <Star aria-hidden />
        </IconButton>
      )}
      {isBuiltIn(storage) ? null : (
        <IconButton label={t("storage.card.cors")} onClick={() => onVerb("cors")}>
          <ShieldCheck aria-hidden />
        </IconButton>
      )}
      <IconButton label={t("storage.card.edit")} onClick={() => onVerb("edit")}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton tone="danger" label={t("storage.card.remove")} onClick={() => onVerb("remove")}>
        <Trash2 aria-hidden />
      </IconButton>
    </div>
  );
}
