import BellRing from "lucide-react/icons/bell-ring";
import History from "lucide-react/icons/history";
import Mail from "lucide-react/icons/mail";
import Power from "lucide-react/icons/power";
import RotateCcwKey from "lucide-react/icons/rotate-ccw-key";
import Send from "lucide-react/icons/send";
import type { WebhookRecord } from "#contract/webhooks";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Moment } from "../list/row-parts.tsx";
import { Fact, Facts } from "../resource/facts.tsx";
import type { Outcome } from "../resource/outcome.tsx";
import { ResourceCard } from "../resource/resource-card.tsx";

/** What a button of the card asks for in a sheet or dialog. */
export type Verb = "deliveries" | "rotate" | "edit" | "remove";

interface WebhookCardProps {
  readonly webhook: WebhookRecord;
  /** What came of the last action, when it was about this webhook. */
  readonly outcome: Outcome | undefined;
  readonly testing: boolean;
  readonly onTest: () => void;
  readonly onSwitch: (enabled: boolean) => void;
  readonly onVerb: (verb: Verb) => void;
}

/** One webhook: where it leads, what it tells, how it goes, and what can be done with it. */
export function WebhookCard({ webhook, outcome, testing, onTest, onSwitch, onVerb }: WebhookCardProps) {
  useLanguage();
  const { name, kind, host, enabled, disabled_reason: reason } = webhook;
  return (
    <ResourceCard
      icon={kind === "mail" ? <Mail aria-hidden /> : <BellRing aria-hidden />}
      name={name}
      about={`${t(`admin.webhooks.kind.${kind}`)} · ${host}`}
      badge={enabled ? undefined : { tone: "plain", text: t("admin.webhooks.card.off") }}
      outcome={outcome}
      onEdit={() => onVerb("edit")}
      onRemove={() => onVerb("remove")}
      actions={
        <>
          <Button variant="plain" icon={<Send aria-hidden />} className="mr-auto" busy={testing} onClick={onTest}>
            {t("admin.webhooks.card.test")}
          </Button>
          <IconButton label={t("admin.webhooks.card.deliveries")} onClick={() => onVerb("deliveries")}>
            <History aria-hidden />
          </IconButton>
          {kind === "standard" && (
            <IconButton label={t("admin.webhooks.card.rotate")} onClick={() => onVerb("rotate")}>
              <RotateCcwKey aria-hidden />
            </IconButton>
          )}
          <IconButton
            label={t(enabled ? "admin.webhooks.card.switchOff" : "admin.webhooks.card.switchOn")}
            onClick={() => onSwitch(!enabled)}
          >
            <Power aria-hidden />
          </IconButton>
        </>
      }
    >
      {reason && <Notice tone="error">{t(`admin.webhooks.card.reason.${reason}`)}</Notice>}
      <CardFacts webhook={webhook} />
    </ResourceCard>
  );
}

function CardFacts({ webhook }: Pick<WebhookCardProps, "webhook">) {
  const { events, waiting, dropped, last_success_at: arrived, old_secret_until: oldUntil } = webhook;
  return (
    <Facts>
      <Fact name={t("admin.webhooks.card.events")} wide>
        <ul className="mt-0.5 flex flex-wrap gap-1">
          {events.map((event) => (
            <li key={event} className="rounded-full bg-sunken px-2 py-0.5 text-muted text-xs">
              {t(`admin.webhooks.event.${event.replace(".", "_") as Named<typeof event>}`)}
            </li>
          ))}
        </ul>
      </Fact>
      <Fact name={t("admin.webhooks.card.lastSuccess")}>
        {arrived ? <Moment at={arrived} /> : t("admin.webhooks.card.never")}
      </Fact>
      <Fact name={t("admin.webhooks.card.waiting")}>{waiting}</Fact>
      {dropped > 0 && (
        <Fact name={t("admin.webhooks.card.dropped")}>
          <span className="text-danger">{dropped}</span>
        </Fact>
      )}
      {oldUntil && Date.parse(oldUntil) > Date.now() && (
        <Fact name={t("admin.webhooks.card.oldSecret")}>
          <Moment at={oldUntil} ends />
        </Fact>
      )}
    </Facts>
  );
}

/** An event as the dictionaries name it, where a dot would be another level. */
export type Named<Event extends string> = Event extends `${infer Subject}.${infer Verb}` ? `${Subject}_${Verb}` : never;
