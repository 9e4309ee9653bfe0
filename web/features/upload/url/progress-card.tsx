import X from "lucide-react/icons/x";
import { useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import type { Language } from "#contract/languages";
import { fileLink } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import type { UrlUpload } from "../../../transfer/from-url/upload.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { FactLine } from "../../../ui/share-gate/fact-line.tsx";
import { timeText } from "../../../ui/upload-row/amounts.ts";
import { problemText as uploadProblem } from "../../../ui/upload-row/problems.ts";
import { ProgressBar } from "../../../ui/upload-row/progress-bar.tsx";
import { LinkActions } from "../rows/row-actions.tsx";
import { StopDialog } from "../stop-dialog.tsx";
import { SourceCard } from "./source-card.tsx";
import type { UrlState } from "./url-state.ts";

interface ProgressCardProps {
  readonly urlState: UrlState;
  readonly upload: UrlUpload;
}

/** The file on its way, or what has come of it. */
export function ProgressCard({ urlState, upload }: ProgressCardProps) {
  useLanguage();
  const { task, stage, result } = upload;
  return (
    <SourceCard
      source={task.source}
      name={result?.filename ?? task.name}
      actions={
        stage === "completed" && result ? (
          <LinkActions slug={result.slug} link={fileLink(result.slug)} />
        ) : (
          <Cancel {...{ urlState, upload }} />
        )
      }
    >
      <UploadStatus upload={upload} />
      {result && <ResultLink slug={result.slug} />}
      {stage === "completed" || stage === "cancelled" ? (
        <div className="mt-2">
          <Button onClick={urlState.machine.clear}>
            {stage === "completed" ? t("upload.fromUrl.another") : t("upload.fromUrl.again")}
          </Button>
        </div>
      ) : null}
    </SourceCard>
  );
}

/** Where it is, in words, and how far. */
function UploadStatus({ upload }: Pick<ProgressCardProps, "upload">) {
  const language = useLanguage();
  const { task, stage, percent, waiting, failure, relayed } = upload;
  const words = waiting ? t("upload.fromUrl.waiting") : t(`upload.fromUrl.stage.${stage}`);
  if (stage === "failed") return <p className="text-[13px] text-danger">{failure ? problemText(upload) : words}</p>;
  if (stage === "completed") return <p className="text-[13px] text-ok">{words}</p>;
  if (stage === "cancelled") return <p className="text-[13px] text-muted">{words}</p>;
  return (
    <div className="mt-1 grid gap-1.5">
      <p className="font-medium text-[13px] tabular-nums">
        {words}
        {percent === undefined ? null : ` ${percent}%`}
      </p>
      <ProgressBar
        label={t("upload.fromUrl.progress", { name: shownName(task.name) })}
        percent={percent ?? 0}
        still={waiting || percent === undefined}
      />
      <FactLine>{amounts(upload, language)}</FactLine>
      {relayed && <p className="text-[13px] text-muted">{t("upload.row.relayed")}</p>}
    </div>
  );
}

function amounts({ received, sent, size, speed, secondsLeft }: UrlUpload, language: Language): string[] {
  const bytes = (count: number) => formatBytes(count, language);
  const whole = size === null ? undefined : bytes(size);
  return [
    whole === undefined
      ? t("upload.fromUrl.down", { received: bytes(received) })
      : t("upload.fromUrl.downOf", { received: bytes(received), size: whole }),
    ...(sent > 0 && whole !== undefined ? [t("upload.fromUrl.upOf", { sent: bytes(sent), size: whole })] : []),
    ...(speed > 0 ? [t("upload.row.speed", { speed: bytes(speed) })] : []),
    ...(speed > 0 && secondsLeft !== undefined
      ? [t("upload.row.left", { time: timeText(secondsLeft, language) })]
      : []),
  ];
}

/** Bytes from which on giving up is asked about first. */
const COSTLY = 5 * 1024 * 1024;

function Cancel({ urlState, upload: { stage, task, received } }: ProgressCardProps) {
  useLanguage();
  const [asking, setAsking] = useState(false);
  const isOver = stage === "failed" || stage === "cancelled";
  const press = () => {
    if (isOver) return urlState.machine.clear();
    if (received >= COSTLY) return setAsking(true);
    void urlState.machine.cancel();
  };
  return (
    <>
      <IconButton label={isOver ? t("upload.fromUrl.clear") : t("upload.fromUrl.cancel")} onClick={press}>
        <X aria-hidden />
      </IconButton>
      {asking && !isOver && (
        <StopDialog
          title={t("upload.fromUrl.stopTitle", { name: shownName(task.name) })}
          onStop={urlState.machine.cancel}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function ResultLink({ slug }: { readonly slug: string }) {
  useLanguage();
  const link = fileLink(slug);
  return (
    <a
      href={link}
      target="_blank"
      rel="noopener"
      aria-label={`${t("upload.fromUrl.link")}: ${link}`}
      className="min-w-0 truncate rounded font-mono text-[13px] text-accent hover:underline"
    >
      {link.replace(/^https?:\/\//, "")}
    </a>
  );
}

const words = {
  network: "upload.fromUrl.problem.network",
  timeout: "upload.fromUrl.problem.timeout",
  sourceChanged: "upload.fromUrl.problem.sourceChanged",
} as const;

const isOfSource = (code: string): code is keyof typeof words => Object.hasOwn(words, code);

/** What happened to a file from the web and what to do, as a sentence; while it went up it is what every upload says. */
function problemText({ failure, sent, received, size, task }: UrlUpload): string {
  if (!failure) return "";
  const isDown = size !== null && received === size;
  if (isOfSource(failure.code) && !isDown) return t(words[failure.code]);
  const multipart = task.method === "multipart";
  return uploadProblem(failure, { multipart, sent, wanted: task.options.slug || undefined, file: { size: size ?? 0 } });
}
