import QrIcon from "lucide-react/icons/qr-code";
import { IconButton } from "../button.tsx";
import { Popover } from "../overlay/popover.tsx";
import { QrCode } from "./qr-code.tsx";

export interface QrPopoverProps {
  readonly label: string;
  readonly link: string;
  readonly name: string;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The QR code of a link at its button. */
export function QrPopover({ label, link, name, open, onOpenChange }: QrPopoverProps) {
  return (
    <Popover
      label={label}
      open={open}
      onOpenChange={onOpenChange}
      trigger={(props) => (
        <IconButton label={label} {...props}>
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
