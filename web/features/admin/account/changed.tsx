import { useEffect } from "react";
import { signIn } from "../../../api/sign-in.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useCountdown } from "./use-countdown.ts";

const SECONDS = 5;

/** Says that the account was changed and its sessions have ended, and leads to the sign-in after a moment or at a press. */
export function Changed({ onEnd }: { readonly onEnd: () => void }) {
  useLanguage();
  const end = () => {
    onEnd();
    signIn.leaveChanged();
  };
  const seconds = useCountdown({ seconds: SECONDS, paused: false, onEnd: end });
  // Whoever closes the page instead comes back to the sign-in as well: the session is no more.
  useEffect(() => {
    window.addEventListener("pagehide", signIn.leaveChanged);
    return () => window.removeEventListener("pagehide", signIn.leaveChanged);
  }, []);
  const now = (
    <Button variant="primary" onClick={end} data-autofocus>
      {t("admin.account.saved.now")}
    </Button>
  );
  return (
    <Dialog title={t("admin.account.saved.title")} onClose={end} footer={now}>
      <p className="text-muted">{t("admin.account.saved.text", { seconds })}</p>
    </Dialog>
  );
}
