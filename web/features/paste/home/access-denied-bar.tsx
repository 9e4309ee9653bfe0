import { useNavigate } from "react-router-dom";
import type { Rights } from "../../../api/rights.ts";
import { useSession } from "../../../api/session.ts";
import { useSignOutSentence } from "../../../api/sign-out-sentence.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { anotherWayTo, backTo } from "../../../lib/return-to.ts";
import { AccessDenied } from "../../../ui/access-denied.tsx";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { useSignOut } from "../../../ui/sign-out.tsx";

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
  if (rights.signedIn) return <KeyBar lockedIn={!rights.may("file_share")} problem={problem} />;
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

interface KeyBarProps {
  /** No page of the admin area is open to this key, so the way to sign out is here. */
  readonly lockedIn: boolean;
  readonly problem: string | undefined;
}

function KeyBar({ lockedIn, problem }: KeyBarProps) {
  useLanguage();
  const navigate = useNavigate();
  const present = useSession();
  const name = present.authType === "apikey" ? present.name : "";
  const { press, question } = useSignOut(() => navigate("/admin", { state: anotherWayTo("/") }));
  return (
    <AccessDenied
      why={t("paste.home.keyMayNot", { name })}
      problem={problem}
      action={
        lockedIn ? (
          <>
            <Button onClick={press} className="max-sm:w-full">
              {t("paste.home.otherSignIn")}
            </Button>
            {question}
          </>
        ) : null
      }
    />
  );
}
