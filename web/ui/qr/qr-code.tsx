import Download from "lucide-react/icons/download";
import { useMemo } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useCode } from "../../page/code.ts";
import { Button } from "../button.tsx";
import { Skeleton } from "../card.tsx";
import { FailedNotice } from "../notice.tsx";
import { qrPath, qrPng } from "./qr-drawing.ts";

interface QrCodeProps {
  readonly text: string;
  /** Name of the picture that can be downloaded, without ending. */
  readonly fileName: string;
}

/** A link as QR code, 240 px, with a button to download it as PNG. The encoder loads when it is first shown. */
export function QrCode({ text, fileName }: QrCodeProps) {
  useLanguage();
  const { data: encode, isError, again } = useCode("QR codes", async () => (await import("uqr")).encode);
  const modules = useMemo(() => encode?.(text, { border: 2, ecc: "M" }).data, [encode, text]);

  const download = () => {
    if (!modules) return;
    const link = document.createElement("a");
    link.href = qrPng(modules);
    link.download = `${fileName}.png`;
    link.click();
  };

  if (isError) return <FailedNotice text={t("shell.failure.network")} onRetry={() => again(false)} />;
  return (
    <div className="grid justify-items-center gap-3">
      {modules ? (
        <svg
          role="img"
          aria-label={t("shell.actions.qrLabel")}
          viewBox={`0 0 ${modules.length} ${modules.length}`}
          width={240}
          height={240}
          shapeRendering="crispEdges"
          // Scanners want dark on light, whatever the theme.
          className="rounded-lg bg-white text-black"
        >
          <path d={qrPath(modules)} fill="currentColor" />
        </svg>
      ) : (
        <Skeleton className="size-60 rounded-lg" />
      )}
      <Button icon={<Download aria-hidden />} onClick={download} disabled={!modules}>
        {t("shell.actions.downloadQr")}
      </Button>
    </div>
  );
}
