import { formatBytes } from "#contract/format-bytes";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { kindWords } from "../../ui/file/kind.ts";
import { FactLine } from "../../ui/share-gate/fact-line.tsx";
import { Expires, MARK, reloadText, TimedText } from "../../ui/share-gate/facts.tsx";
import type { OpenFile } from "./source.ts";

interface FactsProps {
  readonly file: OpenFile;
  readonly centred: boolean;
}

/** What there is to know about a file, in one muted line. */
export function Facts({ file, centred }: FactsProps) {
  const language = useLanguage();
  const { size, typeName, filename, created_at, views, max_views, expires_at } = file;
  return (
    <FactLine centred={centred}>
      {formatBytes(size, language)}
      {kindWords(typeName, filename)}
      <TimedText text={t("file.view.shared", { time: MARK })} at={created_at} />
      {max_views > 0 ? t("file.view.viewsOf", { views, count: max_views }) : t("file.view.views", { count: views })}
      <Expires at={expires_at} />
      {reloadText(file.reload_seconds, max_views > 0, file.own)}
    </FactLine>
  );
}
