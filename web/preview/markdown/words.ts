import { t } from "../../i18n/i18n.ts";
import type { DiagramWords, MarkdownWords } from "./word-shapes.ts";

/** The words of a rendered page in the language of the moment. */
export const markdownWords = (): MarkdownWords => ({
  code: t("reading.markdown.code"),
  copy: t("reading.markdown.copy"),
  preview: t("reading.markdown.preview"),
  unfold: t("reading.markdown.unfold"),
  table: t("reading.markdown.table"),
  notes: t("reading.markdown.notes"),
  contents: t("reading.view.outline"),
  alerts: {
    note: t("reading.alert.note"),
    tip: t("reading.alert.tip"),
    important: t("reading.alert.important"),
    warning: t("reading.alert.warning"),
    caution: t("reading.alert.caution"),
  },
  lines: (count) => (count === 1 ? t("reading.markdown.oneLine") : t("reading.markdown.lines", { count })),
  loadImage: (host) => t("reading.markdown.loadImage", { host }),
  loadMedia: (host) => t("reading.markdown.loadMedia", { host }),
  enlarge: (alt) => `${t("reading.markdown.enlarge")} ${alt}`.trim(),
});

/** The sentences about diagrams. */
export const diagramWords = (): DiagramWords => ({
  diagram: t("reading.markdown.diagram"),
  diagramFailed: t("reading.markdown.diagramFailed"),
});
