import type { Language } from "#contract/languages";
import { t } from "../../../i18n/i18n.ts";
import type { BegunOptions } from "../../../transfer/uploads.ts";
import { optionTexts } from "../../../ui/share-options/sentence.ts";

/** The options with which an unfinished upload goes on, as the chips would say them. */
export function begunText(begun: BegunOptions, language: Language): string {
  const { slug = "", remark = "", expiresAt, maxViews = 0, path, seal } = begun;
  const expiry = expiresAt ? ({ kind: "at", time: Date.parse(expiresAt) } as const) : ({ kind: "never" } as const);
  const options = { slug, remark, expiry, maxViews: String(maxViews), password: "" };
  const texts = optionTexts(options, language, seal ? "/s/" : "/file/");
  const said = [
    seal && t("paste.options.sealed.on"),
    texts.expiry.text,
    texts.maxViews.text,
    texts.slug.set && texts.slug.text,
    texts.remark.set && texts.remark.text,
    path,
  ];
  return said.filter(Boolean).join(" · ");
}
