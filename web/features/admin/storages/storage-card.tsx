import Cloud from "lucide-react/icons/cloud";
import HardDrive from "lucide-react/icons/hard-drive";
import ShieldCheck from "lucide-react/icons/shield-check";
import Star from "lucide-react/icons/star";
import Stethoscope from "lucide-react/icons/stethoscope";
import { isLocal } from "#contract/providers";
import type { StorageConfig, StorageUses } from "#contract/storage";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { providerName } from "../../../ui/provider-name.ts";
import type { Outcome } from "../resource/outcome.tsx";
import { ResourceCard } from "../resource/resource-card.tsx";
import { CardFacts } from "./card-facts.tsx";
import { Usage } from "./usage.tsx";

/** What a button of the card asks for in a sheet or dialog. */
export type Verb = "test" | "cors" | "edit" | "mount" | "remove";

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
  const builtIn = isLocal(storage);
  const isDefault = storage.is_default === 1;
  return (
    <ResourceCard
      icon={builtIn ? <HardDrive aria-hidden /> : <Cloud aria-hidden />}
      name={storage.name}
      about={providerName(storage.provider_type)}
      badge={isDefault ? { tone: "accent", text: t("storage.card.default") } : undefined}
      outcome={outcome}
      onEdit={() => onVerb("edit")}
      onRemove={() => onVerb("remove")}
      actions={
        <>
          <Button variant="plain" icon={<Stethoscope aria-hidden />} className="mr-auto" onClick={() => onVerb("test")}>
            {t("storage.card.test")}
          </Button>
          {!isDefault && !storage.read_only && (
            <IconButton label={t("storage.card.setDefault")} onClick={onDefault}>
              <Star aria-hidden />
            </IconButton>
          )}
          {!builtIn && (
            <IconButton label={t("storage.card.cors")} onClick={() => onVerb("cors")}>
              <ShieldCheck aria-hidden />
            </IconButton>
          )}
        </>
      }
    >
      <Usage storage={storage} />
      <CardFacts storage={storage} uses={uses} />
      {uses?.mounts.length === 0 && !outcome?.next && <Unmounted onMount={() => onVerb("mount")} />}
    </ResourceCard>
  );
}

/** Says that nobody sees its files in the explorer, and offers the step to it. */
function Unmounted({ onMount }: { readonly onMount: () => void }) {
  useLanguage();
  return (
    <Notice tone="plain" action={<Button onClick={onMount}>{t("storage.card.makeMount")}</Button>}>
      {t("storage.card.unmounted")}
    </Notice>
  );
}
