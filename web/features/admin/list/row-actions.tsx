import Check from "lucide-react/icons/check";
import Code from "lucide-react/icons/code";
import EllipsisVertical from "lucide-react/icons/ellipsis-vertical";
import ExternalLink from "lucide-react/icons/external-link";
import Eye from "lucide-react/icons/eye";
import Link2 from "lucide-react/icons/link-2";
import Pencil from "lucide-react/icons/pencil";
import QrCodeIcon from "lucide-react/icons/qr-code";
import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { IconButton, IconLink } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { Menu, type MenuItem } from "../../../ui/overlay/menu.tsx";
import { QrCode } from "../../../ui/qr/qr-code.tsx";
import { useCopied } from "../../../ui/use-copied.ts";

interface RowActionsProps {
  /** What the share is called. */
  readonly name: string;
  readonly link: string;
  /** Where a script gets what is shared, and what copying that is called. */
  readonly direct?: { readonly link: string; readonly label: string };
  /** Shows what is shared, and what is known of it. */
  readonly look?: { readonly label: string; readonly run: () => void };
  /** What else can be done with shares of this kind. */
  readonly others?: readonly MenuItem[];
  readonly onEdit: () => void;
  readonly onQr: () => void;
  readonly onRemove: () => void;
}

/** What can be done with one share: what is done most in sight, everything in a menu. */
export function RowActions({ name, link, direct, look, others = [], onEdit, onQr, onRemove }: RowActionsProps) {
  useLanguage();
  const [at, setAt] = useState<DOMRect>();
  const { copied, said, copy } = useCopied();
  const open = () => window.open(link, "_blank", "noopener");
  const items = [
    ...(look ? [{ id: "look", label: look.label, icon: <Eye aria-hidden />, group: 0, run: look.run }] : []),
    { id: "open", label: t("admin.list.open"), icon: <ExternalLink aria-hidden />, group: 0, run: open },
    { id: "edit", label: t("admin.list.edit"), icon: <Pencil aria-hidden />, group: 0, run: onEdit },
    { id: "link", label: t("admin.list.copyLink"), icon: <Link2 aria-hidden />, group: 1, run: () => copy(link) },
    ...(direct
      ? [{ id: "direct", label: direct.label, icon: <Code aria-hidden />, group: 1, run: () => copy(direct.link) }]
      : []),
    { id: "qr", label: t("admin.list.qr"), icon: <QrCodeIcon aria-hidden />, group: 1, run: onQr },
    ...others,
    {
      id: "remove",
      label: t("admin.list.remove"),
      icon: <Trash2 aria-hidden />,
      group: 3,
      danger: true,
      run: onRemove,
    },
  ];
  return (
    <div className="flex items-center justify-end">
      <CopyButton iconOnly icon={<Link2 aria-hidden />} text={link} label={t("admin.list.copyLink")} />
      {/* The menu has both as well, where a narrow table needs the width. */}
      <span className="md:max-lg:hidden">
        <IconLink href={link} label={t("admin.list.open")}>
          <ExternalLink aria-hidden />
        </IconLink>
      </span>
      <IconButton label={t("admin.list.edit")} onClick={onEdit} className="md:max-lg:hidden">
        <Pencil aria-hidden />
      </IconButton>
      <IconButton
        label={said || t("admin.list.more", { name })}
        title={said || t("admin.list.moreShort")}
        aria-haspopup="menu"
        aria-expanded={at !== undefined}
        onClick={(event) => setAt(event.currentTarget.getBoundingClientRect())}
      >
        {copied ? <Check aria-hidden className="text-ok" /> : <EllipsisVertical aria-hidden />}
      </IconButton>
      <span role="status" className="sr-only">
        {said}
      </span>
      {at && (
        <Menu
          label={t("admin.list.more", { name })}
          title={name}
          items={items}
          at={at}
          onClose={() => setAt(undefined)}
        />
      )}
    </div>
  );
}

interface QrDialogProps {
  readonly slug: string;
  readonly link: string;
  readonly onClose: () => void;
}

/** The link of a share for the camera of a phone. */
export function QrDialog({ slug, link, onClose }: QrDialogProps) {
  useLanguage();
  return (
    <Dialog title={t("admin.list.qr")} onClose={onClose}>
      <p className="mb-3 truncate text-center font-mono text-[13px] text-muted">{slug}</p>
      <QrCode text={link} fileName={slug} />
    </Dialog>
  );
}
