import Code from "lucide-react/icons/code";
import Link2 from "lucide-react/icons/link-2";
import LockKeyhole from "lucide-react/icons/lock-keyhole";
import Pencil from "lucide-react/icons/pencil";
import QrCodeIcon from "lucide-react/icons/qr-code";
import Trash2 from "lucide-react/icons/trash-2";
import type { ListedPaste } from "#contract/pastes";
import { pasteLink, rawLink } from "../../../api/links.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { dateTime, relativeTime } from "../../../lib/time.ts";
import { IconButton } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Popover } from "../../../ui/popover.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";

interface RowProps {
  readonly text: ListedPaste;
}

/** The link of a text, and whether it asks for a password. */
export function SlugLink({ text }: RowProps) {
  useLanguage();
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <a
        href={pasteLink(text.slug)}
        target="_blank"
        rel="noopener"
        title={t("admin.texts.open")}
        className="min-w-0 truncate rounded font-medium font-mono text-[13px] text-accent hover:underline"
      >
        {text.slug}
      </a>
      {text.has_password === 1 && (
        <span title={t("admin.texts.locked")} className="shrink-0 text-muted">
          <LockKeyhole aria-hidden className="size-3.5" />
          <span className="sr-only">{t("admin.texts.locked")}</span>
        </span>
      )}
    </span>
  );
}

/** The beginning of a text, under its remark when it has one. */
export function Preview({ text }: RowProps) {
  useLanguage();
  return (
    <div className="min-w-0">
      {text.remark && <p className="truncate font-medium">{text.remark}</p>}
      <p className={`wrap-anywhere text-muted ${text.remark ? "line-clamp-1" : "line-clamp-2"}`}>
        {text.content_preview.trim() || t("admin.texts.blank")}
      </p>
    </div>
  );
}

interface MomentProps {
  /** null is never. */
  readonly at: string | null;
  /** Whether it is an end, which can lie behind us. */
  readonly ends?: boolean;
}

/** An instant as distance from now, the exact time as tooltip. */
export function Moment({ at, ends = false }: MomentProps) {
  const language = useLanguage();
  if (at === null) return <span className="text-muted">{t("admin.texts.never")}</span>;
  const now = Date.now();
  const over = ends && Date.parse(at) <= now;
  return (
    <time dateTime={at} title={dateTime(at, language)} className={over ? "text-danger" : undefined}>
      {over ? t("admin.texts.expired") : relativeTime(at, language, now)}
    </time>
  );
}

/** How often a text was opened, of how often it may be. */
export function Views({ text: { views, max_views } }: RowProps) {
  useLanguage();
  const spent = max_views > 0 && views >= max_views;
  return (
    <span className={`tabular-nums ${spent ? "text-danger" : ""}`}>
      {max_views > 0 ? t("admin.texts.viewsOf", { views, max: max_views }) : views}
    </span>
  );
}

interface RowActionsProps extends RowProps {
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** What can be done with one text. */
export function RowActions({ text, onEdit, onRemove }: RowActionsProps) {
  useLanguage();
  const link = pasteLink(text.slug);
  return (
    <div className="flex items-center">
      <CopyButton iconOnly icon={<Link2 aria-hidden />} text={link} label={t("admin.texts.copyLink")} />
      <CopyButton
        iconOnly
        icon={<Code aria-hidden />}
        text={rawLink(text.slug, text.grant)}
        label={t("admin.texts.copyRaw")}
      />
      <Popover
        label={t("admin.texts.qr")}
        trigger={(props) => (
          <IconButton label={t("admin.texts.qr")} {...props}>
            <QrCodeIcon aria-hidden />
          </IconButton>
        )}
      >
        <div className="p-5">
          <p className="mb-3 truncate text-center font-mono text-[13px] text-muted">{text.slug}</p>
          <QrCode text={link} fileName={text.slug} />
        </div>
      </Popover>
      <IconButton label={t("admin.texts.edit")} onClick={onEdit}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton tone="danger" label={t("admin.texts.remove")} onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
    </div>
  );
}
