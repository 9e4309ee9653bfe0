import ShieldCheck from "lucide-react/icons/shield-check";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useStore } from "../../lib/store.ts";
import { sealing } from "../../page/sealing.ts";
import { SwitchChip } from "./chip.tsx";

/** Whether what is shared now is sealed, as a component shows it. */
export const useSealed = (): boolean => useStore(sealing.sealed) && sealing.able();

/** Has what is shared encrypted in this browser. */
export function SealSwitch() {
  useLanguage();
  const on = useSealed();
  return (
    <SwitchChip
      icon={ShieldCheck}
      label={t("paste.options.sealed.title")}
      text={t(`paste.options.sealed.${on ? "on" : "off"}`)}
      on={on}
      unable={!sealing.able()}
      onPress={() => sealing.choose(!on)}
    />
  );
}

/** What sealing means, as long as it is on, or why it cannot be. Where it is on since an earlier share it says so, and is turned off there. */
export function SealNote({ password }: { readonly password: string }) {
  useLanguage();
  const on = useSealed();
  const refused = useStore(sealing.refused);
  const isCarried = useStore(sealing.carried) && on;
  if (!on && !refused) return null;
  const words = on ? (password ? "meansPassword" : "means") : "plainHttp";
  return (
    <p role="status" className="mb-2 text-[13px] text-muted">
      {isCarried && (
        <>
          <span className="font-medium text-text">{t("paste.options.sealed.carried")}</span>{" "}
        </>
      )}
      {t(`paste.options.sealed.${words}`)}
      {isCarried && (
        <>
          {" "}
          <button
            type="button"
            onClick={() => sealing.choose(false)}
            className="-my-2 rounded py-2 text-accent hover:underline"
          >
            {t("paste.options.sealed.turnOff")}
          </button>
        </>
      )}
    </p>
  );
}

/** Letters and digits that nobody takes for one another. */
const LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const RANDOM_LETTERS = 20;

/** A password that nobody guesses: a hundred bits. */
export const randomPassword = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(RANDOM_LETTERS)), (byte) => LETTERS[byte % LETTERS.length]).join("");
