import type { Rights } from "../../../api/session/rights.ts";
import { useSignOutSentence } from "../../../api/session/sign-out-sentence.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { backTo } from "../../../page/return-to.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { AccessDenied } from "../../../ui/session/access-denied.tsx";
import { OtherSignIn, useKeyName } from "../../../ui/session/other-sign-in.tsx";

interface AccessDeniedBarProps {
  readonly rights: Rights;
  /** The text is too large to be kept as a draft. */
  readonly persistFailed: boolean;
  readonly problem: string | undefined;
}

/** In the bar's place for somebody who may write but not share. */
export function AccessDeniedBar({ rights, persistFailed, problem }: AccessDeniedBarProps) {
  useLanguage();
  const ended = useSignOutSentence();
  const name = useKeyName();
  if (rights.signedIn)
    return (
      <AccessDenied
        why={t("paste.home.keyMayNot", { name })}
        problem={problem}
        action={<OtherSignIn rights={rights} back="/" />}
      />
    );
  const signIn = (
    <ButtonLink to="/admin" state={backTo("/")} variant="primary" className="max-sm:w-full">
      {t("paste.home.signIn")}
    </ButtonLink>
  );
  const why = persistFailed ? t("paste.home.signInWhyOnly") : t("paste.home.signInWhy");
  return (
    <>
      {ended ? (
        <Notice tone="plain" className="mb-3">
          {ended}
        </Notice>
      ) : null}
      <AccessDenied why={why} problem={ended ? undefined : problem} action={signIn} />
    </>
  );
}
