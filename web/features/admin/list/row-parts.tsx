import Code from "lucide-react/icons/code";
import Link2 from "lucide-react/icons/link-2";
import LockKeyhole from "lucide-react/icons/lock-keyhole";
import Pencil from "lucide-react/icons/pencil";
import QrCodeIcon from "lucide-react/icons/qr-code";
import Trash2 from "lucide-react/icons/trash-2";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { dateTime, relativeTime } from "../../../lib/time.ts";
import { IconButton } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Popover } from "../../../ui/popover.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";

interface SlugLinkProps {
  readonly slug: string;
  readonly link: string;
}

/** The link of a share, as its last part. */
export function SlugLink({ slug, link }: SlugLinkProps) {
  useLanguage();
  return (
    <a
      href={link}
      target="_blank"
      rel="noopener"
      title={t("admin.list.open")}
      className="min-w-0 truncate rounded font-medium font-mono text-[13px] text-accent hover:underline pointer-coarse:py-2.5"
    >
      {slug}
    </a>
  );
}

/** Says that a share asks for a password. */
export function Locked() {
  useLanguage();
  return (
    <span title={t("admin.list.locked")} className="shrink-0 text-muted">
      <LockKeyhole aria-hidden className="size-3.5" />
      <span className="sr-only">{t("admin.list.locked")}</span>
    </span>
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
  if (at === null) return <span className="text-muted">{t("admin.list.never")}</span>;
  const now = Date.now();
  const over = ends && Date.parse(at) <= now;
  return (
    <time dateTime={at} title={dateTime(at, language)} className={over ? "text-danger" : undefined}>
      {over ? t("admin.list.expired") : relativeTime(at, language, now)}
    </time>
  );
}

interface Made {
  readonly created_by: string;
  readonly key_name?: string | undefined;
}

/** Who made a share: the admin, or the key that did, by its id when it is no more. */
export function Creator({ share: { created_by, key_name } }: { readonly share: Made }) {
  useLanguage();
  const name = key_name ?? created_by.replace(/^apikey:/, "");
  return <Clipped text={created_by === "admin" ? t("admin.list.byAdmin") : t("admin.list.byKey", { name })} />;
}

/** One line that shows as much as there is room for, and the rest as tooltip. */
export const Clipped = ({ text }: { readonly text: string }) => (
  <span title={text} className="block truncate">
    {text}
  </span>
);

interface RowActionsProps {
  readonly slug: string;
  readonly link: string;
  /** Where a script gets what is shared, and what copying that is called. */
  readonly direct: { readonly link: string; readonly label: string };
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** What can be done with one share. */
export function RowActions({ slug, link, direct, onEdit, onRemove }: RowActionsProps) {
  useLanguage();
  return (
    <div className="flex items-center">
      <CopyButton iconOnly icon={<Link2 aria-hidden />} text={link} label={t("admin.list.copyLink")} />
      <CopyButton iconOnly icon={<Code aria-hidden />} text={direct.link} label={direct.label} />
      <Popover
        label={t("admin.list.qr")}
        trigger={(props) => (
          <IconButton label={t("admin.list.qr")} {...props}>
            <QrCodeIcon aria-hidden />
          </IconButton>
        )}
      >
        <div className="p-5">
          <p className="mb-3 truncate text-center font-mono text-[13px] text-muted">{slug}</p>
          <QrCode text={link} fileName={slug} />
        </div>
      </Popover>
      <IconButton label={t("admin.list.edit")} onClick={onEdit}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton tone="danger" label={t("admin.list.remove")} onClick={onRemove}>
        <Trash2 aria-hidden />
      </IconButton>
    </div>
  );
}
