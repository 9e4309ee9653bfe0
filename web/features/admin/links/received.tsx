import { useState } from "react";
import type { LinkRecord, Receipt } from "#contract/links";
import { failureText } from "../../../api/failure.ts";
import { useReceived } from "../../../api/link-records.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { dateTime } from "../../../lib/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { linkName } from "../../../ui/link-form/facts.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/surface.tsx";

interface ReceivedProps {
  readonly link: LinkRecord;
  readonly onClose: () => void;
}

const PAGE = 20;

/** What senders have sent by a link and what they said, newest first. */
export function Received({ link, onClose }: ReceivedProps) {
  useLanguage();
  const [limit, setLimit] = useState(PAGE);
  const { data, error } = useReceived(link.id, { limit, offset: 0 });
  return (
    <Dialog
      title={t("link.received.title")}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose} data-autofocus>
          {t("link.received.done")}
        </Button>
      }
    >
      <p className="wrap-anywhere mb-2 font-medium">
        <bdi>{linkName(link)}</bdi>
      </p>
      {error && <Notice tone="error">{failureText(error)}</Notice>}
      {!data && !error && <Skeleton className="h-24 w-full" />}
      {data?.total === 0 && <p className="text-muted">{t("link.received.none")}</p>}
      <ul className="divide-y divide-line">
        {data?.receipts.map((receipt) => (
          <Sending key={receipt.created_at + receipt.files.map(({ name }) => name).join()} receipt={receipt} />
        ))}
      </ul>
      {data && data.total > data.receipts.length && limit < 100 && (
        <Button onClick={() => setLimit(Math.min(100, limit + PAGE))}>{t("link.received.moreRows")}</Button>
      )}
    </Dialog>
  );
}

function Sending({ receipt: { sender, message, created_at, files } }: { readonly receipt: Receipt }) {
  const language = useLanguage();
  return (
    <li className="grid gap-1 py-3">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <bdi className="wrap-anywhere font-medium">{sender ?? t("link.received.unnamed")}</bdi>
        <span className="text-[13px] text-muted tabular-nums">{dateTime(created_at, language)}</span>
      </p>
      {message !== null && <p className="wrap-anywhere whitespace-pre-wrap text-sm">{message}</p>}
      <ul className="text-[13px]">
        {files.map(({ name, size, arrived_at }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may have come twice
          <li key={index} className="wrap-anywhere text-muted">
            <bdi>{shownName(name)}</bdi> ·{" "}
            {arrived_at === null ? t("link.received.coming") : formatBytes(size, language)}
          </li>
        ))}
      </ul>
    </li>
  );
}
