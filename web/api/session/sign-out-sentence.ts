import { t } from "../../i18n/i18n.ts";
import { useSignOutReason } from "./session.ts";

/** Says why the last session ended; undefined when the person ended it, or while there is one. */
export function useSignOutSentence(): string | undefined {
  const reason = useSignOutReason();
  return reason === "expired" || reason === "keyInvalid" || reason === "unauthorized"
    ? t(`shell.signedOut.${reason}`)
    : undefined;
}
