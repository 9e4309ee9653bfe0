import { t, useLanguage } from "../../../i18n/i18n.ts";
import { dateTime, relativeTime } from "../../../lib/time.ts";
import type { OpenPaste } from "./opening.ts";

/** What there is to know about a share, in one muted line. */
export function Facts({ share }: { share: OpenPaste }) {
  const language = useLanguage();
  const { expiresAt, createdAt, viewsLeft } = share;
  const when = (instant: string) => (
    <time dateTime={instant} title={dateTime(instant, language)}>
      {relativeTime(instant, language, Date.now())}
    </time>
  );
  const expires = expiresAt ? <Said text={t("paste.view.expires", { time: MARK })} time={when(expiresAt)} /> : null;
  const created = createdAt ? <Said text={t("paste.view.created", { time: MARK })} time={when(createdAt)} /> : null;
  return (
    <p className="flex flex-wrap gap-x-1.5 text-[13px] text-muted">
      <span>{expires ?? t("paste.view.expiresNever")}</span>
      <Dot />
      <span>
        {viewsLeft === null ? t("paste.view.viewsUnlimited") : t("paste.view.viewsLeft", { count: viewsLeft })}
      </span>
      {created ? (
        <>
          <Dot />
          <span>{created}</span>
        </>
      ) : null}
    </p>
  );
}

/** Stands in a sentence where the time goes: its place differs between languages. */
const MARK = "\u0000";

function Said({ text, time }: { text: string; time: React.ReactNode }) {
  const [before, after] = text.split(MARK);
  return (
    <>
      {before}
      {time}
      {after}
    </>
  );
}

const Dot = () => <span aria-hidden>·</span>;
