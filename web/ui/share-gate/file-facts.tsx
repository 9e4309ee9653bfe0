import type { OpenedFile } from "#contract/files";
import { formatBytes } from "#contract/format-bytes";
import type { Previewed } from "#contract/shown-as";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { kindWords } from "../file/kind.ts";
import { FactLine } from "./fact-line.tsx";
import { Expires, MARK, reloadText, TimedText } from "./facts.tsx";

type ShareFact = "created_at" | "expires_at" | "views" | "max_views";

interface FileFactsProps {
  /** As it is shown: what is known of a sealed file its browser alone has read. */
  readonly file: Pick<Previewed, "filename" | "size" | "typeName">;
  readonly share: Required<Pick<OpenedFile, ShareFact>> & Pick<OpenedFile, "reload_seconds" | "own">;
  readonly centred?: boolean;
}

/** What there is to know about a shared file, in one muted line. */
export function FileFacts({ file: { filename, size, typeName }, share, centred = false }: FileFactsProps) {
  const language = useLanguage();
  const { created_at, expires_at, views, max_views, reload_seconds, own } = share;
  return (
    <FactLine centred={centred}>
      {formatBytes(size, language)}
      {kindWords(typeName, filename)}
      <TimedText text={t("file.view.shared", { time: MARK })} at={created_at} />
      {max_views > 0 ? t("file.view.viewsOf", { views, count: max_views }) : t("file.view.views", { count: views })}
      <Expires at={expires_at} />
      {reloadText(reload_seconds, max_views > 0, own)}
    </FactLine>
  );
}
