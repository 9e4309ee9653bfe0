import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Expires, FactLine, MARK, TimedText } from "../../../ui/share-gate/facts.tsx";
import type { OpenPaste } from "./opening.ts";

/** What there is to know about a text share, in one muted line. */
export function Facts({ share }: { share: OpenPaste }) {
  useLanguage();
  const { expiresAt, createdAt, viewsLeft } = share;
  return (
    <FactLine>
      <Expires at={expiresAt ?? null} />
      {viewsLeft === null ? t("reading.view.viewsUnlimited") : t("reading.view.viewsLeft", { count: viewsLeft })}
      {createdAt ? <TimedText text={t("reading.view.created", { time: MARK })} at={createdAt} /> : null}
    </FactLine>
  );
}
