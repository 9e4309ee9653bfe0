import QrIcon from "lucide-react/icons/qr-code";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { IconButton } from "../button.tsx";
import { Popover } from "../popover.tsx";
import { QrCode } from "../qr-code.tsx";

interface LinkQrProps {
  /** What the button is called on pages that do not speak the words of texts. */
  readonly label?: string;
  readonly link: string;
  /** Name of the picture, without ending. */
  readonly name: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** A button that shows a link as QR code, for the phone on the other side of the table. */
export function LinkQr({ label, link, name, open, onOpenChange }: LinkQrProps) {
  useLanguage();
  const called = label ?? t("share.qr");
  return (
    <Popover
      label={called}
      open={open}
      onOpenChange={onOpenChange}
      trigger={(props) => (
        <IconButton label={called} {...props}>
          <QrIcon aria-hidden />
        </IconButton>
      )}
    >
      <div className="grid justify-items-center gap-3 p-5">
        <QrCode text={link} fileName={name} />
        <p className="max-w-60 break-all text-center font-mono text-muted text-xs">{link}</p>
      </div>
    </Popover>
  );
}
