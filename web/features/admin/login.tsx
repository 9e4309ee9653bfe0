import LockKeyhole from "lucide-react/icons/lock-keyhole";
import { type SyntheticEvent, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { MAX_PASSWORD_CHARACTERS, MAX_USERNAME_CHARACTERS } from "#contract/limits";
import { failureText, isFailure } from "../../api/failure.ts";
import { session, useSignOutReason } from "../../api/session.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useOneAtATime } from "../../lib/one-at-a-time.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { CentredCard } from "../../ui/surface.tsx";

interface LoginProps {
  /** The person came with a one-time link that works no more. */
  readonly linkIsDead: boolean;
  /** Where to go once signed in; without it the page that was asked for appears. */
  readonly returnTo: string | undefined;
}

/** The card that asks for the administrator's name and password. */
export function Login({ linkIsDead, returnTo }: LoginProps) {
  useLanguage();
  const navigate = useNavigate();
  const reason = useSignOutReason();
  const password = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const oneAtATime = useOneAtATime();

  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [name, secret] = [String(fields.get("username") ?? ""), String(fields.get("password") ?? "")];
    if (name === "" || secret === "") return setProblem("empty");
    await oneAtATime(() => signIn(name, secret));
  };

  const signIn = async (name: string, secret: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await session.login(name, secret);
      if (returnTo) navigate(returnTo, { replace: true });
    } catch (error) {
      setProblem(error);
      setBusy(false);
      password.current?.select();
    }
  };

  return (
    <CentredCard icon={<LockKeyhole aria-hidden />} title={t("admin.login.title")}>
      <form onSubmit={submit} noValidate className="mt-4 grid gap-4">
        {problem === undefined && <Why linkIsDead={linkIsDead} reason={reason} />}
        <TextField
          label={t("admin.login.username")}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_USERNAME_CHARACTERS}
        />
        <TextField
          ref={password}
          label={t("admin.login.password")}
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={MAX_PASSWORD_CHARACTERS}
        />
        {problem !== undefined && <Notice tone="error">{loginProblem(problem)}</Notice>}
        <Button type="submit" variant="primary" busy={busy} className="mt-1">
          {busy ? t("admin.login.submitting") : t("admin.login.submit")}
        </Button>
      </form>
    </CentredCard>
  );
}

/** Why the card is here, when it is not for the first time. */
function Why({ linkIsDead, reason }: { linkIsDead: boolean; reason: ReturnType<typeof useSignOutReason> }) {
  if (linkIsDead) return <Notice tone="error">{t("admin.login.setupDead")}</Notice>;
  if (reason === "expired") return <Notice tone="plain">{t("admin.login.expired")}</Notice>;
  if (reason === "changed") return <Notice tone="ok">{t("admin.login.changed")}</Notice>;
  return null;
}

function loginProblem(problem: unknown): string {
  if (problem === "empty") return t("admin.login.required");
  if (isFailure(problem, "login.wrong")) return t("admin.login.wrong");
  if (isFailure(problem, "limit.wait") && problem.retryAfter) {
    return t("admin.login.wait", { seconds: problem.retryAfter });
  }
  return failureText(problem);
}
