import Eye from "lucide-react/icons/eye";
import Lock from "lucide-react/icons/lock";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { MAX_PASSWORD_CHARACTERS } from "#contract/limits";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { isInsideApp } from "../../lib/inside-app.ts";
import { Button } from "../button.tsx";
import { CentredCard } from "../card.tsx";
import { TextField } from "../form/field.tsx";
import { Notice } from "../notice.tsx";
import { waitText } from "../session/wait-text.ts";
import type { Refusal } from "./opening.ts";

export interface AskCardProps {
  readonly hasPassword: boolean;
  readonly maxViews: number;
  /** null is unlimited. */
  readonly viewsLeft: number | null;
  readonly busy: boolean;
  readonly problem: Refusal | undefined;
  /** Files are behind it, which people mostly want to keep. */
  readonly hasFiles?: boolean;
  readonly onOpen: (password?: string) => void;
}

/** Shown before a share with a password, a view limit or both. Only its button spends a view. */
export function AskCard({ hasPassword, maxViews, viewsLeft, busy, problem, hasFiles = false, onOpen }: AskCardProps) {
  useLanguage();
  const [password, setPassword] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const limited = viewsLeft !== null;
  const error = problem && sentence(problem);

  // After a refusal the wrong password is selected, so that typing replaces it.
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
      title={hasPassword ? t("share.gate.locked") : t("share.gate.limited")}
    >
      <form onSubmit={submit} className="grid gap-4">
        <div className="text-muted">
          {hasPassword ? <p>{t("share.gate.lockedText")}</p> : null}
          {limited ? <p>{t("share.gate.limitedText")}</p> : null}
        </div>
        {/* Before a view is spent: another browser needs one of its own. */}
        {hasFiles && isInsideApp() ? <Notice tone="plain">{t("share.gate.insideApp")}</Notice> : null}
        {hasPassword ? (
          <TextField
            ref={field}
            type="password"
            label={t("share.gate.password")}
            hiddenLabel
            placeholder={t("share.gate.password")}
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
          {limited ? limitText(viewsLeft, maxViews) : t("share.gate.unlock")}
        </Button>
      </form>
    </CentredCard>
  );
}

/** What pressing the button spends. */
const limitText = (left: number, max: number): string =>
  max === 1 ? t("share.gate.openOnce") : t("share.gate.openLimited", { left, max });

function sentence(failure: Refusal): string {
  if (failure.code === "password.wrong") return t("share.gate.wrong");
  if (failure.code === "limit.wait" && failure.retryAfter) return waitText(failure.retryAfter);
  return failure.message;
}
