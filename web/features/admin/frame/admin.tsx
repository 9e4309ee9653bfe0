import { Activity, type ReactNode, useRef } from "react";
import { session, useSession, useSignOutReason } from "../../../api/session/session.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { Login } from "../login/login.tsx";
import { DrawerBar } from "./drawer.tsx";
import { Navigation, PanelTitle } from "./navigation.tsx";
import { useSignInLink } from "./sign-in-link.ts";

interface AdminProps {
  /** The addresses of the pages that may be opened. */
  readonly open: readonly string[];
  readonly children: ReactNode;
}

/** The admin area: a sign-in card for strangers, else the page of a module beside the modules that one may open. */
export function Admin({ open, children }: AdminProps) {
  useLanguage();
  const state = useSession();
  const link = useSignInLink();
  const userEpoch = useStore(session.userEpoch);
  const reason = useSignOutReason();
  const signedIn = state.authType !== "none";
  const hasBeen = useRef(false);
  if (signedIn) hasBeen.current = true;
  // A session that nobody logged out of may have left a form half filled in: it waits, unseen, for the same person to come back.
  const waits = hasBeen.current && reason !== "loggedOut";
  if (link === "opening") return <Opening />;
  return (
    <>
      {signedIn ? null : <Login linkIsDead={link === "dead"} />}
      {signedIn || waits ? (
        <Activity key={userEpoch} mode={signedIn ? "visible" : "hidden"}>
          <Frame open={open}>{children}</Frame>
        </Activity>
      ) : null}
    </>
  );
}

/** The navigation beside the page, on a phone in a drawer. */
const Frame = ({ open, children }: AdminProps) => (
  <div className="mx-auto flex w-full max-w-fluid flex-1 flex-col md:flex-row md:gap-8 md:px-4">
    <DrawerBar open={open} />
    <div className="hidden w-44 shrink-0 md:block">
      <div className="sticky top-14 flex max-h-[calc(100dvh-56px)] flex-col overflow-y-auto py-8">
        <div className="mb-3 px-3">
          <PanelTitle />
        </div>
        <Navigation open={open} />
      </div>
    </div>
    <div className="min-w-0 flex-1 px-4 py-5 md:px-0 md:py-8">{children}</div>
  </div>
);

const Opening = () => (
  <p role="status" className="grid flex-1 place-items-center p-8 text-muted">
    {t("admin.login.setupOpening")}
  </p>
);
