import BellRing from "lucide-react/icons/bell-ring";
import { useState } from "react";
import type { WebhookRecord } from "#contract/webhooks";
import { failureText } from "../../../api/failure.ts";
import { useTestWebhook, useUpdateWebhook, useWebhooks } from "../../../api/webhooks.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { CardPage } from "../resource/card-page.tsx";
import type { Outcome } from "../resource/outcome.tsx";
import { Dialogs, type Open } from "./dialogs.tsx";
import { problemText } from "./problem-text.ts";
import { WebhookCard } from "./webhook-card.tsx";

const textsOf = ({ name, host, kind }: WebhookRecord) => [name, host, t(`admin.webhooks.kind.${kind}`)];

/** Whom the server tells of what happens: the administrator adds webhooks and mail, tests them, and sees what became of deliveries. */
export function Notifications() {
  useLanguage();
  const list = useWebhooks();
  const { mutateAsync: test } = useTestWebhook();
  const { mutateAsync: update } = useUpdateWebhook();
  const [testing, setTesting] = useState<string>();
  const [open, setOpen] = useState<Open>();
  const [outcome, setOutcome] = useState<Outcome>();

  const act = async (id: string, run: () => Promise<Omit<Outcome, "id">>) => {
    try {
      const last = await run();
      setOutcome({ id, ...last });
    } catch (error) {
      setOutcome({ id, tone: "error", sentence: failureText(error) });
    }
  };
  const tryOut = async ({ id }: WebhookRecord) => {
    setTesting(id);
    await act(id, async () => {
      const delivery = await test(id);
      const isThere = delivery.problem === null;
      return isThere
        ? { tone: "ok", sentence: t("admin.webhooks.notice.tested") }
        : { tone: "error", sentence: t("admin.webhooks.notice.testFailed", { why: problemText(delivery) }) };
    });
    setTesting(undefined);
  };
  const switchTo = ({ id }: WebhookRecord, enabled: boolean) =>
    act(id, async () => {
      await update({ id, change: { enabled } });
      return { tone: "ok", sentence: t(enabled ? "admin.webhooks.notice.on" : "admin.webhooks.notice.off") };
    });

  return (
    <>
      <CardPage
        resource="admin.webhooks"
        icon={<BellRing aria-hidden />}
        list={{ ...list, data: list.data?.webhooks }}
        textsOf={textsOf}
        onAdd={() => setOpen({ verb: "add" })}
        outcome={outcome}
        card={(webhook, itsOutcome) => (
          <WebhookCard
            webhook={webhook}
            outcome={itsOutcome}
            testing={testing === webhook.id}
            onTest={() => tryOut(webhook)}
            onSwitch={(enabled) => switchTo(webhook, enabled)}
            onVerb={(verb) => setOpen({ verb, webhook })}
          />
        )}
      />
      {open && (
        <Dialogs
          open={open}
          hasMail={list.data?.mail ?? false}
          onOpen={setOpen}
          onOutcome={setOutcome}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}
