import { useState } from "react";
import type { DeliveryRecord, WebhookRecord } from "#contract/webhooks";
import { failureText } from "../../../api/failure.ts";
import { DELIVERY_ROWS, useDeliveries } from "../../../api/webhooks.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/card.tsx";
import { FailedNotice } from "../../../ui/notice.tsx";
import { Sheet } from "../../../ui/overlay/dialog.tsx";
import { Moment } from "../list/row-parts.tsx";
import { problemText } from "./problem-text.ts";
import type { Named } from "./webhook-card.tsx";

interface DeliveriesSheetProps {
  readonly webhook: WebhookRecord;
  readonly onClose: () => void;
}

/** The last deliveries of a webhook and those that wait, page by page. */
export function DeliveriesSheet({ webhook, onClose }: DeliveriesSheetProps) {
  useLanguage();
  const [page, setPage] = useState(1);
  const { data, error, refetch, isFetching } = useDeliveries(webhook.id, page);
  return (
    <Sheet
      title={t("admin.webhooks.deliveries.title", { name: webhook.name })}
      onClose={onClose}
      footer={
        <Button busy={isFetching} onClick={() => refetch()}>
          {t("admin.webhooks.deliveries.refresh")}
        </Button>
      }
    >
      {error ? <FailedNotice text={failureText(error)} onRetry={refetch} /> : null}
      {!(data || error) && <Skeleton className="h-72" />}
      {data?.data.length === 0 && <p className="py-6 text-center text-muted">{t("admin.webhooks.deliveries.none")}</p>}
      {data && data.data.length > 0 && (
        <ul className="divide-y divide-line">
          {data.data.map((delivery) => (
            <Delivery key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
      {data && (page > 1 || data.pagination.hasMore) && (
        <nav aria-label={t("admin.webhooks.deliveries.pages")} className="mt-4 flex justify-between gap-2">
          <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t("admin.webhooks.deliveries.newer", { count: DELIVERY_ROWS })}
          </Button>
          <Button disabled={!data.pagination.hasMore} onClick={() => setPage(page + 1)}>
            {t("admin.webhooks.deliveries.older", { count: DELIVERY_ROWS })}
          </Button>
        </nav>
      )}
    </Sheet>
  );
}

const looks = {
  delivered: "bg-ok-soft text-ok",
  waiting: "bg-accent-soft text-accent",
  failed: "bg-sunken text-danger",
};

/** An event in words; `test` is none. */
const eventText = (event: string): string =>
  t(`admin.webhooks.event.${event.replace(".", "_") as Named<WebhookRecord["events"][number]> | "test"}`);

function Delivery({ delivery }: { readonly delivery: DeliveryRecord }) {
  const { event, at, state, attempts, next_at: next, problem } = delivery;
  return (
    <li className="grid gap-1 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 font-medium">{eventText(event)}</span>
        <span className={classes("rounded-full px-2 py-0.5 text-xs", looks[state])}>
          {t(`admin.webhooks.state.${state}`)}
        </span>
        <span className="ml-auto text-[13px] text-muted">
          <Moment at={at} />
        </span>
      </div>
      {problem && <p className="wrap-anywhere text-[13px]">{problemText(delivery)}</p>}
      <p className="text-[13px] text-muted">
        {t("admin.webhooks.deliveries.attempts", { count: attempts })}
        {next && (
          <>
            {" · "}
            {t("admin.webhooks.deliveries.next")} <Moment at={next} ends />
          </>
        )}
      </p>
      <p className="wrap-anywhere font-mono text-muted text-xs">{delivery.id}</p>
    </li>
  );
}
