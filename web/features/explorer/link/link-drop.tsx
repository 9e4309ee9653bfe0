import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { links, type OpenedLink } from "#contract/links";
import { linkKeys } from "../../../api/query-keys.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { useOwnTitle } from "../../../page/page-title.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, EmptyState } from "../../../ui/card.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { CommandContext } from "../commands/command-context.ts";
import { useTree } from "../tree.ts";
import { UploadTask } from "../upload/upload-task.tsx";
import { DropZone } from "./drop-zone.tsx";
import { LinkHeading } from "./link-heading.tsx";
import { ReceiptCard } from "./receipt-card.tsx";
import { SealedNotice } from "./sealed-notice.tsx";
import { SenderFields } from "./sender-fields.tsx";
import { useRecipient } from "./use-recipient.ts";
import { useSending } from "./use-sending.ts";

interface LinkDropProps {
  readonly slug: string;
  readonly opened: OpenedLink;
  readonly may: CommandContext["may"];
}

/** A link that takes files and shows none: who sends them, a place to put them, how far they are, and what has arrived. */
export function LinkDrop({ slug, opened, may }: LinkDropProps) {
  useLanguage();
  const { title } = opened;
  const sealing = useRecipient(opened.taking?.sealed === true);
  const { uploads } = useTree();
  const items = useStore(uploads.items);
  const sending = useSending(slug, uploads, items.length > 0);
  const { receipt, sender, setSender, message, setMessage, isTakenBack, again } = sending;
  const name = useRef<HTMLInputElement>(null);
  /** Files were dropped or pasted before there was a name. */
  const [isAsked, setAsked] = useState(false);
  const askName = () => {
    setAsked(true);
    name.current?.focus();
  };
  useOwnTitle(title ?? t("link.page.inboundUntitled"));
  const arrived = items.filter(({ state }) => state === "completed").length;
  const isBusy = items.some(({ state }) => state === "uploading" || state === "paused" || state === "idle");
  const taking = useLimitsLeft(slug, opened, { arrived, isBusy });
  const isFull = taking?.files_left === 0 || taking?.bytes_left === 0;
  const hasArrived = arrived > 0 && !isBusy;
  const sent = useRef<HTMLDivElement>(null);
  // On a phone it is below what is in sight.
  useEffect(() => {
    if (items.length > 0 || hasArrived) sent.current?.scrollIntoView({ block: "nearest" });
  }, [items.length, hasArrived]);
  return (
    <div data-explorer className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-4 px-4 py-6 sm:py-10">
      <LinkHeading opened={opened} brief={false} />
      {isFull && items.length === 0 ? (
        <Card>
          <EmptyState title={t("link.page.full")} text={t("link.page.fullText")} />
        </Card>
      ) : (
        <>
          {taking && (taking.ask_name || taking.ask_message) && (
            <SenderFields {...{ taking, sender, setSender, message, setMessage, name, isAsked }} />
          )}
          <SealedNotice sealing={sealing} />
          {(sealing.state === "none" || sealing.state === "ready") && (
            <DropZone
              {...{ opened, taking, may, askName, isNamed: !taking?.ask_name || sender.trim() !== "" }}
              recipient={sealing.state === "ready" ? sealing.recipient : undefined}
            />
          )}
        </>
      )}
      <div ref={sent} className="grid gap-4 empty:hidden">
        {isTakenBack && <TakenBack onAgain={again} />}
        {/* What has arrived stands in the receipt. */}
        {items.length > 0 && !isTakenBack && !(hasArrived && arrived === items.length) && (
          <Card className="px-4">
            <ul>
              <UploadTask uploads={uploads} onClear={uploads.clear} />
            </ul>
          </Card>
        )}
        {(hasArrived || (sending.isKept && !isBusy)) && !isTakenBack && (
          <ReceiptCard
            key={receipt}
            receipt={receipt}
            onAgain={again}
            onTakenBack={sending.takeBack}
            onNothing={hasArrived ? undefined : sending.forget}
          />
        )}
      </div>
      <p className="text-[13px] text-muted">{t("link.page.takesOnly")}</p>
    </div>
  );
}

interface Sent {
  readonly arrived: number;
  readonly isBusy: boolean;
}

/**
 * What the link takes still. It is asked anew once all have arrived; an opening that goes on spends nothing. One that has ended meanwhile
 * would be spent anew each time that somebody looks at this tab.
 */
function useLimitsLeft(slug: string, opened: OpenedLink, { arrived, isBusy }: Sent): OpenedLink["taking"] {
  const { call } = useTree();
  const { data } = useQuery({
    queryKey: linkKeys.taking(slug, arrived),
    queryFn: async ({ signal }) =>
      (await call(links.open, { params: { slug }, body: { password: undefined, grant: opened.grant }, signal })).data,
    enabled: arrived > 0 && !isBusy,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    placeholderData: keepPreviousData,
  });
  return (data ?? opened).taking;
}

const TakenBack = ({ onAgain }: { readonly onAgain: () => void }) => (
  <Notice tone="ok">
    <p role="status">{t("link.page.tookBack")}</p>
    <Button className="mt-2" onClick={onAgain}>
      {t("link.page.sendMore")}
    </Button>
  </Notice>
);
