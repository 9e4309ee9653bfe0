import Code from "lucide-react/icons/code";
import ExternalLink from "lucide-react/icons/external-link";
import Link2 from "lucide-react/icons/link-2";
import LockKeyhole from "lucide-react/icons/lock-keyhole";
import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import type { FileRecord } from "#contract/files";
import { formatBytes } from "#contract/format-bytes";
import { directFileLink, sharePage } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { IconButton, IconLink } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { FileName } from "../../../ui/file/file-name.tsx";
import { FileThumbnail } from "../../../ui/file/file-thumbnail.tsx";
import { kindWords } from "../../../ui/file/kind.ts";
import { shareName } from "../../../ui/file/share-name.ts";
import { LinkQr } from "../../../ui/qr/link-qr.tsx";
import { FactLine } from "../../../ui/share-gate/fact-line.tsx";
import { MARK, TimedText } from "../../../ui/share-gate/facts.tsx";

interface RecentRowProps {
  readonly file: FileRecord;
  readonly onRemove: () => void;
}

/** One file that was uploaded lately, with all that one does with its link. */
export function RecentRow({ file, onRemove }: RecentRowProps) {
  useLanguage();
  const [qr, setQr] = useState(false);
  const { slug, grant, sealed } = file;
  const link = sharePage(file);
  return (
    <li className="flex items-center gap-x-3 border-line border-t px-4 py-3 first:border-t-0 max-sm:flex-wrap max-sm:pb-1">
      <FileThumbnail file={file} />
      <div className="grid min-w-0 flex-1 gap-1">
        <Heading file={file} />
        <Facts file={file} />
      </div>
      <div className="-mr-2 flex shrink-0 max-sm:w-full max-sm:justify-end">
        <IconLink label={t("upload.recent.open")} href={link}>
          <ExternalLink aria-hidden />
        </IconLink>
        <CopyButton iconOnly icon={<Link2 aria-hidden />} text={link} label={t("upload.recent.copy")} />
        {/* Without its key a link is no use to a script or a phone. */}
        {sealed ? null : (
          <>
            <CopyButton
              iconOnly
              icon={<Code aria-hidden />}
              text={directFileLink(slug, grant)}
              label={t("upload.recent.copyDirect")}
            />
            <LinkQr link={link} name={slug} open={qr} onOpenChange={setQr} />
          </>
        )}
        <IconButton tone="danger" label={t("upload.recent.remove")} onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
    </li>
  );
}

interface FileProps {
  readonly file: FileRecord;
}

function Heading({ file }: FileProps) {
  useLanguage();
  const { remark, has_password } = file;
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <FileName name={shareName(file)} />
      {has_password && (
        <span title={t("upload.recent.locked")} className="shrink-0 text-muted">
          <LockKeyhole aria-hidden className="size-3.5" />
          <span className="sr-only">{t("upload.recent.locked")}</span>
        </span>
      )}
      {remark && (
        // The name keeps its room: what there is too much of is taken from the remark.
        <span title={remark} className="min-w-10 shrink-[9999] truncate text-muted">
          {remark}
        </span>
      )}
    </div>
  );
}

function Facts({ file }: FileProps) {
  const language = useLanguage();
  const { slug, size, typeName, filename, created_at, expires_at, sealed } = file;
  const over = expires_at !== null && Date.parse(expires_at) <= Date.now();
  return (
    <FactLine>
      {formatBytes(size, language)}
      {sealed ? <span className="font-mono">{slug}</span> : kindWords(typeName, filename)}
      {over ? t("upload.recent.expired") : viewsText(file)}
      <TimedText text={t("file.view.shared", { time: MARK })} at={created_at} />
      {sealed ? t("file.sealed.opens") : null}
    </FactLine>
  );
}

function viewsText({ views, max_views }: FileRecord): string | null {
  if (max_views === 0) return null;
  const left = max_views - views;
  return left > 0 ? t("upload.recent.viewsLeft", { count: left }) : t("upload.recent.spent");
}
