import Download from "lucide-react/icons/download";
import { useEffect, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { saveText } from "../../lib/save-file.ts";
import { Button } from "../button.tsx";
import { CopyButton } from "../copy-button.tsx";
import { TextField } from "../form/field.tsx";
import { Notice } from "../notice.tsx";

interface NewKeyProps {
  readonly secret: string;
  /** It was pasted back. */
  readonly onKept: () => void;
}

/** Shows a secret key once. The link names it only after it was pasted back: who has not kept it could open nothing. */
export function NewKey({ secret, onKept }: NewKeyProps) {
  useLanguage();
  const [typed, setTyped] = useState("");
  const isRight = typed.trim() === secret;
  useEffect(() => {
    if (isRight) onKept();
  }, [isRight, onKept]);
  return (
    <>
      <div className="grid gap-2">
        <p className="font-medium text-sm">{t("link.sealed.key")}</p>
        <p data-secret className="wrap-anywhere rounded-lg bg-sunken px-3 py-2 font-mono text-sm">
          {secret}
        </p>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={secret} label={t("link.sealed.copyKey")} />
          <Button icon={<Download aria-hidden />} onClick={() => saveText("satchel-key.txt", `${secret}\n`)}>
            {t("link.sealed.saveKey")}
          </Button>
        </div>
        <Notice tone="plain">{t("link.sealed.keyText")}</Notice>
      </div>
      <TextField
        label={t("link.sealed.back")}
        mono
        value={typed}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        error={typed.trim() !== "" && !isRight && t("link.sealed.backWrong")}
        onChange={({ target }) => setTyped(target.value)}
      />
    </>
  );
}
