import { useQuery } from "@tanstack/react-query";
import ExternalLink from "lucide-react/icons/external-link";
import Maximize from "lucide-react/icons/maximize-2";
import { useRef } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Lightbox } from "../../ui/lightbox/lightbox.tsx";
import { Dialog } from "../../ui/overlay/dialog.tsx";
import type { PopOutContent } from "./buttons.ts";

interface PopOutProps {
  readonly content: PopOutContent;
  readonly onClose: () => void;
}

/** What a part of the text looks like by itself: a picture over the whole window, a web page in a frame. */
export function PopOut({ content, onClose }: PopOutProps) {
  if (content.kind === "image") return <Lightbox src={content.src} alt={content.alt} onClose={onClose} />;
  return <Framed code={content.code} svg={content.kind === "svg"} onClose={onClose} />;
}

/** Nothing runs and nothing is fetched, whatever the page around it may. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

const guarded = (code: string): string =>
  `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>:root{color-scheme:light;background:#fff}svg{max-width:100%;height:auto}</style>${code}`;

/** Stands between a new window and the code: a window of ours would be of our origin. */
function inWindowOfItsOwn(code: string, title: string): void {
  const page = document.implementation.createHTMLDocument(title);
  const frame = page.createElement("iframe");
  frame.setAttribute("sandbox", "");
  frame.setAttribute("srcdoc", guarded(code));
  frame.setAttribute("style", "position:fixed;inset:0;width:100%;height:100%;border:0");
  page.body.append(frame);
  const url = URL.createObjectURL(new Blob([page.documentElement.outerHTML], { type: "text/html;charset=utf-8" }));
  window.open(url, "_blank", "noopener");
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

interface FramedProps {
  readonly code: string;
  readonly svg: boolean;
  readonly onClose: () => void;
}

/** What can be drawn of the code within a second or two: a kilobyte may take a page longer. Undefined when it cannot. */
async function drawable(code: string, svg: boolean): Promise<string | undefined> {
  if (!svg) return (await import("../html/sanitize-page.ts")).lightPage(code);
  return (await import("../image/svg-complexity.ts")).isLightDrawing(code) ? code : undefined;
}

function Framed({ code: written, svg, onClose }: FramedProps) {
  useLanguage();
  const { data: code, isPending } = useQuery({
    queryKey: ["markdown", "framed", svg, written],
    queryFn: async () => (await drawable(written, svg)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const frame = useRef<HTMLIFrameElement>(null);
  const title = t(svg ? "reading.dialog.svg" : "reading.dialog.html");
  const footer = (
    <>
      <CopyButton variant="quiet" text={written} label={t("reading.dialog.copy")} />
      {code && (
        <>
          <Button icon={<ExternalLink aria-hidden />} onClick={() => inWindowOfItsOwn(code, title)}>
            {t("reading.dialog.open")}
          </Button>
          <Button icon={<Maximize aria-hidden />} onClick={() => void frame.current?.requestFullscreen?.()}>
            {t("reading.dialog.full")}
          </Button>
        </>
      )}
    </>
  );
  return (
    <Dialog wide title={title} onClose={onClose} footer={footer}>
      {code || isPending ? (
        <>
          <p className="mb-3 text-[13px] text-muted">{t("reading.dialog.note")}</p>
          <iframe
            ref={frame}
            title={title}
            sandbox=""
            srcDoc={code ? guarded(code) : ""}
            className="h-[45dvh] w-full sm:h-[60dvh] rounded-lg border border-line bg-white"
          />
        </>
      ) : (
        <p role="alert">{t("reading.dialog.tooMuch")}</p>
      )}
    </Dialog>
  );
}
