import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import { loadWords, t, useLanguage } from "../../i18n/i18n.ts";
import { useCode } from "../../lib/code.ts";
import { Card } from "../../ui/surface.tsx";
import { TextView } from "../text/text-view.tsx";

interface TextPreviewProps {
  readonly text: string;
  readonly as: "markdown" | "text";
}

/** A text for reading: Markdown as it is meant, all else as it was written. */
export function TextPreview({ text, as }: TextPreviewProps) {
  useLanguage();
  const long = text.length > RICH_TEXT_CHARACTERS;
  return (
    <Card className="min-w-0 p-4 sm:p-8">
      {text.trim() === "" ? <p className="text-muted">{t("file.view.blank")}</p> : null}
      {as === "markdown" && !long ? <Markdown text={text} /> : <TextView text={text} label={t("file.view.content")} />}
    </Card>
  );
}

/** Loads what reads Markdown, with its words; until then, and when that fails, the text stands as it was written. */
function Markdown({ text }: { readonly text: string }) {
  useLanguage();
  const { data } = useCode("reading Markdown", async () => {
    const [{ MarkdownView }] = await Promise.all([import("../markdown/markdown-view.tsx"), loadWords("reading")]);
    return MarkdownView;
  });
  const MarkdownView = data;
  if (!MarkdownView) return <TextView text={text} label={t("file.view.content")} />;
  return (
    <div className="mx-auto max-w-[680px]">
      <MarkdownView text={text} />
    </div>
  );
}
