import { t } from "../../../i18n/i18n.ts";

/** What files can be shown as. */
export const kinds = ["text", "image", "video", "audio", "office", "document"] as const;
type Kind = (typeof kinds)[number];

/** The page's lists as its fields hold them. */
export type PreviewValues = Readonly<Record<Kind, string>>;

/** The setting that holds a list. */
export const settingOf = (kind: Kind) => `preview_${kind}_types`;

/** Puts a blank after each comma of a list, so that its lines can break. */
export const spaced = (list: string): string => list.split(",").join(", ");

/** The endings that a field names. */
export const endingsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[,，\s]+/)
    .filter((ending) => ending !== "");

/** Each list as the server writes it, so that one that only looks different is no change. */
export const settingsOf = (values: PreviewValues) =>
  Object.fromEntries(kinds.map((kind) => [settingOf(kind), [...new Set(endingsIn(values[kind]))].join(",")]));

/** What the browser can tell is wrong before it asks the server. */
export const problemsIn = (values: PreviewValues) =>
  Object.fromEntries(
    kinds
      .filter((kind) => !endingsIn(values[kind]).every((ending) => /^[a-z0-9]+$/.test(ending)))
      .map((kind) => [settingOf(kind), t("admin.settings.endings")]),
  );
