import Fingerprint from "lucide-react/icons/fingerprint-pattern";
import { useState } from "react";
import { useKeepSealedKey } from "../../api/sealed-keys.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../button.tsx";
import { Notice } from "../notice.tsx";
import { usePasskey } from "../use-passkey.ts";

interface PasskeyOfferProps {
  readonly identity: string;
  readonly recipient: string;
  readonly letters: readonly string[];
}

/** Has a passkey open the key that was made here, too: the server keeps what the passkey has sealed. */
export function PasskeyOffer({ identity, recipient, letters }: PasskeyOfferProps) {
  useLanguage();
  const { able, busy, problem, seal } = usePasskey();
  const { mutateAsync: keep } = useKeepSealedKey();
  const [isKept, setIsKept] = useState(false);
  const add = async () => {
    const name = t("link.sealed.passkey.name", { letters: letters.join("") });
    const kept = await seal(identity, name, (sealed) => keep({ recipient, ...sealed }));
    if (kept) setIsKept(true);
  };
  if (able === undefined) return null;
  if (!able) return <p className="text-[13px] text-muted">{t("link.sealed.passkey.none")}</p>;
  if (isKept) return <Notice tone="ok">{t("link.sealed.passkey.kept")}</Notice>;
  return (
    <div className="grid gap-2">
      <p className="text-[13px] text-muted">{t("link.sealed.passkey.offer")}</p>
      {problem && <Notice tone="error">{problem}</Notice>}
      <div>
        <Button icon={<Fingerprint aria-hidden />} busy={busy} onClick={() => void add()}>
          {t("link.sealed.passkey.add")}
        </Button>
      </div>
    </div>
  );
}
