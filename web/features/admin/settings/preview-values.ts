import { t } from "../../../i18n/i18n.ts";

/** What files can be shown as. */
export const kinds = ["text", "image", "video", "audio", "office", "document"] as const;
export type Kind = (typeof kinds)[number];

/** The page's lists as its fields hold them. */
export type PreviewValues = Readonly<Record<Kind, string>>;

/** The setting that holds a list. */
export const settingOf = (kind: Kind) => `preview_${kind}_types`;

/** The endings that a field names. */
export const endingsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[,，\s]+/)
    .filter((ending) => ending !== "");

/** Reports whether a text can be an ending. */
export const isEnding = (text: string): boolean => /^[a-z0-9]+$/.test(text);

/** Each list as the server writes it, so that one that only looks different is no change. */
export const settingsOf = (values: PreviewValues) =>
  Object.fromEntries(kinds.map((kind) => [settingOf(kind), [...new Set(endingsIn(values[kind]))].join(",")]));

/** What the browser can tell is wrong before it asks the server. */
export const problemsIn = (values: PreviewValues) =>
  Object.fromEntries(
    kinds
      .filter((kind) => !endingsIn(values[kind]).every(isEnding))
      .map((kind) => [settingOf(kind), t("admin.settings.endings")]),
  );
