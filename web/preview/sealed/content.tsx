import type { ComponentProps } from "react";
import { formatBytes } from "#contract/format-bytes";
import type { Previewed, ViewerKind } from "#contract/shown-as";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Skeleton } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NoPreview } from "../file/no-preview.tsx";
import { Stage } from "../file/stage.tsx";
import { useShown } from "../file/use-shown.ts";
import { FileViewer } from "../file/viewer.tsx";
import { FromSealProvider } from "./from-seal.ts";
import { type Problem, sentenceOf } from "./unlocked.ts";
import type { Served } from "./use-address.ts";

interface SealedContentProps extends Pick<ComponentProps<typeof FileViewer>, "neighbours"> {
  readonly file: Previewed;
  readonly served: Served;
  readonly broken: Problem | undefined;
  /** Whether its views are limited: the page is not loaded anew by itself. */
  readonly isScarce?: boolean;
}

/** What is read in parts may have a damage in one of them. */
const inParts: ReadonlySet<ViewerKind> = new Set(["video", "audio", "archive", "pdf"]);

/** What was opened, by the viewer of its kind, which reads it where this browser serves it; or why that cannot be. */
export function SealedContent({ file, served, broken, neighbours, isScarce = false }: SealedContentProps) {
  const language = useLanguage();
  const shown = useShown(file, served.state === "ready" ? served.read : undefined);
  if (served.state === "preparing")
    return (
      <div role="status" aria-label={t("share.gate.loading")} className="relative grid flex-1">
        <Skeleton className="min-h-72 rounded-xl" />
        {served.come === undefined ? null : (
          <p className="absolute inset-x-4 bottom-4 text-center text-[13px] text-muted tabular-nums">
            {t("sealed.opening", { come: formatBytes(served.come, language), whole: formatBytes(file.size, language) })}
          </p>
        )}
      </div>
    );
  const problem = served.state === "failed" ? served.problem : broken;
  if (served.state !== "ready" || shown.as === "nothing" || (problem && !inParts.has(shown.as))) {
    const text = problem
      ? sentenceOf(problem)
      : t(served.state === "tooLarge" ? "sealed.tooLarge" : whyNot(shown.as === "nothing" ? shown.why : undefined));
    return (
      <Stage className="flex-1">
        <NoPreview text={text} />
      </Stage>
    );
  }
  const addresses = { shown: served.read, read: served.read, onFail: () => false };
  return (
    <>
      {problem ? <Notice tone="error">{sentenceOf(problem)}</Notice> : null}
      {shown.as === "office" ? <Notice tone="plain">{t("sealed.office")}</Notice> : null}
      <FromSealProvider value>
        <FileViewer
          {...{ file, neighbours }}
          as={shown.as}
          addresses={addresses}
          // Nothing is counted: all of it has been handed out.
          takeOut={async () => undefined}
          scarce={isScarce}
        />
      </FromSealProvider>
    </>
  );
}

const whyNot = (why: "tooLarge" | "unknown" | undefined) =>
  why === "tooLarge" ? "file.view.tooLarge" : "sealed.noViewer";
