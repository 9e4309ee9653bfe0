import { failureText, isSignedOut } from "../../api/failure.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { ButtonLink } from "../button.tsx";
import { Notice } from "../notice.tsx";

interface RefusedProps {
  readonly error: unknown;
  /** What is said of any failure but an ended session; the server's sentence unless given. */
  readonly text?: string;
  readonly className?: string;
}

/** Says why a change was not saved. A session that ended is begun anew in another tab, so that what was changed stays here. */
export function Refused({ error, text = failureText(error), className }: RefusedProps) {
  useLanguage();
  const ended = isSignedOut(error);
  const signIn = (
    <ButtonLink to="/admin" target="_blank">
      {t("share.form.signIn")}
    </ButtonLink>
  );
  return (
    <Notice tone="error" action={ended ? signIn : null} {...(className && { className })}>
      {ended ? t("share.form.signedOut") : text}
    </Notice>
  );
}
