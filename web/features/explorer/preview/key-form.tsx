import Fingerprint from "lucide-react/icons/fingerprint-pattern";
import KeyRound from "lucide-react/icons/key-round";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { SealedKey } from "#contract/sealed-keys";
import { useSealedKeys } from "../../../api/sealed-keys.ts";
import { useSession } from "../../../api/session/session.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { keyIn } from "../../../page/fragment-key.ts";
import { type Problem, sentenceOf } from "../../../preview/sealed/unlocked.ts";
import { isIdentity, type Key } from "../../../sealed/locks.ts";
import { Button } from "../../../ui/button.tsx";
import { CentredCard, Skeleton } from "../../../ui/card.tsx";
import { TextField } from "../../../ui/form/field.tsx";
import { useLetters } from "../../../ui/link-form/use-letters.ts";
import { Notice } from "../../../ui/notice.tsx";
import { usePasskey } from "../../../ui/use-passkey.ts";
import { useTree } from "../tree.ts";

interface KeyFormProps {
  readonly busy: boolean;
  readonly problem: Problem | undefined;
  readonly onGive: (key: Key) => void;
}

/** Asks for what opens a sealed file: a passkey, where one keeps a key of this person, or the key or password itself. */
export function KeyForm({ busy, problem, onGive }: KeyFormProps) {
  useLanguage();
  const { link } = useTree();
  const isOwn = useSession().authType !== "none" && link === undefined;
  const { data: keys = [], isLoading } = useSealedKeys(isOwn);
  const { able } = usePasskey();
  const [by, setBy] = useState<"passkey" | "typed">();
  const give = (how: typeof by) => (key: Key) => {
    setBy(how);
    onGive(key);
  };
  const withPasskey = able === true && keys.length > 0;
  // What has the focus depends on whether there is a passkey.
  if (isLoading) return <Skeleton className="min-h-72 flex-1 rounded-xl" />;
  return (
    <CentredCard icon={<KeyRound aria-hidden />} title={t("sealed.inTree.title")}>
      <div className="grid gap-4">
        <p className="text-muted">{t("sealed.inTree.text")}</p>
        {withPasskey && (
          <Passkeys {...{ keys, busy, onGive: give("passkey") }} problem={by === "passkey" ? problem : undefined} />
        )}
        <TypedKey
          {...{ busy, onGive: give("typed"), isSecond: withPasskey }}
          problem={by === "passkey" ? undefined : problem}
        />
      </div>
    </CentredCard>
  );
}

function Passkeys({ keys, busy, problem, onGive }: KeyFormProps & { readonly keys: readonly SealedKey[] }) {
  const passkey = usePasskey();
  const use = async (key: SealedKey) => {
    const identity = await passkey.open(key);
    if (identity !== undefined) onGive({ identity });
  };
  const refusal = problem === "wrongKey" ? t("sealed.inTree.passkeyWrong") : problem && sentenceOf(problem);
  const said = passkey.problem ?? (busy ? undefined : refusal);
  return (
    <div className="grid gap-2">
      {keys.map((key) => (
        <PasskeyButton
          key={key.id}
          recipient={keys.length > 1 ? key.recipient : undefined}
          busy={busy || passkey.busy}
          onUse={() => void use(key)}
        />
      ))}
      {said && <Notice tone="error">{said}</Notice>}
    </div>
  );
}

interface PasskeyButtonProps {
  /** Where there are several keys to tell apart. */
  readonly recipient: string | undefined;
  readonly busy: boolean;
  readonly onUse: () => void;
}

function PasskeyButton({ recipient, busy, onUse }: PasskeyButtonProps) {
  const letters = useLetters(recipient);
  return (
    <Button variant="primary" icon={<Fingerprint aria-hidden />} busy={busy} onClick={onUse}>
      {t("link.sealed.passkey.use")}
      {letters.length > 0 && <span className="font-mono">{letters.slice(0, 2).join(" ")}</span>}
    </Button>
  );
}

function TypedKey({ busy, problem, onGive, isSecond }: KeyFormProps & { readonly isSecond: boolean }) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (problem) field.current?.select();
  }, [problem]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const identity = keyIn(text);
    if (text.trim() === "") field.current?.focus();
    else if (!busy) onGive(isIdentity(identity) ? { identity } : { password: text });
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <TextField
        ref={field}
        type="password"
        label={t("sealed.inTree.label")}
        value={text}
        autoComplete="off"
        autoFocus={!isSecond}
        error={problem && !busy ? sentenceOf(problem) : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" variant={isSecond ? "quiet" : "primary"} busy={busy}>
        {busy ? t("share.gate.loading") : t("share.gate.unlock")}
      </Button>
    </form>
  );
}
