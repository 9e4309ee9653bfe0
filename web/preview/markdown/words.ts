import { t } from "../../i18n/i18n.ts";
import type { DiagramWords, MarkdownWords } from "./word-shapes.ts";

/** The words of a rendered page in the language of the moment. */
export const markdownWords = (): MarkdownWords => ({
  code: t("paste.markdown.code"),
  copy: t("paste.markdown.copy"),
  unfold: t("paste.markdown.unfold"),
  table: t("paste.markdown.table"),
  notes: t("paste.markdown.notes"),
  lines: (count) => (count === 1 ? t("paste.markdown.oneLine") : t("paste.markdown.lines", { count })),
  loadImage: (host) => t("paste.markdown.loadImage", { host }),
});

/** What is said about diagrams. */
export const diagramWords = (): DiagramWords => ({
  diagram: t("paste.markdown.diagram"),
  diagramFailed: t("paste.markdown.diagramFailed"),
});
