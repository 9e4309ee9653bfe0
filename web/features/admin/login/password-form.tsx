import { type ReactNode, type SyntheticEvent, useRef } from "react";
import { MAX_PASSWORD_CHARACTERS, MAX_USERNAME_CHARACTERS } from "#contract/limits";
import { signIn } from "../../../api/session/sign-in.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/form/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { passwordProblem } from "./problems.ts";
import { useSignIn } from "./use-sign-in.ts";

/** Asks for the administrator's name and password; `why` stands above until an attempt has failed. */
export function PasswordForm({ why }: { readonly why: ReactNode }) {
  useLanguage();
  const password = useRef<HTMLInputElement>(null);
  const { problem, busy, miss, submit } = useSignIn();

  const press = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [name, secret] = [String(fields.get("username") ?? ""), String(fields.get("password") ?? "")];
    if (name === "" || secret === "") return miss();
    void submit(
      () => signIn.withPassword(name, secret),
      () => password.current?.select(),
    );
  };

  return (
    <form onSubmit={press} noValidate className="grid gap-4">
      {problem === undefined && why}
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
      {problem !== undefined && <Notice tone="error">{passwordProblem(problem)}</Notice>}
      <Button type="submit" variant="primary" busy={busy} className="mt-1">
        {busy ? t("admin.login.submitting") : t("admin.login.submit")}
      </Button>
    </form>
  );
}
