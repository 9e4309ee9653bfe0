import KeyRound from "lucide-react/icons/key-round";
import Lock from "lucide-react/icons/lock";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { keyIn } from "../../page/fragment-key.ts";
import { Button } from "../../ui/button.tsx";
import { CentredCard } from "../../ui/card.tsx";
import { TextField } from "../../ui/form/field.tsx";
import type { OpenSealed } from "./source.ts";
import { Tools } from "./tools.tsx";

interface KeyCardProps {
  readonly slug: string;
  readonly share: OpenSealed;
  readonly lock: "password" | "key";
  readonly busy: boolean;
  /** What was given does not fit. */
  readonly isWrong: boolean;
  readonly onGive: (text: string) => void;
}

/** Asks for what opens a sealed share: its password, or the key that its link should have had. Wrong ones cost nothing. */
export function KeyCard({ slug, share, lock, busy, isWrong, onGive }: KeyCardProps) {
  useLanguage();
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const isKey = lock === "key";

  // What is wrong is selected, so that typing replaces it.
  useEffect(() => {
    if (!isWrong) return;
    field.current?.focus();
    field.current?.select();
  }, [isWrong]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    if (text.trim() === "") field.current?.focus();
    else onGive(isKey ? keyIn(text) : text);
  };
  const label = isKey ? t("sealed.key.label") : t("share.gate.password");
  return (
    <CentredCard
      icon={isKey ? <KeyRound aria-hidden /> : <Lock aria-hidden />}
      title={isKey ? t(isWrong ? "sealed.key.wrongTitle" : "sealed.key.title") : t("share.gate.locked")}
    >
      <form onSubmit={submit} className="grid gap-4">
        <p className="text-muted">{isKey ? t("sealed.key.text") : t("sealed.password.text")}</p>
        <TextField
          ref={field}
          type={isKey ? "text" : "password"}
          mono={isKey}
          label={label}
          hiddenLabel
          placeholder={label}
          value={text}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          error={isWrong && !busy ? (isKey ? t("sealed.failure.wrongKey") : t("share.gate.wrong")) : undefined}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" variant="primary" busy={busy}>
          {busy ? t("share.gate.loading") : t("share.gate.unlock")}
        </Button>
      </form>
      <div className="mt-4">
        <Tools slug={slug} share={share} />
      </div>
    </CentredCard>
  );
}
