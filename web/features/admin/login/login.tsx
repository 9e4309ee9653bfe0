import KeyRound from "lucide-react/icons/key-round";
import LockKeyhole from "lucide-react/icons/lock-keyhole";
import { useEffect, useRef } from "react";
import { useLocation } from "react-router-dom";
import { useSignOutReason } from "../../../api/session/session.ts";
import { useSignOutSentence } from "../../../api/session/sign-out-sentence.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { bringsUpKeyboard } from "../../../lib/media.ts";
import { useStore } from "../../../lib/store.ts";
import { useOwnTitle } from "../../../page/page-title.ts";
import { isWithoutKey } from "../../../page/return-to.ts";
import { Button } from "../../../ui/button.tsx";
import { CentredCard } from "../../../ui/card.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { KeyForm } from "./key-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { signInMethod } from "./sign-in-method.ts";

interface LoginProps {
  /** The person came with a one-time link that works no more. */
  readonly linkIsDead: boolean;
}

/** The card that asks who it is: the administrator by name and password, or anybody by an API key. */
export function Login({ linkIsDead }: LoginProps) {
  useLanguage();
  useOwnTitle(t("admin.login.submit"));
  const method = useStore(signInMethod);
  const forms = useRef<HTMLDivElement>(null);
  const chosen = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field to go to is another one with each form
  useEffect(() => {
    // A touch screen would bring up its keyboard before anybody has asked for it.
    const isWelcome = chosen.current || !bringsUpKeyboard();
    if (isWelcome) forms.current?.querySelector<HTMLInputElement>(":scope > :not([hidden]) input")?.focus();
    chosen.current = false;
  }, [method]);

  const { state } = useLocation();
  useEffect(() => {
    if (isWithoutKey(state)) signInMethod.set("password");
  }, [state]);

  const change = () => {
    chosen.current = true;
    signInMethod.set(method === "key" ? "password" : "key");
  };

  const why = <Why linkIsDead={linkIsDead} />;
  const Icon = method === "key" ? KeyRound : LockKeyhole;
  return (
    <CentredCard icon={<Icon aria-hidden />} title={t(method === "key" ? "admin.login.keyTitle" : "admin.login.title")}>
      {/* Both are there, so that what was typed into one is not lost by a look at the other. */}
      <div ref={forms} className="mt-4">
        <div hidden={method !== "key"}>
          <KeyForm why={method === "key" && why} />
        </div>
        <div hidden={method === "key"}>
          <PasswordForm why={method === "password" && why} />
        </div>
      </div>
      <Button variant="plain" onClick={change} className="mt-2 w-full">
        {t(method === "key" ? "admin.login.usePassword" : "admin.login.useKey")}
      </Button>
    </CentredCard>
  );
}

/** Why the card is here, when it is not for the first time. */
function Why({ linkIsDead }: LoginProps) {
  const changed = useSignOutReason() === "changed";
  const sentence = useSignOutSentence();
  if (linkIsDead) return <Notice tone="error">{t("admin.login.setupDead")}</Notice>;
  if (changed) return <Notice tone="ok">{t("admin.login.changed")}</Notice>;
  return sentence === undefined ? null : <Notice tone="plain">{sentence}</Notice>;
}
