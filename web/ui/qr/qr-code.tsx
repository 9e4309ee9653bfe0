import Download from "lucide-react/icons/download";
import { useCallback, useEffect, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../button.tsx";
import { Notice } from "../notice.tsx";
import { Skeleton } from "../surface.tsx";
import { type QrModules, qrPath, qrPng } from "./qr-drawing.ts";

interface QrCodeProps {
  readonly text: string;
  /** Name of the picture that can be downloaded, without ending. */
  readonly fileName: string;
}

/** A link as QR code, 240 px, with a button to download it as PNG. The encoder loads when it is first shown. */
export function QrCode({ text, fileName }: QrCodeProps) {
  useLanguage();
  const [modules, setModules] = useState<QrModules>();
  const [failed, setFailed] = useState(false);
  const encode = useCallback(async () => {
    setFailed(false);
    try {
      const uqr = await import("uqr");
      setModules(uqr.encode(text, { border: 2, ecc: "M" }).data);
    } catch {
      // The encoder did not load: the page says so and offers to try again.
      setFailed(true);
    }
  }, [text]);
  useEffect(() => void encode(), [encode]);

  const download = () => {
    if (!modules) return;
    const link = document.createElement("a");
    link.href = qrPng(modules);
    link.download = `${fileName}.png`;
    link.click();
  };

  if (failed) {
    return (
      <div className="grid justify-items-center gap-3">
        <Notice tone="error">{t("shell.failure.network")}</Notice>
        <Button onClick={encode}>{t("shell.lazy.retry")}</Button>
      </div>
    );
  }
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
