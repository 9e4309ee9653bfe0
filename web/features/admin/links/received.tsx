import FolderOpen from "lucide-react/icons/folder-open";
import { useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import type { LinkRecord, Received as ReceivedFiles } from "#contract/links";
import { parentOf } from "#contract/paths";
import { failureText } from "../../../api/failure.ts";
import { useReceived } from "../../../api/links.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { explorerAt, explorerOf } from "../../../lib/explorer-address.ts";
import { bare } from "../../../lib/folder-path.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { dateTime } from "../../../lib/time.ts";
import { Button } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/card.tsx";
import { Link } from "../../../ui/link.tsx";
import { linkName } from "../../../ui/link-form/facts.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";

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
      <p className="wrap-anywhere font-medium">
        <bdi>{linkName(link)}</bdi>
      </p>
      <Folders link={link} />
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

const LINK = "rounded text-accent hover:underline";

/** The folders into which senders send. */
function Folders({ link: { items } }: Pick<ReceivedProps, "link">) {
  useLanguage();
  const paths = items.flatMap(({ path, isDirectory }) => (isDirectory && path !== null ? [path] : []));
  return (
    <ul className="mb-2 flex flex-wrap gap-x-4 text-[13px]">
      {paths.map((path) => (
        <li key={path}>
          <Link to={explorerAt(path)} className={`inline-flex min-h-6 items-center gap-1.5 ${LINK}`}>
            <FolderOpen aria-hidden className="size-4 shrink-0" />
            <bdi className="wrap-anywhere">{shownName(bare(path))}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface SendingProps {
  readonly receipt: ReceivedFiles;
}

function Sending({ receipt: { sender, message, created_at, files } }: SendingProps) {
  const language = useLanguage();
  const first = files.find(({ path }) => path !== null)?.path;
  const name = <bdi className="wrap-anywhere font-medium">{sender ?? t("link.received.unnamed")}</bdi>;
  return (
    <li className="grid gap-1 py-3">
      <p className="flex flex-wrap items-baseline gap-x-2">
        {first ? (
          <Link to={explorerAt(parentOf(first))} title={t("link.received.openFolder")} className={LINK}>
            {name}
          </Link>
        ) : (
          name
        )}
        <span className="text-[13px] text-muted tabular-nums">{dateTime(created_at, language)}</span>
      </p>
      {message !== null && <p className="wrap-anywhere whitespace-pre-wrap text-sm">{message}</p>}
      <ul className="text-[13px]">
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may have come twice
          <li key={index} className="wrap-anywhere text-muted">
            <SentFile file={file} />
          </li>
        ))}
      </ul>
    </li>
  );
}

/** A file, which leads to where it is; of one that is not there any more that is said. */
function SentFile({ file: { name, size, arrived_at, path } }: { readonly file: ReceivedFiles["files"][number] }) {
  const language = useLanguage();
  const shown = <bdi>{shownName(name)}</bdi>;
  const facts = [
    arrived_at === null ? t("link.received.coming") : formatBytes(size, language),
    ...(arrived_at !== null && path === null ? [t("link.received.gone")] : []),
  ];
  return (
    <>
      {path === null ? (
        shown
      ) : (
        <Link to={explorerOf(path)} className={`inline-flex min-h-6 items-center ${LINK}`}>
          {shown}
        </Link>
      )}
      {facts.map((fact) => ` · ${fact}`)}
    </>
  );
}
