import File from "lucide-react/icons/file";
import FileText from "lucide-react/icons/file-text";
import KeyRound from "lucide-react/icons/key-round";
import LogOut from "lucide-react/icons/log-out";
import { Activity, useState } from "react";
import { NavLink, Outlet, useLocation } from "react-router-dom";
import { session, useSession, useSignOutReason } from "../../api/session.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { signingOut } from "../../ui/signing-out.ts";
import { Login } from "./login.tsx";
import { useSignInLink } from "./sign-in-link.ts";

const modules = [
  { to: "/admin/text-management", label: "admin.nav.texts", Icon: FileText },
  { to: "/admin/file-management", label: "admin.nav.files", Icon: File },
  { to: "/admin/account", label: "admin.nav.account", Icon: KeyRound },
] as const;

/** The administrator's pages: a sign-in card for strangers, else the modules with their navigation. */
export function Admin() {
  useLanguage();
  const { authType } = useSession();
  const link = useSignInLink();
  const { state } = useLocation();
  const signedIn = authType !== "none";
  // A session that ended by itself may have left a form half filled in: it waits, unseen, for the same person to come back.
  const waits = useSignOutReason() === "expired";
  if (link === "opening") return <Opening />;
  return (
    <>
      {signedIn ? null : <Login linkIsDead={link === "dead"} returnTo={returnTo(state)} />}
      {signedIn || waits ? (
        <Activity mode={signedIn ? "visible" : "hidden"}>
          <div className="mx-auto flex w-full max-w-6xl flex-1 flex-col md:flex-row md:gap-8 md:px-4">
            <Navigation />
            <div className="min-w-0 flex-1 px-4 py-5 md:px-0 md:py-8">
              <Outlet />
            </div>
          </div>
        </Activity>
      ) : null}
    </>
  );
}

/** Where somebody wanted to go when they were sent here to sign in. */
const returnTo = (state: unknown): string | undefined =>
  typeof state === "object" && state !== null && "returnTo" in state && typeof state.returnTo === "string"
    ? state.returnTo
    : undefined;

const Opening = () => (
  <p role="status" className="grid flex-1 place-items-center p-8 text-muted">
    {t("admin.login.setupOpening")}
  </p>
);

const item =
  "flex h-11 shrink-0 items-center gap-2.5 whitespace-nowrap px-3 font-medium text-muted transition-colors hover:text-text " +
  "aria-[current=page]:text-text [&_svg]:size-[18px] [&_svg]:shrink-0 " +
  "max-md:gap-2 max-md:border-transparent max-md:border-b-2 max-md:px-2.5 max-md:aria-[current=page]:border-accent " +
  "md:h-9 md:rounded-lg md:pointer-coarse:h-11 md:hover:bg-sunken md:aria-[current=page]:bg-sunken";

/** Beside the page on a desk, tabs above it on a phone. */
function Navigation() {
  useLanguage();
  return (
    <nav
      aria-label={t("admin.nav.label")}
      className="flex gap-1 overflow-x-auto border-line border-b px-2 md:w-44 md:shrink-0 md:flex-col md:overflow-visible md:border-b-0 md:px-0 md:py-8"
    >
      {modules.map(({ to, label, Icon }) => (
        <NavLink key={to} to={to} className={item}>
          <Icon aria-hidden />
          {t(label)}
        </NavLink>
      ))}
      <LogOutButton />
    </nav>
  );
}

/** Ends the session; asks first when that would break off uploads. */
function LogOutButton() {
  useLanguage();
  const [asking, setAsking] = useState(false);
  const press = () => (signingOut.get()?.() ? setAsking(true) : session.logout());
  return (
    <>
      <button type="button" onClick={press} className={classes(item, "max-md:ml-auto md:mt-4")}>
        <LogOut aria-hidden />
        {t("admin.nav.logout")}
      </button>
      {asking && (
        <ConfirmDialog
          danger
          title={t("admin.logout.title")}
          text={t("admin.logout.text")}
          confirm={t("admin.logout.confirm")}
          cancel={t("admin.logout.stay")}
          onConfirm={session.logout}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
