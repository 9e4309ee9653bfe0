import type { Language } from "#contract/languages";
import { t } from "../../i18n/i18n.ts";
import { dateTime } from "../../lib/time.ts";
import { type Expiry, expiresAt, expiryPresets, type ShareOptions } from "./options.ts";
import { viewLimit } from "./share-problems.ts";

/** One option in words. */
interface OptionText {
  readonly title: string;
  /** A piece of the sentence. */
  readonly text: string;
  /** It differs from what a share has without being asked. */
  readonly set: boolean;
}

/** The options in the words of the language shown; `folder` stands before the suffix in the link. */
export function optionTexts(
  options: ShareOptions,
  language: Language,
  folder = "/paste/",
): Record<keyof ShareOptions, OptionText> {
  const { slug, password, expiry, maxViews, remark } = options;
  return {
    slug: {
      title: t("paste.options.suffix.title"),
      text: slug ? folder + slug : t("paste.options.suffix.none"),
      set: slug !== "",
    },
    password: {
      title: t("paste.options.password.title"),
      text: password ? t("paste.options.password.some") : t("paste.options.password.none"),
      set: password !== "",
    },
    expiry: {
      title: t("paste.options.expiry.title"),
      text: expiryText(expiry, language),
      set: expiry.kind !== "never",
    },
    maxViews: {
      title: t("paste.options.views.title"),
      text: viewsText(maxViews),
      set: viewLimit(maxViews) !== 0,
    },
    remark: {
      title: t("paste.options.remark.title"),
      text: remark.trim() ? t("paste.options.remark.some", { remark: remark.trim() }) : t("paste.options.remark.none"),
      set: remark.trim() !== "",
    },
  };
}

function viewsText(typed: string): string {
  const count = viewLimit(typed) ?? typed;
  if (count === 0) return t("paste.options.views.none");
  return count === 1 ? t("paste.options.views.one") : t("paste.options.views.some", { count });
}

function expiryText(expiry: Expiry, language: Language): string {
  // A wrong time is told at the chip; here it must only not be shown as one.
  if (expiry.kind === "at" && Number.isNaN(expiry.time)) return t("paste.options.expiry.custom");
  const preset = expiry.kind === "after" ? expiryPresets.find(({ hours }) => hours === expiry.hours) : undefined;
  if (preset) return t(preset.long);
  const instant = expiresAt(expiry, Date.now());
  return instant === null
    ? t("paste.options.expiry.none")
    : t("paste.options.expiry.at", { time: dateTime(instant, language) });
}
