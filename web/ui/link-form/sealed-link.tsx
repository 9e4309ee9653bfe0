import KeyRound from "lucide-react/icons/key-round";
import { useCallback, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { appUpdate } from "../../page/app-update.ts";
import { sealing } from "../../page/sealing.ts";
import { Button } from "../button.tsx";
import { Checkbox, TextField } from "../form/field.tsx";
import { toastFailure } from "../toast/toast-failure.ts";
import { ComparedLetters } from "./compared-letters.tsx";
import { NewKey } from "./new-key.tsx";
import { PasskeyKeys } from "./passkey-keys.tsx";
import { PasskeyOffer } from "./passkey-offer.tsx";

const loadKeys = () =>
  appUpdate.arrival(() => Promise.all([import("../../sealed/locks.ts"), import("../../sealed/fingerprint.ts")]));

/** For whom a link seals, and the secret key where it was made here. */
interface Taken {
  readonly recipient: string;
  readonly letters: readonly string[];
  readonly identity: string | undefined;
}

interface SealedLinkProps {
  /** Has the link name this recipient; undefined for none. */
  readonly onRecipient: (recipient: string | undefined) => Promise<void>;
  /** Called while it is to seal and has no key yet. */
  readonly onPending: (pending: boolean) => void;
}

/** Has what others send sealed for whoever made the link, who has a key already or makes one here. */
export function SealedLink({ onRecipient, onPending }: SealedLinkProps) {
  useLanguage();
  const [isOn, setIsOn] = useState(false);
  const [taken, setTaken] = useState<Taken>();
  const toggle = async (next: boolean) => {
    if (taken && !(await succeeds(() => onRecipient(undefined)))) return;
    setIsOn(next);
    setTaken(undefined);
    onPending(next);
  };
  const take = useCallback(
    async (recipient: string, identity?: string) => {
      await succeeds(async () => {
        const [, { fingerprintOf }] = await loadKeys();
        const letters = await fingerprintOf(recipient);
        await onRecipient(recipient);
        setTaken({ recipient, letters, identity });
        onPending(false);
      });
    },
    [onRecipient, onPending],
  );
  const able = sealing.able();
  return (
    <div className="grid gap-3 rounded-lg border border-line p-3">
      <div>
        <Checkbox
          label={t("link.sealed.switch")}
          checked={isOn}
          disabled={!able}
          onChange={({ target }) => void toggle(target.checked)}
        />
        <p className="text-[13px] text-muted">{t(able ? "link.sealed.switchHint" : "link.sealed.plainHttp")}</p>
      </div>
      {isOn && !taken && <Keys onTaken={take} />}
      {taken && (
        <>
          <div role="status" className="grid gap-1">
            <p className="font-medium text-ok">{t("link.sealed.ready")}</p>
            <p className="text-[13px] text-muted">{t("link.sealed.readyText")}</p>
            <ComparedLetters letters={taken.letters} />
          </div>
          {taken.identity && <PasskeyOffer {...taken} identity={taken.identity} />}
        </>
      )}
    </div>
  );
}

/** Answers whether it was done; where not, it is said why. */
async function succeeds(act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    await toastFailure(error);
    return false;
  }
}

interface KeysProps {
  readonly onTaken: (recipient: string, identity?: string) => Promise<void>;
}

function Keys({ onTaken }: KeysProps) {
  useLanguage();
  const [own, setOwn] = useState("");
  const [secret, setSecret] = useState<string>();
  const [isWrong, setIsWrong] = useState(false);
  const check = (text: string) => {
    setOwn(text);
    setIsWrong(false);
    void succeeds(async () => {
      const [{ isRecipient }] = await loadKeys();
      const recipient = text.trim();
      if (isRecipient(recipient)) await onTaken(recipient);
      else setIsWrong(recipient !== "");
    });
  };
  const make = () =>
    succeeds(async () => {
      const [{ newIdentity }] = await loadKeys();
      setSecret(await newIdentity());
    });
  const takeNew = useCallback(() => {
    if (secret === undefined) return;
    void succeeds(async () => {
      const [{ recipientOf }] = await loadKeys();
      await onTaken(await recipientOf(secret), secret);
    });
  }, [secret, onTaken]);
  if (secret) return <NewKey secret={secret} onKept={takeNew} />;
  return (
    <>
      <PasskeyKeys onOpened={onTaken} />
      <div>
        <Button icon={<KeyRound aria-hidden />} onClick={make}>
          {t("link.sealed.make")}
        </Button>
      </div>
      <TextField
        label={t("link.sealed.own")}
        mono
        value={own}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        hint={t("link.sealed.ownHint")}
        error={isWrong && t("link.sealed.ownWrong")}
        onChange={({ target }) => check(target.value)}
      />
    </>
  );
}
