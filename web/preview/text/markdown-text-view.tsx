import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import { loadWords, t, useLanguage } from "../../i18n/i18n.ts";
import { useCode } from "../../page/code.ts";
import { ReadingSkeleton } from "../file/reading-skeleton.tsx";
import { LargeText } from "./large-text.tsx";

/** Markdown for reading. Very long ones, and those whose reader does not load, stand as they were written. */
export function MarkdownTextView({ text }: { readonly text: string }) {
  useLanguage();
  const long = text.length > RICH_TEXT_CHARACTERS;
  const { data: MarkdownView, isPending } = useCode("reading Markdown", async () => {
    const [{ MarkdownView }] = await Promise.all([import("../markdown/markdown-view.tsx"), loadWords("reading")]);
    return MarkdownView;
  });
  if (isPending && !long) return <ReadingSkeleton />;
  return (
    <div className="min-w-0 p-4 sm:p-8">
      {MarkdownView && !long ? (
        <div className="mx-auto max-w-[680px]">
          <MarkdownView text={text} />
        </div>
      ) : (
        <LargeText text={text} label={t("file.view.content")} wrap />
      )}
    </div>
  );
}
