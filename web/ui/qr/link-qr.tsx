import QrIcon from "lucide-react/icons/qr-code";
import { type ComponentType, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { IconButton } from "../button.tsx";
import { loadOrTell } from "../toast/load-or-tell.ts";
import type { QrPopoverProps } from "./qr-popover.tsx";

interface LinkQrProps {
  /** What the button is called on pages that do not speak the words of texts. */
  readonly label?: string;
  readonly link: string;
  /** Name of the picture, without ending. */
  readonly name: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** A button that shows a link as QR code, for the phone on the other side of the table. The code of it loads at the first press. */
export function LinkQr({ label, link, name, open, onOpenChange }: LinkQrProps) {
  useLanguage();
  const called = label ?? t("share.qr");
  const [loaded, setLoaded] = useState<{ readonly QrPopover: ComponentType<QrPopoverProps> }>();
  const show = async () => {
    const code = await loadOrTell(() => import("./qr-popover.tsx"));
    if (!code) return;
    setLoaded(code);
    onOpenChange(true);
  };
  if (loaded) return <loaded.QrPopover label={called} {...{ link, name, open, onOpenChange }} />;
  return (
    <IconButton label={called} aria-expanded={false} aria-haspopup="dialog" onClick={show}>
      <QrIcon aria-hidden />
    </IconButton>
  );
}
