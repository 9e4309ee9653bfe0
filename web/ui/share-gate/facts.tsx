import { t, useLanguage } from "../../i18n/i18n.ts";
import { Instant } from "../instant.tsx";

/** When a share expires; null is never. */
export function Expires({ at }: { readonly at: string | null }) {
  useLanguage();
  return at ? <TimedText text={t("share.facts.expires", { time: MARK })} at={at} /> : t("share.facts.expiresNever");
}

/** Marks the place of the time in a sentence, which differs between languages. */
export const MARK = "\u0000";

/** A sentence with a time in place of its MARK. */
export function TimedText({ text, at }: { readonly text: string; readonly at: string }) {
  const [before, after] = text.split(MARK);
  return (
    <>
      {before}
      <Instant at={at} />
      {after}
    </>
  );
}
