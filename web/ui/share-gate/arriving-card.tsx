import CloudUpload from "lucide-react/icons/cloud-upload";
import FileX from "lucide-react/icons/file-x";
import { useEffect, useEffectEvent, useState } from "react";
import type { FileProgress } from "#contract/files";
import { formatBytes } from "#contract/format-bytes";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { CentredCard } from "../card.tsx";
import { ProgressBar } from "../upload-row/progress-bar.tsx";
import { DeadEnd } from "./closed-cards.tsx";
import { followArrival } from "./follow-arrival.ts";

/** Milliseconds until a file that is there is asked for once more. */
const ASK_AGAIN = 5000;

interface ArrivingCardProps {
  readonly slug: string;
  /** How the file stood when the page was opened. */
  readonly first: FileProgress;
  /** The file is there. */
  readonly onReady: () => void;
}

/** Shown before a share whose file is on its way: how much of it has come. The page goes on by itself. */
export function ArrivingCard({ slug, first, onReady }: ArrivingCardProps) {
  useLanguage();
  const [progress, setProgress] = useState(first);
  const { state } = progress;

  useEffect(() => {
    const left = new AbortController();
    void followArrival(slug, { onProgress: setProgress, signal: left.signal });
    return () => left.abort();
  }, [slug]);

  const ready = useEffectEvent(onReady);
  useEffect(() => {
    if (state !== "ready") return;
    ready();
    // The answer may not come; then this card is still there.
    const again = setInterval(() => ready(), ASK_AGAIN);
    return () => clearInterval(again);
  }, [state]);

  if (state === "failed")
    return (
      <DeadEnd
        icon={<FileX aria-hidden />}
        title={t("file.arriving.failedTitle")}
        text={t("file.arriving.failedText")}
      />
    );
  return (
    <CentredCard icon={<CloudUpload aria-hidden />} title={t("file.arriving.title")}>
      {/* What becomes of it is read out where it changes. */}
      <p role="status" className="mb-5 text-muted">
        {t(state === "stalled" ? "file.arriving.stalled" : "file.arriving.text")}
      </p>
      <Come progress={progress} />
    </CentredCard>
  );
}

/** How much has come, as far as it is known. */
function Come({ progress: { received, size, state } }: { readonly progress: FileProgress }) {
  const language = useLanguage();
  const whole = size === null ? undefined : formatBytes(size, language);
  if (size === null || whole === undefined) return null;
  if (received === undefined) return <p className="text-[13px] text-muted">{t("file.arriving.size", { whole })}</p>;
  const percent = size === 0 ? 0 : Math.min(100, Math.floor((received / size) * 100));
  return (
    <>
      <ProgressBar label={t("file.arriving.progress")} percent={percent} still={state === "stalled"} />
      <p className="mt-2 text-[13px] text-muted tabular-nums">
        {t("file.arriving.come", { come: formatBytes(received, language), whole, percent })}
      </p>
    </>
  );
}
