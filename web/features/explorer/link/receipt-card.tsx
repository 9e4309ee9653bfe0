import { useQuery, useQueryClient } from "@tanstack/react-query";
import CircleCheck from "lucide-react/icons/circle-check";
import { useEffect, useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import { links, type Receipt } from "#contract/links";
import { failureText, isFailure } from "../../../api/failure.ts";
import { linkKeys } from "../../../api/query-keys.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { dateTime } from "../../../lib/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, Skeleton } from "../../../ui/card.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import { useTree } from "../tree.ts";

interface ReceiptCardProps {
  readonly receipt: string;
  /** Begins to send something else, with a receipt of its own. */
  readonly onAgain: () => void;
  /** All of it was taken back. */
  readonly onTakenBack: () => void;
  /** Of files that were sent before the page was loaded again: nothing has come of them, or the server knows nothing of them any more. */
  readonly onNothing: (() => void) | undefined;
}

/** What has arrived of a sender, which they may take back for a while. */
export function ReceiptCard({ receipt, onAgain, onTakenBack, onNothing }: ReceiptCardProps) {
  useLanguage();
  const { call } = useTree();
  const queries = useQueryClient();
  const queryKey = linkKeys.receipt(receipt);
  const { data, error } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await call(links.receipt, { params: { receipt }, signal })).data,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.files.some((file) => file.sha256_pending) ? LOOK_AGAIN : false),
  });
  const takeBack = async () => {
    const { data: left } = await call(links.takeBack, { params: { receipt } });
    queries.setQueryData(queryKey, left);
    await queries.invalidateQueries({ queryKey: linkKeys.takings });
    if (left.files.length === 0) onTakenBack();
  };
  const isNothing =
    isFailure(error, "link.receipt") || data?.files.every(({ arrived_at }) => arrived_at === null) === true;
  useEffect(() => {
    if (isNothing) onNothing?.();
  }, [isNothing, onNothing]);
  if (isNothing && onNothing) return null;
  if (error) return <Notice tone="error">{failureText(error)}</Notice>;
  if (!data) return <Skeleton className="h-32 w-full" />;
  return <Arrived {...{ data, onAgain }} onTakeBack={takeBack} />;
}

interface ArrivedProps extends Pick<ReceiptCardProps, "onAgain"> {
  readonly data: Receipt;
  readonly onTakeBack: () => Promise<void>;
}

function Arrived({ data, onAgain, onTakeBack }: ArrivedProps) {
  const language = useLanguage();
  const [asking, setAsking] = useState(false);
  const there = data.files.filter(({ arrived_at }) => arrived_at !== null);
  const until = useUntil(there);
  return (
    <Card className="grid gap-3 p-4">
      <h2 role="status" className="flex items-center gap-2 font-semibold">
        <CircleCheck aria-hidden className="size-5 shrink-0 text-ok" />
        {t("link.page.sentTitle", { count: there.length })}
      </h2>
      <p className="text-[13px] text-muted">{t("link.page.sentText")}</p>
      <ul className="divide-y divide-line">
        {there.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: files stay in their order
          <SentFile key={index} file={file} />
        ))}
      </ul>
      {until !== undefined && (
        <p className="text-[13px] text-muted">
          {t("link.page.takeBackUntil", { time: new Date(until).toLocaleTimeString(language, CLOCK) })}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onAgain}>
          {t("link.page.sendMore")}
        </Button>
        <CopyButton text={textOf(data)} label={t("link.page.copyReceipt")} />
        {until !== undefined && (
          <Button variant="plain" className="text-danger" onClick={() => setAsking(true)}>
            {t("link.page.takeBack")}
          </Button>
        )}
      </div>
      {asking && (
        <ConfirmDialog
          danger
          title={t("link.page.takeBackTitle")}
          text={t("link.page.takeBackText")}
          confirm={t("link.page.takeBack")}
          onConfirm={onTakeBack}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}

const CLOCK = { hour: "numeric", minute: "2-digit" } as const;

/** Milliseconds between two looks whether a SHA-256 is known. */
const LOOK_AGAIN = 2000;

function SentFile({ file }: { readonly file: Receipt["files"][number] }) {
  const { name, size, sha256, sha256_pending, arrived_at } = file;
  const language = useLanguage();
  return (
    <li className="grid gap-0.5 py-2">
      <p className="wrap-anywhere">
        <bdi className="font-medium">{shownName(name)}</bdi>
        <span className="text-[13px] text-muted tabular-nums">
          {` · ${formatBytes(size, language)}`}
          {arrived_at !== null && ` · ${dateTime(arrived_at, language)}`}
        </span>
      </p>
      <p className="wrap-anywhere font-mono text-[12px] text-muted">
        {sha256 ?? t(sha256_pending ? "link.page.digesting" : "link.page.noDigest")}
      </p>
    </li>
  );
}

/** As `sha256sum` writes it, behind size and time. */
const textOf = ({ files }: Receipt): string =>
  files
    .map(({ name, size, sha256, arrived_at }) => `${sha256 ?? "-"}  ${name}  ${size} B  ${arrived_at ?? "-"}`)
    .join("\n");

/** Until when something of this may be taken back, which ends while the page is open; undefined when it has. */
function useUntil(files: Receipt["files"]): number | undefined {
  const last = Math.max(0, ...files.map(({ take_back_until }) => Date.parse(take_back_until ?? "") || 0));
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (last <= now) return;
    const timer = setTimeout(() => setNow(Date.now()), last - now);
    return () => clearTimeout(timer);
  }, [last, now]);
  return last > now ? last : undefined;
}
