import { type SyntheticEvent, useState } from "react";
import { isUsername } from "#contract/fields";
import { MAX_PASSWORD_CHARACTERS, MAX_USERNAME_CHARACTERS, MIN_ACCOUNT_PASSWORD_CHARACTERS } from "#contract/limits";
import { failureText } from "../../api/failure.ts";
import { refusalAt } from "../../api/refusals.ts";
import { useSession } from "../../api/session.ts";
import { signIn } from "../../api/sign-in.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useOneAtATime } from "../../lib/one-at-a-time.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Card } from "../../ui/surface.tsx";

type Problems = Partial<Record<"current" | "username" | "password" | "all", string>>;

interface Account {
  readonly currentPassword: string;
  readonly newUsername: string;
  readonly newPassword: string;
}

/** Changes the administrator's name and password. */
export function Account() {
  useLanguage();
  const state = useSession();
  const username = state.authType === "admin" ? state.username : "";
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  const oneAtATime = useOneAtATime();

  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const account = {
      currentPassword: String(fields.get("current") ?? ""),
      newUsername: String(fields.get("username") ?? "").trim(),
      newPassword: String(fields.get("new") ?? ""),
    };
    const found = check(account);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    await oneAtATime(() => change(account, form));
  };

  const change = async (account: Account, form: HTMLFormElement) => {
    setBusy(true);
    try {
      await signIn.changeAccount(account);
      // The page waits behind the sign-in, and passwords are not to wait with it.
      form.reset();
    } catch (error) {
      setProblems(problemsOf(error));
    }
    setBusy(false);
  };

  return (
    <>
      <h1 className="font-semibold text-xl">{t("admin.account.title")}</h1>
      <p className="mt-1 mb-5 text-muted">{t("admin.account.intro")}</p>
      <Card className="max-w-md p-5 sm:p-6">
        <form onSubmit={submit} noValidate className="grid gap-5">
          <TextField
            label={t("admin.account.current")}
            name="current"
            type="password"
            autoComplete="current-password"
            maxLength={MAX_PASSWORD_CHARACTERS}
            error={problems.current}
          />
          <TextField
            label={t("admin.account.username")}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={MAX_USERNAME_CHARACTERS}
            hint={username ? t("admin.account.usernameHint", { username }) : t("admin.account.usernameKeep")}
            error={problems.username}
          />
          <TextField
            label={t("admin.account.password")}
            name="new"
            type="password"
            autoComplete="new-password"
            maxLength={MAX_PASSWORD_CHARACTERS}
            hint={t("admin.account.passwordHint")}
            error={problems.password}
          />
          {problems.all && <Notice tone="error">{problems.all}</Notice>}
          <Button type="submit" variant="primary" busy={busy} className="justify-self-start">
            {busy ? t("admin.account.saving") : t("admin.account.save")}
          </Button>
        </form>
      </Card>
    </>
  );
}

/** What is wrong before the server is asked. */
function check({ currentPassword, newUsername, newPassword }: Account): Problems {
  if (currentPassword === "") return { current: t("admin.account.currentRequired") };
  if (newUsername === "" && newPassword === "") return { all: t("admin.account.nothing") };
  if (newUsername !== "" && !isUsername(newUsername)) return { username: t("admin.account.usernameBad") };
  if (newPassword === "") return {};
  if (newPassword.length < MIN_ACCOUNT_PASSWORD_CHARACTERS) return { password: t("admin.account.passwordShort") };
  return newPassword === currentPassword ? { password: t("admin.account.passwordSame") } : {};
}

function problemsOf(error: unknown): Problems {
  const refusal = refusalAt(error, ["current", "password"]);
  return refusal ? { [refusal.field]: t(refusal.words) } : { all: failureText(error) };
}
