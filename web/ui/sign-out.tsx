import { type ReactNode, useState } from "react";
import { session } from "../api/session.ts";
import { standIn } from "../api/stand-in.ts";
import { t, useLanguage } from "../i18n/i18n.ts";
import { ConfirmDialog } from "./dialog.tsx";
import { signingOut } from "./signing-out.ts";

/** How long a sign-out waits for the part of the app that knows what waits for a connection, in milliseconds. */
const LOADING = 2000;

/**
 * Ends the session; asks first when that would break off uploads, or lose changes. Gives what a button does, and the question to show beside
 * it, whose words are the dictionary's part `leaving`. `onLeft` leads on from there.
 */
export function useSignOut(onLeft?: () => void): { readonly press: () => Promise<void>; readonly question: ReactNode } {
  useLanguage();
  const [asking, setAsking] = useState<ReturnType<typeof signingOut.breaksOff>>();
  const leave = () => {
    // The session is over at once; the server hears of it in its own time.
    const told = session.logout();
    onLeft?.();
    return told;
  };
  const press = async () => {
    // It loads after the page, and forgets what is the person's on this device.
    await Promise.race([standIn.get(), new Promise((resolve) => setTimeout(resolve, LOADING))]);
    const lost = signingOut.breaksOff();
    if (lost) setAsking(lost);
    else await leave();
  };
  const question = asking && (
    <ConfirmDialog
      danger
      title={t(`leaving.${asking}.title`)}
      text={t(`leaving.${asking}.text`)}
      confirm={t(`leaving.${asking}.confirm`)}
      cancel={t(`leaving.${asking}.stay`)}
      onConfirm={leave}
      onClose={() => setAsking(undefined)}
    />
  );
  return { press, question };
}
