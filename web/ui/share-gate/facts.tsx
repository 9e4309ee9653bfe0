import { t, useLanguage } from "../../i18n/i18n.ts";
import { Instant } from "../instant.tsx";

/** When a share expires; null is never. */
export function Expires({ at }: { readonly at: string | null }) {
  useLanguage();
  return at ? <TimedText text={t("share.facts.expires", { time: MARK })} at={at} /> : t("share.facts.expiresNever");
}

/** That opening it has cost its owner no view, or for how long that holds for this browser, or the password; null for a share that asks for neither. */
export function reloadText(seconds: number | undefined, isLimited: boolean, own?: boolean): string | null {
  if (own) return t("share.facts.own");
  if (seconds === undefined) return null;
  const count = Math.ceil(seconds / 60);
  return isLimited ? t("share.facts.reload", { count }) : t("share.facts.reloadOpen", { count });
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
