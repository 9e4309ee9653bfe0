import { type ReactNode, useState } from "react";
import { session } from "../../api/session/session.ts";
import { offlineFallback } from "../../api/transport/offline-fallback.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { useOneAtATime } from "../../lib/one-at-a-time.ts";
import { draftStorage } from "../../page/draft-storage.ts";
import { recentTexts } from "../../page/recent-texts.ts";
import { ConfirmDialog } from "../overlay/dialog.tsx";
import { type InterruptedWork, signingOut } from "./signing-out.ts";

/** How long a sign-out waits for the part of the app that knows what waits for a connection, in milliseconds. */
const LOADING = 2000;

/**
 * Ends the session. Asks first, one after the other, about what would be lost: uploads, changes that wait, the draft. Gives what a button does,
 * and the question to show beside it, whose words are the dictionary's part `leaving`. With `onLeft`, which leads on from there, the same person
 * signs in another way: the draft stays for them. Else it goes with the session, because the next person is somebody else.
 */
export function useSignOut(onLeft?: () => void): { readonly press: () => Promise<void>; readonly question: ReactNode } {
  useLanguage();
  const oneAtATime = useOneAtATime();
  const [asked, setAsked] = useState<readonly InterruptedWork[]>([]);
  const leave = () => {
    // The session is over at once; the server hears of it in its own time.
    const loggedOut = session.logout();
    if (!onLeft) {
      draftStorage.forget();
      recentTexts.forget();
    }
    onLeft?.();
    return loggedOut;
  };
  const ask = async (about: readonly InterruptedWork[]) => {
    setAsked(about);
    if (about.length === 0) await leave();
  };
  const askAll = async () => {
    // It loads after the page, and forgets what is the person's on this device.
    await Promise.race([offlineFallback.get(), new Promise((resolve) => setTimeout(resolve, LOADING))]);
    await ask(signingOut.breaksOff().filter((kind) => kind !== "draft" || !onLeft));
  };
  const press = async () => void (await oneAtATime(askAll));
  const [asking, ...others] = asked;
  const question = asking && (
    <ConfirmDialog
      key={asking}
      danger
      title={t(`leaving.${asking}.title`)}
      text={t(`leaving.${asking}.text`)}
      confirm={t(`leaving.${asking}.confirm`)}
      cancel={t(`leaving.${asking}.stay`)}
      onConfirm={() => ask(others)}
      onClose={() => setAsked((now) => (now === asked ? [] : now))}
    />
  );
  return { press, question };
}
