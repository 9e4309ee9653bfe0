import Fingerprint from "lucide-react/icons/fingerprint-pattern";
import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import type { SealedKey } from "#contract/sealed-keys";
import { useRemoveSealedKey, useSealedKeys } from "../../api/sealed-keys.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { dateTime } from "../../lib/time.ts";
import { Button } from "../button.tsx";
import { Notice } from "../notice.tsx";
import { ConfirmDialog } from "../overlay/dialog.tsx";
import { usePasskey } from "../use-passkey.ts";
import { useLetters } from "./use-letters.ts";

interface PasskeyKeysProps {
  /** Called with the public key of one that was opened here: what the server says of it is not believed. */
  readonly onOpened: (recipient: string) => Promise<void>;
}

/** The keys that passkeys open, to seal with one of them again. */
export function PasskeyKeys({ onOpened }: PasskeyKeysProps) {
  useLanguage();
  const { data: keys = [] } = useSealedKeys();
  const { able, busy, problem, open: openKey } = usePasskey();
  const [leaving, setLeaving] = useState<SealedKey>();
  const { mutateAsync: remove } = useRemoveSealedKey();
  if (keys.length === 0 || !able) return null;
  const use = async (key: SealedKey) => {
    // It opens only when its public key is the one that is given on.
    const opened = await openKey(key);
    if (opened !== undefined) await onOpened(key.recipient);
  };
  return (
    <div className="grid gap-2">
      <ul className="grid gap-2">
        {keys.map((key) => (
          <KeptRow key={key.id} kept={key} busy={busy} onUse={() => void use(key)} onRemove={() => setLeaving(key)} />
        ))}
      </ul>
      {problem && <Notice tone="error">{problem}</Notice>}
      {leaving && (
        <ConfirmDialog
          danger
          title={t("link.sealed.passkey.deleteTitle")}
          text={t("link.sealed.passkey.deleteText")}
          confirm={t("link.sealed.passkey.delete")}
          onConfirm={() => remove(leaving.id)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </div>
  );
}

interface KeptRowProps {
  readonly kept: SealedKey;
  readonly busy: boolean;
  readonly onUse: () => void;
  readonly onRemove: () => void;
}

function KeptRow({ kept: { recipient, created_at }, busy, onUse, onRemove }: KeptRowProps) {
  const language = useLanguage();
  const letters = useLetters(recipient).join(" ");
  return (
    <li className="flex flex-wrap items-center gap-2">
      <Button icon={<Fingerprint aria-hidden />} busy={busy} onClick={onUse}>
        {t("link.sealed.passkey.use")}
      </Button>
      <Button
        variant="plain"
        className="w-9 px-0 pointer-coarse:w-11 pointer-coarse:px-0"
        icon={<Trash2 aria-hidden />}
        aria-label={t("link.sealed.passkey.deleteOne", { letters })}
        onClick={onRemove}
      />
      <p className="w-full text-[13px] text-muted">
        <span className="font-mono">{letters}</span> · {dateTime(created_at, language)}
      </p>
    </li>
  );
}
