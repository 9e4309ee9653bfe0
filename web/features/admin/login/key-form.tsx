import { type ReactNode, type SyntheticEvent, useRef, useState } from "react";
import { MAX_KEY_CHARACTERS } from "#contract/limits";
import { signIn } from "../../../api/session/sign-in.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox, TextField } from "../../../ui/form/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { keyProblem } from "./problems.ts";
import { useSignIn } from "./use-sign-in.ts";

/** Asks for an API key; `why` stands above until an attempt has failed. */
export function KeyForm({ why }: { readonly why: ReactNode }) {
  useLanguage();
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(false);
  const { problem, busy, miss, submit } = useSignIn();

  const press = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    // What is copied from a chat may bring characters along that nobody sees.
    const key = String(new FormData(event.currentTarget).get("api-key") ?? "")
      .replace(/\p{Cf}/gu, "")
      .trim();
    if (key === "") return miss();
    void submit(
      () => signIn.withKey(key),
      () => field.current?.select(),
    );
  };

  return (
    <form onSubmit={press} noValidate autoComplete="off" className="grid gap-4">
      {problem === undefined && why}
      <div className="grid gap-1">
        {/* Of type password browsers would fill in the administrator's, and offer to save the key in its place. */}
        <TextField
          ref={field}
          label={t("admin.login.key")}
          name="api-key"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={MAX_KEY_CHARACTERS}
          mono
          hint={t("admin.login.keyHint")}
          className={shown ? "" : "[-webkit-text-security:disc]"}
        />
        <Checkbox
          label={t("admin.login.keyShow")}
          checked={shown}
          onChange={(event) => setShown(event.currentTarget.checked)}
          className="justify-self-start"
        />
      </div>
      {problem !== undefined && <Notice tone="error">{keyProblem(problem)}</Notice>}
      <Button type="submit" variant="primary" busy={busy}>
        {busy ? t("admin.login.submitting") : t("admin.login.submit")}
      </Button>
    </form>
  );
}
