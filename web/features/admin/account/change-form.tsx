import { useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useEffect, useRef, useState } from "react";
import { MAX_PASSWORD_CHARACTERS, MAX_USERNAME_CHARACTERS } from "#contract/limits";
import { failureText } from "../../../api/failure.ts";
import { refusalAt } from "../../../api/refusals.ts";
import { useSession } from "../../../api/session/session.ts";
import { signIn } from "../../../api/session/sign-in.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useOneAtATime } from "../../../lib/one-at-a-time.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/form/field.tsx";
import { Unsaved } from "../../../ui/form/unsaved.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Section } from "../frame/section.tsx";
import { type AccountProblems, type AccountValues, accountProblems } from "./problems.ts";

const empty: AccountValues = { currentPassword: "", newUsername: "", newPassword: "" };

/** Changes the administrator's name and password; then every other device has to sign in again. */
export function ChangeForm() {
  useLanguage();
  const state = useSession();
  const username = state.authType === "admin" ? state.username : "";
  const [values, setValues] = useState(empty);
  const [problems, setProblems] = useState<AccountProblems>({});
  const [busy, setBusy] = useState(false);
  const [changed, setChanged] = useState(false);
  const queries = useQueryClient();
  const oneAtATime = useOneAtATime();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Each refusal comes as problems of its own, so that the same one leads to its field again.
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const fill = (part: Partial<AccountValues>) => setValues((present) => ({ ...present, ...part }));

  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const account = { ...values, newUsername: values.newUsername.trim() };
    const found = accountProblems(account);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    await oneAtATime(() => change(account));
  };

  const change = async (account: AccountValues) => {
    setBusy(true);
    setChanged(false);
    try {
      await signIn.changeAccount(account);
      setValues(empty);
      setChanged(true);
      // The sessions and the log below have become others, and the first steps of the dashboard too.
      void queries.invalidateQueries({ queryKey: ["admin"] });
    } catch (error) {
      setProblems(problemsOf(error));
    }
    setBusy(false);
  };

  return (
    <Section title={t("admin.account.changeTitle")} text={t("admin.account.intro")}>
      <form ref={form} onSubmit={submit} noValidate className="grid max-w-md gap-5">
        <TextField
          label={t("admin.account.current")}
          type="password"
          autoComplete="current-password"
          maxLength={MAX_PASSWORD_CHARACTERS}
          value={values.currentPassword}
          error={problems.current}
          onChange={(event) => fill({ currentPassword: event.target.value })}
        />
        <TextField
          label={t("admin.account.username")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={MAX_USERNAME_CHARACTERS}
          value={values.newUsername}
          hint={username ? t("admin.account.usernameHint", { username }) : t("admin.account.usernameKeep")}
          error={problems.username}
          onChange={(event) => fill({ newUsername: event.target.value })}
        />
        <TextField
          label={t("admin.account.password")}
          type="password"
          autoComplete="new-password"
          maxLength={MAX_PASSWORD_CHARACTERS}
          value={values.newPassword}
          hint={t("admin.account.passwordHint")}
          error={problems.password}
          onChange={(event) => fill({ newPassword: event.target.value })}
        />
        {problems.all && <Notice tone="error">{problems.all}</Notice>}
        {changed && <Notice tone="ok">{t("admin.account.saved")}</Notice>}
        <Button type="submit" variant="primary" busy={busy} className="justify-self-start">
          {busy ? t("admin.account.saving") : t("admin.account.save")}
        </Button>
      </form>
      <Unsaved touched={values.newUsername !== "" || values.newPassword !== ""} />
    </Section>
  );
}

function problemsOf(error: unknown): AccountProblems {
  const refusal = refusalAt(error, ["current", "password"]);
  return refusal ? { [refusal.field]: t(refusal.words) } : { all: failureText(error) };
}
