import Eye from "lucide-react/icons/eye";
import Lock from "lucide-react/icons/lock";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { MAX_PASSWORD_CHARACTERS } from "#contract/limits";
import type { OpenedPaste } from "#contract/pastes";
import type { ApiFailure } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { CentredCard } from "../../../ui/surface.tsx";

interface AskCardProps {
  readonly share: OpenedPaste;
  readonly busy: boolean;
  readonly problem: ApiFailure | undefined;
  readonly onOpen: (password?: string) => void;
}

/** Stands before a share with a password, a view limit or both; only its button spends a view. */
export function AskCard({ share, busy, problem, onOpen }: AskCardProps) {
  useLanguage();
  const { hasPassword, viewsLeft, maxViews } = share;
  const [password, setPassword] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const limited = viewsLeft !== null;
  const error = problem && sentence(problem);

  // After a refusal the next thing typed replaces what was wrong.
  useEffect(() => {
    if (!problem) return;
    field.current?.focus();
    field.current?.select();
  }, [problem]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (hasPassword && password === "") field.current?.focus();
    else onOpen(hasPassword ? password : undefined);
  };

  return (
    <CentredCard
      icon={hasPassword ? <Lock aria-hidden /> : <Eye aria-hidden />}
      title={hasPassword ? t("paste.view.locked") : t("paste.view.limited")}
    >
      <form onSubmit={submit} className="grid gap-4">
        <div className="text-muted">
          {hasPassword ? <p>{t("paste.view.lockedText")}</p> : null}
          {limited ? <p>{t("paste.view.limitedText")}</p> : null}
        </div>
        {hasPassword ? (
          <TextField
            ref={field}
            type="password"
            label={t("paste.view.password")}
            hiddenLabel
            placeholder={t("paste.view.password")}
            value={password}
            maxLength={MAX_PASSWORD_CHARACTERS}
            autoComplete="off"
            autoFocus
            error={error}
            onChange={(event) => setPassword(event.target.value)}
          />
        ) : error ? (
          <p role="alert" className="text-danger">
            {error}
          </p>
        ) : null}
        <Button type="submit" variant="primary" busy={busy}>
          {limited ? t("paste.view.openLimited", { left: viewsLeft, max: maxViews }) : t("paste.view.unlock")}
        </Button>
      </form>
    </CentredCard>
  );
}

function sentence(failure: ApiFailure): string {
  if (failure.code === "password.wrong") return t("paste.view.wrong");
  if (failure.code === "limit.wait" && failure.retryAfter) return t("paste.view.wait", { seconds: failure.retryAfter });
  return failure.message;
}
